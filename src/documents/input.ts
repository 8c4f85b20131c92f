import { z } from 'zod';
import {
  integerBetween,
  label,
  line,
  listOf,
  oneOf,
  pageLimit,
  pageRequest,
  shownLabel,
  storableText,
  trueOrFalse,
  upTo,
  whenValid,
} from '../platform/input/input.ts';

/** Source: docs/specification/documents.md#list. */
export const documentSources = ['upload', 'ai_generated', 'api'] as const;
export type DocumentSource = (typeof documentSources)[number];
export const documentVisibilities = ['private', 'workspace', 'public'] as const;
export type DocumentVisibility = (typeof documentVisibilities)[number];
const documentFormats = ['md', 'txt', 'json', 'html'] as const;

/** Bytes of an uploaded file. Source: docs/specification/documents.md#upload. */
export const fileBytesMax = 100 * 1024 * 1024;
/** Characters of a document that is given as text. */
const contentMax = 1_000_000;
/** Bytes of a request with such a text: every character may be an escape of six. */
export const contentBodyBytesMax = 6_500_000;
const titleMax = 255;
const descriptionMax = 2_000;
const tagsMax = 50;
const tagMax = 50;
/** Source: docs/specification/documents.md#list. */
const pageDefault = 20;
const pageMax = 100;
const searchMax = 200;

const title = shownLabel('title', titleMax);
const description = storableText('description').max(
  descriptionMax,
  `description must be at most ${descriptionMax} characters`,
);
const tags = listOf('tags', label('tags', tagMax), { of: 'strings', max: tagsMax }).transform((list) => [
  ...new Set(list.map((tag) => tag.trim())),
]);
const visibility = oneOf('visibility', documentVisibilities);
const profileUuid = z.string({ error: 'profileUuid must be a string' }).nullish();

const documentFields = {
  title: title.nullish().describe('1 to 255 characters; the file name by default.'),
  description: description.nullish().describe('At most 2 000 characters.'),
  tags: tags.nullish().describe('At most 50 tags of 1 to 50 characters.'),
  visibility: visibility.nullish().describe('`private` by default.'),
  profileUuid: profileUuid.describe('UUID of your own profile, which is the default.'),
};

/** An uploaded file and its metadata. With `documentId` it is a new version of that document. */
export const NewUpload = z.object({
  fileUuid: z.string(),
  documentId: z.string({ error: 'documentId must be a string' }).nullish(),
  ...documentFields,
});

/** The fields of the form of an upload. Tags are separated by commas there. */
export const UploadForm = z.object({
  profileUuid: documentFields.profileUuid,
  documentId: z
    .string()
    .nullish()
    .describe('UUID of a document of yours: the file becomes its new version, and the other fields are ignored.'),
  title: documentFields.title,
  description: documentFields.description,
  tags: storableText('tags')
    .max(4_000, 'tags must be at most 4000 characters')
    .nullish()
    .transform((text) =>
      text === null || text === undefined
        ? text
        : text
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ''),
    )
    .pipe(tags.nullish())
    .describe('Tags, separated by commas: at most 50 of 1 to 50 characters.'),
  visibility: documentFields.visibility,
});

/** An AI model that wrote a document. */
const ModelName = z.object(
  {
    provider: label('provider', 100),
    name: label('name', 200),
    version: line('version', 100).nullish(),
  },
  { error: 'model must be an object with provider and name' },
);

/** A document that is given as text. */
export const NewText = z.object({
  title: title.describe('1 to 255 characters.'),
  content: storableText('content')
    .min(1, 'content must not be empty')
    .max(contentMax, `content must be at most ${contentMax} characters`)
    .describe('The text, at most 1 000 000 characters.'),
  format: oneOf('format', documentFormats).nullish().describe('Format of the text; `md` by default.'),
  description: documentFields.description,
  tags: documentFields.tags,
  visibility: documentFields.visibility,
  model: ModelName.nullish().describe('The AI model that wrote it.'),
  profileUuid: documentFields.profileUuid,
});

/**
 * Fields of a document that can change without a new version. Omitted fields keep their values; null empties the
 * description and the tags.
 */
