import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import { planOf } from '../../src/search/plan.ts';
import * as statements from '../../src/search/statements.ts';
import { verifies } from '../requirements.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { addServers } from './servers.ts';

const { services, database, clock, url } = await createTestServices();
const { found, upkeep } = services.search;
const sql = new Client({ connectionString: url });
await sql.connect();
afterAll(() => sql.end());
const owner = await signUp(services);
const nobody = anonymous('192.0.2.1');
const namesOf = async (query: string, rest: Partial<Parameters<typeof found.page>[1]> = {}) =>
  (await found.page(nobody, { query, ...rest }, {})).servers.map(({ name }) => name);
const totalOf = async (query: string) => (await found.page(nobody, { query }, {})).total;
const { configurations, usage } = services.mcpServers;
const stdio = { transport: 'stdio', command: 'x' } as const;

describe('what is found', () => {
  it('is public from one commit to another', verifies('search.hidden'), async () => {
    const { uuid } = await configurations.create(owner, { name: 'quokka', ...stdio });
    expect(await namesOf('quokka')).toEqual([]);
    await configurations.setVisibility(owner, uuid, { isPublic: true });
    expect(await namesOf('quokka')).toEqual(['quokka']);
    await configurations.update(owner, uuid, { name: 'wombat', description: 'Digs' });
    expect([await namesOf('quokka'), await namesOf('wombat'), await namesOf('digging')]).toEqual([
      [],
      ['wombat'],
      ['wombat'],
    ]);
    const before = await totalOf('');
    await configurations.setVisibility(owner, uuid, { isPublic: false });
    expect([await namesOf('wombat'), await totalOf('')]).toEqual([[], before - 1]);
    await configurations.setVisibility(owner, uuid, { isPublic: true });
    await configurations.remove(owner, uuid);
    expect([await namesOf('wombat'), await totalOf('')]).toEqual([[], before - 1]);
  });

  it('is counted without an index of words being touched', verifies('search.counters'), async () => {
    const known = await addServers({ database, clock }, owner, [
      { name: 'numbat-one', installations: 5 },
      { name: 'numbat-two', installations: 5 },
    ]);
    const uuid = known['numbat-one'] as string;
    const before = (await sql.query('SELECT ctid, installations FROM search_documents WHERE server_uuid = $1', [uuid]))
      .rows[0];
    await usage.install(await signUp(services), uuid);
    await usage.rate(await signUp(services), uuid, { rating: 4 });
    const after = (await sql.query('SELECT installations, rating FROM search_documents WHERE server_uuid = $1', [uuid]))
      .rows[0];
    expect([before.installations, after]).toEqual([5, { installations: 6, rating: 4 }]);
    expect(await namesOf('numbat', { sort: 'popular' })).toEqual(['numbat-one', 'numbat-two']);
    expect((await namesOf('', { sort: 'popular' })).slice(0, 2)).toEqual(['numbat-one', 'numbat-two']);
    await sql.query('BEGIN');
    await sql.query('UPDATE mcp_servers SET installations = installations + 1 WHERE uuid = $1', [uuid]);
    const { rows } = await sql.query(
      `SELECT n_tup_upd::int AS updated, n_tup_hot_upd::int AS hot FROM pg_stat_xact_user_tables WHERE relname = 'search_documents'`,
    );
    await sql.query('ROLLBACK');
    expect(rows).toEqual([{ updated: 1, hot: 1 }]);
  });

  it('comes before more popular ones that lack a word, in every order', verifies('search.sorts'), async () => {
    await addServers({ database, clock }, owner, [
      { name: 'bilby', installations: 9_000 },
      { name: 'potoroo', installations: 8_000 },
      { name: 'bilby-potoroo', installations: 1 },
    ]);
    await addServers(
      { database, clock: { ...clock, now: () => new Date(clock.now().getTime() + 86_400_000) } },
      owner,
      [{ name: 'bilby-of-tomorrow' }],
    );
    for (const sort of ['relevance', 'popular', 'recent'] as const)
      expect((await namesOf('bilby potoroo', { sort }))[0], sort).toBe('bilby-potoroo');
    expect((await namesOf('bilby potoroo', { sort: 'popular' })).slice(1, 3)).toEqual(['bilby', 'potoroo']);
  });

  it('is shown by two at once who bring the same new words', verifies('search.hidden'), async () => {
    const words = ['aardvark', 'baboon', 'cassowary', 'dugong'];
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        addServers({ database, clock }, owner, [
          {
            name: `zoo-${n}`,
            description: (n % 2 ? words : [...words].reverse()).map((word) => `${word}${n % 3}`).join(' '),
          },
        ]),
      ),
    );
    expect(await totalOf('aardvark1 dugong1')).toBe(4);
  });

  it.each([
    ['letters that come apart into eighteen', '\ufdfa'.repeat(200)],
    ['scripts without spaces', '天气'.repeat(100)],
    ['one word without an end', 'x'.repeat(255)],
    ['capitals', 'AbCdE'.repeat(51)],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(30)],
    ['what queries are written with', `'"\\:*&|!()<->%_`.repeat(15)],
    ['marks without letters', `-${'\u0301'.repeat(254)}`],
    ['nothing that is a word', '---'],
  ])('shows a server with %s', verifies('search.hidden'), async (_what, name) => {
    const long = name.repeat(20).slice(0, 5_000);
    const { uuid } = await configurations.create(owner, {
      name,
      title: name,
      description: long,
      tags: [name.slice(0, 50)],
      ...stdio,
    });
    await configurations.update(owner, uuid, {
      repositoryUrl: `https://example.com/${'x/'.repeat(900)}${name.slice(0, 9)}`,
    });
    await configurations.setVisibility(owner, uuid, { isPublic: true });
    const { servers } = await found.page(nobody, { query: '', sort: 'recent' }, { limit: 100 });
    expect(servers.map((server) => server.uuid)).toContain(uuid);
    await namesOf(name.slice(0, 400));
    await configurations.remove(owner, uuid);
  });

  it('removes the words that no server has any more', verifies('search.typos'), async () => {
    const known = await addServers({ database, clock }, owner, [{ name: 'xylophonist' }]);
    await sql.query('DELETE FROM mcp_servers WHERE uuid = $1', [known.xylophonist]);
    await upkeep.sortIntoTiers();
    await upkeep.countWords();
    expect(await upkeep.forgetWords()).toBeGreaterThan(0);
    const { rows } = await sql.query(
      `SELECT word FROM search_words WHERE word IN ('xylophonist', 'numbat') ORDER BY word`,
    );
    expect(rows).toEqual([{ word: 'numbat' }]);
  });
});

