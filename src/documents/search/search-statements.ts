import type { Statement } from '../../platform/database/database.ts';
import type { Narrowing } from './input.ts';
import { isNarrow, narrowed, versionsOf } from './narrowed.ts';
import { chunksMax } from './sections.ts';
import { vectorSchemaOf } from './vector-index-statements.ts';

/**
 * The statements of a search. Each names the index of one profile, or rows that belong to one, in every access to an index, and joins the
 * documents of that profile before anything is returned.
 */

/** The index of a profile, with the models of its vectors. Rows as `IndexRow`. */
export const indexOf = (profileUuid: string): Statement => ({
  name: 'documents_index',
  text: `SELECT i.id, i.sections, i.words::float8 AS words, i.languages,
      coalesce((SELECT json_agg(json_build_object('id', m.id, 'name', m.name, 'dims', m.dims, 'schema', ${vectorSchemaOf}) ORDER BY m.id)
        FROM document_embedding_models m
        WHERE EXISTS (SELECT FROM document_vectors v WHERE v.index_id = i.id AND v.model_id = m.id)), '[]') AS models
    FROM document_indexes i WHERE i.profile_uuid = $1`,
  values: [profileUuid],
});

/** Terms that the profile's documents have. Rows as `{ id, term, sections }`. */
export const indexedTerms = (indexId: number, terms: readonly string[]): Statement => ({
  name: 'documents_known_terms',
  text: 'SELECT id, term, sections FROM document_terms WHERE index_id = $1 AND term = ANY ($2::text[])',
  values: [indexId, terms],
});

/** Terms that are near enough to a misspelt word to be looked at. */
const likestMax = 40;

/**
 * Terms of the profile's vocabulary that resemble a word: they begin with its first or its second character, which
 * covers a swapped or an added first character. Rows as `{ id, term, sections }`.
 *
 * @param comparedMax Terms that are read. Of a larger vocabulary these are the neighbours of the word in the alphabet, which share most of
 *   its beginning.
 */
export function likeTerms(indexId: number, word: string, mistakes: number, comparedMax: number): Statement {
  const [first = '', second = '', ...rest] = [...word];
  const beginnings = first === second ? [word] : [word, [second, ...rest].join('')];
  const neighbours = (bounds: string, direction: 'ASC' | 'DESC') => `(SELECT id, term, sections FROM document_terms
          WHERE index_id = $1 AND ${bounds} ORDER BY term ${direction} LIMIT $5)`;
  return {
    name: 'documents_like_terms',
    text: `SELECT id, term, sections FROM unnest($3::text[]) AS place CROSS JOIN LATERAL (
        ${neighbours('term >= place AND term < left(place, 1) || chr(1114111)', 'ASC')} UNION ALL
        ${neighbours('term >= left(place, 1) AND term < place', 'DESC')}) near
      WHERE length(term) BETWEEN length($2) - $4::int AND length($2) + $4::int
      ORDER BY similarity(term, $2) DESC, sections DESC, term LIMIT ${likestMax}`,
    values: [indexId, word, beginnings, mistakes, Math.floor(comparedMax / (2 * beginnings.length))],
  };
}

/** A term of a query, as the index has it. */
export interface AskedTerm {
  readonly id: string;
  /** What one occurrence counts at most: its rarity, by the reading that it is of. */
  readonly weight: number;
  readonly sections: number;
}

/** How BM25 counts: k1 and b as in the literature, and the mean length of a section in words. */
export interface Scoring {
  readonly k1: number;
  readonly b: number;
  readonly meanLength: number;
}

/** Sections that each term scores, and all terms that choose together; those of them whose common terms are counted, too. */
const scoredMax = 40_000;
const foundMax = 600;
/** Common terms that are counted, the rarest first: each is looked up in every version that was found. */
const refiningMax = 12;

/**
 * The terms that choose sections: the rarest, as long as they are in at most 40 000 sections together, one at least. The others are only
 * counted where these are.
 */
