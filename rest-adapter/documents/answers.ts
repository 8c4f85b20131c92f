import { z } from 'zod';
import { documentSources, documentVisibilities } from '../../src/documents/input.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');
const status = z.enum(['received', 'indexing', 'ready', 'failed']).describe('Whether the version has been read.');

/** An AI model that wrote a version of a document. */
export const AttributionBody = z
  .object({
    modelProvider: z.string(),
    modelName: z.string(),
    contribution: z.enum(['created', 'updated']),
    createdAt: timestamp,
  })
  .strict()
  .meta({ id: 'DocumentAttribution' });

/** Source: docs/specification/documents.md#document. */
export const DocumentBody = z
  .object({
    id: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    fileName: z.string().describe('As the client gave it. It is text, no path.'),
    fileSize: z.int().describe('Bytes.'),
    mimeType: z.string().describe('By the content of the file.'),
    source: z.enum(documentSources),
    tags: z.array(z.string()),
    visibility: z.enum(documentVisibilities),
    version: z.int().describe('The current version, from 1.'),
    indexedVersion: z.int().nullable().describe('The version that search finds; null for none.'),
    status,
    failureCode: z.string().nullable(),
    failureReason: z.string().nullable().describe('Why it cannot be read, in a sentence.'),
    progress: z.int().describe('Percent of the ingestion that is done.'),
    remainingSeconds: z
      .int()
      .nullable()
      .describe(
        'Estimated seconds until it is ready, by the queue and the pace of the latest documents; null if it neither waits nor is being read.',
      ),
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
    modelAttributions: z.array(AttributionBody).describe('AI models that wrote its versions, at most the latest 20.'),
  })
  .strict()
  .meta({ id: 'Document' });

const DocumentVersionBody = z
  .object({
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
  })
  .strict()
  .meta({ id: 'DocumentVersion' });

const success = z.literal(true);

export const documentAnswer = z.object({ success, document: DocumentBody }).strict();
export const storedAnswer = z
  .object({
    success,
    documentId: z.uuid(),
    document: DocumentBody,
    duplicateOf: z.uuid().nullable().describe('An older document of your profile with the same content.'),
  })
  .strict();
export const fileAnswer = z
  .object({
    success,
    fileUuid: z.uuid().describe('For the mutation `documentUpload`, within an hour.'),
    fileName: z.string(),
    fileSize: z.int(),
    mimeType: z.string(),
    sha256: z.string().describe('SHA-256 in hexadecimal.'),
  })
  .strict();
export const listAnswer = z
  .object({ documents: z.array(DocumentBody), total: z.int(), limit: z.int(), offset: z.int() })
  .strict();
export const versionsAnswer = z.object({ versions: z.array(DocumentVersionBody) }).strict();
export const versionAnswer = z.object({ version: DocumentVersionBody }).strict();
export const deletedAnswer = z.object({ success, message: z.string() }).strict();
export const storageAnswer = z
  .object({
    success,
    documents: z.int().describe('Number of documents, deleted ones included.'),
    bytes: z.int().describe('Bytes of all files, those of older versions and of deleted documents included.'),
    documentsMax: z.int(),
    bytesMax: z.int(),
  })
  .strict();
