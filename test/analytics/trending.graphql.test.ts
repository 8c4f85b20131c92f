import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { hourMs, trendingStage } from './trending-stage.ts';

const server = await startTestServer();
const { crowd, shown, used, trending, configurations } = trendingStage(server);
const { graphql, caller } = await tenantOf(server);
const [owner, ...people] = await crowd(4);
if (!owner) throw new Error('nobody');

const document = `query ($first: Int, $after: String, $timeframe: TrendingTimeframe, $category: String) {
  trendingServers(first: $first, after: $after, timeframe: $timeframe, category: $category) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { cursor node { score rank previousRank rankChange server { name category stats { trendingRank installations } } } }
    nodes { server { id uuid } } } }`;

async function page(variables: Record<string, unknown>) {
  const { data, errors } = await graphql(document, variables);
  expect(errors).toBeUndefined();
  return data.trendingServers;
}
const codeOf = async (variables: Record<string, unknown>, as = graphql) => {
  const { errors } = await as(document, variables);
  return [errors[0].extensions.code, Object.keys(errors[0].extensions.details ?? {})];
};

it(
  'pages by cursor through servers of different and of the same scores, with rank and change',
  verifies('trending.graph', 'trending.rank', 'trending.change'),
  async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [at, name] of names.entries()) {
      const uuid = await shown(owner, { name, category: 'x' });
      for (const person of people.slice(0, at < 2 ? 3 : 2)) await used(person, uuid);
    }
    const quiet = await shown(owner, { name: 'quiet' });
    await trending.rollUp();
    expect(await page({ first: 0 })).toMatchObject({ totalCount: 5, edges: [], pageInfo: { hasNextPage: true } });
    const all = await page({ first: 100, timeframe: 'DAY', category: 'x' });
    expect(all.edges.map(({ node }: { node: object }) => node)).toEqual(
      [1, 1, 3, 3, 3].map((rank) => ({
        score: rank === 1 ? 260 : 180,
        rank,
        previousRank: null,
        rankChange: 'new',
        server: {
          name: expect.any(String),
          category: 'x',
          stats: { trendingRank: rank, installations: rank === 1 ? 3 : 2 },
        },
      })),
    );
    expect(all.nodes[0].server.id).toBe(Buffer.from(`McpServer:${all.nodes[0].server.uuid}`).toString('base64'));
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const {
        edges,
        pageInfo,
      }: { edges: { node: { server: { name: string } } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } =
        await page({ first: 2, after, timeframe: 'DAY' });
      seen.push(...edges.map(({ node }) => node.server.name));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(seen).toEqual(all.edges.map(({ node }: { node: { server: { name: string } } }) => node.server.name));
    const stats = `query ($uuid: String!) { serverStats(uuid: $uuid) { trendingRank } }`;
    expect((await graphql(stats, { uuid: quiet })).data.serverStats.trendingRank).toBe(6);
    server.clock.advance(30 * hourMs);
    await used(people[0] as never, all.nodes[2].server.uuid);
    await trending.rollUp();
    const later = await page({ timeframe: 'DAY' });
    expect(
      later.edges.map(({ node }: { node: { rankChange: string; previousRank: number } }) => [
        node.rankChange,
        node.previousRank,
      ]),
    ).toEqual([['+2', 3]]);
  },
);

it('takes as many statements for a hundred as for one (F11)', verifies('trending.graph', 'trending.cost'), async () => {
  const [many] = await crowd(1);
  if (!many) throw new Error('nobody');
  const statementsOf = async (first: number) => {
    await page({ first, category: 'many' });
    server.statements.length = 0;
    const { edges } = await page({ first, category: 'many' });
    return { rows: edges.length, statements: server.statements.filter((text) => !/^(BEGIN|COMMIT)/.test(text)).length };
  };
  for (let each = 0; each < 100; each++) await used(people[each % 3] as never, await shown(many, { category: 'many' }));
  await trending.rollUp();
  const one = await statementsOf(1);
  expect(one.rows).toBe(1);
  expect(await statementsOf(100)).toEqual({ rows: 100, statements: one.statements });
});

it(
  'refuses invalid cursors, sizes and timeframes, and callers who may not read',
  verifies('trending.query'),
  async () => {
    const forged = [`t:0:${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`, 't:1:x', 't:99999999999:x', 'n:1', ''].map(
      (text) => Buffer.from(text).toString('base64url'),
    );
    for (const after of [...forged, 'x\u0000', '\ud800']) expect((await codeOf({ after }))[0]).toBe('VALIDATION_ERROR');
    expect(await codeOf({ first: 101 })).toEqual(['VALIDATION_ERROR', ['first']]);
    expect(await codeOf({ first: -1 })).toEqual(['VALIDATION_ERROR', ['first']]);
    expect(await codeOf({ category: 'a\u0000' })).toEqual(['VALIDATION_ERROR', ['category']]);
    expect((await codeOf({ timeframe: 'YEAR' }))[0]).toBe('VALIDATION_ERROR');
    expect(await codeOf({}, graphqlOf(server, null))).toEqual(['UNAUTHORIZED', []]);
    const { graphql: writer } = await tenantOf(server, { scopes: ['write'] });
    expect((await codeOf({}, writer))[0]).toBe('FORBIDDEN');
  },
);

it(
  'shows of a server what others may see, and drops one that is hidden meanwhile',
  verifies('trending.hidden', 'trending.graph'),
  async () => {
    const uuid = await shown(owner, { category: 'hidden' });
    await used(people[0] as never, uuid);
    await trending.rollUp();
    const { trending: mine } = server.services.analytics;
    expect((await mine.connection(caller, { category: 'hidden' })).edges).toHaveLength(1);
    expect(await configurations.publicAmong(caller, [uuid])).toHaveLength(1);
    await configurations.setVisibility(owner, uuid, { isPublic: false });
    expect(await configurations.publicAmong(owner, [uuid])).toEqual([]);
    expect((await page({ category: 'hidden' })).totalCount).toBe(0);
  },
);