function chosenTerms(terms: readonly AskedTerm[]): { choosing: AskedTerm[]; refining: AskedTerm[] } {
  const byRarity = [...terms].sort((a, b) => a.sections - b.sections);
  let sections = 0;
  const choosing = byRarity.filter((term, index) => {
    sections += term.sections;
    return index === 0 || sections <= scoredMax;
  });
  return { choosing, refining: byRarity.slice(choosing.length, choosing.length + refiningMax) };
}

/** The share of one term in the score of a section: BM25 with the factor k1 + 1, so that a weight is its limit. */
const scoreOf = (place: string, weight: string) => `${weight} * (${place} >> 16 & 65535)::float8
  / ((${place} >> 16 & 65535) + $3::float8 + $4::float8 * (${place} & 65535))`;

/** Scores of the sections found, with what the common terms add. Each posting of a version is read once, however many of its sections were found. */
const refined = `more AS (
        SELECT p.version_id, place >> 32 AS section, sum(${scoreOf('place', 'more.weight')}) AS score
        FROM (SELECT DISTINCT version_id FROM scored) found
          CROSS JOIN unnest($6::bigint[], $7::float8[]) AS more (term_id, weight)
          JOIN document_postings p ON p.term_id = more.term_id AND p.version_id = found.version_id
          CROSS JOIN LATERAL unnest(p.sections) AS place
        WHERE EXISTS (SELECT FROM scored s WHERE s.version_id = p.version_id AND s.section = place >> 32)
        GROUP BY p.version_id, place >> 32),
      refined AS (
        SELECT s.version_id, s.section, s.score + coalesce(more.score, 0) AS score
        FROM scored s LEFT JOIN more ON more.version_id = s.version_id AND more.section = s.section)`;

/**
 * Sections by the words of a query, the best first. Rows as `{ version_id, section, score }`.
 *
 * Without a filter the documents of the best are looked up one by one; with one, those that fit are found first. The statement has no name:
 * a plan for a profile of usual size reads what belongs to others where the profile is small.
 */
export function byWords(
  { indexId, profileUuid }: { indexId: number; profileUuid: string },
  terms: readonly AskedTerm[],
  { k1, b, meanLength }: Scoring,
  narrowing: Narrowing,
): Statement {
  const { choosing, refining } = chosenTerms(terms);
  const isFiltered = isNarrow(narrowing);
  const documents = versionsOf('$5', 8, narrowing);
  const score = scoreOf('place', 'asked.weight');
  // One term has each section once: grouping them would take half of the time.
  const [scores, grouped] =
    choosing.length === 1 ? [score, ''] : [`sum(${score})`, 'GROUP BY p.version_id, place >> 32'];
  return {
    text: `WITH ${isFiltered ? `eligible AS MATERIALIZED (${documents}),` : ''} scored AS MATERIALIZED (
        SELECT p.version_id, place >> 32 AS section, ${scores} AS score
        FROM unnest($1::bigint[], $2::float8[]) AS asked (term_id, weight)
          CROSS JOIN LATERAL (
            SELECT version_id, place FROM (
              SELECT version_id, sections FROM document_postings
              WHERE term_id = asked.term_id ${isFiltered ? 'AND version_id IN (SELECT version_id FROM eligible)' : ''}
              ORDER BY version_id DESC LIMIT ${scoredMax}) newest CROSS JOIN LATERAL unnest(sections) AS place
            LIMIT ${scoredMax}) p
        ${grouped} ORDER BY score DESC, p.version_id, section LIMIT ${foundMax}),
      ${refined}
      SELECT version_id, section::int, score FROM refined r
      ${isFiltered ? '' : `WHERE EXISTS (${documents} AND v.version_id = r.version_id OFFSET 0)`}
      ORDER BY score DESC, version_id, section`,
    values: [
      choosing.map(({ id }) => id),
      choosing.map(({ weight }) => weight * (k1 + 1)),
      k1 * (1 - b),
      meanLength > 0 ? (k1 * b) / meanLength : 0,
      indexId,
      refining.map(({ id }) => id),
      refining.map(({ weight }) => weight * (k1 + 1)),
      ...narrowed(profileUuid, narrowing),
    ],
  };
}

/** Passages that are sieved out by their signatures, to be compared by their vectors. */
export const sievedMax = 150;
/** Signatures that are compared first: a passage that is farther than the 150th nearest of them need not be sorted. */
const firstCompared = 4_000;

