import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { EgressError } from '../../platform/egress/egress-error.ts';
import { retryAfterMsOf } from '../../platform/egress/retry-after.ts';
import { ApiError } from '../../platform/errors.ts';
import { type EmbeddingDependencies, type EmbeddingEndpoint, type EmbeddingProvider, normalise } from './model.ts';

/** Texts of one request. */
const batchMax = 64;
/** UTF-16 code units of one text; the rest is not embedded. No model reads more than 8 192 tokens. */
const textMax = 24_000;
const attemptsMax = 4;
const firstPauseMs = 500;
/** The longest pause between two attempts. An endpoint that asks for more is left alone, and the job tries again later. */
const pauseMaxMs = 20_000;
const requestTimeoutMs = 30_000;
/** A number takes at most 24 bytes of JSON. */
const bytesPerNumber = 24;
const hourMs = 3_600_000;

const EmbeddingResponse = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

/**
 * A model behind an endpoint that speaks the embeddings protocol of OpenAI. Requests leave through the guarded egress. 429 and 5xx are
 * tried again, after what `Retry-After` says or after growing pauses.
 */
export function createEndpointProvider(
  deps: EmbeddingDependencies & { readonly endpoint: EmbeddingEndpoint },
): EmbeddingProvider {
  const { egress, clock, log, delay = sleep, endpoint } = deps;
  const { baseUrl, apiKey, model, dims, textsPerHour } = endpoint;
  let hour = { start: Number.NEGATIVE_INFINITY, texts: 0 };

  function spend(texts: number): void {
    if (textsPerHour === 0) return;
    const now = clock.now().getTime();
    if (now >= hour.start + hourMs) hour = { start: now, texts: 0 };
    if (hour.texts + texts > textsPerHour)
      throw new ApiError('UNAVAILABLE', 'The embeddings of this hour are used up', {
        retryAfter: Math.ceil((hour.start + hourMs - now) / 1_000),
      });
    hour.texts += texts;
  }

  async function batch(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    spend(texts.length);
    for (let attempt = 1; ; attempt++) {
      const outcome = await ask(texts, signal);
      if ('vectors' in outcome) return outcome.vectors;
      const pause = outcome.retryAfterMs ?? firstPauseMs * 2 ** (attempt - 1);
      const mayRepeat = outcome.isPassing && attempt < attemptsMax && pause <= pauseMaxMs;
      log.warn({ model, reason: outcome.reason, attempt, mayRepeat }, 'an embedding request failed');
      if (!mayRepeat)
        throw new ApiError('UNAVAILABLE', 'The embedding model does not answer', {
          ...(outcome.isPassing && { retryAfter: Math.ceil(pause / 1_000) }),
        });
      await delay(pause);
      signal?.throwIfAborted();
    }
  }

  type Failure = { readonly reason: string; readonly isPassing: boolean; readonly retryAfterMs?: number | null };

  async function ask(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<{ vectors: Float32Array[] } | Failure> {
    try {
      const { status, headers, body, isTruncated } = await egress.request({
        url: `${baseUrl}/embeddings`,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        totalTimeoutMs: requestTimeoutMs,
        responseBytesMax: 65_536 + texts.length * dims * bytesPerNumber,
        mayRepeat: true,
        pool: 'embeddings',
        ...(signal && { signal }),
      });
      if (status === 429 || status >= 500)
        return { reason: `status ${status}`, isPassing: true, retryAfterMs: retryAfterMsOf(headers) };
      if (status !== 200) return { reason: `status ${status}`, isPassing: false };
      const vectors = isTruncated ? null : vectorsOf(body, texts.length, dims);
      return vectors ? { vectors } : { reason: `the response is not ${texts.length} x ${dims}`, isPassing: false };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof EgressError)) throw error;
      return { reason: error.reason, isPassing: error.reason !== 'forbidden' && error.reason !== 'closed' };
    }
  }

  return {
    id: `openai:${model}`,
    dims,
    maxTokens: 8_191,
    async embed(texts, signal) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dims));
      // An endpoint refuses a whole batch for one empty text.
      const pieces = texts.flatMap((text, place) =>
        text.trim() === '' ? [] : [{ text: text.slice(0, textMax), place }],
      );
      for (let first = 0; first < pieces.length; first += batchMax) {
        const part = pieces.slice(first, first + batchMax);
        const embedded = await batch(
          part.map(({ text }) => text.toWellFormed()),
          signal,
        );
        for (const [index, { place }] of part.entries()) vectors[place] = normalise(embedded[index] as Float32Array);
      }
      return vectors;
    },
    async close() {},
  };
}

/** The vectors by their index; null where the response holds anything else. */
function vectorsOf(body: Buffer, count: number, dims: number): Float32Array[] | null {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  const { data, success } = EmbeddingResponse.safeParse(json);
  if (!success || data.data.length !== count) return null;
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const { index, embedding } of data.data)
    if (index < count && embedding.length === dims) vectors[index] = Float32Array.from(embedding);
  return vectors.every((vector) => vector !== undefined) ? vectors : null;
}
