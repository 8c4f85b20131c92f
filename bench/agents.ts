import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { createHistory } from '../src/agents/history.ts';
import { createAgentMetrics } from '../src/agents/metrics.ts';
import { createPartitions } from '../src/agents/partitions.ts';
import { createTelemetry } from '../src/agents/telemetry.ts';
import { recordHeartbeats } from '../src/agents/telemetry-statements.ts';
import { createTransitions } from '../src/agents/transitions.ts';
import type { EventPayloads } from '../src/event-catalogue/index.ts';
import { createNotifications } from '../src/notifications/index.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase, type Database } from '../src/platform/database/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createLocalEvents } from '../src/platform/messaging/events.ts';
import { createOutbox } from '../src/platform/messaging/outbox.ts';
import { requestOf } from './load.ts';
import { type Bench, measure, median, medianOf, printTable, shown } from './measure.ts';

interface AgentKey {
  readonly uuid: string;
  readonly profileUuid: string;
}

/** Agents that send heartbeats, and callers that each wait for the answer before the next. */
const beatingAgents = 20_000;
const callers = 2_000;
/** Heartbeats of a statement of the client by hand: as many as those of the product have under this load. */
const batchRows = 1_000;
const dayMs = 86_400_000;

const sizes = (isQuick: boolean) => ({
  heartbeatsOfOne: isQuick ? 100_000 : 1_000_000,
  scanned: isQuick ? 10_000 : 100_000,
  late: isQuick ? 200 : 1_000,
  subscribers: isQuick ? 1_000 : 10_000,
  rounds: isQuick ? 3 : 7,
  roundMs: isQuick ? 500 : 2_000,
});

/** Heartbeats, details, the scan for missed heartbeats, and live metrics. */
export async function printAgents(bench: Bench): Promise<void> {
  const database = createDatabase({ url: bench.url, log: createLogger('warn') });
  const events = createLocalEvents();
  const clock = systemClock;
  const outbox = createOutbox<EventPayloads>({ clock, events });
  const history = createHistory({ clock, events, outbox });
  const mail = { isOn: false, post: async () => {} };
  const notifications = createNotifications({ database, clock, events, outbox, mail, retentionDays: 90 });
  const telemetry = createTelemetry({
    database,
    clock,
    events,
    history,
    transitions: createTransitions({ clock, history }),
    notifyAll: notifications.notifyAll,
    metrics: createAgentMetrics({ registry: new Registry(), unhealthyAgents: async () => 0 }),
    telemetryDays: 30,
    seriesDays: 400,
  });
  // First: the server cleans up after the heartbeats of 20 000 agents for a minute.
  await printDetails(bench, database, telemetry);
  await printHeartbeats(bench, telemetry);
  await printScan(bench, telemetry);
  await printSubscribers(bench, telemetry);
  await database.close();
}

type Telemetry = ReturnType<typeof createTelemetry>;

/** Active agents of profiles with 100 each. */
async function addAgents({ pool, newTenants }: Bench, count: number): Promise<AgentKey[]> {
  const tenants = await newTenants(Math.ceil(count / 100));
  const agents = Array.from({ length: count }, (_, n) => ({
    uuid: randomUUID(),
    profileUuid: tenants[Math.floor(n / 100)]?.profileUuid as string,
  }));
  for (let first = 0; first < count; first += 5_000) {
    const some = agents.slice(first, first + 5_000);
    await pool.query(
      `INSERT INTO agents (uuid, profile_uuid, name, state, image, cpu_request, memory_request, cpu_limit, memory_limit,
          orchestrator_namespace, orchestrator_deployment, dns_name, credential_hash, credential, created_at, updated_at)
        SELECT u, p, u::text, 'ACTIVE', 'image', '1', '1', '1', '1', 'agents', u::text, u::text, uuid_send(u), '', now(), now()
        FROM unnest($1::uuid[], $2::uuid[]) AS t (u, p)`,
      [some.map(({ uuid }) => uuid), some.map(({ profileUuid }) => profileUuid)],
    );
    await pool.query('INSERT INTO agent_liveness (agent_uuid) SELECT unnest($1::uuid[])', [
      some.map(({ uuid }) => uuid),
    ]);
  }
  return agents;
}

