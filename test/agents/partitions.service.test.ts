import { expect, it } from 'vitest';
import { createTestServices, signUp } from '../support/services.ts';
import { agentStage, telemetryOver } from './telemetry-stage.ts';

const { services, infrastructure, clock, database } = await createTestServices();
const stage = agentStage(infrastructure);
const profileUuid = String((await signUp(services)).principal?.profileUuid);
const dayMs = 86_400_000;
const idle = { mode: 'IDLE', uptimeSeconds: 1 } as const;

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>({
    text: 'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    values: [table],
  });
  return rows.map(({ name }) => name);
}

/** Where the heartbeats of an agent are, the oldest first. */
const placesOf = async ({ uuid }: { uuid: string }) => {
  const rows = await database.query<{ name: string }>({
    text: 'SELECT tableoid::regclass::text AS name FROM agent_heartbeats WHERE agent_uuid = $1 ORDER BY at, id',
    values: [uuid],
  });
  return rows.map(({ name }) => name);
};

it('are made at the first heartbeat of a day, by any number of processes, and ahead by the job', async () => {
  const agent = await stage.agent(profileUuid, { name: 'made' });
  const processes = Array.from({ length: 4 }, () => telemetryOver(infrastructure));
  await Promise.all(processes.map(({ heartbeats }) => heartbeats.record(agent, idle)));
  expect(await partitionsOf('agent_heartbeats')).toEqual([
    'agent_heartbeats_20260301',
    'agent_heartbeats_20260302',
    'agent_heartbeats_20260303',
    'agent_heartbeats_20260304',
    'agent_heartbeats_default',
  ]);
  expect(await partitionsOf('agent_metric_buckets')).toHaveLength(2);
  expect(new Set(await placesOf(agent))).toEqual(new Set(['agent_heartbeats_20260301']));
  const [first] = processes;
  expect(await first?.partitions.make()).toBe(0);
  clock.advance(dayMs);
  await first?.heartbeats.record(agent, idle);
  expect((await placesOf(agent)).at(-1)).toBe('agent_heartbeats_20260302');
  expect(await partitionsOf('agent_metrics')).toContain('agent_metrics_20260305');
});

it('are not needed for an insert, nor for the order of what is read', async () => {
  const agent = await stage.agent(profileUuid, { name: 'far' });
  const { heartbeats } = telemetryOver(infrastructure);
  await heartbeats.record(agent, idle);
  const today = clock.now();
  clock.set(new Date(today.getTime() - 9 * dayMs));
  // As a process does that cannot make any.
  await database.query({
    text: `INSERT INTO agent_heartbeats (agent_uuid, mode, uptime_seconds, at) VALUES ($1, 'SLEEP', 2, $2), ($1, 'SLEEP', 3, $3)`,
    values: [agent.uuid, clock.now(), new Date(today.getTime() + 100 * dayMs)],
  });
  clock.set(today);
  expect(await placesOf(agent)).toEqual(['agent_heartbeats_default', expect.any(String), 'agent_heartbeats_default']);
  expect((await heartbeats.latest(agent.uuid, 3)).map(({ uptimeSeconds }) => uptimeSeconds)).toEqual([3, 1, 2]);
});

it('of days that the default partition holds are not made, and its rows stay', async () => {
  const agent = await stage.agent(profileUuid, { name: 'late' });
  const { heartbeats, partitions } = telemetryOver(infrastructure);
  clock.advance(50 * dayMs);
  await database.query({
    text: `INSERT INTO agent_heartbeats (agent_uuid, mode, uptime_seconds, at) VALUES ($1, 'SLEEP', 2, $2)`,
    values: [agent.uuid, clock.now()],
  });
  const before = await partitionsOf('agent_heartbeats');
  await partitions.make();
  expect((await partitionsOf('agent_heartbeats')).length).toBe(before.length + 3);
  await heartbeats.record(agent, idle);
  expect(await placesOf(agent)).toEqual(['agent_heartbeats_default', 'agent_heartbeats_default']);
});

it('are dropped whole when all of their rows are older than telemetry is kept', async () => {
  const agent = await stage.agent(profileUuid, { name: 'dropped' });
  const { heartbeats, metricReports, series, partitions } = telemetryOver(infrastructure);
  clock.set(new Date('2027-01-10T23:59:59.999Z'));
  await heartbeats.record(agent, idle);
  await metricReports.record(agent, { cpuPercent: 1, memoryMb: 1, requestsHandled: 1, customMetrics: null });
  await series.addUp();
  await database.query({
    text: `INSERT INTO agent_heartbeats_default (agent_uuid, mode, uptime_seconds, at) VALUES ($1, 'SLEEP', 2, '2026-05-01')`,
    values: [agent.uuid],
  });
  clock.set(new Date('2027-02-09T23:59:59.999Z'));
  await partitions.drop();
  expect(await stage.countOf('agent_heartbeats', agent)).toBe(1);
  expect(await partitionsOf('agent_heartbeats')).toContain('agent_heartbeats_20270110');
  clock.advance(1);
  await partitions.drop();
  expect(await stage.countOf('agent_heartbeats', agent)).toBe(0);
  expect(await stage.countOf('agent_metrics', agent)).toBe(0);
  expect(await partitionsOf('agent_metrics')).not.toContain('agent_metrics_20270110');
  // The series are kept for longer.
  expect(await stage.countOf('agent_metric_buckets', agent)).toBe(2);
  clock.advance(431 * dayMs);
  await partitions.drop();
  expect(await stage.countOf('agent_metric_buckets', agent)).toBe(0);
});

it('are made and dropped by the clock of the database: a process whose clock is a year ahead drops nothing', async () => {
  const ahead = { now: () => new Date(clock.now().getTime() + 365 * dayMs), pinned: clock.pinned };
  const { partitions } = telemetryOver({ ...infrastructure, clock: ahead });
  const agent = await stage.agent(profileUuid, { name: 'kept' });
  await telemetryOver(infrastructure).heartbeats.record(agent, idle);
  const before = await partitionsOf('agent_heartbeats');
  expect(await partitions.drop()).toBe(0);
  expect(await partitions.make()).toBe(0);
  expect(await partitionsOf('agent_heartbeats')).toEqual(before);
  expect(await placesOf(agent)).toHaveLength(1);
});
