import { z } from 'zod';
import { documentSources, documentVisibilities } from '../../src/documents/input.ts';
import { namedObject } from '../schema.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');
const status = z.enum(['received', 'indexing', 'ready', 'failed']).describe('Processing status of the version.');

/** An AI model that wrote a version of a document. */
export const AttributionBody = namedObject('DocumentAttribution', {
  modelProvider: z.string(),
  modelName: z.string(),
  contribution: z.enum(['created', 'updated']),
  createdAt: timestamp,
});

/** Source: docs/specification/documents.md#document. */
export const DocumentBody = namedObject('Document', {
  id: z.uuid(),
  title: z.string(),
  description: z.string().nullable(),
  fileName: z.string().describe('File name, as the client sent it. Do not use it as a path.'),
  fileSize: z.int().describe('Bytes.'),
  mimeType: z.string().describe('MIME type, detected from the content of the file.'),
  source: z.enum(documentSources),
  tags: z.array(z.string()),
  visibility: z.enum(documentVisibilities),
  version: z.int().describe('The current version, from 1.'),
  indexedVersion: z.int().nullable().describe('The version that search finds; null for none.'),
  status,
  failureCode: z.string().nullable(),
  failureReason: z.string().nullable().describe('Reason of the failure as a sentence.'),
  progress: z.int().describe('Progress of the processing in percent.'),
  remainingSeconds: z
    .int()
    .nullable()
    .describe(
      'Estimated seconds until it is ready, from the length of the queue and the speed of the latest documents; null unless it waits or is being processed.',
    ),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
  modelAttributions: z.array(AttributionBody).describe('AI models that wrote its versions, at most the latest 20.'),
});

const DocumentVersionBody = namedObject('DocumentVersion', {
  documentId: z.uuid(),
  version: z.int(),
  isCurrent: z.boolean(),
  fileName: z.string(),
  fileSize: z.int(),
  mimeType: z.string(),
  sha256: z.string().describe('SHA-256 in hexadecimal.'),
  status,
  failureCode: z.string().nullable(),
  failureReason: z.string().nullable(),
  progress: z.int(),
  createdAt: timestamp,
  readyAt: timestamp.nullable(),
});

const success = z.literal(true);

export const documentResponse = z.strictObject({ success, document: DocumentBody });
export const storedResponse = z.strictObject({
  success,
  documentId: z.uuid(),
  document: DocumentBody,
  duplicateOf: z.uuid().nullable().describe('An older document of your profile with the same content.'),
});
export const fileResponse = z.strictObject({
  success,
  fileUuid: z.uuid().describe('For the mutation `documentUpload`, within an hour.'),
  fileName: z.string(),
  fileSize: z.int(),
  mimeType: z.string(),
  sha256: z.string().describe('SHA-256 in hexadecimal.'),
});
export const listResponse = z.strictObject({
  documents: z.array(DocumentBody),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});
export const versionsResponse = z.strictObject({ versions: z.array(DocumentVersionBody) });
export const versionResponse = z.strictObject({ version: DocumentVersionBody });
export const deletedResponse = z.strictObject({ success, message: z.string() });
export const storageResponse = z.strictObject({
  success,
  documents: z.int().describe('Number of documents, deleted ones included.'),
  bytes: z.int().describe('Bytes of all files, those of older versions and of deleted documents included.'),
  documentsMax: z.int(),
  bytesMax: z.int(),
});
