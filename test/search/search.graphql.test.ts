import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { addServers } from './servers.ts';

const server = await startTestServer();
const nobody = graphqlOf(server, null);
const tenant = await tenantOf(server);
const names = Array.from({ length: 30 }, (_, n) => `zebra-${n}`);
const known = await addServers(
  server,
  tenant.caller,
  names.map((name, n) => ({ name, description: 'Stripes', installations: n, packageType: n < 10 ? 'npm' : 'pypi' })),
);

const list = `query ($query: String!, $sort: McpServerSort, $package: McpPackageType, $first: Int, $after: String) {
  servers(query: $query, sort: $sort, package: $package, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor }
    nodes { uuid name notes env isOwn installationCount tools { name } stats { installations } } } }`;
const dataOf = async (graphql: typeof nobody, query: string, variables: Record<string, unknown> = {}) => {
  const { data, errors } = await graphql(query, variables);
  expect(errors).toBeUndefined();
  return data;
};
const codeOf = async (graphql: typeof nobody, query: string, variables: Record<string, unknown> = {}) =>
  (await graphql(query, variables)).errors?.[0]?.extensions;

describe('servers', () => {
  it(
    'pages through the results by cursor, each server once',
    verifies('search.graph', 'graph.connections'),
    async () => {
      for (const query of ['zebra', '']) {
        const seen: string[] = [];
        let after: string | null = null;
        do {
          const { servers } = await dataOf(nobody, list, { query, sort: 'POPULAR', first: 7, after });
          expect(servers.totalCount).toBe(30);
          seen.push(...servers.nodes.map(({ name }: { name: string }) => name));
          after = servers.pageInfo.hasNextPage ? servers.pageInfo.endCursor : null;
        } while (after);
        expect(seen).toEqual([...names].reverse());
      }
    },
  );

  it('filters and sorts, and finds the same for everybody', verifies('search.graph', 'search.filters'), async () => {
    const asked = { query: 'stripes', package: 'NPM', sort: 'RECENT', first: 3 };
    const { servers } = await dataOf(nobody, list, asked);
    expect(servers).toMatchObject({ totalCount: 10, pageInfo: { hasNextPage: true } });
    expect(servers.nodes.map(({ name }: { name: string }) => name)).toEqual(['zebra-9', 'zebra-8', 'zebra-7']);
    expect(servers.nodes[0]).toMatchObject({ isOwn: false, env: {}, tools: [], stats: { installations: 9 } });
    const own = (await dataOf(tenant.graphql, list, asked)).servers;
    expect(own.nodes[0].isOwn).toBe(true);
    expect(own.nodes.map(({ uuid }: { uuid: string }) => uuid)).toEqual(
      servers.nodes.map(({ uuid }: { uuid: string }) => uuid),
    );
  });

  it.each([
    ['query', { query: 'x'.repeat(501) }],
    ['query', { query: 'a\u0000b' }],
    ['query', { query: 'a\ud800b' }],
    ['first', { query: '', first: 101 }],
    ['first', { query: '', first: -1 }],
    ['after', { query: '', after: 'x' }],
    ['after', { query: '', after: Buffer.from('found:99999').toString('base64url') }],
    ['after', { query: '', after: Buffer.from('found:-1').toString('base64url') }],
  ])('refuse a wrong %s by name (H05)', verifies('search.inputs'), async (field, variables) => {
    expect(await codeOf(nobody, list, variables)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { [field]: expect.stringContaining(field) },
    });
  });

  it('take as many statements for a hundred as for one (F11)', verifies('search.statements'), async () => {
    const counted = async (first: number) => {
      await dataOf(nobody, list, { query: 'zebra', first });
      await server.services.search.statistics.flush();
      server.statements.length = 0;
      const { servers } = await dataOf(nobody, list, { query: 'zebra', first });
      return { rows: servers.nodes.length, statements: server.statements.length };
    };
    const one = await counted(1);
    const many = await counted(100);
    expect([one.rows, many.rows]).toEqual([1, 30]);
    expect(many.statements).toBe(one.statements);
    expect(one.statements).toBeLessThanOrEqual(6);
  });

  it('cost from the budget of searching, each by itself', verifies('search.rates'), async () => {
    const limited = await startTestServer({
      RATE_LIMITS: '{"*": "off", "search.anonymous": "5/1m", "search": "8/1m"}',
    });
    const unauthenticated = graphqlOf(limited, null);
    const three =
      '{ a: servers(query: "") { totalCount } b: servers(query: "") { totalCount } c: serverPage(query: "") { total } }';
    await dataOf(unauthenticated, three);
    expect((await codeOf(unauthenticated, three))?.code).toBe('RATE_LIMITED');
    const { graphql } = await tenantOf(limited);
    await dataOf(graphql, three);
    await dataOf(graphql, three);
    expect((await codeOf(graphql, three))?.code).toBe('RATE_LIMITED');
  });
});