/** Durable heartbeats in a second: of the service, and of a bare client that sends the same statements one after the other. */
async function printHeartbeats(bench: Bench, { heartbeats }: Telemetry): Promise<void> {
  const { rounds, roundMs } = sizes(bench.isQuick);
  const agents = await addAgents(bench, beatingAgents);
  await bench.pool.query('VACUUM ANALYZE agents');
  await bench.pool.query('VACUUM ANALYZE agent_liveness');
  const client = new Client({ connectionString: bench.url });
  await client.connect();
  let next = 0;
  const nextAgent = () => agents[next++ % agents.length] as AgentKey;

  const perSecond = async (work: () => Promise<number>, workers: number) => {
    const start = performance.now();
    const counts = await Promise.all(
      Array.from({ length: workers }, async () => {
        let count = 0;
        while (performance.now() - start < roundMs) count += await work();
        return count;
      }),
    );
    return (1_000 * counts.reduce((sum, count) => sum + count)) / (performance.now() - start);
  };
  const byService = () =>
    perSecond(async () => {
      await heartbeats.record(nextAgent(), { mode: 'IDLE', uptimeSeconds: 1 });
      return 1;
    }, callers);
  const byHand = () =>
    perSecond(async () => {
      const batch = Array.from(
        { length: batchRows },
        () => ({ agent: nextAgent(), mode: 'IDLE', uptimeSeconds: 1 }) as const,
      );
      return (await client.query(recordHeartbeats(null, batch))).rows.length;
    }, 1);

  const results = { service: [] as number[], hand: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const [service, hand] = [await byService(), await byHand()];
    if (round < 0) continue;
    results.service.push(service);
    results.hand.push(hand);
  }
  const alone: number[] = [];
  for (let each = 0; each < 200; each++) {
    const start = performance.now();
    await heartbeats.record(nextAgent(), { mode: 'IDLE', uptimeSeconds: 1 });
    alone.push(performance.now() - start);
  }
  await client.end();
  const { rows } = await bench.pool.query(
    `SELECT n_tup_hot_upd::float8 / greatest(1, n_tup_upd) AS hot FROM pg_stat_user_tables WHERE relname = 'agent_liveness'`,
  );
  const ratio = median(results.service.map((service, round) => service / (results.hand[round] as number)));
  console.log(`\nAgents: durable heartbeats of ${beatingAgents} agents by one process, ${callers} callers at a time`);
  printTable([
    ['', 'heartbeats/s', 'ratio', 'one alone p50 ms', 'HOT share'],
    ['patchbay', shown(median(results.service)), shown(ratio), shown(median(alone)), shown(rows[0].hot)],
    [`bare pg, ${batchRows} a statement`, shown(median(results.hand)), '', '', ''],
  ]);
}

