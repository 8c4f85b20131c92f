import type { DocumentProgress } from '../../src/documents/index.ts';
import { builder } from '../builder.ts';
import { optional } from '../optional.ts';
import { DocumentRef, DocumentStatusEnum } from './document.ts';
import { loadDocument } from './document-loader.ts';

const Progress = builder.objectRef<DocumentProgress>('DocumentProgress').implement({
  description: 'Progress of the processing of a document.',
  fields: (t) => ({
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    version: t.exposeInt('version', { description: 'Number of the version.' }),
    status: t.expose('status', { type: DocumentStatusEnum, description: 'Processing status.' }),
    progress: t.exposeInt('progress', { description: 'Progress in percent.' }),
    failureReason: t.exposeString('failureReason', optional('Reason of a failure in a sentence; else null.')),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: 'The current document; null if it was removed.',
      resolve: ({ documentUuid }, _args, context, info) => loadDocument(context, info, documentUuid),
    }),
  }),
});

builder.subscriptionField('documentProgress', (t) =>
  t.field({
    type: Progress,
    description: 'Progress of the processing of your documents from now on, of all or of one.',
    args: { documentUuid: t.arg.string({ description: 'Only this document, which must be yours.' }) },
    extensions: { rateLimit: 'general' },
    subscribe: (_root, { documentUuid }, { caller, services }) =>
      services.documents.progressed(caller, { documentUuid }),
    resolve: (progress) => progress,
  }),
);
