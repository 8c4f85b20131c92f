import { builder, type InputFieldBuilder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { mutation } from '../mutation.ts';
import { DocumentRef, DocumentVisibilityEnum } from './document.ts';

const stored = {
  document: { type: DocumentRef, description: 'The document after the operation.' },
  duplicateOf: {
    type: 'UUID',
    nullable: true,
    description: 'UUID of an older document of your profile with the same content; null for none.',
  },
} as const;

const factFields = (t: InputFieldBuilder) => ({
  description: t.string({ description: 'At most 2 000 characters.' }),
  tags: t.stringList({ description: 'At most 50 tags of 1 to 50 characters.' }),
  visibility: t.field({ type: DocumentVisibilityEnum, description: 'PRIVATE by default.' }),
  profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
});

mutation('documentUpload', {
  description:
    'Creates a document, or a new version of one, from a file that was sent to POST /api/documents/files. It is processed in the background.',
  rateLimit: 'general',
  input: {
    description: 'An uploaded file and the metadata of the new document.',
    argument: 'The upload.',
    fields: (t) => ({
      fileUuid: t.string({
        required: true,
        description: 'UUID of the file, from the response to POST /api/documents/files.',
      }),
      documentId: t.string({
        description: 'UUID of a document of yours: the file becomes its new version, and the other fields are ignored.',
      }),
      title: t.string({ description: '1 to 255 characters; the name of the file by default.' }),
      ...factFields(t),
    }),
  },
  payload: stored,
  resolve: (input, { caller, services }) => services.documents.uploads.create(caller, input),
});

const DocumentFormat = enumOf('DocumentFormat', 'Format of the text of a document.', {
  md: 'Markdown.',
  txt: 'Plain text.',
  json: 'JSON.',
  html: 'HTML.',
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

mutation('documentCreate', {
  description: 'Creates a document from a text. It is processed in the background.',
  rateLimit: 'general',
  input: { description: 'A document that is given as text.', argument: 'The document.', fields: textFields },
  payload: stored,
  resolve: (input, { caller, services }) => services.documents.uploads.createText(caller, input),
});

mutation('documentAiCreate', {
  description: 'Creates a document that an AI model wrote, and notifies the users of the profile.',
  rateLimit: 'documents.ai',
  input: { description: 'A document that an AI model wrote.', argument: 'The document.', fields: textFields },
  payload: stored,
  resolve: (input, { caller, services }) => services.documents.uploads.createAiText(caller, input),
});

mutation('documentUpdate', {
  description: 'Updates the metadata of a document of yours. Its file stays.',
  rateLimit: 'general',
  input: {
    description:
      'The fields to change. Fields that are left out stay as they are; null empties the description and the tags.',
    argument: 'The changes.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the document.' }),
      title: t.string({ description: '1 to 255 characters.' }),
      description: t.string({ description: 'At most 2 000 characters.' }),
      tags: t.stringList({ description: 'At most 50 tags of 1 to 50 characters. Takes the place of the whole list.' }),
      visibility: t.field({ type: DocumentVisibilityEnum, description: 'Callers that may read its metadata.' }),
    }),
  },
  payload: { document: { type: DocumentRef, description: 'The document after the operation.' } },
  resolve: async ({ uuid, ...change }, { caller, services }) => ({
    document: await services.documents.changes.update(caller, uuid, change),
  }),
});

mutation('documentDelete', {
  description: 'Deletes a document of yours. It can be restored for 30 days, unless it is deleted permanently.',
  rateLimit: 'general',
  input: {
    description: 'The document to delete.',
    argument: 'Selects the document.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the object.' }),
      permanent: t.boolean({
        description: 'Whether to remove it at once, with its files, so that it cannot be restored; false by default.',
      }),
    }),
  },
  payload: { uuid: { type: 'UUID', description: 'UUID of the deleted document.' } },
  resolve: async ({ uuid, permanent }, { caller, services }) => ({
    uuid: await services.documents.changes.remove(caller, uuid, { permanent }),
  }),
});

const DocumentSelector = builder.inputType('DocumentSelector', {
  description: 'A document of yours.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

mutation('documentRestore', {
  description: 'Restores a document that was deleted in the last 30 days.',
  rateLimit: 'general',
  input: { type: DocumentSelector, description: 'Selects the document.' },
  payload: { document: { type: DocumentRef, description: 'The document after the operation.' } },
  resolve: async ({ uuid }, { caller, services }) => ({
    document: await services.documents.changes.restore(caller, uuid),
  }),
});

mutation('documentReindex', {
  description: 'Processes the current version of a document again, for example after a failure.',
  rateLimit: 'general',
  input: { type: DocumentSelector, description: 'Selects the document.' },
  payload: { document: { type: DocumentRef, description: 'The document after the operation.' } },
  resolve: async ({ uuid }, { caller, services }) => ({
    document: await services.documents.changes.reindex(caller, uuid),
  }),
});

mutation('documentVersionRestore', {
  description: 'Makes an older version the newest one again: a new version with its content.',
  rateLimit: 'general',
  input: {
    description: 'The version to restore.',
    argument: 'Selects the version.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the document.' }),
      version: t.int({ required: true, description: 'Number of the version.' }),
    }),
  },
  payload: stored,
  resolve: ({ uuid, version }, { caller, services }) =>
    services.documents.uploads.restoreVersion(caller, uuid, version),
});
