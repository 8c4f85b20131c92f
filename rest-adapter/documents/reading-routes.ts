import { DiffRequest, GrepRequest, ReadingRequest } from '../../src/documents/input.ts';
import { generalErrors } from '../errors.ts';
import { DiffDocumentDocument, GrepDocumentsDocument, ReadDocumentDocument } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { diffAnswer, grepAnswer, linesAnswer } from './reading-answers.ts';
import * as reference from './reading-reference.ts';

const shared = { tag: 'Documents', access: 'caller', errors: generalErrors } as const;

/** The id of a document as this API names it. */
const withDocumentId = <Body extends { documentUuid: string }>({ documentUuid, ...rest }: Body) => ({
  documentId: documentUuid,
  ...rest,
});

/** Reading documents beside search. Ours. */
export const documentReadingRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/documents/grep',
    reference: reference.grepDocuments,
    operation: GrepDocumentsDocument,
    query: GrepRequest,
    variables: ({ query }) => query,
    body: ({ documentGrep: { matches, ...page } }) => ({ matches: matches.map(withDocumentId), ...page }),
    answer: grepAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/documents/:id/text',
    reference: reference.readDocument,
    operation: ReadDocumentDocument,
    query: ReadingRequest,
    variables: ({ params, query }) => ({ uuid: params.id, ...query }),
    body: ({ documentRead }) => withDocumentId(documentRead),
    answer: linesAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/documents/:id/diff',
    reference: reference.diffDocument,
    operation: DiffDocumentDocument,
    query: DiffRequest,
    variables: ({ params, query }) => ({ uuid: params.id, ...query }),
    body: ({ documentDiff }) => withDocumentId(documentDiff),
    answer: diffAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
];
