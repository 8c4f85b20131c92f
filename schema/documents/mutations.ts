import type { DocumentRecord, Stored } from '../../src/documents/index.ts';
import { builder, type InputFieldBuilder } from '../builder.ts';
import { DocumentRef, DocumentVisibilityEnum } from './document.ts';

const storedPayload = (name: string, description: string) =>
  builder.objectRef<Stored>(name).implement({
    description,
    fields: (t) => ({
      document: t.field({
        type: DocumentRef,
        description: 'The document after the operation.',
        resolve: ({ document }) => document,
      }),
      duplicateOf: t.expose('duplicateOf', {
        type: 'UUID',
        nullable: true,
        description: 'UUID of an older document of your profile with the same content; null for none.',
      }),
    }),
  });

const documentPayload = (name: string, description: string) =>
  builder.objectRef<{ document: DocumentRecord }>(name).implement({
    description,
    fields: (t) => ({
      document: t.field({
        type: DocumentRef,
        description: 'The document after the operation.',
        resolve: ({ document }) => document,
      }),
    }),
  });

const factFields = (t: InputFieldBuilder) => ({
  description: t.string({ description: 'At most 2 000 characters.' }),
  tags: t.stringList({ description: 'At most 50 tags of 1 to 50 characters.' }),
  visibility: t.field({ type: DocumentVisibilityEnum, description: 'PRIVATE by default.' }),
  profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
});

const DocumentUploadInput = builder.inputType('DocumentUploadInput', {
  description: 'A received file, and what is to be known of it.',
  fields: (t) => ({
    fileUuid: t.string({ required: true, description: 'UUID that POST /api/documents/files answered.' }),
    documentId: t.string({
      description: 'UUID of a document of yours: the file becomes its new version, and the other fields are ignored.',
    }),
    title: t.string({ description: '1 to 255 characters; the name of the file by default.' }),
    ...factFields(t),
  }),
});

builder.mutationField('documentUpload', (t) =>
  t.field({
    type: storedPayload('DocumentUploadPayload', 'Result of `documentUpload`.'),
    description:
      'Makes a document of a file that was sent to POST /api/documents/files, or a new version of a document. It is read in the background.',
    args: { input: t.arg({ type: DocumentUploadInput, required: true, description: 'The upload.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.documents.uploads.create(caller, input),
  }),
);

const DocumentFormat = builder.enumType('DocumentFormat', {
  description: 'Format of the text of a document.',
  values: {
    MD: { value: 'md', description: 'Markdown.' },
    TXT: { value: 'txt', description: 'Plain text.' },
    JSON: { value: 'json', description: 'JSON.' },
    HTML: { value: 'html', description: 'HTML.' },
  } as const,
});

const DocumentModelInput = builder.inputType('DocumentModelInput', {
  description: 'An AI model.',
  fields: (t) => ({
    provider: t.string({ required: true, description: 'Provider of the model, 1 to 100 characters.' }),
    name: t.string({ required: true, description: 'Name of the model, 1 to 200 characters.' }),
    version: t.string({ description: 'Its version.' }),
  }),
});

const textFields = (t: InputFieldBuilder) => ({
  title: t.string({ required: true, description: '1 to 255 characters.' }),
  content: t.string({ required: true, description: 'The text: 1 to 1 000 000 characters.' }),
  format: t.field({ type: DocumentFormat, description: 'MD by default.' }),
  model: t.field({ type: DocumentModelInput, description: 'The AI model that wrote it.' }),
  ...factFields(t),
});

const DocumentCreateInput = builder.inputType('DocumentCreateInput', {
  description: 'A document that is given as text.',
  fields: textFields,
});

builder.mutationField('documentCreate', (t) =>
  t.field({
    type: storedPayload('DocumentCreatePayload', 'Result of `documentCreate`.'),
    description: 'Makes a document of a text. It is read in the background.',
    args: { input: t.arg({ type: DocumentCreateInput, required: true, description: 'The document.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.documents.uploads.createText(caller, input),
  }),
);

const DocumentAiCreateInput = builder.inputType('DocumentAiCreateInput', {
  description: 'A document that an AI model wrote.',
  fields: textFields,
});

builder.mutationField('documentAiCreate', (t) =>
  t.field({
    type: storedPayload('DocumentAiCreatePayload', 'Result of `documentAiCreate`.'),
    description: 'Makes a document that an AI model wrote, and notifies the users of the profile.',
    args: { input: t.arg({ type: DocumentAiCreateInput, required: true, description: 'The document.' }) },
    extensions: { rateLimit: 'documents.ai' },
    resolve: (_root, { input }, { caller, services }) => services.documents.uploads.createAiText(caller, input),
  }),
);

const DocumentUpdateInput = builder.inputType('DocumentUpdateInput', {
  description:
    'The fields to change. Fields that are left out stay as they are; null empties the description and the tags.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the document.' }),
    title: t.string({ description: '1 to 255 characters.' }),
    description: t.string({ description: 'At most 2 000 characters.' }),
    tags: t.stringList({ description: 'At most 50 tags of 1 to 50 characters. Takes the place of the whole list.' }),
    visibility: t.field({ type: DocumentVisibilityEnum, description: 'Callers that may read what is known of it.' }),
  }),
});

builder.mutationField('documentUpdate', (t) =>
  t.field({
    type: documentPayload('DocumentUpdatePayload', 'Result of `documentUpdate`.'),
    description: 'Updates what is known of a document of yours. Its file stays.',
    args: { input: t.arg({ type: DocumentUpdateInput, required: true, description: 'The changes.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...change } }, { caller, services }) => ({
      document: await services.documents.changes.update(caller, uuid, change),
    }),
  }),
);

const DocumentDeleteInput = builder.inputType('DocumentDeleteInput', {
  description: 'The document to delete.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the object.' }),
    permanent: t.boolean({ description: 'Whether it is removed at once, with its files; false by default.' }),
  }),
});

