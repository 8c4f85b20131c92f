import type { DocumentDifference, DocumentLines, GrepMatch, GrepPage } from '../../src/documents/index.ts';
import { builder } from '../builder.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';

const DocumentLinesRef = builder.objectRef<DocumentLines>('DocumentLines').implement({
  description: 'A part of the text of a document: the characters of the version from `start` to `end`.',
  fields: (t) => ({
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    title: t.exposeString('title', { description: 'Title of the document.' }),
    version: t.exposeInt('version', { description: 'Number of the version.' }),
    fromLine: t.exposeInt('fromLine', { description: 'Number of the first line, from 1.' }),
    toLine: t.exposeInt('toLine', { description: 'Number of the last line; `fromLine - 1` if there are no lines.' }),
    totalLines: t.exposeInt('totalLines', { description: 'Number of lines of the whole text.' }),
    start: t.exposeInt('start', { description: 'Offset of the part in the text, in UTF-16 code units.' }),
    end: t.exposeInt('end', { description: 'Offset of its end.' }),
    page: t.exposeInt('page', optional('Page of the first line, from 1; null for formats without pages.')),
    text: t.exposeString('text', { description: 'The text, at most 100 000 characters.' }),
    isCut: t.exposeBoolean('isCut', { description: 'Whether the last line is too long and ends early.' }),
    nextLine: t.exposeInt('nextLine', optional('Number of the line after them; null at the end.')),
  }),
});

query('documentRead', {
  type: DocumentLinesRef,
  description: 'The text of a document of yours by lines.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the document.' }),
    version: arg.int({ description: 'Number of the version; the newest that has been read by default.' }),
    fromLine: arg.int({ description: 'The first line, from 1, which is the default.' }),
    lines: arg.int({ description: 'Number of lines: 1 to 500; 200 by default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid, ...args }, { caller, services }) => services.documents.reading.read(caller, uuid, args),
});

const DocumentGrepMatchRef = builder.objectRef<GrepMatch>('DocumentGrepMatch').implement({
  description: 'A line of a document that matches a pattern.',
  fields: (t) => ({
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    title: t.exposeString('title', { description: 'Title of the document.' }),
    version: t.exposeInt('version', { description: 'Number of the version.' }),
    line: t.exposeInt('line', { description: 'Number of the line, from 1.' }),
    page: t.exposeInt('page', optional('Page of the match, from 1; null for formats without pages.')),
    start: t.exposeInt('start', { description: 'Offset of the first match in the text, in UTF-16 code units.' }),
    end: t.exposeInt('end', { description: 'Offset of its end.' }),
    text: t.exposeString('text', { description: 'The line; of a long one, 500 characters around the match.' }),
    before: t.exposeStringList('before', { description: 'The lines before, at most 300 characters of each.' }),
    after: t.exposeStringList('after', { description: 'The lines after, at most 300 characters of each.' }),
  }),
});

const DocumentGrepResultRef = builder.objectRef<GrepPage>('DocumentGrepResult').implement({
  description: 'Lines of documents that match a pattern.',
  fields: (t) => ({
    matches: t.expose('matches', {
      type: [DocumentGrepMatchRef],
      description: 'The lines, of the newest document first.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'Whether all documents have been searched to their ends.',
    }),
    nextCursor: t.exposeString('nextCursor', optional('Cursor for `after` of the next call; null if `isComplete`.')),
  }),
});

query('documentGrep', {
  type: DocumentGrepResultRef,
  description:
    'The lines of your documents that match a regular expression. A call searches at most 8 million characters; pass `nextCursor` as `after` to continue.',
  args: (arg) => ({
    pattern: arg.string({
      required: true,
      description:
        'A regular expression in the syntax of RE2, without look-around and back-references; at most 200 characters.',
    }),
    documentId: arg.string({ description: 'UUID of one document; all of your documents by default.' }),
    caseSensitive: arg.boolean({ description: 'Whether the search is case-sensitive; false by default.' }),
    contextLines: arg.int({ description: 'Lines shown before and after each match: 0 to 5; 0 by default.' }),
    limit: arg.int({ description: 'Number of lines: 1 to 100; 20 by default.' }),
    after: arg.string({ description: 'The `nextCursor` of the previous call.' }),
  }),
  extensions: { rateLimit: 'search' },
  resolve: (_root, args, { caller, services }) => services.documents.reading.grep(caller, args),
});

const DocumentDifferenceRef = builder.objectRef<DocumentDifference>('DocumentDifference').implement({
  description: 'The lines in which two versions of a document differ.',
  fields: (t) => ({
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    from: t.exposeInt('from', { description: 'Number of the older version.' }),
    to: t.exposeInt('to', { description: 'Number of the newer version.' }),
    patch: t.exposeString('patch', {
      description: 'Unified format without names of files, at most 200 000 characters; empty for equal texts.',
    }),
    addedLines: t.exposeInt('addedLines', { description: 'Number of lines that the newer version alone has.' }),
    removedLines: t.exposeInt('removedLines', { description: 'Number of lines that the older version alone has.' }),
    isComplete: t.exposeBoolean('isComplete', { description: 'False if `patch` ends early because it is too long.' }),
  }),
});

query('documentDiff', {
  type: DocumentDifferenceRef,
  description: 'The difference of the texts of two versions of a document of yours.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the document.' }),
    from: arg.int({ description: 'Number of the older version; the one before `to` by default.' }),
    to: arg.int({ description: 'Number of the newer version; the newest that has been read by default.' }),
    contextLines: arg.int({ description: 'Unchanged lines around each change: 0 to 5; 3 by default.' }),
  }),
  extensions: { rateLimit: 'search' },
  resolve: (_root, { uuid, ...args }, { caller, services }) => services.documents.reading.diff(caller, uuid, args),
});
