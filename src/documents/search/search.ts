import type { z } from 'zod';
import { authorize, type Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database/database.ts';
import { parse } from '../../platform/input/input.ts';
import type { Ranked } from './fusion.ts';
import { DocumentSearchRequest, narrowedTo, narrowingOf, PassageRequest } from './input.ts';
import { createRetrieval, type RetrievalDependencies, type Retrieved } from './retrieval.ts';
import * as statements from './search-statements.ts';
import { coverageOf, type Range, snippetOf } from './snippet.ts';

/** A part of a document that an answer can be traced to. */
export interface Passage {
  readonly documentUuid: string;
  readonly version: number;
  readonly title: string;
  /** Offsets in the text of the version, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** From 1; null for formats without pages. */
  readonly page: number | null;
  readonly heading: string | null;
  readonly text: string;
  /** 0 to 1. */
  readonly score: number;
}

/** What a result points at. */
export type SearchCitation = Pick<Passage, 'version' | 'start' | 'end' | 'page' | 'heading' | 'text'>;

/** A document that a search found. Source: docs/specification/documents.md#search. */
export interface FoundDocument {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly snippet: string;
  /** The words of the query in the snippet, by their places in it, in UTF-16 code units. */
  readonly highlights: readonly Range[];
  /** 0 to 1; comparable within one response. */
  readonly relevanceScore: number;
  readonly source: string;
  readonly tags: readonly string[];
  readonly visibility: string;
  readonly createdAt: Date;
  /** The best passages, in the order of their scores. */
  readonly citations: readonly SearchCitation[];
}

export interface FoundDocuments {
  readonly results: readonly FoundDocument[];
  /** How many documents were found: among the best passages, so at most some hundred. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
}

/** Citations of a result. */
const citationsMax = 3;
/** Passages that are read for each result, to choose citations from. */
const readPerDocument = 8;
/** What the words in a passage itself count beside the score of its section, in the choice among passages. */
const coverageWeight = 0.3;

interface PassageRow {
  readonly id: string;
  readonly document_uuid: string;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly heading: string | null;
  readonly text: string;
  readonly version: number;
  readonly title: string;
}

interface DocumentRow {
  readonly uuid: string;
  readonly title: string;
  readonly description: string | null;
  readonly source: string;
  readonly tags: string[];
  readonly visibility: string;
  readonly created_at: Date;
}

/** Finding documents and passages of the caller's profile. Source: docs/decisions/0041-document-search.md. */
export function createDocumentSearch(deps: RetrievalDependencies) {
  const { database } = deps;
  const retrieve = createRetrieval(deps);

  /**
   * Documents that match a query, the best first.
   *
   * @param input.query 1 to 500 characters.
   * @param input.filters A result matches all of them.
   * @param input.limit 1 to 50; 10 by default.
   * @param input.offset 0 to 1 000.
   * @throws {ApiError} `UNAUTHORIZED`, `FORBIDDEN`, `VALIDATION_ERROR`.
   * @see docs/specification/documents.md#search
   */
  async function search(caller: Caller, input: z.input<typeof DocumentSearchRequest>): Promise<FoundDocuments> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { query, filters, limit, offset } = parse(DocumentSearchRequest, input);
    const retrieved = await retrieve(profileUuid, query, narrowingOf(filters), offset + limit);
    const found = byDocument(retrieved.passages);
    const shown = found.slice(offset, offset + limit);
    const results = await resultsOf(database, profileUuid, shown, retrieved);
    return { results, total: found.length, limit, offset, hasMore: found.length > offset + limit };
  }

  /**
   * Passages for a question, the best first.
   *
   * @param input.limit 1 to 50; 10 if left out.
   * @param input.documentUuids Only passages of these documents; others than the profile's have none.
   * @throws {ApiError} like `search`.
   */
  async function passages(caller: Caller, input: z.input<typeof PassageRequest>): Promise<Passage[]> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { query, limit, documentUuids } = parse(PassageRequest, input);
    const retrieved = await retrieve(profileUuid, query, narrowedTo(documentUuids), limit);
    const ranked = retrieved.passages.slice(0, limit * 2);
    const rows = await readPassages(database, profileUuid, ranked, retrieved);
    return rows.slice(0, limit).map(passageOf);
  }

  return { search, passages };
}

/** The passages of each document, the best document first. */
function byDocument(ranked: readonly Ranked[]): (readonly [documentUuid: string, passages: readonly Ranked[]])[] {
  const found = new Map<string, Ranked[]>();
  for (const passage of ranked) {
    const passages = found.get(passage.documentUuid);
    if (passages) passages.push(passage);
    else found.set(passage.documentUuid, [passage]);
  }
  return [...found];
}

type Scored = PassageRow & { readonly score: number };

/** Passages with their text, ordered by the score of their section and by the words in themselves. */
async function readPassages(
  database: Database,
  profileUuid: string,
  ranked: readonly Ranked[],
  { understanding }: Retrieved,
): Promise<Scored[]> {
  if (ranked.length === 0) return [];
  const rows = await database.query<PassageRow>(
    statements.passagesOf(
      profileUuid,
      ranked.map(({ id }) => id),
    ),
  );
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  return rows
    .map((row) => {
      const coverage = coverageOf(row.text, understanding);
      const order = (scores.get(row.id) ?? 0) + coverageWeight * coverage;
      return { ...row, score: scores.get(row.id) ?? 0, order };
    })
    .sort((a, b) => b.order - a.order || a.ordinal - b.ordinal);
}

async function resultsOf(
  database: Database,
  profileUuid: string,
  shown: readonly (readonly [string, readonly Ranked[]])[],
  retrieved: Retrieved,
): Promise<FoundDocument[]> {
  if (shown.length === 0) return [];
  const [documents, rows] = await Promise.all([
    database.query<DocumentRow>(
      statements.documentRows(
        profileUuid,
        shown.map(([uuid]) => uuid),
      ),
    ),
    readPassages(
      database,
      profileUuid,
      shown.flatMap(([, passages]) => passages.slice(0, readPerDocument)),
      retrieved,
    ),
  ]);
  const known = new Map(documents.map((row) => [row.uuid, row]));
  return shown.flatMap(([uuid, [best]]) => {
    const document = known.get(uuid);
    const passages = rows.filter((row) => row.document_uuid === uuid).slice(0, citationsMax);
    const [first] = passages;
    if (!document || !first || !best) return [];
    const snippet = snippetOf(first.text, retrieved.understanding);
    return [
      {
        id: uuid,
        title: document.title,
        description: document.description,
        snippet: snippet.text,
        highlights: snippet.highlights,
        relevanceScore: best.score,
        source: document.source,
        tags: document.tags,
        visibility: document.visibility,
        createdAt: document.created_at,
        citations: passages.map(({ version, start, end, page, heading, text }) => ({
          version,
          start,
          end,
          page,
          heading,
          text,
        })),
      },
    ];
  });
}

const passageOf = ({
  document_uuid: documentUuid,
  version,
  title,
  start,
  end,
  page,
  heading,
  text,
  score,
}: Scored) => ({
  documentUuid,
  version,
  title,
  start,
  end,
  page,
  heading,
  text,
  score,
});