const DocumentDeletePayload = builder.objectRef<{ uuid: string }>('DocumentDeletePayload').implement({
  description: 'Result of `documentDelete`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the deleted document.' }) }),
});

builder.mutationField('documentDelete', (t) =>
  t.field({
    type: DocumentDeletePayload,
    description: 'Deletes a document of yours. It can be restored for 30 days, unless it is deleted permanently.',
    args: { input: t.arg({ type: DocumentDeleteInput, required: true, description: 'Selects the document.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, permanent } }, { caller, services }) => ({
      uuid: await services.documents.changes.remove(caller, uuid, { permanent }),
    }),
  }),
);

const DocumentSelector = builder.inputType('DocumentSelector', {
  description: 'A document of yours.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

builder.mutationField('documentRestore', (t) =>
  t.field({
    type: documentPayload('DocumentRestorePayload', 'Result of `documentRestore`.'),
    description: 'Restores a document that was deleted in the last 30 days.',
    args: { input: t.arg({ type: DocumentSelector, required: true, description: 'Selects the document.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid } }, { caller, services }) => ({
      document: await services.documents.changes.restore(caller, uuid),
    }),
  }),
);

builder.mutationField('documentReindex', (t) =>
  t.field({
    type: documentPayload('DocumentReindexPayload', 'Result of `documentReindex`.'),
    description: 'Reads the current version of a document again, such as one that failed.',
    args: { input: t.arg({ type: DocumentSelector, required: true, description: 'Selects the document.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid } }, { caller, services }) => ({
      document: await services.documents.changes.reindex(caller, uuid),
    }),
  }),
);

const DocumentVersionRestoreInput = builder.inputType('DocumentVersionRestoreInput', {
  description: 'The version to restore.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the document.' }),
    version: t.int({ required: true, description: 'Number of the version.' }),
  }),
});

builder.mutationField('documentVersionRestore', (t) =>
  t.field({
    type: storedPayload('DocumentVersionRestorePayload', 'Result of `documentVersionRestore`.'),
    description: 'Makes an older version the newest one again: a new version with its content.',
    args: { input: t.arg({ type: DocumentVersionRestoreInput, required: true, description: 'Selects the version.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input: { uuid, version } }, { caller, services }) =>
      services.documents.uploads.restoreVersion(caller, uuid, version),
  }),
);
