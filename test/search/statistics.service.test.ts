import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { createSearchCounter } from '../../src/search/counter.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { addServers } from './servers.ts';

const { services, infrastructure, database, clock, url } = await createTestServices();
const { found, statistics } = services.search;
const sql = new Client({ connectionString: url });
await sql.connect();
afterAll(() => sql.end());

const owner = await signUp(services);
const known = await addServers({ database, clock }, owner, [
  { name: 'alpha-weather' },
  { name: 'beta-weather' },
  { name: 'alpha-rain' },
]);
const uuidOf = (name: string) => known[name] as string;
const people = await Promise.all(Array.from({ length: 5 }, () => signUp(services)));
const [ann, ben, cat, dan, eve] = people as [Caller, Caller, Caller, Caller, Caller];
const search = (caller: Caller, query: string, offset = 0) => found.page(caller, { query }, { offset });
const told = async (query: string, timeframe: 'day' | 'week' | 'month' = 'week') => {
  await statistics.flush();
  return statistics.find(ann, { query, timeframe });
};
const nothing = (query: string) => ({ query, totalSearches: 0, uniqueUsers: 0, topResults: [], relatedQueries: [] });

beforeEach(async () => {
  await statistics.flush();
  await sql.query('TRUNCATE search_queries, search_query_days, search_askers, search_result_days, search_openings');
});

