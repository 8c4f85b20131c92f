import type { Platform } from '../../platform/platform.ts';
import type { EmbeddingProvider } from '../embedding/provider.ts';
import * as statements from './index-statements.ts';
import { putVectors } from './index-writer.ts';

export interface ReembeddingDependencies extends Pick<Platform, 'database'> {
  readonly provider: EmbeddingProvider;
}

/** Passages that are embedded, and written, at once. */
const batchMax = 32;
/** Passages of one run: with the offline model, half a minute's work. */
const runMax = 1_024;

/**
 * Gives passages vectors of the model that the settings name, in place of those of models before. Until then the old vectors answer. A model
 * that no vector is of any more is forgotten.
 */
export function createReembedding({ database, provider }: ReembeddingDependencies) {
  /**
   * @returns How many passages were embedded again, at most 1 024; the next run continues.
   * @throws {ApiError} `UNAVAILABLE` if the model does not respond; finished passages stay.
   */
  return async function reembed(): Promise<number> {
    const models = await database.query<{ id: number; name: string }>(statements.allModels());
    const old = models.filter(({ name }) => name !== provider.id).map(({ id }) => id);
    if (old.length === 0) return 0;
    for (let done = 0; done < runMax; ) {
      const passages = await database.query<{ id: string; text: string }>(statements.passagesOfModels(old, batchMax));
      if (passages.length === 0) {
        await database.query(statements.forgetModels(old));
        return done;
      }
      const vectors = await provider.embed(passages.map(({ text }) => text));
      const rows = passages.map(({ id }, place) => ({ chunkId: id, vector: vectors[place] as Float32Array }));
      await database.transaction((tx) => putVectors(tx, provider, rows));
      done += passages.length;
    }
    return runMax;
  };
}
