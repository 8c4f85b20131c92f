import { describe, expect, it } from 'vitest';
import type { HeartbeatMode } from '../../src/platform/settings/heartbeat-intervals.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { tenantOf } from '../support/server.ts';
import { startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const { clock, services } = server;
const { liveness } = services.agents;
let names = 0;

/** An active agent, what it reports, and what its owner sees of its heartbeats. */
async function agentOf() {
  const { call, graphql } = await tenantOf(server);
  const { body } = await call('POST', '/api/agents', { name: `late-${++names}` });
  const path = `/api/agents/${body.agent.uuid}`;
  const beat = async (mode: HeartbeatMode) =>
    expect((await call('POST', `${path}/heartbeat`, { mode, uptime_seconds: 1 })).text).toBe(
      '{"message":"Heartbeat recorded"}\n',
    );
  return {
    beat,
    /** Types of the events after the activation, the oldest first, with what says why. */
    async events(): Promise<[type: string, code: number | undefined, mode: string][]> {
      const { status, body: details } = await call('GET', path);
      expect([status, details.agent.state]).toEqual([200, 'ACTIVE']);
      return details.lifecycleEvents
        .slice(0, -3)
        .toReversed()
        .map(({ event_type, metadata: { error_code, mode } }: (typeof details.lifecycleEvents)[number]) => [
          event_type,
          error_code,
          mode,
        ]);
    },
    health: async () => (await graphql(`{ agent(uuid: "${body.agent.uuid}") { health } }`)).data?.agent.health,
  };
}

describe('G11: a missed heartbeat', () => {
  it.each([
    ['EMERGENCY', 5],
    ['IDLE', 30],
    ['SLEEP', 900],
  ] as const)(
    'in mode %s shows after exactly %i seconds, and a late arrival ends it',
    verifies('agents.unhealthy'),
    async (mode, seconds) => {
      const agent = await agentOf();
      await agent.beat(mode);
      clock.advance(seconds * 1_000 - 1);
      await liveness.scan();
      expect([await agent.events(), await agent.health()]).toEqual([[], 'HEALTHY']);
      clock.advance(1);
      await liveness.scan();
      expect([await agent.events(), await agent.health()]).toEqual([[['AGENT_UNHEALTHY', 480, mode]], 'UNHEALTHY']);
      clock.advance(7_000);
      await agent.beat(mode);
      const both = [
        ['AGENT_UNHEALTHY', 480, mode],
        ['AGENT_RECOVERED', undefined, mode],
      ];
      expect([await agent.events(), await agent.health()]).toEqual([both, 'HEALTHY']);
    },
  );

  it('is counted by the mode of the latest heartbeat', verifies('agents.unhealthy'), async () => {
    const agent = await agentOf();
    await agent.beat('SLEEP');
    clock.advance(10_000);
    await agent.beat('EMERGENCY');
    clock.advance(4_999);
    await liveness.scan();
    expect(await agent.events()).toEqual([]);
    await agent.beat('SLEEP');
    clock.advance(899_999);
    await liveness.scan();
    expect(await agent.events()).toEqual([]);
    clock.advance(1);
    await liveness.scan();
    expect(await agent.events()).toEqual([['AGENT_UNHEALTHY', 480, 'SLEEP']]);
  });
});

describe('a drain where the orchestrator is off', () => {
  it('ends by itself at the end of its grace period', verifies('agents.drain'), async () => {
    const off = await startAgentServer({ isOff: true });
    const { call } = await tenantOf(off);
    const { body } = await call('POST', '/api/agents', { name: 'left' });
    const path = `/api/agents/${body.agent.uuid}`;
    const text = "UPDATE agents SET state = 'ACTIVE', applied_revision = 1 WHERE uuid = $1";
    await off.database.query({ text, values: [body.agent.uuid] });
    expect((await call('POST', `${path}/drain`, { grace_seconds: 60 })).status).toBe(200);
    const state = async () => (await call('GET', path)).body.agent.state;
    off.clock.advance(59_999);
    expect(await state()).toBe('DRAINING');
    off.clock.advance(1);
    await eventually('the end', async () => (await state()) === 'TERMINATED');
  });
});
