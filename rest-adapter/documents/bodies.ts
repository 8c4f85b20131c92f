import type { z } from 'zod';
import type { DocumentFieldsFragment, DocumentVersionFieldsFragment } from '../generated/operations.ts';
import type { AttributionBody, DocumentBody } from './responses.ts';

const lower = <Name extends string>(name: Name) => name.toLowerCase() as Lowercase<Name>;

export const attributionBody = ({
  modelProvider,
  modelName,
  contribution,
  createdAt,
}: DocumentFieldsFragment['attributions'][number]): z.output<typeof AttributionBody> => ({
  modelProvider,
  modelName,
  contribution: lower(contribution),
  createdAt,
});

export const documentBody = (document: DocumentFieldsFragment): z.output<typeof DocumentBody> => ({
  id: document.uuid,
  title: document.title,
  description: document.description,
  fileName: document.fileName,
  fileSize: document.fileSize,
  mimeType: document.mimeType,
  source: lower(document.source),
  tags: document.tags,
  visibility: lower(document.visibility),
  version: document.version,
  indexedVersion: document.indexedVersion,
  status: lower(document.status),
  failureCode: document.failureCode,
  failureReason: document.failureReason,
  progress: document.progress,
  remainingSeconds: document.remainingSeconds,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
  deletedAt: document.deletedAt,
  modelAttributions: document.attributions.map(attributionBody),
});

export const versionBody = (version: DocumentVersionFieldsFragment) => ({
  documentId: version.documentUuid,
  version: version.version,
  isCurrent: version.isCurrent,
  fileName: version.fileName,
  fileSize: version.fileSize,
  mimeType: version.mimeType,
  sha256: version.sha256,
  status: lower(version.status),
  failureCode: version.failureCode,
  failureReason: version.failureReason,
  progress: version.progress,
  createdAt: version.createdAt,
  readyAt: version.readyAt,
});

export const storedBody = (stored: { document: DocumentFieldsFragment; duplicateOf: string | null }) => ({
  success: true,
  documentId: stored.document.uuid,
  document: documentBody(stored.document),
  duplicateOf: stored.duplicateOf,
});
