import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import { createSearchCounter } from '../../src/search/counter.ts';
import { countOpenings, countSearches, keepTexts } from '../../src/search/statistics-statements.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';

const { services, infrastructure, database } = await createTestServices();

it(
  'writes down all that may wait, with more time than an answer has',
  verifies('search.statistics.counting'),
  async () => {
    const one = await signUp(services);
    const counter = createSearchCounter({ ...infrastructure });
    const networks = Array.from({ length: 5_001 }, (_, n) => anonymous(`192.${n >> 16}.${(n >> 8) & 255}.${n & 255}`));
    const shown = Array.from({ length: 20 }, () => randomUUID());
    for (const [n, caller] of networks.entries()) counter.searched(caller, `search ${n}`, shown, true);
    counter.searched(one, 'one too many', [], true);
    await counter.flush();
    const rows = await database.query({ text: 'SELECT sum(searches)::int AS searches FROM search_query_days' });
    expect(rows).toEqual([{ searches: 5_000 }]);
    for (const statement of [countSearches([]), countOpenings([]), keepTexts([])])
      expect(statement.query_timeout, statement.name).toBe(9_000);
  },
);