export const DocumentChange = z
  .object({
    title: title.nullish(),
    description: description.nullish(),
    tags: tags.nullish(),
    visibility: visibility.nullish(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'At least one of title, description, tags and visibility is required',
    ...whenValid('title', 'description', 'tags', 'visibility'),
  });

const listFilter = {
  profileUuid: profileUuid.describe('UUID of your own profile, which is the default.'),
  search: storableText('search')
    .max(searchMax, `search must be at most ${searchMax} characters`)
    .refine(
      upTo(searchMax, (text) => text.split(/\s+/).length <= 20),
      'search must have at most 20 words',
    )
    .nullish()
    .describe('Only documents with all of these words in the title, the description or the name of the file.'),
  source: oneOf('source', documentSources).nullish().describe('Only documents of this source.'),
  isDeleted: trueOrFalse('isDeleted').nullish().describe('True for the deleted documents that can be restored.'),
};
export const DocumentFilter = z.object(listFilter);
export const PageRequest = pageRequest(pageMax, pageDefault).extend(listFilter);
export const VersionPageRequest = pageRequest(100, 100);
export const Deletion = z.object({
  permanent: trueOrFalse('permanent')
    .nullish()
    .describe('Whether to remove it at once, with its files. Otherwise it can be restored for 30 days.'),
});

const nameMax = 255;

/**
 * The name of a file as it is shown: one line of 1 to 255 characters, of which the ending stays. It is data, and never part of a path.
 *
 * @param given Whatever a client sent.
 */
export function shownFileName(given: string): string {
  const line = given
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .toWellFormed()
    .trim();
  const characters = [...line];
  if (characters.length <= nameMax) return line || 'file';
  const ending = /\.[\p{L}\p{N}]{1,16}$/u.exec(line)?.[0] ?? '';
  return `${characters.slice(0, nameMax - 1 - [...ending].length).join('')}…${ending}`;
}

/** The title of a document whose client gives none: the name of the file without folders and ending. */
export function titleOfFile(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? '';
  const plain = base.replace(/\.[\p{L}\p{N}]{1,16}$/u, '').trim();
  return title.safeParse(plain).data ?? title.safeParse(base).data ?? 'Untitled';
}

/** Lines that are read at once. */
const linesMax = 500;
const linesDefault = 200;
const patternMax = 200;
const contextLinesMax = 5;
const cursorMax = 200;
const lineNumber = (field: string) => integerBetween(field, 1, 2_147_483_647);

/** A stretch of the text of a document. */
export const ReadingRequest = z.object({
  version: lineNumber('version').nullish().describe('A version; the newest that has been read by default.'),
  fromLine: lineNumber('fromLine')
    .nullish()
    .transform((line) => line ?? 1)
    .describe('The first line, from 1, which is the default.'),
  lines: integerBetween('lines', 1, linesMax)
    .nullish()
    .transform((lines) => lines ?? linesDefault)
    .describe(`Number of lines: 1 to ${linesMax}, ${linesDefault} by default.`),
});

/** A search for a pattern in the lines of documents. */
export const GrepRequest = z.object({
  pattern: storableText('pattern')
    .min(1, 'pattern must not be empty')
    .max(patternMax, `pattern must be at most ${patternMax} characters`)
    .describe(
      `A regular expression in the syntax of RE2, without look-around and back-references; at most ${patternMax} characters.`,
    ),
  documentId: z
    .string({ error: 'documentId must be a string' })
    .nullish()
    .describe('UUID of one document; all of your documents by default, the newest first.'),
  caseSensitive: trueOrFalse('caseSensitive')
    .nullish()
    .transform((sensitive) => sensitive ?? false)
    .describe('Whether the search is case-sensitive; false by default.'),
  contextLines: integerBetween('contextLines', 0, contextLinesMax)
    .nullish()
    .transform((lines) => lines ?? 0)
    .describe(`Lines shown before and after each match: 0 to ${contextLinesMax}, 0 by default.`),
  limit: pageLimit(100, 20),
  after: storableText('after')
    .max(cursorMax, `after must be at most ${cursorMax} characters`)
    .nullish()
    .describe('The `nextCursor` of the previous response.'),
});

/** Two versions of a document. */
export const DiffRequest = z.object({
  from: lineNumber('from').nullish().describe('The older version; the one before `to` by default.'),
  to: lineNumber('to').nullish().describe('The newer version; the current one by default.'),
  contextLines: integerBetween('contextLines', 0, contextLinesMax)
    .nullish()
    .transform((lines) => lines ?? 3)
    .describe(`Unchanged lines shown around each change: 0 to ${contextLinesMax}, 3 by default.`),
});
