import { beforeAll, describe, expect, it } from 'vitest';
import * as rollUp from '../../src/analytics/roll-up-statements.ts';
import * as statements from '../../src/analytics/statements.ts';
import type { Statement } from '../../src/platform/database/database.ts';
import { verifies } from '../requirements.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices } from '../support/services.ts';
import { trendingStage } from './trending-stage.ts';

const { clock, database, services, url } = await createTestServices();
const { crowd, trending } = trendingStage({ services, database });
const [owner] = await crowd(1);
const stored = 20_000;
const active = 3_000;
const random = { score: 0, uuid: '00000000-0000-4000-8000-000000000000' };

beforeAll(async () => {
  // Each is made findable, too: all of them in one statement would take longer than a statement may.
  for (let from = 1; from <= stored; from += 1_000)
    await database.query({
      text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, is_public, category, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 's' || n, 's', 'stdio', true, 'c' || n % 10, $2, $2
        FROM generate_series($3::int, $3::int + 999) n`,
      values: [owner?.principal?.profileUuid, clock.now(), from],
      query_timeout: 9_000,
    });
  // Scores from 60 to 24 000, in this window and in the one before.
  await database.query({
    text: `INSERT INTO mcp_server_hours (server_uuid, hour, installs, uninstalls, calls, last_at)
      SELECT uuid, date_trunc('hour', $2::timestamptz, 'UTC') - ago * interval '200 hours', 1, 0,
        abs(hashtext(slug || ago)) % 600, $2::timestamptz - ago * interval '200 hours'
      FROM (SELECT uuid, slug FROM mcp_servers LIMIT $1) s, generate_series(0, 1) ago`,
    values: [active, clock.now()],
  });
  await database.query({
    text: 'INSERT INTO mcp_server_touches SELECT DISTINCT server_uuid, false FROM mcp_server_hours',
  });
  await trending.rollUp();
  await database.query({ text: 'ANALYZE' });
});

it(
  'ranks thousands as sorting them would, now and in the window before',
  verifies('trending.change', 'trending.rank'),
  async () => {
    const ranked = await database.query<{ uuid: string; rank: number; rank_before: number }>({
      text: `SELECT server_uuid AS uuid, rank() OVER (ORDER BY score DESC)::int AS rank,
        rank() OVER (ORDER BY score_before DESC)::int AS rank_before
      FROM trending_servers WHERE timeframe = 'week'`,
    });
    expect(ranked).toHaveLength(active);
    const uuids = ranked.map(({ uuid }) => uuid);
    for (let from = 0; from < active; from += 1_000)
      expect(await trending.ranksOf(uuids.slice(from, from + 1_000))).toEqual(
        ranked.slice(from, from + 1_000).map(({ rank }) => rank),
      );
    const byUuid = new Map(ranked.map((row) => [row.uuid, row]));
    const rows = await database.query<statements.TrendingRow>(statements.page('week', null, active, null));
    expect(rows).toHaveLength(active);
    for (const row of rows) expect(row).toMatchObject(byUuid.get(row.uuid) ?? {});
    expect(rows.map(({ score }) => score)).toEqual(rows.map(({ score }) => score).sort((a, b) => b - a));
  },
);

describe.each(['force_generic_plan', 'force_custom_plan'])(`with ${stored} servers, by a plan of %s`, (mode) => {
  // Of each server the two rows, and of its two ranks the buckets: at most 63 small, 63 middle and 6 large ones.
  const ofPage = (rows: number) => rows * (2 + 2 * (63 + 63 + 6)) + 10;
  it.each<[string, number, () => Statement]>([
    ['a page', ofPage(21), () => statements.page('week', null, 21, null)],
    ['a page of a category', ofPage(21), () => statements.page('week', 'c7', 21, null)],
    ['a page far behind', ofPage(21), () => statements.page('week', null, 21, { ...random, score: 200 })],
    ['a page of a category far behind', ofPage(21), () => statements.page('week', 'c7', 21, { ...random, score: 200 })],
    ['a page of a category without servers', 5, () => statements.page('week', 'none', 21, null)],
    ['the total', 5, () => statements.count('week', null)],
    ['the total of a category', 5, () => statements.count('week', 'c7')],
    ['what is due', 5, () => rollUp.due(clock.now(), 100)],
    ['what is touched', 5, () => rollUp.takeTouched(100)],
  ])('%s reads at most %i rows', verifies('trending.cost'), async (_what, rows, statementOf) => {
    const client = await connectExplaining(url, mode);
    try {
      expect((await explainAgain(client, statementOf)).rowsRead).toBeLessThanOrEqual(rows);
    } finally {
      await client.end();
    }
  });
});
