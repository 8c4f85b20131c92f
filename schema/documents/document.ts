import type { Attribution, DocumentRecord, VersionRecord } from '../../src/documents/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { optional, optionalTime } from '../optional.ts';
import { loadDocument } from './document-loader.ts';

export const DocumentSourceEnum = enumOf('DocumentSource', 'Origin of a document.', {
  upload: 'As a file.',
  ai_generated: 'Written by an AI model.',
  api: 'As text, by a program.',
});

export const DocumentVisibilityEnum = enumOf(
  'DocumentVisibility',
  'Callers that may read the metadata of a document by its UUID. Only the profile that owns it can read its file and text, and find it by search.',
  {
    private: 'The profile that owns it.',
    workspace: 'Every profile of the project.',
    public: 'Every authenticated caller.',
  },
);

export const DocumentStatusEnum = enumOf('DocumentStatus', 'Processing status of a version of a document.', {
  received: 'Stored, and waiting to be processed.',
  indexing: 'Being read.',
  ready: 'Processed; search finds this version.',
  failed: 'Processing failed; `failureReason` says why.',
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
    description: t.exposeString('description', optional('Purpose of the object.')),
    source: t.expose('source', { type: DocumentSourceEnum, description: 'Origin of the document.' }),
    tags: t.exposeStringList('tags', { description: 'Tags, at most 50.', extensions: { defaultLength: 10 } }),
    visibility: t.expose('visibility', {
      type: DocumentVisibilityEnum,
      description: 'Callers that may read its metadata.',
    }),
    version: t.exposeInt('version', { description: 'Number of the current version, from 1.' }),
    indexedVersion: t.exposeInt(
      'indexedVersion',
      optional('The version that search finds; null before the first one is ready.'),
    ),
    fileName: t.exposeString('fileName', {
      description: 'File name, as the client sent it. Do not use it as a path.',
    }),
    fileSize: t.exposeFloat('fileSize', { description: 'Bytes of the file.' }),
    mimeType: t.exposeString('mimeType', { description: 'MIME type, detected from the content of the file.' }),
    sha256: t.exposeString('contentHash', { description: 'SHA-256 of the file in hexadecimal.' }),
    status: t.expose('status', { type: DocumentStatusEnum, description: 'Processing status of the current version.' }),
    failureCode: t.exposeString('failureCode', optional('Reason of a failure as a code, such as `ENCRYPTED`.')),
    failureReason: t.exposeString('failureReason', optional('The reason as a sentence.')),
    progress: t.exposeInt('progress', { description: 'Progress of the processing in percent.' }),
    remainingSeconds: t.int({
      nullable: true,
      description:
        'Estimated seconds until the document is ready, from the length of the queue and the speed of the latest documents; null unless it waits or is being processed.',
      resolve: (document, _args, { services }) => services.documents.remainingSeconds(document),
    }),
    attributions: t.expose('attributions', {
      type: [DocumentAttributionRef],
      description: 'AI models that wrote its versions, at most the latest 20.',
      extensions: { defaultLength: 5 },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    deletedAt: t.expose('deletedAt', optionalTime('Time of the deletion; null for a document that is not deleted.')),
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
    mimeType: t.exposeString('mimeType', { description: 'MIME type, detected from the content of the file.' }),
    sha256: t.exposeString('contentHash', { description: 'SHA-256 of the file in hexadecimal.' }),
    status: t.expose('status', { type: DocumentStatusEnum, description: 'Processing status.' }),
    failureCode: t.exposeString('failureCode', optional('Reason of a failure as a code.')),
    failureReason: t.exposeString('failureReason', optional('The reason as a sentence.')),
    progress: t.exposeInt('progress', { description: 'Progress of the processing in percent.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    readyAt: t.expose('readyAt', optionalTime('Time at which it was read.')),
  }),
});
