import type { Database } from '../../platform/database/database.ts';
import { isApiError } from '../../platform/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import * as statements from './vector-index-statements.ts';

export interface VectorIndexDependencies extends Pick<Platform, 'log'> {
  readonly database: Pick<Database, 'longWork' | 'report'>;
  /** Vectors of a profile from which an index is faster than the comparison of all. */
  readonly vectorsMin?: number;
}

const defaultVectorsMin = 20_000;
/** Indexes at most, those of the largest profiles: each is looked at by every statement about vectors. */
const indexesMax = 16;
/** What an index of two-byte numbers may have. */
const dimsMax = 4_000;
/** The first version whose index goes on until enough passages fit a filter. */
const versionMin = [0, 8] as const;

interface ExtensionRow {
  readonly installed: string | null;
  readonly schema: string | null;
  readonly available: string | null;
}

/** What pgvector can do here: indexes in its schema, or nothing for a reason. */
type Extension = { readonly schema: string } | { readonly reason: string };

/**
 * Keeps HNSW indexes on the vectors of profiles that have many, where PostgreSQL has pgvector 0.8 or later. PostgreSQL itself keeps them up to
 * date in the transactions that write vectors, and removes them with the extension; a search looks whether there is one.
 *
 * Source: docs/decisions/0041-document-search.md.
 */
export function createVectorIndexes({ database, log, vectorsMin = defaultVectorsMin }: VectorIndexDependencies) {
  let said: string | null = null;
  let isRunning = false;

  /**
   * Builds the indexes that are missing, and drops those that are of no use: of profiles that have become small, of models that are gone,
   * and those that were not finished.
   *
   * @returns How many were built or dropped; 0 where another process is at it.
   * @throws {ApiError} `UNAVAILABLE`
   */
  async function renew(): Promise<number> {
    const changed = await database.longWork.run('documents vector indexes', async (query) => {
      const extension = await extensionOf(query);
      say(extension);
      if ('reason' in extension) return 0;
      const known = await query<{ name: string; valid: boolean }>(statements.vectorIndexes());
      const large = (
        await query<{ index_id: number; model_id: number; dims: number; vectors: number }>(
          statements.largestIndexes(Math.ceil(vectorsMin / 2), vectorsMin, indexesMax),
        )
      ).map((row) => ({ ...row, name: statements.vectorIndexName(row.index_id, row.model_id) }));
      const isValid = (name: string) => known.some((index) => index.name === name && index.valid);
      // One that is there stays until its profile has half of what makes a new one.
      const kept = large.filter(
        ({ name, dims, vectors }) => dims <= dimsMax && (isValid(name) || vectors >= vectorsMin),
      );
      const unused = known.filter(({ name, valid }) => !valid || !kept.some((index) => index.name === name));
      const missing = kept.filter(({ name }) => !isValid(name));
      for (const { name } of unused) await query(statements.dropVectorIndex(name));
      if (missing.length > 0) await query(statements.prepareBuilding());
      for (const { name, index_id: index, model_id: model, dims } of missing) {
        const begun = performance.now();
        await query(statements.createVectorIndex(extension.schema, index, model, dims));
        log.info({ index: name, seconds: Math.round((performance.now() - begun) / 1_000) }, 'built a vector index');
      }
      return unused.length + missing.length;
    });
    return changed ?? 0;
  }

  /** Says once what search goes by, and again when that changes. */
  function say(extension: Extension): void {
    const text = 'reason' in extension ? extension.reason : 'search of documents uses pgvector for large profiles';
    if (said === text) return;
    said = text;
    log.info(text);
  }

  return {
    renew,
    /** Begins `renew`, which may take longer than a job, unless it is under way. */
    begin(): void {
      if (isRunning) return;
      isRunning = true;
      renew()
        .catch((error: unknown) => {
          if (isApiError(error)) database.report(error, 'vector indexes of documents were not renewed');
          else log.error({ error }, 'vector indexes of documents were not renewed');
        })
        .finally(() => {
          isRunning = false;
        });
    },
  };
}

type Query = Parameters<Parameters<Database['longWork']['run']>[1]>[0];

/** Looks for pgvector, and installs it where the server has it and the database's user may. */
async function extensionOf(query: Query): Promise<Extension> {
  const [found] = await query<ExtensionRow & Record<string, unknown>>(statements.vectorExtension());
  const version = found?.installed ?? found?.available ?? null;
  if (!found || version === null)
    return { reason: 'search of documents compares all vectors: PostgreSQL has no pgvector' };
  if (isOlder(version))
    return {
      reason: `search of documents compares all vectors: pgvector ${version} is older than ${versionMin.join('.')}`,
    };
  if (found.schema !== null) return { schema: found.schema };
  try {
    await query(statements.createVectorExtension());
  } catch {
    return {
      reason:
        'search of documents compares all vectors: the database user may not install pgvector (CREATE EXTENSION vector)',
    };
  }
  const [installed] = await query<ExtensionRow & Record<string, unknown>>(statements.vectorExtension());
  return installed?.schema == null
    ? { reason: 'search of documents compares all vectors: pgvector was not installed' }
    : { schema: installed.schema };
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = versionMin;
  return major < majorMin || (major === majorMin && minor < minorMin);
}
