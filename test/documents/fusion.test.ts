import { expect, test } from 'vitest';
import { type Candidate, fuse } from '../../src/documents/search/fusion.ts';

let ids = 0;
const candidate = (words: number, cosine: number | null, modelId = 1): Candidate => ({
  id: String(++ids),
  documentUuid: '',
  versionId: '1',
  section: 0,
  words,
  cosine,
  modelId: cosine === null ? null : modelId,
});
const orderOf = (candidates: readonly Candidate[]) =>
  fuse(candidates).map(({ id }) => candidates.findIndex((each) => each.id === id));

test('where the words of a query are found, they count more than its meaning', () => {
  expect(orderOf([candidate(0.1, 0.9), candidate(0.6, 0.3), candidate(0, 0.1)])).toEqual([1, 0, 2]);
});

test('a question in other words is left to its meaning', () => {
  expect(orderOf([candidate(0.15, 0.3), candidate(0, 0.9), candidate(0, 0.1)])).toEqual([1, 0, 2]);
});

test('words alone, and meaning alone, keep their orders', () => {
  expect(orderOf([candidate(0.1, null), candidate(0.4, null), candidate(0.2, null)])).toEqual([1, 2, 0]);
  expect(orderOf([candidate(0, 0.1), candidate(0, 0.4), candidate(0, 0.2)])).toEqual([1, 2, 0]);
});

test('cosines of two models are not compared with each other', () => {
  const [first, second] = fuse([
    candidate(0, 0.9, 1),
    candidate(0, 0.8, 1),
    candidate(0, 0.2, 2),
    candidate(0, 0.1, 2),
  ]);
  expect([first?.cosine, second?.cosine].sort()).toEqual([0.2, 0.9]);
  expect(first?.score).toBe(second?.score);
});

test('scores are from 0 to 1, and none is a number for nothing', () => {
  for (const { score } of fuse([candidate(1, 1), candidate(0, -1), candidate(0, null)])) {
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  }
  expect(fuse([])).toEqual([]);
  expect(fuse([candidate(0, 0.5)]).map(({ score }) => score)).toEqual([0.95]);
});
