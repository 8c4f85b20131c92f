import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../src/agents/lifecycle.ts';
import { apiError, take } from '../notifications/notification-services.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { agentStage, telemetryOver } from './telemetry-stage.ts';

const { services, infrastructure, clock, database, statements } = await createTestServices();
const { heartbeats, registry } = telemetryOver(infrastructure);
const stage = agentStage(infrastructure);
const owner = await signUp(services);
const profileUuid = String(owner.principal?.profileUuid);
const idle = { mode: 'IDLE', uptimeSeconds: 1 } as const;
const notFound = apiError('NOT_FOUND', { message: 'Agent not found' });

describe('a heartbeat', () => {
  it('is stored when it is answered, newest first, ties in the order of their ids', async () => {
    const agent = await stage.agent(profileUuid, { name: 'stored' });
    await heartbeats.record(agent, idle);
    await heartbeats.record(agent, { mode: 'SLEEP', uptimeSeconds: 2.5 });
    clock.advance(1_000);
    await heartbeats.record({ ...agent, uuid: agent.uuid.toUpperCase() }, { mode: 'EMERGENCY', uptimeSeconds: 1e308 });
    const found = await heartbeats.latest(agent.uuid, 10);
    expect(found.map(({ mode, uptimeSeconds }) => [mode, uptimeSeconds])).toEqual([
      ['EMERGENCY', 1e308],
      ['SLEEP', 2.5],
      ['IDLE', 1],
    ]);
    expect(found[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      agentUuid: agent.uuid,
      mode: 'EMERGENCY',
      uptimeSeconds: 1e308,
      at: clock.now(),
    });
    expect(await stage.livenessOf(agent)).toMatchObject({ mode: 'EMERGENCY', last_heartbeat_at: clock.now() });
    const [first, second] = found;
    expect(await heartbeats.latest(agent.uuid, 1)).toEqual([first]);
    expect(await heartbeats.latest(agent.uuid, 1, first)).toEqual([second]);
    expect(await heartbeats.latest(agent.uuid, 10, found[2])).toEqual([]);
  });

  it('G09: of an agent of another profile, of none, and of a malformed id is not found, and stores nothing', async () => {
    const agent = await stage.agent(profileUuid, { name: 'mine' });
    const other = String((await signUp(services)).principal?.profileUuid);
    for (const [uuid, profile] of [
      [agent.uuid, other],
      [randomUUID(), profileUuid],
      ["'; DROP TABLE agents; --", profileUuid],
    ] as const)
      await expect(heartbeats.record({ uuid, profileUuid: profile }, idle)).rejects.toEqual(notFound);
    expect(await stage.countOf('agent_heartbeats', agent)).toBe(0);
    expect(await stage.livenessOf(agent)).toMatchObject({ last_heartbeat_at: null, deadline: null });
  });

  it('goes with those that come at once, in one statement, and each has its own answer', async () => {
    const agents = await stage.agents(profileUuid, 20, { name: 'crowd' });
    const strange = { uuid: randomUUID(), profileUuid };
    await heartbeats.record(agents[0] as (typeof agents)[0], idle);
    statements.length = 0;
    const calls = [...agents, strange, ...agents].map((agent, n) =>
      heartbeats.record(agent, { mode: 'IDLE', uptimeSeconds: n }).then(
        () => 'stored',
        ({ code }: { code: string }) => code,
      ),
    );
    expect(await Promise.all(calls)).toEqual(calls.map((_, n) => (n === 20 ? 'NOT_FOUND' : 'stored')));
    expect(statements.filter((text) => text.includes('INSERT INTO agent_heartbeats'))).toHaveLength(1);
    // The later of two of one agent in one statement is the latest.
    const [first] = agents;
    expect((await heartbeats.latest(String(first?.uuid), 2)).map(({ uptimeSeconds }) => uptimeSeconds)).toEqual([
      21, 0,
    ]);
    expect(await registry.getSingleMetricAsString('patchbay_agent_heartbeats_total')).toContain('{mode="IDLE"}');
    expect(await registry.metrics()).toContain(
      'patchbay_agent_telemetry_batch_rows_bucket{le="100",kind="heartbeats"}',
    );
  });

  it('that the database does not take fails alone', async () => {
    const agents = await stage.agents(profileUuid, 5, { name: 'bad' });
    // What no caller passes: the service validates its input.
    const bad = { mode: 'NAP' as 'IDLE', uptimeSeconds: 1 };
    await database.query({
      text: `ALTER TABLE agent_heartbeats ADD CONSTRAINT no_nap CHECK (mode <> 'NAP')`,
    });
    const calls = agents.map((agent, n) => heartbeats.record(agent, n === 2 ? bad : idle));
    const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await stage.countOf('agent_heartbeats', agents[2] as (typeof agents)[0])).toBe(0);
    for (const n of [0, 1, 3, 4])
      expect(await stage.countOf('agent_heartbeats', agents[n] as (typeof agents)[0])).toBe(1);
    await database.query({ text: 'ALTER TABLE agent_heartbeats DROP CONSTRAINT no_nap' });
  });

  it('is sent live to the subscribers of its agent alone', async () => {
    const [one, other] = await stage.agents(profileUuid, 2, { name: 'live' });
    if (!one || !other) throw new Error('no agents');
    const [ofOne, ofOther] = [await heartbeats.follow(one.uuid), await heartbeats.follow(other.uuid)];
    await Promise.all([heartbeats.record(one, idle), heartbeats.record(one, { mode: 'SLEEP', uptimeSeconds: 9 })]);
    const seen = await take(ofOne, 2);
    expect(seen).toEqual((await heartbeats.latest(one.uuid, 2)).reverse());
    await heartbeats.record(other, idle);
    expect(await take(ofOther, 1)).toMatchObject([{ agentUuid: other.uuid }]);
    const next = ofOne.next();
    await ofOne.return();
    expect(await next).toEqual({ done: true, value: undefined });
    await ofOther.return();
  });

  it('stays recorded when the unit of work around it is undone', async () => {
    const agent = await stage.agent(profileUuid, { name: 'unit' });
    const undone = database.runUnit('test', async () => {
      await database.query({ text: 'SELECT 1' });
      await heartbeats.record(agent, idle);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await stage.countOf('agent_heartbeats', agent)).toBe(1);
  });
});

