import { beforeAll, expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { labelledQueries, labelledServers } from './labels.ts';
import { type Evaluation, evaluate, ilike, ilikeByWord } from './ranking.ts';
import { addServers } from './servers.ts';

const { services, database, clock } = await createTestServices();
const { found, upkeep } = services.search;
let ours: Evaluation;

beforeAll(async () => {
  await addServers({ database, clock }, await signUp(services), labelledServers);
  await upkeep.sortIntoTiers();
  await upkeep.countWords();
  ours = await evaluate(async (query) => {
    const { servers } = await found.page(anonymous('192.0.2.1'), { query }, { limit: 10 });
    return servers.map(({ name }) => name);
  });
});

it('is measured by at least 60 queries over at least 1 000 servers', verifies('search.ranking'), () => {
  expect(labelledQueries.length).toBeGreaterThanOrEqual(60);
  expect(labelledServers.length).toBeGreaterThanOrEqual(1_000);
  const names = new Set(labelledServers.map(({ name }) => name));
  const unknown = labelledQueries.flatMap(({ grades }) => [...grades.keys()].filter((name) => !names.has(name)));
  expect(unknown).toEqual([]);
});

it('puts the best matches first: nDCG@10 of 0.82 at least, far above ILIKE', verifies('search.ranking'), async () => {
  const found = async (statement: ReturnType<typeof ilike>) =>
    (await database.query<{ name: string }>(statement)).map(({ name }) => name);
  const plain = await evaluate((query) => found(ilike(query)));
  const byWord = await evaluate((query) => found(ilikeByWord(query) as never));
  expect(ours.mean).toBeGreaterThan(0.82);
  expect(ours.mean).toBeGreaterThan(plain.mean + 0.3);
  expect(ours.mean).toBeGreaterThan(byWord.mean + 0.25);
});

it('understands misspelled words', verifies('search.ranking', 'search.typos'), () => {
  const misspelt = [
    'githbu',
    'postgers',
    'msyql',
    'slcak',
    'kubernets',
    'fimga',
    'obsidain',
    'wether',
    'dcoker',
    'discrod bot',
    'playwrite',
  ];
  const evaluated = ours.byQuery.filter(({ query }) => misspelt.includes(query));
  expect(evaluated).toHaveLength(misspelt.length);
  for (const { query, ndcg } of evaluated) expect(ndcg, query).toBeGreaterThan(0.5);
});
