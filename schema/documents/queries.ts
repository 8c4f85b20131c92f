import type { ReceivedFile, StorageStatistics } from '../../src/documents/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, pageArgs, pageType } from '../connection.ts';
import { query } from '../query.ts';
import { DocumentRef, DocumentSourceEnum, DocumentVersionRef } from './document.ts';

const DocumentConnection = connectionType('Document', DocumentRef, 'A page of documents, the newest first.');

const filterArgs = () =>
  builder.args((t) => ({
    search: t.string({
      description:
        'Only documents with all of these words in the title, the description or the name of the file. At most 200 characters.',
    }),
    source: t.field({ type: DocumentSourceEnum, description: 'Only documents of this source.' }),
    isDeleted: t.boolean({ description: 'True for the deleted documents that can be restored.' }),
    profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
  }));

query('documents', {
  type: DocumentConnection,
  description: 'The documents of your profile, the newest first.',
  args: () => ({ ...connectionArgs(), ...filterArgs() }),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, args, { caller, services }) => ({
    ...(await services.documents.connection(caller, args)),
    count: () => services.documents.count(caller, args),
  }),
});

const DocumentPageRef = pageType('DocumentPage', 'documents', DocumentRef, 'The documents of this page.', {
  showsWindow: true,
});

query('documentPage', {
  type: DocumentPageRef,
  description: 'The documents of your profile by offset, as GET /api/documents lists them.',
  args: () => ({
    ...pageArgs('1 to 100.', 20),
    ...filterArgs(),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, { caller, services }) => services.documents.page(caller, args),
});

query('document', {
  type: DocumentRef,
  description: 'A document that is yours or shared with you.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, { caller, services }) => services.documents.find(caller, uuid),
});

query('documentVersions', {
  type: [DocumentVersionRef],
  description: 'The versions of a document of yours, the newest first.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the document.' }),
    ...pageArgs('1 to 100.', 100),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid, ...page }, { caller, services }) => services.documents.versions(caller, uuid, page),
});

query('documentVersion', {
  type: DocumentVersionRef,
  description: 'One version of a document of yours.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the document.' }),
    version: arg.int({ description: 'Number of the version; the current one by default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid, version }, { caller, services }) =>
    services.documents.version(caller, uuid, version ?? null),
});

const ReceivedFileRef = builder.objectRef<ReceivedFile>('ReceivedFile').implement({
  description: 'An uploaded file that does not belong to a document yet. It is removed after an hour.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, for `documentUpload`.' }),
    fileName: t.exposeString('fileName', { description: 'Name of the file.' }),
    fileSize: t.exposeFloat('fileSize', { description: 'Bytes of the file.' }),
    mimeType: t.exposeString('mimeType', { description: 'MIME type, detected from the content of the file.' }),
    sha256: t.string({
      description: 'SHA-256 of the file in hexadecimal.',
      resolve: ({ contentHash }) => contentHash.toString('hex'),
    }),
  }),
});

query('documentReceivedFile', {
  type: ReceivedFileRef,
  description: 'A file that your profile sent to POST /api/documents/files and that does not belong to a document yet.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, { caller, services }) => services.documents.uploads.received(caller, uuid),
});

const StorageStatisticsRef = builder.objectRef<StorageStatistics>('DocumentStorageStatistics').implement({
  description: 'Storage that the documents of a profile use, and its limits.',
  fields: (t) => ({
    documents: t.exposeInt('documents', { description: 'Number of documents, deleted ones included.' }),
    bytes: t.exposeFloat('bytes', {
      description: 'Bytes of all files, those of older versions and of deleted documents included.',
    }),
    documentsMax: t.exposeInt('documentsMax', { description: 'Number of documents that the profile may have.' }),
    bytesMax: t.exposeFloat('bytesMax', { description: 'Bytes that its files can use.' }),
  }),
});

query('documentStorageStatistics', {
  type: StorageStatisticsRef,
  description: 'Storage that the documents of your profile use.',
  extensions: { rateLimit: 'general' },
  resolve: (_root, _args, { caller, services }) => services.documents.statistics(caller),
});