describe('the first heartbeat', () => {
  it('G10: 20 at once make a provisioned agent ACTIVE by one transition and one event', async () => {
    const agent = await stage.agent(profileUuid, { state: 'PROVISIONED', name: 'first' });
    const other = telemetryOver(infrastructure).heartbeats;
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? heartbeats : other).record(agent, idle)));
    expect(await stage.stateOf(agent)).toEqual({ state: 'ACTIVE', activated_at: clock.now() });
    expect(await stage.eventsOf(agent)).toEqual([
      {
        event_type: 'ACTIVATED',
        from_state: 'PROVISIONED',
        to_state: 'ACTIVE',
        metadata: { triggered_by: 'system' },
      },
    ]);
    expect((await stage.outboxOf(profileUuid)).filter((type) => type === 'agent.activated')).toHaveLength(1);
    clock.advance(5_000);
    await heartbeats.record(agent, idle);
    expect((await stage.stateOf(agent))?.activated_at).not.toEqual(clock.now());
  });

  it.each<AgentState>(['NEW', 'TERMINATED', 'KILLED'])(
    'G09: in %s is recorded, changes no state, and begins no watch',
    async (state) => {
      const agent = await stage.agent(profileUuid, { state, name: `in-${state.toLowerCase()}` });
      await heartbeats.record(agent, idle);
      expect(await stage.countOf('agent_heartbeats', agent)).toBe(1);
      expect(await stage.stateOf(agent)).toEqual({ state, activated_at: null });
      expect(await stage.eventsOf(agent)).toEqual([]);
      expect(await stage.livenessOf(agent)).toMatchObject({ deadline: null, last_heartbeat_at: clock.now() });
    },
  );
});

describe('the deadline', () => {
  const seconds = (from: Date, count: number) => new Date(from.getTime() + count * 1_000);

  it('stays while at least half of the interval is left, then moves by a whole one', async () => {
    const agent = await stage.agent(profileUuid, { name: 'half' });
    const start = clock.now();
    const deadlineAfter = async (count: number, mode: 'IDLE' | 'SLEEP' | 'EMERGENCY' = 'IDLE') => {
      clock.set(seconds(start, count));
      await heartbeats.record(agent, { mode, uptimeSeconds: count });
      return (await stage.livenessOf(agent))?.deadline;
    };
    expect(await deadlineAfter(0)).toEqual(seconds(start, 30));
    expect(await deadlineAfter(15)).toEqual(seconds(start, 30));
    expect(await deadlineAfter(15.001)).toEqual(seconds(start, 45.001));
    // A longer mode: less than half of its interval is left.
    expect(await deadlineAfter(16, 'SLEEP')).toEqual(seconds(start, 916));
    // A shorter one never waits for the longer deadline.
    expect(await deadlineAfter(17, 'EMERGENCY')).toEqual(seconds(start, 22));
  });
});
