import type { FoundDocument, FoundDocuments, Passage, SearchCitation } from '../../src/documents/index.ts';
import { builder } from '../builder.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';
import { DocumentRef, DocumentSourceEnum } from './document.ts';
import { loadDocument } from './document-loader.ts';

const DocumentSearchFilters = builder.inputType('DocumentSearchFilters', {
  description: 'Filters of a search. A result matches all of them.',
  fields: (t) => ({
    source: t.field({ type: DocumentSourceEnum, description: 'Only documents of this source.' }),
    modelName: t.string({ description: 'Only documents that this AI model contributed to.' }),
    dateFrom: t.string({ description: 'Only documents made on this day or later, in UTC: `2026-01-31`.' }),
    dateTo: t.string({ description: 'Only documents made on this day or earlier, in UTC.' }),
    tags: t.stringList({ description: 'Only documents that have all of these tags, at most 50.' }),
  }),
});

const SearchRange = builder.objectRef<FoundDocument['highlights'][number]>('DocumentHighlight').implement({
  description: 'A word of the query in a snippet.',
  fields: (t) => ({
    start: t.exposeInt('start', { description: 'Offset in the snippet, in UTF-16 code units.' }),
    end: t.exposeInt('end', { description: 'Offset after the word.' }),
  }),
});

const Citation = builder.objectRef<SearchCitation>('DocumentCitation').implement({
  description: 'A passage of a document, verbatim.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Version of the document.' }),
    start: t.exposeInt('start', { description: 'Offset in the text of the version, in UTF-16 code units.' }),
    end: t.exposeInt('end', { description: 'Offset after the passage.' }),
    page: t.exposeInt('page', optional('Page, from 1; null for formats without pages.')),
    heading: t.exposeString(
      'heading',
      optional('Headings of the sections that contain the passage, the outermost first.'),
    ),
    text: t.exposeString('text', { description: 'The passage.' }),
  }),
});

const SearchResult = builder.objectRef<FoundDocument>('DocumentSearchResult').implement({
  description: 'A document that a search found.',
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'UUID of the document.' }),
    title: t.exposeString('title', { description: 'The title.' }),
    snippet: t.exposeString('snippet', { description: 'The text around the match. Plain text.' }),
    highlights: t.expose('highlights', {
      type: [SearchRange],
      description: 'The words of the query in the snippet.',
      extensions: { defaultLength: 10 },
    }),
    relevanceScore: t.exposeFloat('relevanceScore', { description: '0 to 1; comparable within one response.' }),
    citations: t.expose('citations', {
      type: [Citation],
      description: 'The best passages, at most three.',
      extensions: { defaultLength: 3 },
    }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: 'The document; null if it was removed during the search.',
      resolve: ({ id }, _args, context, info) => loadDocument(context, info, id),
    }),
  }),
});

const SearchPage = builder.objectRef<FoundDocuments>('DocumentSearchPage').implement({
  description: 'A page of search results, the best first.',
  fields: (t) => ({
    results: t.expose('results', { type: [SearchResult], description: 'The documents of this page.' }),
    total: t.exposeInt('total', { description: 'Number of documents found, at most a few hundred.' }),
    limit: t.exposeInt('limit', { description: 'Size of the page that was requested.' }),
    offset: t.exposeInt('offset', { description: 'Number of objects before this page.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more documents follow this page.' }),
  }),
});

query('documentSearch', {
  type: SearchPage,
  description: 'Finds documents of your profile by words and by meaning.',
  args: (arg) => ({
    query: arg.string({ required: true, description: 'A question or words, 1 to 500 characters.' }),
    filters: arg({ type: DocumentSearchFilters, description: 'Narrows the search.' }),
    limit: arg.int({ defaultValue: 10, description: '1 to 50.' }),
    offset: arg.int({ description: 'Number of objects to skip, at most 1 000; 0 by default.' }),
    profileUuid: arg.string({ description: 'UUID of your own profile, which is the default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, { caller, services }) => services.documents.search(caller, args),
});

const PassageRef = builder.objectRef<Passage>('DocumentPassage').implement({
  description: 'A passage of a document that matches a question, verbatim.',
  fields: (t) => ({
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    title: t.exposeString('title', { description: 'Title of the document.' }),
    version: t.exposeInt('version', { description: 'Version of the document.' }),
    start: t.exposeInt('start', { description: 'Offset in the text of the version, in UTF-16 code units.' }),
    end: t.exposeInt('end', { description: 'Offset after the passage.' }),
    page: t.exposeInt('page', optional('Page, from 1; null for formats without pages.')),
    heading: t.exposeString(
      'heading',
      optional('Headings of the sections that contain the passage, the outermost first.'),
    ),
    text: t.exposeString('text', { description: 'The passage.' }),
    score: t.exposeFloat('score', { description: '0 to 1; comparable within one response.' }),
  }),
});

query('documentPassages', {
  type: [PassageRef],
  description: 'Passages of the documents of your profile that match a question, the best first.',
  args: (arg) => ({
    query: arg.string({ required: true, description: 'A question or words, 1 to 500 characters.' }),
    limit: arg.int({ defaultValue: 10, description: '1 to 50.' }),
    documentUuids: arg.stringList({ description: 'Only passages of these documents, at most 100.' }),
    profileUuid: arg.string({ description: 'UUID of your own profile, which is the default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, { caller, services }) => services.documents.passages(caller, args),
});
