import { exampleProfile, exampleTime, exampleUuid } from '../reference.ts';

const document = {
  id: exampleUuid,
  title: 'Handbook',
  description: null,
  fileName: 'handbook.pdf',
  fileSize: 48_213,
  mimeType: 'application/pdf',
  source: 'upload',
  tags: ['people'],
  visibility: 'private',
  version: 1,
  indexedVersion: null,
  status: 'received',
  failureCode: null,
  failureReason: null,
  progress: 0,
  remainingSeconds: 3,
  createdAt: exampleTime,
  updatedAt: exampleTime,
  deletedAt: null,
  modelAttributions: [],
} as const;

const hash = 'a3f1c9d27b5e8046a3f1c9d27b5e8046a3f1c9d27b5e8046a3f1c9d27b5e8046';
const version = {
  documentId: exampleUuid,
  version: 1,
  isCurrent: true,
  fileName: document.fileName,
  fileSize: document.fileSize,
  mimeType: document.mimeType,
  sha256: hash,
  status: 'ready',
  failureCode: null,
  failureReason: null,
  progress: 100,
  createdAt: exampleTime,
  readyAt: exampleTime,
} as const;

const ofDocument = { id: { description: 'UUID of the document.', example: exampleUuid } } as const;
const ofVersion = { ...ofDocument, version: { description: 'Number of the version.', example: '1' } } as const;
const stored = { success: true, documentId: exampleUuid, document, duplicateOf: null } as const;

export const listDocuments = {
  summary: 'List documents',
  description: 'The documents of your profile, the newest first.',
  example: {
    query: { limit: 20, search: 'handbook' },
    response: { documents: [document], total: 1, limit: 20, offset: 0 },
  },
} as const;

export const uploadDocument = {
  summary: 'Upload a document',
  description:
    'Send one file of at most 100 MB as `file` of a multipart form. It is processed in the background; `status` has the progress. The type is detected from the content. A file with the content of another document is stored, and `duplicateOf` names that document. 409 when the storage of the profile is full.',
  example: { body: { profileUuid: exampleProfile, title: 'Handbook', tags: 'people' }, response: stored },
} as const;

export const replaceFile = {
  summary: 'Upload a new version',
  description:
    'The file becomes the newest version of the document. Search finds the version before until the new one is ready. A document has at most 1 000 versions.',
  params: ofDocument,
  example: { response: { ...stored, document: { ...document, version: 2, indexedVersion: 1 } } },
} as const;

export const receiveFile = {
  summary: 'Send a file',
  description:
    'For clients of the GraphQL API: the mutation `documentUpload` creates a document from the file. An unused file is removed after an hour.',
  example: {
    response: {
      success: true,
      fileUuid: exampleUuid,
      fileName: document.fileName,
      fileSize: document.fileSize,
      mimeType: document.mimeType,
      sha256: hash,
    },
  },
} as const;

export const createAiDocument = {
  summary: 'Create a document by an AI model',
  description: 'Creates a document that an AI model wrote, and notifies the users of the profile.',
  example: {
    body: {
      title: 'Release notes',
      content: '# Release notes\n\nThe first release.',
      format: 'md',
      model: { provider: 'example', name: 'example-model' },
    },
    response: {
      ...stored,
      document: {
        ...document,
        title: 'Release notes',
        fileName: 'Release notes.md',
        fileSize: 37,
        mimeType: 'text/markdown',
        source: 'ai_generated',
        tags: [],
        modelAttributions: [
          { modelProvider: 'example', modelName: 'example-model', contribution: 'created', createdAt: exampleTime },
        ],
      },
    },
  },
} as const;

export const getDocument = {
  summary: 'Get a document',
  description: 'A document of your profile, or one that is shared with it by its visibility.',
  params: ofDocument,
  example: { response: { success: true, document } },
} as const;

export const updateDocument = {
  summary: 'Update a document',
  description: 'Changes the given fields. Null empties the description and the tags. The file stays.',
  params: ofDocument,
  example: { body: { title: 'Handbook' }, response: { success: true, document } },
} as const;

export const deleteDocument = {
  summary: 'Delete a document',
  description:
    'Deletes the document. It can be restored for 30 days; with `permanent` it is removed at once, with its files. A deleted document counts towards the storage until it is removed.',
  params: ofDocument,
  example: { query: { permanent: false }, response: { success: true, message: 'Document deleted' } },
} as const;

export const restoreDocument = {
  summary: 'Restore a document',
  description: 'Restores a document that was deleted in the last 30 days. 409 for a document that is not deleted.',
  params: ofDocument,
  example: { response: { success: true, document } },
} as const;

export const reindexDocument = {
  summary: 'Read a document again',
  description: 'Processes the current version again, for example after a failure.',
  params: ofDocument,
  example: { response: { success: true, document } },
} as const;

export const listVersions = {
  summary: 'List the versions of a document',
  description: 'The newest first.',
  params: ofDocument,
  example: { query: { limit: 10 }, response: { versions: [version] } },
} as const;

export const getVersion = {
  summary: 'Get a version of a document',
  description: 'The metadata of one version.',
  params: ofVersion,
  example: { response: { version } },
} as const;

export const restoreVersion = {
  summary: 'Restore a version of a document',
  description: 'An older version becomes the newest one again: a new version with its content.',
  params: ofVersion,
  example: { response: { ...stored, document: { ...document, version: 2 } } },
} as const;

export const downloadDocument = {
  summary: 'Download a document',
  description:
    'The file of the current version, or of `version`, as an attachment. A request with `Range` gets 206, or 416 if the range is outside the file. Only the profile that owns the document may download it.',
  params: ofDocument,
  example: { query: { version: 1 }, response: 'The bytes of the file' },
} as const;

export const storageStatistics = {
  summary: 'Get the storage of the profile',
  description: 'The used storage and its limits.',
  example: {
    response: { success: true, documents: 1, bytes: 48_213, documentsMax: 10_000, bytesMax: 5_000_000_000 },
  },
} as const;
