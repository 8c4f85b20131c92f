import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { verifies } from '../requirements.ts';
import { createAgentServices, ownerOf } from './agent-stage.ts';

const stage = await createAgentServices();
const { database, clock } = stage;
const { agents } = stage.services;
let names = 0;
const hour = 3_600_000;
const pass = (hours: number) => clock.advance(hours * hour);

async function agentOf(
  resources: Record<string, string> = { cpu_request: '500m', memory_request: '2Gi', memory_limit: '4Gi' },
) {
  const owner = await ownerOf(stage);
  const { agent } = await agents.create(owner, { name: `used-${++names}`, resources });
  const cost = async () => {
    const [cost] = await agents.usage.costOf([agent.uuid]);
    return cost && [cost.cpuHours, cost.memoryGibHours];
  };
  const beat = () => agents.reports.heartbeat(owner, agent.uuid, { mode: 'SLEEP', uptime_seconds: 1 });
  const intervals = () =>
    database.query<{ cpu_millicores: number; is_open: boolean }>({
      text: 'SELECT cpu_millicores, ended_at IS NULL AS is_open FROM agent_usage WHERE agent_uuid = $1 ORDER BY id',
      values: [agent.uuid],
    });
  return { owner, uuid: agent.uuid, cost, beat, intervals };
}

describe('the use of an agent', () => {
  it('counts requested resources while its pods are desired', verifies('agents.usage'), async () => {
    const { owner, uuid, cost, beat, intervals } = await agentOf();
    pass(1);
    expect(await agents.usage.costOf([uuid])).toEqual([{ cpuHours: 0, memoryGibHours: 0, since: null }]);
    await agents.reconciler.settle();
    const since = clock.now();
    pass(2);
    expect(await cost()).toEqual([1, 4]);
    await beat();
    pass(2);
    await agents.changes.suspend(owner, uuid);
    pass(10);
    expect(await cost()).toEqual([2, 8]);
    await agents.changes.resume(owner, uuid);
    pass(1);
    await agents.changes.restart(owner, uuid);
    await agents.changes.redeploy(owner, uuid, { resources: { memory_limit: '3Gi' } });
    pass(1);
    expect(await cost()).toEqual([3, 12]);
    await agents.changes.redeploy(owner, uuid, { resources: { cpu_request: '1', memory_request: '512Mi' } });
    pass(4);
    expect(await cost()).toEqual([7, 14]);
    await agents.changes.drain(owner, uuid, { grace_seconds: 3_600 });
    pass(1);
    await agents.reconciler.settle();
    pass(100);
    expect(await cost()).toEqual([8, 14.5]);
    expect(await agents.usage.costOf([uuid])).toMatchObject([{ since }]);
    expect(await intervals()).toEqual([
      { cpu_millicores: 500, is_open: false },
      { cpu_millicores: 500, is_open: false },
      { cpu_millicores: 1_000, is_open: false },
    ]);
  });

  it('is exact to the millisecond, and written by no heartbeat', verifies('agents.usage'), async () => {
    const { uuid, cost, beat, intervals } = await agentOf({ cpu_request: '1m', memory_request: '1k' });
    await agents.reconciler.settle();
    const before = await intervals();
    for (let n = 0; n < 5; n++) {
      clock.advance(1);
      await beat();
    }
    expect(await intervals()).toEqual(before);
    expect((await cost())?.[0]).toBeCloseTo((5 * 1) / 3_600_000_000, 15);
    expect(uuid).toBeTypeOf('string');
  });

  it('keeps its total when old intervals are removed', verifies('agents.usage'), async () => {
    const { AGENT_USAGE_DAYS: days } = readConfig({ NODE_ENV: 'test' });
    const { owner, uuid, cost, intervals } = await agentOf();
    await agents.reconciler.settle();
    const since = clock.now();
    for (let turn = 0; turn < 3; turn++) {
      pass(1);
      await agents.changes.suspend(owner, uuid);
      pass(1);
      await agents.changes.resume(owner, uuid);
    }
    const before = await cost();
    await agents.changes.suspend(owner, uuid);
    pass(24 * days - 1);
    await agents.upkeep.purgeUsage();
    expect(await intervals()).toHaveLength(3);
    clock.advance(1);
    await agents.upkeep.purgeUsage();
    expect(await intervals()).toHaveLength(2);
    pass(10_000);
    await agents.upkeep.purgeUsage();
    expect(await intervals()).toHaveLength(2);
    expect(await cost()).toEqual(before);
    expect(await agents.usage.costOf([uuid])).toMatchObject([{ since }]);
    await agents.changes.resume(owner, uuid);
    pass(1);
    expect(await cost()).toEqual([2, 8]);
  });

  it('stays as it was where a transition fails', verifies('agents.usage'), async () => {
    const { owner, uuid, cost, intervals } = await agentOf();
    await agents.reconciler.settle();
    pass(1);
    const before = await intervals();
    await database.query({
      text: `CREATE OR REPLACE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`,
    });
    await database.query({
      text: 'CREATE TRIGGER refuse BEFORE INSERT ON agent_events EXECUTE FUNCTION refuse_event()',
    });
    await expect(agents.changes.suspend(owner, uuid)).rejects.toThrow();
    await expect(agents.remove(owner, uuid)).rejects.toThrow();
    await database.query({ text: 'DROP TRIGGER refuse ON agent_events' });
    expect(await intervals()).toEqual(before);
    pass(1);
    expect(await cost()).toEqual([1, 4]);
  });

  it('ends with the profile of the agent', verifies('agents.usage'), async () => {
    const { owner, intervals } = await agentOf();
    await agents.reconciler.settle();
    await database.query({
      text: 'UPDATE profiles SET deleted_at = $2 WHERE uuid = $1',
      values: [owner.profileUuid, clock.now()],
    });
    await agents.reconciler.sweep(new AbortController().signal);
    await database.query({
      text: 'UPDATE agents SET due_at = $2 WHERE profile_uuid = $1',
      values: [owner.profileUuid, clock.now()],
    });
    await agents.reconciler.settle();
    expect((await intervals()).map(({ is_open }) => is_open)).toEqual([false]);
  });
});

