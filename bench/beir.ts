import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A retrieval set in the file format of BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`. */
export interface BeirSet {
  readonly name: string;
  readonly corpus: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Those that have judgements. */
  readonly queries: readonly BeirQuery[];
}

export interface BeirQuery {
  readonly id: string;
  readonly text: string;
  /** Our own sets name the kind of a question. */
  readonly kind: string | null;
  /** How relevant each document is; above 0 for those that count. */
  readonly judgements: ReadonlyMap<string, number>;
}

interface Row {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
  readonly metadata?: { readonly kind?: string };
}

/**
 * Reads a set from a folder.
 *
 * @throws {Error} for a file that is missing or not in the format.
 */
export async function readBeirSet(folder: string): Promise<BeirSet> {
  const qrels = path.join(folder, 'qrels', 'test.tsv');
  if (!existsSync(qrels)) throw new Error(`${folder} has no qrels/test.tsv: it is not a set in the format of BEIR`);
  const judgements = new Map<string, Map<string, number>>();
  for (const line of (await readFile(qrels, 'utf8')).split(/\r?\n/).slice(1)) {
    const [query, document, score] = line.split('\t');
    if (!query || !document) continue;
    const judged = judgements.get(query) ?? new Map<string, number>();
    judged.set(document, Number(score));
    judgements.set(query, judged);
  }
  const corpus = (await rowsOf(path.join(folder, 'corpus.jsonl'))).map(({ _id: id, title = '', text }) => ({
    id,
    title,
    text,
  }));
  const queries = (await rowsOf(path.join(folder, 'queries.jsonl'))).flatMap(({ _id: id, text, metadata }) => {
    const judged = judgements.get(id);
    return judged ? [{ id, text, kind: metadata?.kind ?? null, judgements: judged }] : [];
  });
  return { name: path.basename(folder), corpus, queries };
}

async function rowsOf(file: string): Promise<Row[]> {
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Row);
}

/** Normalised discounted cumulative gain of the first ten, with linear gains as trec_eval has them. */
export function ndcgAt10({ judgements }: Pick<BeirQuery, 'judgements'>, found: readonly string[]): number {
  const gain = (scores: readonly number[]) =>
    scores.slice(0, 10).reduce((sum, score, index) => sum + score / Math.log2(index + 2), 0);
  const ideal = gain([...judgements.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(found.map((id) => judgements.get(id) ?? 0)) / ideal;
}

/** Share of the relevant documents that are among the first ten. */
export function recallAt10({ judgements }: Pick<BeirQuery, 'judgements'>, found: readonly string[]): number {
  const relevant = [...judgements].flatMap(([id, score]) => (score > 0 ? [id] : []));
  const first = new Set(found.slice(0, 10));
  return relevant.length === 0 ? 0 : relevant.filter((id) => first.has(id)).length / relevant.length;
}
