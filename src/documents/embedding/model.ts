import type { Platform } from '../../platform/platform.ts';

/** Turns texts into vectors of length 1, such that texts of like meaning have a large dot product. */
export interface EmbeddingProvider {
  /** The model, as stored beside each vector. Vectors of different models cannot be compared. */
  readonly id: string;
  readonly dims: number;
  /** Tokens of one text that the model reads. Longer texts are embedded in parts, and the parts are averaged. */
  readonly maxTokens: number;
  /**
   * @returns One vector per text, in the order of the texts. A text without anything to read has the vector 0.
   * @throws {ApiError} `UNAVAILABLE`, with `retryAfter` where it is known, when the model does not answer or the budget of the hour is
   *   spent.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** An endpoint that speaks the embeddings protocol of OpenAI; null for the offline model. */
export interface EmbeddingEndpoint {
  /** Up to `/embeddings`, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly dims: number;
  /** Texts that this process may have embedded within one hour; 0 for no limit. */
  readonly textsPerHour: number;
}

export interface EmbeddingDependencies extends Pick<Platform, 'egress' | 'clock' | 'log'> {
  /** Waits between attempts; tests wait for nothing. */
  readonly delay?: (milliseconds: number) => Promise<void>;
}

/** Changes a vector to length 1. The vector 0 stays; one that has no length, because a number is too large, becomes 0. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const each of vector) sum += each * each;
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length)) return vector.fill(0);
  if (length > 0)
    for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] as number) / length;
  return vector;
}
