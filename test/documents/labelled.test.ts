import path from 'node:path';
import { expect, test } from 'vitest';
import { ndcgAt10, readBeirSet, recallAt10 } from '../../bench/beir.ts';
import { termOf, wordsOf } from '../../src/documents/search/analyser.ts';

const set = await readBeirSet(path.resolve(import.meta.dirname, 'labelled'));

const contentOf = (text: string) => new Set(wordsOf(text).flatMap(({ text: word }) => termOf(word, 'eng') ?? []));

test('the labelled set has 500 passages, and a judgement for each question', () => {
  const ids = new Set(set.corpus.map(({ id }) => id));
  expect(ids.size).toBe(500);
  expect(new Set(set.corpus.map(({ text }) => text)).size).toBe(500);
  expect(set.queries.length).toBeGreaterThanOrEqual(100);
  expect(set.queries.flatMap(({ judgements }) => [...judgements.keys()]).filter((id) => !ids.has(id))).toEqual([]);
});

test('a paraphrase shares no content word with its answer', () => {
  const texts = new Map(set.corpus.map(({ id, text }) => [id, contentOf(text)]));
  const paraphrases = set.queries.filter(({ kind }) => kind === 'paraphrase');
  expect(paraphrases.length).toBeGreaterThanOrEqual(50);
  const shared = paraphrases.flatMap(({ id, text, judgements }) =>
    [...judgements.keys()].flatMap((document) =>
      [...contentOf(text)].filter((term) => texts.get(document)?.has(term)).map((term) => `${id}: ${term}`),
    ),
  );
  expect(shared).toEqual([]);
});

test('nDCG and recall as trec_eval counts them', () => {
  const judgements = new Map([
    ['a', 2],
    ['b', 1],
    ['c', 0],
  ]);
  expect(ndcgAt10({ judgements }, ['a', 'b'])).toBe(1);
  expect(ndcgAt10({ judgements }, ['x', 'a', 'c', 'b'])).toBeCloseTo(
    (2 / Math.log2(3) + 1 / Math.log2(5)) / (2 + 1 / Math.log2(3)),
  );
  expect(recallAt10({ judgements }, ['c', 'b'])).toBe(0.5);
  expect(ndcgAt10({ judgements }, [])).toBe(0);
});
