import { exampleUuid } from '../reference.ts';

const ofDocument = { id: { description: 'UUID of the document.', example: exampleUuid } } as const;

export const readDocument = {
  summary: 'Read a document by lines',
  description:
    'The text that was extracted from the file of a document of yours. 409 while it is being processed, and if processing failed.',
  params: ofDocument,
  example: {
    query: { fromLine: 11, lines: 2 },
    response: {
      documentId: exampleUuid,
      title: 'Handbook',
      version: 1,
      fromLine: 11,
      toLine: 12,
      totalLines: 40,
      start: 480,
      end: 517,
      page: 1,
      text: 'Holidays\nEveryone has thirty days off\n',
      isCut: false,
      nextLine: 13,
    },
  },
} as const;

export const grepDocuments = {
  summary: 'Find lines of documents by a pattern',
  description:
    'Lines that match a regular expression, of one of your documents or of all, the newest first. A call searches at most 8 million characters; pass `nextCursor` as `after` to continue.',
  example: {
    query: { pattern: 'thirty|30', contextLines: 1, limit: 20 },
    response: {
      matches: [
        {
          documentId: exampleUuid,
          title: 'Handbook',
          version: 1,
          line: 12,
          page: 1,
          start: 502,
          end: 508,
          text: 'Everyone has thirty days off',
          before: ['Holidays'],
          after: [''],
        },
      ],
      isComplete: true,
      nextCursor: null,
    },
  },
} as const;

export const diffDocument = {
  summary: 'Compare versions of a document',
  description:
    'The lines in which the texts of two versions differ. 413 for texts of over 4 million characters or 200 000 lines together, and for more than 2 000 changed lines.',
  params: ofDocument,
  example: {
    query: { from: 1, to: 2 },
    response: {
      documentId: exampleUuid,
      from: 1,
      to: 2,
      patch: '@@ -12,1 +12,1 @@\n-Everyone has thirty days off\n+Everyone has thirty-one days off\n',
      addedLines: 1,
      removedLines: 1,
      isComplete: true,
    },
  },
} as const;
