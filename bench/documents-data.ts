import { randomUUID } from 'node:crypto';
import { createDocumentIndex } from '../src/documents/search/index-writer.ts';
import type { IndexedChunk } from '../src/documents/search/sections.ts';
import type { Database } from '../src/platform/database/database.ts';

/** Numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const vocabularySize = 40_000;
const onsets = [
  'b',
  'br',
  'c',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
];
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou'];

/** A made word for each rank; the same rank is the same word in each run. */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / 147))
    word += `${onsets[rest % 21]}${vowels[Math.floor(rest / 21) % 7]}`;
  return `${word}n`;
}

const random = seeded(7);

/** A rank by Zipf's law: the most frequent word is in about every tenth place. */
const rankOf = () => Math.min(vocabularySize - 1, Math.floor(vocabularySize ** random() - 1));

/** Some words of the middle of the vocabulary, as people search for them. */
export const queryOf = (words: number): string =>
  Array.from({ length: words }, () => wordOf(20 + Math.floor(random() ** 2 * 8_000))).join(' ');

/** Words that are in many passages. */
export const commonQueryOf = (words: number): string =>
  Array.from({ length: words }, () => wordOf(Math.floor(random() * 20))).join(' ');

const dims = 512;
const gauss = () => random() + random() + random() + random() - 2;
const centres = Array.from({ length: 300 }, () => Float32Array.from({ length: dims }, gauss));

/** A vector of length 1 near one of 300 subjects. */
export function vectorOf(): Float32Array {
  const centre = centres[Math.floor(random() * centres.length)] as Float32Array;
  const vector = centre.map((each) => each + 1.2 * gauss());
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

const wordsPerChunk = 75;
const chunksPerDocument = 100;

function documentOf(): { text: string; chunks: IndexedChunk[] } {
  let text = '';
  const chunks: IndexedChunk[] = [];
  for (let chunk = 0; chunk < chunksPerDocument; chunk++) {
    const start = text.length;
    text += Array.from({ length: wordsPerChunk }, () => wordOf(rankOf())).join(' ');
    chunks.push({ start, end: text.length, page: null, heading: null });
    text += '\n\n';
  }
  return { text, chunks };
}

/** Made prose of about so many characters. */
export function textOf(characters: number): string {
  let text = '';
  while (text.length < characters) text += `${Array.from({ length: 60 }, () => wordOf(rankOf())).join(' ')}.\n\n`;
  return text;
}

/** Gives a profile passages of made prose with made vectors. */
export async function fillDocuments(database: Database, profileUuid: string, passages: number): Promise<void> {
  const index = createDocumentIndex({
    provider: {
      id: 'universal-sentence-encoder-lite',
      dims,
      maxTokens: 128,
      embed: async () => [],
      close: async () => {},
    },
  });
  for (let left = passages; left > 0; left -= chunksPerDocument) {
    const { text, chunks } = documentOf();
    const part = chunks.slice(0, left);
    const documentUuid = randomUUID();
    await database.transaction(async (tx) => {
      const versionId = await newVersion(tx, profileUuid, documentUuid);
      await index.write(tx, {
        versionId,
        documentUuid,
        profileUuid,
        text,
        chunks: part,
        embeddings: part.map(vectorOf),
      });
    });
  }
}

async function newVersion(tx: Pick<Database, 'query'>, profileUuid: string, documentUuid: string): Promise<bigint> {
  await tx.query({
    text: `INSERT INTO documents (uuid, profile_uuid, title, source, tags, visibility, created_at, updated_at)
      VALUES ($1, $2, 'bench', 'upload', '{}', 'private', now(), now())`,
    values: [documentUuid, profileUuid],
  });
  const [row] = await tx.query<{ id: string }>({
    text: `INSERT INTO document_versions (document_uuid, profile_uuid, version, file_name, file_size, mime_type, content_hash, storage_key,
        status, page_starts, created_at)
      VALUES ($1::uuid, $2, 1, 'bench', 1, 'text/plain', '', $1::uuid::text, 'ready', '{}', now()) RETURNING id`,
    values: [documentUuid, profileUuid],
  });
  return BigInt(row?.id as string);
}