/**
 * Passages whose signatures are nearest to that of a query. Rows as `{ chunk_id }`. Without a name, as `byWords`.
 *
 * The comparison with the first signatures changes no result: at least 150 passages are as near as the 150th nearest of them. It saves the
 * sorting of nearly all passages, which takes as long as the comparison itself.
 *
 * @param signature As PostgreSQL writes bits.
 */
export function bySignature(
  { indexId, profileUuid }: { indexId: number; profileUuid: string },
  modelId: number,
  signature: string,
  narrowing: Narrowing,
): Statement {
  const isFiltered = isNarrow(narrowing);
  const vectors = 'document_vectors WHERE index_id = $1 AND model_id = $2';
  const distance = 'bit_count(signature # $3::varbit)';
  const near = `${distance} <= coalesce((
        SELECT ${distance} AS distance FROM (SELECT signature FROM ${vectors} LIMIT ${firstCompared}) first
        ORDER BY distance OFFSET ${sievedMax - 1} LIMIT 1), bit_length($3::varbit))`;
  return {
    text: `SELECT chunk_id FROM ${vectors} AND ${isFiltered ? `version_id IN (${versionsOf('$1', 4, narrowing)})` : near}
      ORDER BY ${distance}, chunk_id LIMIT ${sievedMax}`,
    values: [indexId, modelId, signature, ...(isFiltered ? narrowed(profileUuid, narrowing) : [])],
  };
}

/** Where a section is. */
export interface SectionPlace {
  readonly versionId: string;
  readonly section: number;
}

/**
 * Passages with their vectors: some by their ids, and those of some sections. Rows as `CandidateRow`; documents that are deleted or beyond
 * the profile have none.
 */
export const candidates = (
  profileUuid: string,
  chunkIds: readonly string[],
  sections: readonly SectionPlace[],
): Statement => ({
  name: 'documents_candidates',
  text: `WITH wanted AS (
      SELECT unnest($2::bigint[]) AS id UNION
      SELECT c.id FROM unnest($3::bigint[], $4::int[]) AS s (version_id, section)
        JOIN document_chunks c ON c.version_id = s.version_id AND c.ordinal >= s.section AND c.ordinal < s.section + ${chunksMax}
        WHERE c.section = s.section)
    SELECT c.id, c.document_uuid, c.version_id, c.section, v.model_id, v.rounded
    FROM wanted JOIN document_chunks c USING (id) LEFT JOIN document_vectors v ON v.chunk_id = c.id
    WHERE c.profile_uuid = $1 AND EXISTS (
      SELECT FROM documents d WHERE d.uuid = c.document_uuid AND d.profile_uuid = $1 AND d.deleted_at IS NULL)`,
  values: [profileUuid, chunkIds, sections.map(({ versionId }) => versionId), sections.map(({ section }) => section)],
});

/** The text of passages, with their documents. Rows as `PassageRow`. */
export const passagesOf = (profileUuid: string, chunkIds: readonly string[]): Statement => ({
  name: 'documents_passages',
  text: `SELECT c.id, c.document_uuid, c.version_id, c.ordinal, c.section, c.start_offset AS start, c.end_offset AS end, c.page, c.heading,
      c.text, w.version, d.title
    FROM unnest($2::bigint[]) AS wanted (id) JOIN document_chunks c USING (id)
      JOIN document_versions w ON w.id = c.version_id
      JOIN documents d ON d.uuid = c.document_uuid AND d.profile_uuid = $1 AND d.deleted_at IS NULL
    WHERE c.profile_uuid = $1`,
  values: [profileUuid, chunkIds],
});

/** Documents, as results show them. Rows as `DocumentRow`. */
export const documentRows = (profileUuid: string, uuids: readonly string[]): Statement => ({
  name: 'documents_found',
  text: `SELECT uuid, title, description, source, tags, visibility, created_at FROM documents
    WHERE uuid = ANY ($2::uuid[]) AND profile_uuid = $1 AND deleted_at IS NULL`,
  values: [profileUuid, uuids],
});
