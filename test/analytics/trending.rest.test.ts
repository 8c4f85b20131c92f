import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { added, documents } from '../support/server-stage.ts';
import { hourMs, trendingStage } from './trending-stage.ts';

const server = await startTestServer();
const { crowd, used, trending, kept } = trendingStage(server);
const path = '/api/trending/servers';
const owner = await tenantOf(server);
const { call } = await tenantOf(server);
const people = await crowd(5);

async function shown(over: Record<string, unknown>): Promise<{ uuid: string; slug: string }> {
  const body = await added(owner.call, over);
  await owner.graphql(documents.show, { input: { uuid: body.uuid, isPublic: true } });
  return body;
}
const hide = (uuid: string) => owner.graphql(documents.show, { input: { uuid, isPublic: false } });

it(
  'answers the documented fields, the best first, and how each has moved',
  verifies('trending.list', 'trending.change', 'trending.query', 'trending.rank', 'trending.hidden'),
  async () => {
    expect((await call('GET', path)).body).toEqual({ servers: [], total: 0, timeframe: 'week' });
    const [first, second, third] = [
      await shown({ name: 'First', category: 'files' }),
      await shown({ name: 'Second', category: 'mail' }),
      await shown({ name: 'Third' }),
    ];
    for (const person of people.slice(0, 3)) await used(person, first.uuid);
    for (const person of people.slice(0, 2)) await used(person, second.uuid);
    await trending.rollUp();
    server.clock.advance(30 * hourMs);
    for (const person of people.slice(2)) await used(person, second.uuid);
    await used(people[0] as never, third.uuid);
    await (await tenantOf(server)).graphql(documents.rate, { input: { uuid: third.uuid, rating: 4 } });
    await trending.rollUp();
    const item = (of: { uuid: string; slug: string }, name: string, category: string | null, more: object) => ({
      uuid: of.uuid,
      name,
      slug: of.slug,
      category,
      rating: 0,
      ...more,
    });
    const day = await call('GET', `${path}?timeframe=day&limit=100`);
    expect(day.status).toBe(200);
    expect(day.body).toEqual({
      servers: [
        item(second, 'Second', 'mail', { installation_count: 5, trending_score: 260, rank_change: '+1' }),
        item(third, 'Third', null, { installation_count: 1, rating: 4, trending_score: 100, rank_change: 'new' }),
      ],
      total: 2,
      timeframe: 'day',
    });
    const week = (await call('GET', path)).body;
    expect(
      week.servers.map(({ name, trending_score, rank_change }: Record<string, unknown>) => [
        name,
        trending_score,
        rank_change,
      ]),
    ).toEqual([
      ['Second', 420, 'new'],
      ['First', 256, 'new'],
      ['Third', 100, 'new'],
    ]);
    const rank = async ({ uuid }: { uuid: string }) =>
      (await call('GET', `/api/servers/${uuid}/stats`)).body.trending_rank;
    expect([await rank(second), await rank(first), await rank(third)]).toEqual([1, 2, 3]);
    expect((await call('GET', `${path}?limit=1`)).body).toMatchObject({ servers: [{ name: 'Second' }], total: 3 });
    // As a form sends a field that was left empty.
    expect((await call('GET', `${path}?category=`)).body).toEqual((await call('GET', path)).body);
    expect((await call('GET', `${path}?category=files`)).body).toMatchObject({
      servers: [{ name: 'First' }],
      total: 1,
    });
    expect((await call('GET', `${path}?category=${encodeURIComponent("'; --")}`)).body).toMatchObject({
      servers: [],
      total: 0,
    });
    await hide(second.uuid);
    for (const query of ['', '?category=mail'])
      expect((await call('GET', path + query)).text).not.toContain(second.uuid);
    expect((await call('GET', path)).body.total).toBe(2);
    expect(await rank(first)).toBe(1);
    server.clock.advance(1_500 * hourMs);
    await trending.rollUp();
    for (const timeframe of ['day', 'week', 'month'])
      expect((await call('GET', `${path}?timeframe=${timeframe}`)).body).toEqual({ servers: [], total: 0, timeframe });
    expect(await kept()).toEqual({ servers: [], tallies: [] });
  },
);

it.each([
  ['timeframe=year', 'timeframe'],
  ['timeframe=WEEK', 'timeframe'],
  ['timeframe=', 'timeframe'],
  ['timeframe=day&timeframe=day', 'timeframe'],
  ['limit=0', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=101', 'limit'],
  ['limit=x', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=99999999999999999999', 'limit'],
  ['category=%00', 'category'],
])('refuses ?%s naming %s', verifies('trending.query'), async (query, field) => {
  const { status, body } = await call('GET', `${path}?${query}`);
  expect(status).toBe(400);
  expect(body.error).toEqual({
    code: 'VALIDATION_ERROR',
    message: 'Validation error',
    details: { [field]: expect.any(String) },
  });
});

it('needs a key that may read', verifies('trending.list'), async () => {
  expect((await callerOf(server, null)('GET', path)).status).toBe(401);
  const writer = await tenantOf(server, { scopes: ['write'] });
  expect((await writer.call('GET', path)).status).toBe(403);
  expect((await call('POST', path)).status).toBe(405);
});
