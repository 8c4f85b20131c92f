import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { addServers } from './servers.ts';

const { services, database, clock, url } = await createTestServices();
const { upkeep } = services.search;
const sql = new Client({ connectionString: url });
await sql.connect();
afterAll(() => sql.end());
const owner = await signUp(services);

describe('the vocabulary', () => {
  const many = 1_000;
  /** Three hundred words, of which a few are the same everywhere. */
  const long = (n: number) =>
    Array.from({ length: 280 }, (_, k) => (k < 20 ? `every${k}` : `w${((n * 280 + k) * 7919).toString(36)}`)).join(' ');

  beforeAll(async () => {
    const servers = Array.from({ length: many }, (_, n) => ({ name: `long-${n}`, description: long(n) }));
    for (let first = 0; first < many; first += 250)
      await addServers({ database, clock }, owner, servers.slice(first, first + 250));
    await upkeep.sortIntoTiers();
  }, 60_000);

  it(`is counted however long descriptions are, each statement within its time ${verifies('search.typos')}`, async () => {
    expect(await upkeep.countWords()).toBeGreaterThan(0);
    const { rows } = await sql.query(
      `SELECT word, documents FROM search_words WHERE word IN ('every0', 'every19', 'long') ORDER BY word`,
    );
    expect(rows).toEqual(['every0', 'every19', 'long'].map((word) => ({ word, documents: many + 1 })));
    expect(await upkeep.countWords()).toBe(0);
  });
});
