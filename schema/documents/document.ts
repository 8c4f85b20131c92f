import type { Attribution, DocumentRecord, VersionRecord } from '../../src/documents/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { loadDocument } from './document-loader.ts';

export const DocumentSourceEnum = enumOf('DocumentSource', 'Way by which a document came into the library.', {
  upload: 'As a file.',
  ai_generated: 'Written by an AI model.',
  api: 'As text, by a program.',
});

export const DocumentVisibilityEnum = enumOf(
  'DocumentVisibility',
  'Callers that may read what is known of a document by its UUID. Its file, its text and search are for its profile alone.',
  {
    private: 'The profile that owns it.',
    workspace: 'Every profile of the project.',
    public: 'Every authenticated caller.',
  },
);

export const DocumentStatusEnum = enumOf('DocumentStatus', 'Whether a version of a document has been read.', {
  received: 'Stored, and waiting to be read.',
  indexing: 'Being read.',
  ready: 'Read; the current version is found by search.',
  failed: 'It cannot be read; `failureReason` says why.',
});

const DocumentContribution = enumOf('DocumentContribution', 'Contribution of an AI model to a document.', {
  created: 'It wrote the first version.',
  updated: 'It wrote a later version.',
});

const DocumentAttributionRef = builder.objectRef<Attribution>('DocumentAttribution').implement({
  description: 'An AI model that wrote a version of a document.',
  fields: (t) => ({
    modelProvider: t.exposeString('modelProvider', { description: 'Provider of the model.' }),
    modelName: t.exposeString('modelName', { description: 'Name of the model.' }),
    contribution: t.expose('contribution', { type: DocumentContribution, description: 'The contribution.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the contribution.' }),
  }),
});

export const DocumentRef = builder.objectRef<DocumentRecord>('Document');

builder.node(DocumentRef, {
  description: 'A document in the library of a profile, with its current version.',
  id: { resolve: ({ uuid }) => uuid },
  loadWithoutCache: (uuid: string, context, info) => loadDocument(context, info, uuid),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    profileUuid: t.expose('profileUuid', { type: 'UUID', description: 'UUID of the profile that owns it.' }),
    title: t.exposeString('title', { description: 'The title.' }),
    description: t.exposeString('description', { nullable: true, description: 'Purpose of the object.' }),
    source: t.expose('source', { type: DocumentSourceEnum, description: 'Way by which it came into the library.' }),
    tags: t.exposeStringList('tags', { description: 'Tags, at most 50.', extensions: { defaultLength: 10 } }),
    visibility: t.expose('visibility', {
      type: DocumentVisibilityEnum,
      description: 'Callers that may read what is known of it.',
    }),
    version: t.exposeInt('version', { description: 'Number of the current version, from 1.' }),
    indexedVersion: t.exposeInt('indexedVersion', {
      nullable: true,
      description: 'The version that search finds; null before the first one is ready.',
    }),
    fileName: t.exposeString('fileName', {
      description: 'Name of the file, as its client gave it. It is text, no path.',
    }),
    fileSize: t.exposeFloat('fileSize', { description: 'Bytes of the file.' }),
    mimeType: t.exposeString('mimeType', { description: 'MIME type by the content of the file.' }),
    sha256: t.exposeString('contentHash', { description: 'SHA-256 of the file in hexadecimal.' }),
    status: t.expose('status', { type: DocumentStatusEnum, description: 'Whether the current version has been read.' }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'Reason of a failure as a code, such as `ENCRYPTED`.',
    }),
    failureReason: t.exposeString('failureReason', { nullable: true, description: 'The same in a sentence.' }),
    progress: t.exposeInt('progress', { description: 'Percent of the ingestion that is done.' }),
    remainingSeconds: t.int({
      nullable: true,
      description:
        'Estimated seconds until the document is ready, by the queue and the pace of the latest documents; null if it neither waits nor is being read.',
      resolve: (document, _args, { services }) => services.documents.remainingSeconds(document),
    }),
    attributions: t.expose('attributions', {
      type: [DocumentAttributionRef],
      description: 'AI models that wrote its versions, at most the latest 20.',
      extensions: { defaultLength: 5 },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    deletedAt: t.expose('deletedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the deletion; null for a document that is not deleted.',
    }),
  }),
});

export const DocumentVersionRef = builder.objectRef<VersionRecord>('DocumentVersion').implement({
  description: 'One version of a document.',
  fields: (t) => ({
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    version: t.exposeInt('version', { description: 'Number of the version, from 1.' }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether it is the newest version.' }),
    fileName: t.exposeString('fileName', { description: 'Name of the file.' }),
    fileSize: t.exposeFloat('fileSize', { description: 'Bytes of the file.' }),
    mimeType: t.exposeString('mimeType', { description: 'MIME type by the content of the file.' }),
    sha256: t.exposeString('contentHash', { description: 'SHA-256 of the file in hexadecimal.' }),
    status: t.expose('status', { type: DocumentStatusEnum, description: 'Whether it has been read.' }),
    failureCode: t.exposeString('failureCode', { nullable: true, description: 'Reason of a failure as a code.' }),
    failureReason: t.exposeString('failureReason', { nullable: true, description: 'The same in a sentence.' }),
    progress: t.exposeInt('progress', { description: 'Percent of the ingestion that is done.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    readyAt: t.expose('readyAt', { type: 'DateTime', nullable: true, description: 'Time at which it was read.' }),
  }),
});
