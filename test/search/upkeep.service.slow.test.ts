import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import { moves } from '../../src/search/statements.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { addServers } from './servers.ts';

const { services, database, clock, url } = await createTestServices();
const { found, upkeep } = services.search;
const sql = new Client({ connectionString: url });
await sql.connect();
afterAll(() => sql.end());
const owner = await signUp(services);

const namesOf = async (query: string) =>
  (await found.page(anonymous('192.0.2.1'), { query }, {})).servers.map(({ name }) => name);

describe('new words', () => {
  const words = ['aardwolf', 'zorilla'];

  it('do not wait for others that add the same ones', verifies('search.hidden'), async () => {
    const servers = await addServers(
      { database, clock },
      owner,
      [0, 1, 2, 3].map((n) => ({ name: `zoo ${n}`, description: words.join(' '), isPublic: false })),
    );
    const other = new Client({ connectionString: url });
    await other.connect();
    try {
      for (const client of [sql, other]) await client.query(`BEGIN; SET LOCAL lock_timeout = '1s'`);
      for (const [n, client] of [sql, other, sql, other].entries())
        await client.query('UPDATE mcp_servers SET is_public = true WHERE uuid = $1', [servers[`zoo ${n}`]]);
      for (const client of [sql, other]) await client.query('COMMIT');
    } finally {
      await other.end();
    }
    expect(await namesOf('zorilla')).toHaveLength(4);
    expect(await upkeep.takeUpWords()).toBeGreaterThanOrEqual(4);
    expect(await upkeep.takeUpWords()).toBe(0);
    const { rows } = await sql.query('SELECT word FROM search_words WHERE word = ANY ($1) ORDER BY word', [words]);
    expect(rows).toEqual(words.map((word) => ({ word })));
  });

  it('are known from the commit on, and read as nothing else', verifies('search.hidden', 'search.typos'), async () => {
    await addServers({ database, clock }, owner, [{ name: 'meerkats' }, { name: 'other', description: 'meerkat' }]);
    await upkeep.takeUpWords();
    await addServers({ database, clock }, owner, [{ name: 'beerkats' }]);
    const [exactly, beginning] = [await namesOf('beerkats'), await namesOf('beerk')];
    await upkeep.takeUpWords();
    expect([exactly, beginning]).toEqual([['beerkats'], ['beerkats']]);
    expect([await namesOf('beerkats'), await namesOf('beerk'), await namesOf('beerkasts')]).toEqual([
      ['beerkats'],
      ['beerkats'],
      ['beerkats'],
    ]);
  });
});

describe('tiers', () => {
  it(
    'are sorted without waiting for concurrent installations, which come next',
    verifies('search.bounds'),
    async () => {
      const servers = await addServers({ database, clock }, owner, [{ name: 'tier-one' }, { name: 'tier-two' }]);
      const uuid = servers['tier-one'];
      const tiers = async () => {
        const { rows } = await sql.query(
          `SELECT tier FROM search_documents WHERE server_uuid = ANY ($1) ORDER BY name_key`,
          [Object.values(servers)],
        );
        return rows.map(({ tier }) => tier);
      };
      await sql.query('BEGIN');
      try {
        await sql.query('UPDATE mcp_servers SET installations = installations + 1 WHERE uuid = $1', [uuid]);
        await upkeep.sortIntoTiers();
        expect(await tiers()).toEqual([3, 0]);
      } finally {
        await sql.query('COMMIT');
      }
      expect([await upkeep.sortIntoTiers(), await tiers()]).toEqual([1, [0, 0]]);
    },
  );
});

it('the tiers hold public servers alone: private ones take no place of theirs', async () => {
  const servers = await addServers({ database, clock }, owner, [
    { name: 'tier-public' },
    { name: 'tier-private', isPublic: false },
  ]);
  const moved = (await database.query<{ uuid: string }>(moves())).map(({ uuid }) => uuid);
  expect(moved).toContain(servers['tier-public']);
  expect(moved).not.toContain(servers['tier-private']);
  await upkeep.sortIntoTiers();
});

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
  });

  it('is counted however long descriptions are, each statement within its time', verifies('search.typos'), async () => {
    expect(await upkeep.countWords()).toBeGreaterThan(0);
    const { rows } = await sql.query(
      `SELECT word, documents FROM search_words WHERE word IN ('every0', 'every19', 'long') ORDER BY word`,
    );
    expect(rows).toEqual(['every0', 'every19', 'long'].map((word) => ({ word, documents: many + 1 })));
    expect(await upkeep.countWords()).toBe(0);
  });
});