describe('the use of a profile', () => {
  it('is added up by day in UTC, of its own agents alone', verifies('agents.usage'), async () => {
    const { owner, uuid } = await agentOf();
    const midnight = Math.ceil(clock.now().getTime() / (24 * hour)) * 24 * hour;
    clock.advance(midnight + 20 * hour - clock.now().getTime());
    await agents.reconciler.settle();
    const other = await agentOf();
    await agents.reconciler.settle();
    pass(30);
    await agents.changes.suspend(owner, uuid);
    pass(24);
    await agents.changes.resume(owner, uuid);
    pass(2);
    const day = (days: number) => new Date(midnight + days * 24 * hour).toISOString().slice(0, 10);
    expect(await agents.usage.ofProfile(owner)).toEqual({
      cpuHours: 16,
      memoryGibHours: 64,
      days: [
        { day: day(0), cpuHours: 2, memoryGibHours: 8 },
        { day: day(1), cpuHours: 12, memoryGibHours: 48 },
        { day: day(2), cpuHours: 1, memoryGibHours: 4 },
        { day: day(3), cpuHours: 1, memoryGibHours: 4 },
      ],
    });
    const from = new Date(midnight + 22 * hour);
    const to = new Date(midnight + 25 * hour);
    expect(await agents.usage.ofProfile(owner, { from, to })).toEqual({
      cpuHours: 1.5,
      memoryGibHours: 6,
      days: [
        { day: day(0), cpuHours: 1, memoryGibHours: 4 },
        { day: day(1), cpuHours: 0.5, memoryGibHours: 2 },
      ],
    });
    expect((await agents.usage.ofProfile(other.owner)).cpuHours).toBe(28);
  });

  it('is of at most 92 days, from earlier to later', verifies('agents.usage'), async () => {
    const { owner } = await agentOf();
    const to = clock.now();
    for (const from of [new Date(to.getTime() - 92 * 24 * hour - 1), new Date(to.getTime() + 1)])
      await expect(agents.usage.ofProfile(owner, { from, to })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
