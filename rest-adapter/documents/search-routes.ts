import { z } from 'zod';
import { documentSources, documentVisibilities } from '../../src/documents/input.ts';
import { PassageQuestion, SearchQuestion } from '../../src/documents/search/input.ts';
import { generalErrors } from '../errors.ts';
import { FindPassagesDocument, SearchDocumentsDocument } from '../generated/operations.ts';
import { exampleTime, exampleUuid } from '../reference.ts';
import { type Route, route } from '../route.ts';
import { namedObject } from '../schema.ts';
import { attributionBody } from './bodies.ts';
import { AttributionBody } from './responses.ts';

const shared = { tag: 'Documents', access: 'caller', errors: generalErrors } as const;

const place = {
  version: z.int(),
  start: z.int().describe('Offset in the text of the version, in UTF-16 code units.'),
  end: z.int(),
  page: z.int().nullable(),
  heading: z.string().nullable(),
  text: z.string().describe('The passage, verbatim.'),
};

/** Source: docs/specification/documents.md#search. */
const searchResponse = z.strictObject({
  results: z.array(
    namedObject('DocumentSearchResult', {
      id: z.uuid(),
      title: z.string(),
      description: z.string().nullable(),
      snippet: z.string().describe('Plain text.'),
      highlights: z.array(z.strictObject({ start: z.int(), end: z.int() })),
      relevanceScore: z.number().describe('0 to 1; comparable within one response.'),
      source: z.enum(documentSources),
      tags: z.array(z.string()),
      visibility: z.enum(documentVisibilities),
      createdAt: z.iso.datetime(),
      modelAttributions: z.array(AttributionBody),
      citations: z.array(z.strictObject(place)),
    }),
  ),
  total: z.int().describe('Number of documents found, at most a few hundred.'),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
});

const passagesResponse = z.strictObject({
  success: z.literal(true),
  query: z.string(),
  passages: z.array(
    namedObject('DocumentPassage', { documentId: z.uuid(), title: z.string(), ...place, score: z.number() }),
  ),
});

const passage = {
  version: 1,
  start: 120,
  end: 156,
  page: null,
  heading: 'Leave',
  text: 'Each year has thirty days of leave.',
};

/** Search over documents. Source: docs/specification/documents.md#search. */
export const documentSearchRoutes: readonly Route[] = [
  route('POST /api/documents/search', {
    ...shared,
    reference: {
      summary: 'Search documents',
      description:
        'Finds documents of your profile by words and by meaning. Each result has its best passages and their offsets.',
      example: {
        body: { query: 'how many days of leave', filters: { source: 'upload' }, limit: 10 },
        response: {
          results: [
            {
              id: exampleUuid,
              title: 'Handbook',
              description: null,
              snippet: passage.text,
              highlights: [{ start: 29, end: 34 }],
              relevanceScore: 0.81,
              source: 'upload',
              tags: ['people'],
              visibility: 'private',
              createdAt: exampleTime,
              modelAttributions: [],
              citations: [passage],
            },
          ],
          total: 1,
          limit: 10,
          offset: 0,
          hasMore: false,
        },
      },
    },
    operation: SearchDocumentsDocument,
    input: SearchQuestion,
    variables: ({ body: { filters, ...question } }) => ({
      ...question,
      filters: filters && {
        ...filters,
        dateFrom: filters.dateFrom?.toISOString().slice(0, 10),
        dateTo: filters.dateTo?.toISOString().slice(0, 10),
      },
    }),
    body: ({ documentSearch: { results, total, limit, offset, hasMore } }) => ({
      results: results.flatMap(({ document, ...found }) =>
        document === null
          ? []
          : [
              {
                id: found.uuid,
                title: found.title,
                description: document.description,
                snippet: found.snippet,
                highlights: found.highlights,
                relevanceScore: found.relevanceScore,
                source: document.source.toLowerCase(),
                tags: document.tags,
                visibility: document.visibility.toLowerCase(),
                createdAt: document.createdAt,
                modelAttributions: document.attributions.map(attributionBody),
                citations: found.citations,
              },
            ],
      ),
      total,
      limit,
      offset,
      hasMore,
    }),
    response: searchResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/rag/query', {
    ...shared,
    reference: {
      summary: 'Find passages for a question',
      description:
        'Passages of the documents of your profile that match a question, the best first, as context for a model.',
      example: {
        body: { query: 'how many days of leave', limit: 5 },
        response: {
          success: true,
          query: 'how many days of leave',
          passages: [{ documentId: exampleUuid, title: 'Handbook', ...passage, score: 0.81 }],
        },
      },
    },
    operation: FindPassagesDocument,
    input: PassageQuestion,
    variables: ({ body }) => body,
    body: ({ documentPassages }, { body: { query } }) => ({
      success: true,
      query,
      passages: documentPassages.map(({ documentUuid, ...found }) => ({ documentId: documentUuid, ...found })),
    }),
    response: passagesResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
];
