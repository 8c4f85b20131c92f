import { describe, expect, it } from 'vitest';
import { type HeartbeatMode, heartbeatIntervals } from '../../src/platform/settings/heartbeat-intervals.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { agentStage, type StagedAgent, telemetryOver } from './telemetry-stage.ts';

const { services, infrastructure, clock, database } = await createTestServices();
const { heartbeats, liveness, registry } = telemetryOver(infrastructure);
const stage = agentStage(infrastructure);
const newProfile = async () => String((await signUp(services)).principal?.profileUuid);
const beat = (agent: StagedAgent, mode: HeartbeatMode = 'IDLE') => heartbeats.record(agent, { mode, uptimeSeconds: 1 });
const typesOf = async (agent: StagedAgent) => (await stage.eventsOf(agent)).map(({ event_type: type }) => type);

describe('a missed heartbeat', () => {
  it.each(['EMERGENCY', 'IDLE', 'SLEEP'] as const)(
    'G11: makes an agent in mode %s unhealthy after exactly one interval, with event, webhook, notification and metric',
    async (mode) => {
      const profileUuid = await newProfile();
      const agent = await stage.agent(profileUuid);
      const start = clock.now();
      await beat(agent, mode);
      clock.advance(heartbeatIntervals[mode] * 1_000 - 1);
      expect(await liveness.scan()).toBe(0);
      expect((await stage.livenessOf(agent))?.unhealthy_since).toBeNull();
      clock.advance(1);
      expect(await liveness.scan()).toBe(1);
      expect(await stage.livenessOf(agent)).toMatchObject({ deadline: null, unhealthy_since: clock.now() });
      expect(await stage.eventsOf(agent)).toEqual([
        {
          event_type: 'AGENT_UNHEALTHY',
          from_state: 'ACTIVE',
          to_state: 'ACTIVE',
          metadata: { triggered_by: 'system', error_code: 480, mode, last_heartbeat_at: start.toISOString() },
        },
      ]);
      expect(await stage.outboxOf(profileUuid)).toEqual(['notification.created', 'agent.unhealthy']);
      expect(await stage.notificationsOf(profileUuid)).toMatchObject([
        {
          type: 'agent_unhealthy',
          message: 'Agent worker sent no heartbeat within the interval of its mode.',
          metadata: { error_code: 480, count: 1, agents: [{ agent_uuid: agent.uuid, agent_name: 'worker' }] },
        },
      ]);
      // Once.
      clock.advance(3_600_000);
      expect(await liveness.scan()).toBe(0);
      expect(await typesOf(agent)).toEqual(['AGENT_UNHEALTHY']);
    },
  );

  it('G11: is measured from the last heartbeat, also where the deadline was not moved', async () => {
    const agent = await stage.agent(await newProfile());
    await beat(agent);
    clock.advance(14_000);
    await beat(agent);
    clock.advance(29_999);
    expect(await liveness.scan()).toBe(0);
    clock.advance(1);
    expect(await liveness.scan()).toBe(1);
  });

  it('G11: of the mode of the last heartbeat', async () => {
    const profileUuid = await newProfile();
    const [slower, faster] = await stage.agents(profileUuid, 2);
    if (!slower || !faster) throw new Error('no agents');
    await Promise.all([beat(slower, 'EMERGENCY'), beat(faster, 'SLEEP')]);
    clock.advance(1_000);
    await Promise.all([beat(slower, 'SLEEP'), beat(faster, 'EMERGENCY')]);
    clock.advance(5_000);
    expect(await liveness.scan()).toBe(1);
    expect(await typesOf(faster)).toEqual(['AGENT_UNHEALTHY']);
    clock.advance(894_999);
    expect(await liveness.scan()).toBe(0);
    clock.advance(1);
    expect(await liveness.scan()).toBe(1);
  });

  it('is not expected of an agent that has ended, is suspended, or has sent none', async () => {
    const agents = await stage.agents(await newProfile(), 5);
    const [terminated, killed, suspended, silent, active] = agents as [
      StagedAgent,
      StagedAgent,
      StagedAgent,
      StagedAgent,
      StagedAgent,
    ];
    await Promise.all([terminated, killed, suspended, active].map((agent) => beat(agent)));
    await stage.setState(terminated, 'TERMINATED');
    await stage.setState(killed, 'KILLED');
    await database.query({ text: 'UPDATE agents SET replicas = 0 WHERE uuid = $1', values: [suspended.uuid] });
    clock.advance(3_600_000);
    expect(await liveness.scan()).toBe(1);
    for (const agent of [terminated, killed, suspended]) {
      expect(await stage.livenessOf(agent)).toMatchObject({ deadline: null, unhealthy_since: null });
      // A late heartbeat of it begins no watch.
      await beat(agent);
      expect(await stage.livenessOf(agent)).toMatchObject({ deadline: null });
    }
    expect(await typesOf(active)).toEqual(['AGENT_UNHEALTHY']);
    expect(await typesOf(silent)).toEqual([]);
  });

  it('is noticed once by many scans at once', async () => {
    const profileUuid = await newProfile();
    const agents = await stage.agents(profileUuid, 30);
    await Promise.all(agents.map((agent) => beat(agent)));
    clock.advance(30_000);
    const scans = Array.from({ length: 6 }, () => telemetryOver(infrastructure).liveness.scan());
    expect((await Promise.all(scans)).reduce((sum, count) => sum + count)).toBe(30);
    for (const agent of agents) expect(await typesOf(agent)).toEqual(['AGENT_UNHEALTHY']);
  });

  it('of many agents of many profiles is settled in batches, with one notification for each profile of a batch', async () => {
    const profiles = await Promise.all(Array.from({ length: 3 }, newProfile));
    const agents = (await Promise.all(profiles.map((profileUuid) => stage.agents(profileUuid, 150)))).flat();
    await Promise.all(agents.map((agent) => beat(agent)));
    clock.advance(30_000);
    expect(await liveness.scan()).toBe(450);
    for (const profileUuid of profiles) {
      const found = await stage.notificationsOf(profileUuid);
      const counts = found.map(({ metadata }) => Number(metadata.count));
      expect(counts.reduce((sum, count) => sum + count)).toBe(150);
      expect(counts.length).toBeLessThanOrEqual(3);
      expect((await stage.outboxOf(profileUuid)).filter((type) => type === 'agent.unhealthy')).toHaveLength(150);
    }
    expect(await registry.getSingleMetricAsString('patchbay_agents_became_unhealthy_total')).toMatch(/ \d{3,}$/);
    expect(await registry.getSingleMetricAsString('patchbay_agents_unhealthy')).toMatch(/ \d{3,}$/);
  });

  it('of an agent that cannot be settled stops none of the others', async () => {
    const agents = await stage.agents(await newProfile(), 9);
    await Promise.all(agents.map((agent) => beat(agent)));
    const broken = agents[4] as StagedAgent;
    await database.query({
      text: `ALTER TABLE agent_events ADD CONSTRAINT broken CHECK (agent_uuid <> '${broken.uuid}')`,
    });
    clock.advance(30_000);
    expect(await liveness.scan()).toBe(8);
    expect(await stage.livenessOf(broken)).toMatchObject({ unhealthy_since: null });
    await database.query({ text: 'ALTER TABLE agent_events DROP CONSTRAINT broken' });
    expect(await liveness.scan()).toBe(1);
    expect(await typesOf(broken)).toEqual(['AGENT_UNHEALTHY']);
  });

  it('is found while an agent is locked by another transaction, and the agent itself at the next scan', async () => {
    const [held, free] = (await stage.agents(await newProfile(), 2)) as [StagedAgent, StagedAgent];
    await Promise.all([beat(held), beat(free)]);
    clock.advance(30_000);
    await database.transaction(async (tx) => {
      await tx.query({ text: 'SELECT FROM agents WHERE uuid = $1 FOR NO KEY UPDATE', values: [held.uuid] });
      expect(await liveness.scan()).toBe(1);
      expect(await typesOf(free)).toEqual(['AGENT_UNHEALTHY']);
      await tx.query({ text: `UPDATE agents SET state = 'TERMINATED' WHERE uuid = $1`, values: [held.uuid] });
    });
    expect(await liveness.scan()).toBe(0);
    expect(await typesOf(held)).toEqual([]);
  });
});