describe('search statistics', () => {
  it('count searches, users, shown results and opened results', verifies('search.statistics'), async () => {
    for (const caller of [ann, ben, cat]) await search(caller, 'weather');
    await search(ann, '  WEATHER ');
    await search(ann, 'weather', 20);
    statistics.opened(ann, uuidOf('beta-weather'));
    statistics.opened(ben, uuidOf('beta-weather'));
    statistics.opened(ben, uuidOf('alpha-weather'));
    expect(await told('Weather')).toEqual({
      query: 'Weather',
      totalSearches: 4,
      uniqueUsers: 3,
      topResults: [
        { serverUuid: uuidOf('beta-weather'), clicks: 2, impressions: 3, ctr: 0.6667 },
        { serverUuid: uuidOf('alpha-weather'), clicks: 1, impressions: 3, ctr: 0.3333 },
      ],
      relatedQueries: [],
    });
  });

  it(
    'are the same for a search of fewer than three users as for one that no user made (H14)',
    verifies('search.statistics.threshold'),
    async () => {
      for (const caller of [ann, ben]) for (let asked = 0; asked < 5; asked++) await search(caller, 'alpha');
      statistics.opened(ann, uuidOf('alpha-rain'));
      expect(await told('alpha')).toEqual(nothing('alpha'));
      expect(await told('no user made this')).toEqual(nothing('no user made this'));
      await search(cat, 'alpha');
      expect(await told('alpha')).toMatchObject({ totalSearches: 11, uniqueUsers: 3 });
    },
  );

  it(
    'count one caller once, whatever keys, profiles and requests it has (H14)',
    verifies('search.statistics.distinct'),
    async () => {
      const keys = await Promise.all([1, 2, 3].map(async () => (await keyOf(services, ann)).caller));
      for (const caller of [ann, ...keys])
        for (let asked = 0; asked < 10; asked++) {
          await search(caller, 'weather');
          statistics.opened(caller, uuidOf('alpha-weather'));
          if (asked % 5 === 0) await statistics.flush();
        }
      expect(await told('weather')).toEqual(nothing('weather'));
      for (const caller of [ben, cat]) await search(caller, 'weather');
      const { uniqueUsers, topResults } = await told('weather');
      expect(uniqueUsers).toBe(3);
      expect(topResults[0]).toEqual({ serverUuid: uuidOf('alpha-weather'), clicks: 1, impressions: 3, ctr: 0.3333 });
    },
  );

  it(
    'count those who have not signed in as searches, and as no users (H14)',
    verifies('search.statistics.distinct', 'search.statistics.threshold'),
    async () => {
      const networks = ['2001:db8:0:1::1', '2001:db8:0:2::1', '192.0.2.77', '198.51.100.1'];
      const sameNetwork = ['2001:db8:0:1::2', '2001:db8:0:1:ffff::3'];
      for (const address of [...networks, ...sameNetwork]) await search(anonymous(address), 'weather');
      expect(await told('weather')).toEqual(nothing('weather'));
      for (const caller of [ann, ben]) await search(caller, 'weather');
      expect(await told('weather')).toEqual(nothing('weather'));
      expect((await sql.query('SELECT FROM search_queries')).rowCount).toBe(0);
      await search(cat, 'weather');
      const { totalSearches, uniqueUsers, topResults } = await told('weather');
      expect([totalSearches, uniqueUsers]).toEqual([9, 3]);
      // A network sees a result once.
      expect(topResults.map(({ impressions }) => impressions)).toEqual([7, 7]);
    },
  );

  it(
    'keep neither users nor, before three users, the text of a search in clear',
    verifies('search.statistics.privacy'),
    async () => {
      const canary = 'canary ann@example.com';
      await search(ann, canary);
      await search(anonymous('203.0.113.99'), canary);
      await statistics.flush();
      const dump = async () => {
        const tables = [
          'search_queries',
          'search_query_days',
          'search_askers',
          'search_result_days',
          'search_openings',
        ];
        let text = '';
        for (const table of tables) text += JSON.stringify((await sql.query(`SELECT t::text FROM ${table} t`)).rows);
        return text;
      };
      const hex = (text: string) => Buffer.from(text).toString('hex');
      const secrets = ['canary', '203.0.113', String(ann.principal?.userUuid), String(ann.principal?.profileUuid)];
      const before = await dump();
      expect(before).toContain('\\\\x');
      for (const secret of secrets) expect(before).not.toContain(secret);
      for (const secret of secrets) expect(before).not.toContain(hex(secret));
      for (const caller of [ben, cat]) await search(caller, canary);
      await statistics.flush();
      expect(await dump()).toContain('canary');
      expect(await dump()).not.toContain(String(ben.principal?.userUuid));
    },
  );

  it(
    'hold nothing by which two searches of one asker could be put together',
    verifies('search.statistics.privacy'),
    async () => {
      await search(ann, 'weather');
      await search(ann, 'rain');
      await statistics.flush();
      const { rows } = await sql.query('SELECT count(DISTINCT asker)::int AS askers FROM search_askers');
      expect(rows[0].askers).toBe(2);
    },
  );

  it('are of the days that were asked for', verifies('search.statistics.timeframe'), async () => {
    const start = clock.now();
    try {
      for (const caller of [ann, ben, cat]) await search(caller, 'weather');
      expect(await told('weather', 'day')).toMatchObject({ totalSearches: 3, uniqueUsers: 3 });
      clock.advance(86_400_000);
      expect(await told('weather', 'day')).toEqual(nothing('weather'));
      for (const caller of [ann, dan, eve]) await search(caller, 'weather');
      expect(await told('weather', 'day')).toMatchObject({ totalSearches: 3, uniqueUsers: 3 });
      expect(await told('weather', 'week')).toMatchObject({ totalSearches: 6, uniqueUsers: 5 });
      clock.advance(6 * 86_400_000);
      expect(await told('weather', 'week')).toMatchObject({ totalSearches: 3, uniqueUsers: 3 });
      expect(await told('weather', 'month')).toMatchObject({ totalSearches: 6, uniqueUsers: 5 });
    } finally {
      clock.set(start);
    }
  });

  it('name related searches that may be shown', verifies('search.statistics.related'), async () => {
    for (const caller of [ann, ben, cat])
      for (const query of ['weather', 'alpha', 'beta weather']) await search(caller, query);
    for (const caller of [ann, ben]) await search(caller, 'alpha weather');
    expect((await told('weather')).relatedQueries).toEqual(['beta weather', 'alpha']);
  });

  it(
    'name a related search only if three users made it within the timeframe',
    verifies('search.statistics.related', 'search.statistics.threshold'),
    async () => {
      const start = clock.now();
      try {
        for (const caller of [ann, ben, cat]) await search(caller, 'alpha');
        await statistics.flush();
        clock.advance(20 * 86_400_000);
        for (const caller of [ann, ben, cat]) await search(caller, 'weather');
        await search(dan, 'alpha');
        expect((await told('weather', 'week')).relatedQueries).toEqual([]);
        expect((await told('weather', 'month')).relatedQueries).toEqual(['alpha']);
      } finally {
        clock.set(start);
      }
    },
  );

  it('require a credential with the scope read', verifies('search.statistics'), async () => {
    const find = (caller: Caller) => statistics.find(caller, { query: 'weather' });
    const { caller: writer } = await keyOf(services, ann, { scopes: ['write'] });
    await expect(find(anonymous('192.0.2.1'))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(find(writer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await find(ann)).toEqual(nothing('weather'));
  });

  it('name public servers only', verifies('search.statistics'), async () => {
    for (const caller of [ann, ben, cat]) await search(caller, 'alpha');
    const uuid = uuidOf('alpha-rain');
    await services.mcpServers.configurations.setVisibility(owner, uuid, { isPublic: false });
    const { topResults } = await told('alpha');
    expect(topResults.map(({ serverUuid }) => serverUuid)).toEqual([uuidOf('alpha-weather')]);
    await services.mcpServers.configurations.setVisibility(owner, uuid, { isPublic: true });
    expect((await told('alpha')).topResults).toHaveLength(2);
  });

  it('are forgotten after 31 days, and the text with its askers', verifies('search.statistics.privacy'), async () => {
    const start = clock.now();
    try {
      for (const caller of [ann, ben, cat]) await search(caller, 'weather');
      statistics.opened(ann, uuidOf('alpha-weather'));
      await statistics.flush();
      clock.advance(30 * 86_400_000);
      expect(await statistics.purge()).toBe(0);
      clock.advance(86_400_000);
      expect(await statistics.purge()).toBeGreaterThan(0);
      for (const table of [
        'search_queries',
        'search_query_days',
        'search_askers',
        'search_result_days',
        'search_openings',
      ])
        expect((await sql.query(`SELECT 1 FROM ${table}`)).rowCount, table).toBe(0);
    } finally {
      clock.set(start);
    }
  });

  it(
    'are forgotten however many there are, and nothing that is younger',
    verifies('search.statistics.privacy'),
    async () => {
      const many = 25_000;
      for (const caller of [ann, ben, cat]) await search(caller, 'weather');
      await statistics.flush();
      await sql.query(
        `INSERT INTO search_result_days (query, day, server_uuid, impressions)
        SELECT decode(md5(n::text), 'hex'), '2020-01-01', gen_random_uuid(), 1 FROM generate_series(1, ${many}) n`,
      );
      await sql.query(
        `INSERT INTO search_queries (key, text) SELECT decode(md5(n::text), 'hex'), n::text FROM generate_series(1, ${many}) n`,
      );
      expect(await statistics.purge()).toBe(2 * many);
      expect((await sql.query('SELECT text FROM search_queries')).rows).toEqual([{ text: 'weather' }]);
      expect((await told('weather')).topResults).toHaveLength(2);
    },
  );
});

describe('an opened result', () => {
  it(
    'counts within half an hour of the search that showed it, and for that search',
    verifies('search.opened'),
    async () => {
      const start = clock.now();
      try {
        const { found, statistics } = createServices(infrastructure).search;
        for (const caller of [ann, ben, cat]) await found.page(caller, { query: 'weather' }, {});
        statistics.opened(ann, uuidOf('alpha-rain'));
        statistics.opened(dan, uuidOf('alpha-weather'));
        clock.advance(30 * 60_000 + 1);
        statistics.opened(ann, uuidOf('alpha-weather'));
        await statistics.flush();
        expect((await told('weather')).topResults.map(({ clicks }) => clicks)).toEqual([0, 0]);
      } finally {
        clock.set(start);
      }
    },
  );

  it(
    'is reported by the user who saw the result, also to another process, and by no other',
    verifies('search.opened'),
    async () => {
      for (const caller of [ann, ben, cat]) await search(caller, 'weather');
      await statistics.flush();
      const elsewhere = createServices(infrastructure).search.statistics;
      const serverUuid = uuidOf('beta-weather');
      expect(await elsewhere.reportOpened(ann, { query: 'Weather', serverUuid: serverUuid.toUpperCase() })).toBe(true);
      expect(await statistics.reportOpened(ben, { query: 'weather', serverUuid })).toBe(true);
      await elsewhere.flush();
      for (const [caller, query, uuid] of [
        [dan, 'weather', serverUuid],
        [anonymous('192.0.2.9'), 'weather', serverUuid],
        [ann, 'rain', serverUuid],
        [ann, 'weather', uuidOf('alpha-rain')],
        [ann, 'weather', randomUUID()],
        [ann, 'weather', "'; --"],
        [ann, '', serverUuid],
      ] as const)
        expect(await elsewhere.reportOpened(caller, { query, serverUuid: uuid })).toBe(false);
      expect((await told('weather')).topResults[0]).toMatchObject({ serverUuid, clicks: 2 });
    },
  );
});

describe('counting', () => {
  it('adds up what several processes count at once', verifies('search.statistics.counting'), async () => {
    const processes = Array.from({ length: 4 }, () => createServices(infrastructure).search);
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        processes.flatMap((each) => people.map((caller) => each.found.page(caller, { query: 'weather' }, {}))),
      );
      await Promise.all(processes.map((each) => each.statistics.flush()));
    }
    expect(await told('weather')).toMatchObject({ totalSearches: 100, uniqueUsers: 5 });
    expect((await told('weather')).topResults.map(({ impressions }) => impressions)).toEqual([5, 5]);
  });

  it('counts at most 300 searches of one asker in a day (H14)', verifies('search.statistics.distinct'), async () => {
    const counter = createSearchCounter({ ...infrastructure });
    for (let asked = 0; asked < 400; asked++) {
      counter.searched(ann, `search ${asked % 350}`, [uuidOf('alpha-rain')], true);
      counter.searched(ben, 'weather', [], true);
    }
    counter.searched(cat, 'weather', [], true);
    await counter.flush();
    const { rows } = await sql.query(
      'SELECT (SELECT sum(searches)::int FROM search_query_days) AS searches, (SELECT count(*)::int FROM search_askers) AS askers',
    );
    expect(rows).toEqual([{ searches: 300 + 300 + 1, askers: 300 + 1 + 1 }]);
  });

  it('counts at most 300 opened results of one asker in a day', verifies('search.statistics.counting'), async () => {
    const counter = createSearchCounter({ ...infrastructure });
    const opened = Array.from({ length: 400 }, () => randomUUID());
    for (const uuid of [...opened, ...opened]) counter.openedFrom(ann, 'weather', uuid);
    // The same ones again are no more, and take nothing off.
    for (let again = 0; again < 400; again++) counter.openedFrom(ben, 'weather', uuidOf('alpha-rain'));
    counter.openedFrom(ben, 'weather', opened[0] as string);
    await counter.flush();
    const { rows } = await sql.query('SELECT count(*)::int AS openings FROM search_openings');
    expect(rows).toEqual([{ openings: 300 + 2 }]);
  });

  it('keeps at most 5 000 searches in memory while they cannot be written', async () => {
    const counter = createSearchCounter({ ...infrastructure });
    for (let n = 0; n < 5_100; n++)
      counter.searched(anonymous(`192.0.${Math.floor(n / 250)}.${n % 250}`), `search ${n}`, [], true);
    await counter.flush();
    const { rows } = await sql.query('SELECT sum(searches)::int AS searches FROM search_query_days');
    expect(rows).toEqual([{ searches: 5_000 }]);
  });

  it(
    'fails no search, and waits, while it cannot be written down',
    verifies('search.statistics.counting'),
    async () => {
      await sql.query('ALTER TABLE search_query_days RENAME TO away');
      for (const caller of [ann, ben, cat]) await search(caller, 'weather');
      await expect(statistics.flush()).rejects.toThrow();
      await search(ann, 'weather');
      await sql.query('ALTER TABLE away RENAME TO search_query_days');
      expect(await told('weather')).toMatchObject({ totalSearches: 4, uniqueUsers: 3 });
    },
  );
});