describe('searchStatistics', () => {
  const statistics = `query ($query: String!, $timeframe: SearchTimeframe) { searchStatistics(query: $query, timeframe: $timeframe) {
    query totalSearches uniqueUsers topResults { serverUuid clicks impressions ctr } relatedQueries } }`;

  it(
    'counts servers that are opened after a search, over both APIs, and reports',
    verifies('search.opened', 'search.statistics'),
    async () => {
      const [ann, ben, cat] = await Promise.all([1, 2, 3].map(() => tenantOf(server)));
      if (!ann || !ben || !cat) throw new Error('there are three');
      const [first, second] = [known['zebra-29'], known['zebra-28']];
      for (const { call } of [ann, ben])
        expect((await call('GET', '/api/search?q=Zebra&sort=popular')).status).toBe(200);
      await dataOf(cat.graphql, list, { query: 'zebra', sort: 'POPULAR' });
      expect((await ann.call('GET', `/api/servers/${first}`)).status).toBe(200);
      await dataOf(ben.graphql, 'query ($uuid: String!) { server(uuid: $uuid) { name } }', { uuid: first });
      const report =
        'mutation ($query: String!, $uuid: String!) { searchResultOpened(input: { query: $query, serverUuid: $uuid }) { counted } }';
      const counted = async (query: string, uuid: string | undefined) =>
        (await dataOf(cat.graphql, report, { query, uuid })).searchResultOpened.counted;
      expect(await counted('zebra', second)).toBe(true);
      expect(await counted('zebra', known['zebra-0'])).toBe(false);
      expect(await counted('lion', second)).toBe(false);
      await server.services.search.statistics.flush();
      const { searchStatistics } = await dataOf(ann.graphql, statistics, { query: 'ZEBRA', timeframe: 'DAY' });
      expect(searchStatistics.query).toBe('ZEBRA');
      expect(searchStatistics.uniqueUsers).toBeGreaterThanOrEqual(3);
      expect(searchStatistics.topResults.slice(0, 2)).toMatchObject([
        { serverUuid: first, clicks: 2 },
        { serverUuid: second, clicks: 1 },
      ]);
      const { status, body } = await ann.call('GET', '/api/service/search?q=zebra&timeframe=day');
      expect(status).toBe(200);
      expect(body).toEqual({
        query: 'zebra',
        total_searches: searchStatistics.totalSearches,
        unique_users: searchStatistics.uniqueUsers,
        top_results: searchStatistics.topResults.map(
          ({ serverUuid, ...rest }: { serverUuid: string; clicks: number }) => ({ server_uuid: serverUuid, ...rest }),
        ),
        related_queries: [],
      });
    },
  );

  it(
    'are for callers with a key or a session, and validate their input',
    verifies('search.statistics', 'access.anonymous'),
    async () => {
      const { call, graphql } = await tenantOf(server, { scopes: ['read'] });
      expect(await codeOf(nobody, statistics, { query: 'zebra' })).toMatchObject({ code: 'UNAUTHORIZED' });
      expect((await fetch(`${server.base}/api/service/search?q=zebra`)).status).toBe(401);
      expect(
        (await (await tenantOf(server, { scopes: ['write'] })).call('GET', '/api/service/search?q=x')).status,
      ).toBe(403);
      expect(await codeOf(graphql, statistics, { query: ' ' })).toMatchObject({ code: 'VALIDATION_ERROR' });
      for (const [field, query] of [
        ['q', ''],
        ['q', '?q='],
        ['q', '?q=%20'],
        ['q', '?q=a&q=b'],
        ['q', `?q=${'x'.repeat(501)}`],
        ['timeframe', '?q=a&timeframe=year'],
        ['timeframe', '?q=a&timeframe=DAY'],
      ] as const) {
        const { status, body } = await call('GET', `/api/service/search${query}`);
        expect([status, body.error.details], query).toEqual([400, { [field]: expect.stringContaining(field) }]);
      }
      expect((await call('GET', '/api/service/search?q=No%20user%20%20made%20THIS')).body).toEqual({
        query: 'No user  made THIS',
        total_searches: 0,
        unique_users: 0,
        top_results: [],
        related_queries: [],
      });
    },
  );
});

it('stores its counts when it stops', verifies('search.statistics.counting'), async () => {
  const stopping = await startTestServer();
  await graphqlOf(stopping, null)(list, { query: 'zebra' });
  await stopping.stop();
  const sql = new Client({ connectionString: stopping.url });
  await sql.connect();
  const { rows } = await sql.query('SELECT searches FROM search_query_days');
  await sql.end();
  expect(rows).toEqual([{ searches: 1 }]);
});
