import { isUnavailable } from '../../platform/database/database.ts';
import { isApiError } from '../../platform/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { EmbeddingProviders } from '../embedding/provider.ts';
import { type Candidate, fuse, type Ranked } from './fusion.ts';
import type { Narrowing } from './input.ts';
import { isNarrow } from './narrowed.ts';
import * as statements from './search-statements.ts';
import { type IndexModel, type IndexRow, type Understanding, understand } from './understanding.ts';
import { nearest, prepareNearest } from './vector-index-statements.ts';
import { cosineOf, signatureOf } from './vectors.ts';

export interface RetrievalDependencies extends Pick<Platform, 'database' | 'log'> {
  readonly providers: Pick<EmbeddingProviders, 'of'>;
}

/** What a query found in a profile's index. */
export interface Retrieved {
  /** The best first. */
  readonly passages: readonly Ranked[];
  readonly understanding: Understanding;
}

/** Which legs are used: both, unless a measurement wants one alone. */
export interface Legs {
  readonly words: boolean;
  readonly meaning: boolean;
}

/** BM25 as Lucene sets it for prose; measured in docs/decisions/0041-document-search.md. */
const k1 = 0.9;
const b = 0.4;
/** Sections of the best by words whose passages are compared by meaning. */
const comparedMin = 50;

interface CandidateRow {
  readonly id: string;
  readonly document_uuid: string;
  readonly version_id: string;
  readonly section: number;
  readonly model_id: number | null;
  readonly rounded: Buffer | null;
}

/** A query as one model has it. */
interface AskedVector {
  readonly model: IndexModel;
  readonly vector: Float32Array;
}

const nothing: Retrieved = {
  passages: [],
  understanding: { terms: [], maxScore: 0, weights: new Map(), languages: [] },
};

/** Finds passages of one profile by words and by meaning. */
export function createRetrieval({ database, log, providers }: RetrievalDependencies) {
  /** @param wanted How many documents or passages the caller wants to see, those skipped included. */
  return async function retrieve(
    profileUuid: string,
    query: string,
    narrowing: Narrowing,
    wanted: number,
    legs: Legs = { words: true, meaning: true },
  ): Promise<Retrieved> {
    const [index] = await database.read<IndexRow>(statements.indexOf(profileUuid));
    if (!index) return nothing;
    const place = { indexId: index.id, profileUuid };
    const [{ understanding, sections }, { vectors, sieved }] = await Promise.all([
      byWords(place, index, query, narrowing, legs),
      byMeaning(place, index, query, narrowing, legs),
    ]);
    const compared = sections.slice(0, Math.max(comparedMin, wanted));
    const rows = await database.query<CandidateRow>(
      statements.candidates(
        profileUuid,
        sieved,
        compared.map(({ version_id: versionId, section }) => ({ versionId, section })),
      ),
    );
    const scores = new Map(sections.map(({ version_id: version, section, score }) => [`${version} ${section}`, score]));
    const shareOf = ({ version_id: version, section }: CandidateRow) =>
      understanding.maxScore > 0 ? (scores.get(`${version} ${section}`) ?? 0) / understanding.maxScore : 0;
    const passages = rows.map(
      (row): Candidate => ({
        id: row.id,
        documentUuid: row.document_uuid,
        versionId: row.version_id,
        section: row.section,
        cosine: nearness(row, vectors),
        modelId: row.model_id,
        words: shareOf(row),
      }),
    );
    return { passages: fuse(passages), understanding };
  };

  type Place = { readonly indexId: number; readonly profileUuid: string };

  async function byWords(place: Place, index: IndexRow, query: string, narrowing: Narrowing, legs: Legs) {
    const understanding = await understand(database, index, query, k1);
    const isAsked = legs.words && understanding.terms.length > 0;
    const meanLength = index.sections > 0 ? index.words / index.sections : 0;
    const sections = isAsked
      ? await database.query<{ version_id: string; section: number; score: number }>(
          statements.byWords(place, understanding.terms, { k1, b, meanLength }, narrowing),
        )
      : [];
    return { understanding, sections };
  }

  async function byMeaning(place: Place, index: IndexRow, query: string, narrowing: Narrowing, legs: Legs) {
    const models = legs.meaning ? index.models : [];
    const vectors = (await Promise.all(models.map((model) => asked(model, query)))).filter((vector) => vector !== null);
    const found = await Promise.all(
      vectors.map(
        async ({ model, vector }) =>
          (await byVectorIndex(place, model, vector, narrowing)) ??
          database.query<{ chunk_id: string }>(statements.bySignature(place, model.id, signatureOf(vector), narrowing)),
      ),
    );
    return { vectors, sieved: found.flat().map(({ chunk_id: id }) => id) };
  }

  /**
   * The nearest passages by the index of pgvector. Null where there is none, where few documents are searched, or where the filter fits so
   * few passages that the index did not come to enough of them: all are compared then.
   */
  async function byVectorIndex(
    place: Place,
    { id, dims, schema }: IndexModel,
    vector: Float32Array,
    narrowing: Narrowing,
  ): Promise<{ chunk_id: string }[] | null> {
    if (schema === null || narrowing.documentUuids !== null) return null;
    try {
      const found = await database.transaction(async (tx) => {
        await tx.query(prepareNearest(isNarrow(narrowing)));
        return tx.query<{ chunk_id: string }>(
          nearest(place, { id, dims, schema }, vector, narrowing, statements.sievedMax),
        );
      });
      return found.length < statements.sievedMax ? null : found;
    } catch (error) {
      if (isApiError(error)) throw error;
      // The extension was removed between two statements.
      log.warn({ error }, 'a search of documents went on without the vector index');
      return null;
    }
  }

  /** The vector of a query. Where the model does not answer, the search goes on by words alone. */
  async function asked(model: IndexModel, query: string): Promise<AskedVector | null> {
    const { name, dims } = model;
    const provider = providers.of(name, dims);
    if (provider === null) return null;
    try {
      const [vector] = await provider.embed([query]);
      // A query without a known word is not similar to any passage.
      return vector?.length === dims && vector.some((each) => each !== 0) ? { model, vector } : null;
    } catch (error) {
      if (!isApiError(error) || isUnavailable(error.cause)) throw error;
      log.warn({ model: name, reason: error.message }, 'a search of documents went on by words alone');
      return null;
    }
  }
}

/** The cosine with the query's vector of the same model; null where they are of different models, or one is missing. */
function nearness({ model_id: modelId, rounded }: CandidateRow, asked: readonly AskedVector[]): number | null {
  const own = asked.find(({ model }) => model.id === modelId)?.vector;
  return own && rounded?.length === own.length ? cosineOf(own, rounded) : null;
}
