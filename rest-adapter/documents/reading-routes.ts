import { DiffRequest, GrepRequest, ReadingRequest } from '../../src/documents/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reading-reference.ts';
import * as responses from './reading-responses.ts';

const shared = { tag: 'Documents', access: 'caller', errors: generalErrors } as const;

/** The id of a document as this API names it. */
const withDocumentId = <Body extends { documentUuid: string }>({ documentUuid, ...rest }: Body) => ({
  documentId: documentUuid,
  ...rest,
});

/** Reading documents beside search. Ours. */
export const documentReadingRoutes: readonly Route[] = [
  route('GET /api/documents/grep', {
    ...shared,
    reference: reference.grepDocuments,
    operation: operations.GrepDocumentsDocument,
    query: GrepRequest,
    variables: ({ query }) => query,
    body: ({ documentGrep: { matches, ...page } }) => ({ matches: matches.map(withDocumentId), ...page }),
    response: responses.grepResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/documents/:id/text', {
    ...shared,
    reference: reference.readDocument,
    operation: operations.ReadDocumentDocument,
    query: ReadingRequest,
    variables: ({ params, query }) => ({ uuid: params.id, ...query }),
    body: ({ documentRead }) => withDocumentId(documentRead),
    response: responses.linesResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/documents/:id/diff', {
    ...shared,
    reference: reference.diffDocument,
    operation: operations.DiffDocumentDocument,
    query: DiffRequest,
    variables: ({ params, query }) => ({ uuid: params.id, ...query }),
    body: ({ documentDiff }) => withDocumentId(documentDiff),
    response: responses.diffResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
];