describe('among many servers', () => {
  const many = 12_000;

  beforeAll(async () => {
    await addServers(
      { database, clock },
      owner,
      Array.from({ length: many }, (_, n) => ({
        name: `thing-${n}`,
        description: `common ${n % 10 === 0 ? 'frequent' : 'usual'} ${n === 7_777 ? 'singular' : 'plural'}`,
        installations: n % 3_000,
      })),
    );
    await upkeep.sortIntoTiers();
    await upkeep.countWords();
    await upkeep.addUpCounts();
    await sql.query('VACUUM ANALYZE search_documents, mcp_servers, search_words');
  });

  it('the most popular are looked through first', verifies('search.bounds'), async () => {
    const { rows } = await sql.query(
      `SELECT tier, count(*)::int, min(installations) FROM search_documents GROUP BY tier ORDER BY tier`,
    );
    expect(rows.map(({ tier, count }) => [tier, count]).slice(0, 2)).toEqual([
      [0, 1_000],
      [1, 9_000],
    ]);
    expect(rows[0].min).toBeGreaterThan(rows[2].min);
    expect(await upkeep.sortIntoTiers()).toBe(0);
  });

  it(
    'a word of all of them finds a thousand, one of one finds it',
    verifies('search.bounds', 'search.words'),
    async () => {
      expect(await totalOf('common')).toBe(1_000);
      expect(await totalOf('frequent')).toBe(1_000);
      expect(await namesOf('singular')).toEqual(['thing-7777']);
      expect((await namesOf('common singular'))[0]).toBe('thing-7777');
      expect((await namesOf('singulra comon'))[0]).toBe('thing-7777');
      expect(await totalOf('')).toBeGreaterThan(many);
      expect((await found.page(nobody, { query: 'common' }, { offset: 10_000 })).servers).toEqual([]);
    },
  );

  it('the newest come first, also of a common word', verifies('search.sorts'), async () => {
    await addServers(
      { database, clock: { ...clock, now: () => new Date(clock.now().getTime() + 86_400_000) } },
      owner,
      [{ name: 'latest', description: 'common' }],
    );
    expect((await namesOf('common', { sort: 'recent' }))[0]).toBe('latest');
    const { rows } = await sql.query(
      `SELECT name FROM mcp_servers WHERE description LIKE 'common%' ORDER BY created_at DESC LIMIT 20`,
    );
    expect(await namesOf('common', { sort: 'recent' })).toEqual(rows.map(({ name }) => name));
  });

  const plan = planOf(
    [{ place: 1, kind: 'token', word: 'common', lexeme: 'common', documents: 10_000, likeness: 1, servers: many }],
    [],
    new Map(),
  );
  it.each<[string, number, () => ReturnType<typeof statements.understand>]>([
    // Each server that is ranked is read from a tier, the index of its words besides; ten thousand newest ones are looked through.
    [
      'a word of all, by relevance',
      2_200,
      () => statements.byWords(plan as never, { sort: 'relevance', skipped: 0, taken: 20 }),
    ],
    [
      'a word of all, by age',
      2_300,
      () => statements.byWords(plan as never, { sort: 'recent', skipped: 0, taken: 20 }),
    ],
    ['all, by popularity', 20, () => statements.listAll('popular', 0, 20)],
    ['all, by age', 20, () => statements.listAll('recent', 0, 20)],
    [
      'a source, by age',
      100,
      () => statements.list('recent', { sources: ['community'], packages: ['', 'npm', 'pypi', 'docker'] }, 0, 20),
    ],
  ])('%s reads at most %i rows', verifies('search.bounds'), async (_what, rows, statementOf) => {
    const client = await connectExplaining(url, 'auto');
    try {
      expect((await explainAgain(client, statementOf)).rowsRead).toBeLessThanOrEqual(rows);
    } finally {
      await client.end();
    }
  });
});
