import { createAnalytics } from '../src/analytics/index.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/database/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createLocalEvents } from '../src/platform/messaging/events.ts';
import { requestOf } from './load.ts';
import { type Bench, measure, median, medianOf, printTable, shown } from './measure.ts';

const connectionCount = 8;
/** Calls by users who had not called that day, each of another server. */
const newEvents = 1_000;

/** Public servers, and how many of them are used. */
const sizes = (isQuick: boolean) =>
  isQuick
    ? [
        [1_000, 1_000],
        [50_000, 5_000],
      ]
    : [
        [1_000, 1_000],
        [1_000_000, 10_000],
      ];

/** The list and the roll-up of what is new, with few and with many servers stored. */
export async function printTrending(bench: Bench): Promise<void> {
  const { pool, isQuick } = bench;
  const rounds = isQuick ? 2 : 5;
  const [tenant] = await bench.newTenants(1);
  if (!tenant) throw new Error('nobody');
  const database = createDatabase({ url: bench.url, log: createLogger('warn') });
  const deps = { clock: systemClock, events: createLocalEvents(), log: createLogger('warn'), usesChannel: 'none' };
  const { trending } = createAnalytics({ database, ...deps });
  const rows = [
    [
      'servers',
      'used',
      'list p50 ms',
      'p99 ms',
      'req/s',
      'SQL/op',
      'SQL ms/op',
      'of a category p50 ms',
      'roll-up ms of 1 000 new events',
      'of none',
    ],
  ];
  let stored = 0;
  let used = 0;
  for (const [servers = 0, active = 0] of sizes(isQuick)) {
    await addServers(pool, tenant.profileUuid, stored, servers);
    await useServers(pool, used, active);
    [stored, used] = [servers, active];
    await trending.rollUp();
    await pool.query('VACUUM ANALYZE');
    const server = await bench.startProduct();
    const asked = async (path: string) => {
      const request = requestOf('GET', path, tenant.key);
      const connections = Array.from({ length: connectionCount }, () => ({ port: server.port, next: () => request }));
      await measure(bench, [server], connections, 500);
      const measured = [];
      for (let round = 0; round < rounds; round++)
        measured.push(await measure(bench, [server], connections, isQuick ? 500 : 1_500));
      return measured;
    };
    const list = await asked('/api/trending/servers');
    const category = await asked('/api/trending/servers?category=c7&timeframe=day');
    await server.stop();
    const times: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await pool.query(happen, [newEvents]);
      times.push(await timeOf(() => trending.rollUp()));
      idle.push(await timeOf(() => trending.rollUp()));
    }
    rows.push([
      String(servers),
      String(active),
      shown(medianOf(list, 'p50Ms')),
      shown(medianOf(list, 'p99Ms')),
      shown(medianOf(list, 'perSecond')),
      shown(medianOf(list, 'statements')),
      shown(medianOf(list, 'databaseMs')),
      shown(medianOf(category, 'p50Ms')),
      shown(median(times)),
      shown(median(idle)),
    ]);
  }
  await database.close();
  console.log(`\nTrending: a page of 20 over ${connectionCount} connections, medians of ${rounds} rounds`);
  printTable(rows);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** In parts: one statement would hold the log of the database open for all of them. */
async function addServers(pool: Bench['pool'], profile: string, from: number, to: number): Promise<void> {
  for (let first = from + 1; first <= to; first += 100_000)
    await pool.query(
      `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, is_public, category, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 's' || n, 'server', 'stdio', true, 'c' || n % 10, now(), now()
        FROM generate_series($2::int, $3::int) n`,
      [profile, first, Math.min(first + 99_999, to)],
    );
}

/** Installations and calls in six hours of the last two months each. */
const useServers = (pool: Bench['pool'], from: number, to: number) =>
  pool.query(
    `WITH used AS (
        INSERT INTO mcp_server_hours (server_uuid, hour, installs, uninstalls, calls, last_at)
        SELECT s.uuid, at.hour, 1, 0, abs(hashtext(s.slug || each)) % 100, at.hour
        FROM mcp_servers s, generate_series(0, 5) each,
          LATERAL (SELECT date_trunc('hour', now(), 'UTC') - abs(hashtext(each || s.slug)) % 1400 * interval '1 hour' AS hour) at
        WHERE s.slug = ANY (SELECT 's' || n FROM generate_series($1::int + 1, $2::int) n)
        ON CONFLICT DO NOTHING RETURNING server_uuid)
      INSERT INTO mcp_server_touches (server_uuid) SELECT DISTINCT server_uuid FROM used`,
    [from, to],
  );

/** Calls now, as `report` of the MCP servers writes them down. */
const happen = `WITH used AS (SELECT DISTINCT server_uuid FROM mcp_server_hours),
    picked AS (SELECT server_uuid FROM used ORDER BY random() LIMIT $1),
    hours AS (
      INSERT INTO mcp_server_hours AS h (server_uuid, hour, installs, uninstalls, calls, last_at)
      SELECT server_uuid, date_trunc('hour', now(), 'UTC'), 0, 0, 1, now() FROM picked
      ON CONFLICT (server_uuid, hour) DO UPDATE SET calls = h.calls + 1, last_at = now() RETURNING server_uuid)
  INSERT INTO mcp_server_touches (server_uuid) SELECT server_uuid FROM hours`;
