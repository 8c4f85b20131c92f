import { z } from 'zod';
import {
  contentBodyBytesMax,
  Deletion,
  DocumentChange,
  NewText,
  PageRequest,
  UploadForm,
  VersionPageRequest,
} from '../../src/documents/input.ts';
import { integerBetween } from '../../src/platform/input/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { documentBody, storedBody, versionBody } from './bodies.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'Documents', access: 'caller', errors: generalErrors } as const;

/** The number of a version in a path. Text that is not a number becomes 0, which no version has. */
const versionOf = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);

const DownloadRequest = z.object({
  version: integerBetween('version', 1, 2_147_483_647).nullish().describe('The version; the current one by default.'),
});

/** The paths of documents. Source: docs/specification/documents.md. */
export const documentRoutes: readonly Route[] = [
  route('GET /api/documents', {
    ...shared,
    reference: reference.listDocuments,
    operation: operations.ListDocumentsDocument,
    query: PageRequest,
    variables: ({ query }) => query,
    body: ({ documentPage: { documents, ...page } }) => ({ documents: documents.map(documentBody), ...page }),
    response: responses.listResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/documents/upload', {
    ...shared,
    takesFile: true,
    isIdempotent: true,
    reference: reference.uploadDocument,
    operation: operations.UploadDocumentDocument,
    input: UploadForm,
    variables: ({ body, fileUuid }) => ({ input: { ...body, fileUuid } }),
    body: ({ documentUpload }) => storedBody(documentUpload),
    response: responses.storedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
  route('PUT /api/documents/:id/file', {
    ...shared,
    takesFile: true,
    isIdempotent: true,
    reference: reference.replaceFile,
    operation: operations.UploadDocumentDocument,
    variables: ({ params, fileUuid }) => ({ input: { documentId: params.id, fileUuid } }),
    body: ({ documentUpload }) => storedBody(documentUpload),
    response: responses.storedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
  route('POST /api/documents/files', {
    ...shared,
    takesFile: true,
    isIdempotent: true,
    reference: reference.receiveFile,
    operation: operations.GetReceivedFileDocument,
    variables: ({ fileUuid }) => ({ uuid: fileUuid }),
    body: ({ documentReceivedFile: { uuid, fileName, fileSize, mimeType, sha256 } }) => ({
      success: true,
      fileUuid: uuid,
      fileName,
      fileSize,
      mimeType,
      sha256,
    }),
    response: responses.fileResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT', 'TOO_LARGE'],
  }),
  route('POST /api/documents/ai', {
    ...shared,
    status: 201,
    isIdempotent: true,
    bodyBytesMax: contentBodyBytesMax,
    reference: reference.createAiDocument,
    operation: operations.CreateAiDocumentDocument,
    input: NewText,
    variables: ({ body }) => ({ input: body }),
    body: ({ documentAiCreate }) => storedBody(documentAiCreate),
    response: responses.storedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
  route('GET /api/documents/:id', {
    ...shared,
    reference: reference.getDocument,
    operation: operations.GetDocumentDocument,
    variables: ({ params }) => ({ uuid: params.id }),
    body: ({ document }) => ({ success: true, document: documentBody(document) }),
    response: responses.documentResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('PATCH /api/documents/:id', {
    ...shared,
    reference: reference.updateDocument,
    operation: operations.UpdateDocumentDocument,
    input: DocumentChange,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.id } }),
    body: ({ documentUpdate: { document } }) => ({ success: true, document: documentBody(document) }),
    response: responses.documentResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('DELETE /api/documents/:id', {
    ...shared,
    reference: reference.deleteDocument,
    operation: operations.DeleteDocumentDocument,
    query: Deletion,
    variables: ({ params, query }) => ({ input: { ...query, uuid: params.id } }),
    body: () => ({ success: true, message: 'Document deleted' }),
    response: responses.deletedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/documents/:id/restore', {
    ...shared,
    reference: reference.restoreDocument,
    operation: operations.RestoreDocumentDocument,
    variables: ({ params }) => ({ input: { uuid: params.id } }),
    body: ({ documentRestore: { document } }) => ({ success: true, document: documentBody(document) }),
    response: responses.documentResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/documents/:id/reindex', {
    ...shared,
    reference: reference.reindexDocument,
    operation: operations.ReindexDocumentDocument,
    variables: ({ params }) => ({ input: { uuid: params.id } }),
    body: ({ documentReindex: { document } }) => ({ success: true, document: documentBody(document) }),
    response: responses.documentResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/documents/:id/versions', {
    ...shared,
    reference: reference.listVersions,
    operation: operations.ListDocumentVersionsDocument,
    query: VersionPageRequest,
    variables: ({ params, query }) => ({ ...query, uuid: params.id }),
    body: ({ documentVersions }) => ({ versions: documentVersions.map(versionBody) }),
    response: responses.versionsResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/documents/:id/versions/:version', {
    ...shared,
    reference: reference.getVersion,
    operation: operations.GetDocumentVersionDocument,
    variables: ({ params }) => ({ uuid: params.id, version: versionOf(params.version) }),
    body: ({ documentVersion }) => ({ version: versionBody(documentVersion) }),
    response: responses.versionResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/documents/:id/versions/:version/restore', {
    ...shared,
    reference: reference.restoreVersion,
    operation: operations.RestoreDocumentVersionDocument,
    variables: ({ params }) => ({ input: { uuid: params.id, version: versionOf(params.version) } }),
    body: ({ documentVersionRestore }) => storedBody(documentVersionRestore),
    response: responses.storedResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/library/download/:id', {
    ...shared,
    givesFile: true,
    reference: reference.downloadDocument,
    operation: operations.GetDocumentVersionDocument,
    query: DownloadRequest,
    variables: ({ params, query }) => ({ ...query, uuid: params.id }),
    body: ({ documentVersion: { documentUuid, version, fileName, fileSize, mimeType, sha256 } }) => ({
      documentUuid,
      version,
      fileName,
      fileSize,
      mimeType,
      sha256,
    }),
    response: z.string(),
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/rag/storage-stats', {
    ...shared,
    reference: reference.storageStatistics,
    operation: operations.GetDocumentStorageDocument,
    variables: () => ({}),
    body: ({ documentStorageStatistics: { documents, bytes, documentsMax, bytesMax } }) => ({
      success: true,
      documents,
      bytes,
      documentsMax,
      bytesMax,
    }),
    response: responses.storageResponse,
    errorCodes: ['FORBIDDEN'],
  }),
];
