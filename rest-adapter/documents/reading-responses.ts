import { z } from 'zod';

const page = z.int().nullable().describe('From 1; null for formats without pages.');
const start = z.int().describe('Offset in the text of the version, in UTF-16 code units.');
const end = z.int().describe('Offset of the end, in UTF-16 code units.');

export const linesResponse = z.strictObject({
  documentId: z.uuid(),
  title: z.string(),
  version: z.int(),
  fromLine: z.int(),
  toLine: z.int().describe('The last line; `fromLine - 1` if there are no lines.'),
  totalLines: z.int(),
  start,
  end,
  page,
  text: z.string().describe('At most 100 000 characters.'),
  isCut: z.boolean().describe('Whether the last line is too long and ends early.'),
  nextLine: z.int().nullable().describe('Number of the next line; null at the end.'),
});

export const grepResponse = z.strictObject({
  matches: z.array(
    z.strictObject({
      documentId: z.uuid(),
      title: z.string(),
      version: z.int(),
      line: z.int().describe('From 1.'),
      page,
      start,
      end,
      text: z.string().describe('The line; of a long one, 500 characters around the match.'),
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
  isComplete: z.boolean().describe('Whether all documents have been searched to their ends.'),
  nextCursor: z.string().nullable().describe('Cursor for `after` of the next call; null if `isComplete`.'),
});

export const diffResponse = z.strictObject({
  documentId: z.uuid(),
  from: z.int(),
  to: z.int(),
  patch: z.string().describe('Unified format without names of files; empty for equal texts.'),
  addedLines: z.int(),
  removedLines: z.int(),
  isComplete: z.boolean().describe('False if `patch` ends early because it is too long.'),
});