describe('a heartbeat of an unhealthy agent', () => {
  it('G11: makes it healthy again before it is answered, with one event and one notification, however many come', async () => {
    const profileUuid = await newProfile();
    const agent = await stage.agent(profileUuid);
    await beat(agent, 'EMERGENCY');
    clock.advance(5_000);
    const since = clock.now();
    await liveness.scan();
    clock.advance(60_000);
    const others = Array.from({ length: 3 }, () => telemetryOver(infrastructure));
    await Promise.all([
      ...Array.from({ length: 10 }, () => beat(agent)),
      ...others.map((each) => each.heartbeats.record(agent, { mode: 'IDLE', uptimeSeconds: 1 })),
    ]);
    expect(await stage.livenessOf(agent)).toEqual({
      mode: 'IDLE',
      last_heartbeat_at: clock.now(),
      deadline: new Date(clock.now().getTime() + 30_000),
      unhealthy_since: null,
    });
    expect((await stage.eventsOf(agent)).slice(1)).toEqual([
      {
        event_type: 'AGENT_RECOVERED',
        from_state: 'ACTIVE',
        to_state: 'ACTIVE',
        metadata: {
          triggered_by: 'system',
          mode: 'IDLE',
          unhealthy_since: since.toISOString(),
          last_heartbeat_at: clock.now().toISOString(),
        },
      },
    ]);
    expect((await stage.notificationsOf(profileUuid)).map(({ type }) => type)).toEqual(['agent_unhealthy', 'SUCCESS']);
    expect((await stage.outboxOf(profileUuid)).filter((type) => type.startsWith('agent.'))).toEqual([
      'agent.unhealthy',
      'agent.recovered',
    ]);
    const counted = await Promise.all(
      [registry, ...others.map((each) => each.registry)].map((each) =>
        each.getSingleMetricAsString('patchbay_agents_recovered_total'),
      ),
    );
    expect(counted.filter((text) => / 1$/m.test(text))).toHaveLength(1);
    // And it is watched again.
    clock.advance(30_000);
    expect(await liveness.scan()).toBe(1);
  });

  it('in a state that has ended revives nothing', async () => {
    const agent = await stage.agent(await newProfile());
    await beat(agent);
    clock.advance(30_000);
    await liveness.scan();
    await stage.setState(agent, 'KILLED');
    await beat(agent);
    expect(await stage.livenessOf(agent)).toMatchObject({ deadline: null });
    expect(await typesOf(agent)).toEqual(['AGENT_UNHEALTHY']);
    expect(await stage.stateOf(agent)).toMatchObject({ state: 'KILLED' });
  });

  it('and a scan at the same time never leave it unhealthy without an event, nor healthy without a deadline', async () => {
    const agents = await stage.agents(await newProfile(), 40);
    await Promise.all(agents.map((agent) => beat(agent)));
    clock.advance(30_000);
    await Promise.all([
      liveness.scan(),
      ...agents.map((agent) => beat(agent)),
      telemetryOver(infrastructure).liveness.scan(),
    ]);
    for (const agent of agents) {
      expect(await stage.livenessOf(agent)).toMatchObject({
        deadline: new Date(clock.now().getTime() + 30_000),
        unhealthy_since: null,
      });
      expect([[], ['AGENT_UNHEALTHY', 'AGENT_RECOVERED']]).toContainEqual(await typesOf(agent));
    }
  });
});

it('scans by itself until it is stopped', async () => {
  const agent = await stage.agent(await newProfile());
  await beat(agent);
  clock.advance(30_000);
  const stop = liveness.start();
  await stop();
  expect(await typesOf(agent)).toEqual(['AGENT_UNHEALTHY']);
});