/** What the page of an agent shows that has sent a heartbeat every few seconds for a month. */
async function printDetails(bench: Bench, database: Database, { heartbeats, metricReports }: Telemetry): Promise<void> {
  const { heartbeatsOfOne } = sizes(bench.isQuick);
  const { pool } = bench;
  const now = systemClock.now().getTime();
  for (let day = 30; day > 0; day--) {
    const then = () => new Date(now - day * dayMs);
    await createPartitions({
      database,
      clock: { now: then, pinned: then },
      days: { telemetry: 30, series: 400 },
    }).make();
  }
  const [tenant] = await bench.newTenants(1);
  const [agent] = await addAgents(bench, 1);
  if (!tenant || !agent) throw new Error('no agent');
  await pool.query('UPDATE agents SET profile_uuid = $2 WHERE uuid = $1', [agent.uuid, tenant.profileUuid]);
  for (const [table, columns, values] of [
    ['agent_heartbeats', 'mode, uptime_seconds', `'IDLE', n`],
    ['agent_metrics', 'cpu_percent, memory_mb, requests_handled, custom_bytes', '1, 1, n, 0'],
  ])
    await pool.query(
      `INSERT INTO ${table} (agent_uuid, at, ${columns})
        SELECT $1, now() - n * interval '30 days' / $2::int, ${values} FROM generate_series(1, $2::int) n`,
      [agent.uuid, heartbeatsOfOne],
    );
  await pool.query('VACUUM ANALYZE');
  const times: number[] = [];
  for (let each = 0; each < 300; each++) {
    const start = performance.now();
    await Promise.all([heartbeats.latest(agent.uuid, 10), metricReports.latest(agent.uuid, 10)]);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const server = await bench.startProduct();
  const request = requestOf('GET', `/api/agents/${agent.uuid}`, tenant.key);
  const loaded = async (connections: number) => {
    const each = Array.from({ length: connections }, () => ({ port: server.port, next: () => request }));
    // The first thousands of requests are compiled, and connect to the database.
    await measure(bench, [server], each, bench.isQuick ? 500 : 10_000);
    return [await measure(bench, [server], each, bench.isQuick ? 500 : 10_000)];
  };
  const [one, eight] = [await loaded(1), await loaded(8)];
  await server.stop();
  console.log(
    `\nAgents: details of one with ${shown(heartbeatsOfOne)} heartbeats and as many metric reports of 30 days`,
  );
  printTable([
    ['', 'p50 ms', 'p99 ms', 'req/s'],
    ['latest 10 + 10, in process', shown(times[150] ?? 0), shown(times[297] ?? 0), ''],
    ...[one, eight].map((measured, n) => [
      `GET /api/agents/{uuid}, ${n === 0 ? 1 : 8} connections`,
      shown(medianOf(measured, 'p50Ms')),
      shown(medianOf(measured, 'p99Ms')),
      shown(medianOf(measured, 'perSecond')),
    ]),
  ]);
}

/** The scan for missed heartbeats. */
async function printScan(bench: Bench, { liveness }: Telemetry): Promise<void> {
  const { scanned, late } = sizes(bench.isQuick);
  const { pool } = bench;
  const agents = await addAgents(bench, scanned);
  await pool.query(`UPDATE agent_liveness SET last_heartbeat_at = now() + interval '1 hour', deadline = now() + interval '1 hour',
    unhealthy_since = NULL`);
  await pool.query('VACUUM ANALYZE agent_liveness');
  const scan = async () => {
    const start = performance.now();
    const count = await liveness.scan();
    return { count, ms: performance.now() - start };
  };
  const none = [];
  for (let each = 0; each < 50; each++) none.push((await scan()).ms);
  // One in a hundred, so of each profile one.
  const lates = agents.filter((_, n) => n % Math.floor(scanned / late) === 0).slice(0, late);
  await pool.query(
    `UPDATE agent_liveness SET last_heartbeat_at = now() - interval '31 seconds', deadline = now() - interval '1 second'
      WHERE agent_uuid = ANY($1::uuid[])`,
    [lates.map(({ uuid }) => uuid)],
  );
  const some = await scan();
  if (some.count !== late) throw new Error(`${some.count} of ${late} late agents were noticed`);
  console.log(`\nAgents: scan of ${shown(scanned)} agents for missed heartbeats`);
  printTable([
    ['late', 'ms', 'per late agent ms'],
    ['0', shown(median(none)), ''],
    [String(late), shown(some.ms), shown(some.ms / late)],
  ]);
}

/** Subscribers of the metrics of one agent in this process: until the last of them has a report. */
async function printSubscribers(bench: Bench, { metricReports }: Telemetry): Promise<void> {
  const { subscribers } = sizes(bench.isQuick);
  const [agent] = await addAgents(bench, 1);
  if (!agent) throw new Error('no agent');
  const streams = await Promise.all(Array.from({ length: subscribers }, () => metricReports.follow(agent.uuid)));
  const times: number[] = [];
  for (let each = 0; each < 30; each++) {
    const start = performance.now();
    const seen = streams.map((stream) => stream.next());
    await metricReports.record(agent, { cpuPercent: 1, memoryMb: 1, requestsHandled: each, customMetrics: { each } });
    await Promise.all(seen);
    times.push(performance.now() - start);
  }
  const heap = process.memoryUsage().heapUsed;
  await Promise.all(streams.map((stream) => stream.return()));
  console.log(`\nAgents: ${shown(subscribers)} subscribers of the metrics of one agent`);
  printTable([
    ['from the report to the last of them, ms', 'deliveries/s', 'heap MB'],
    [shown(median(times)), shown((1_000 * subscribers) / median(times)), shown(heap / 1_000_000)],
  ]);
}
