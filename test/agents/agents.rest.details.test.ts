import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { tenantOf } from '../support/server.ts';
import { agentPathOf, startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const { clock, database } = server;
const path = '/api/agents';
const beat = { mode: 'IDLE', uptime_seconds: 1 };
const report = { cpu_percent: 12.5, memory_mb: 181.2, requests_handled: 3 };
const typesOf = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);

describe('GET /api/agents and GET /api/agents/{uuid}', () => {
  it(
    'list the agents of the profile, the newest first, with those that have ended',
    verifies('agents.list'),
    async () => {
      const { call } = await tenantOf(server);
      await agentPathOf(await tenantOf(server).then((other) => other.call));
      const paths = [];
      for (let made = 0; made < 3; made++) {
        paths.unshift(await agentPathOf(call));
        clock.advance(1_000);
      }
      await call('DELETE', paths[1] ?? '');
      const { status, body } = await call('GET', path);
      expect(status).toBe(200);
      expect(body.map(({ uuid }: { uuid: string }) => `${path}/${uuid}`)).toEqual(paths);
      expect(body.map(({ state }: { state: string }) => state)).toEqual(['PROVISIONED', 'TERMINATED', 'PROVISIONED']);
      for (const [place, each] of paths.entries()) expect((await call('GET', each)).body.agent).toEqual(body[place]);
    },
  );

  it(
    'show the last ten heartbeats and reports and the whole history, the newest first',
    verifies('agents.details'),
    async () => {
      const { call } = await tenantOf(server);
      const agent = await agentPathOf(call);
      const { body: fresh } = await call('GET', agent);
      expect(Object.keys(fresh)).toEqual([
        'agent',
        'recentHeartbeats',
        'recentMetrics',
        'lifecycleEvents',
        'orchestratorStatus',
      ]);
      expect([fresh.recentHeartbeats, fresh.recentMetrics, fresh.orchestratorStatus]).toEqual([[], [], null]);
      for (let uptime = 0; uptime < 12; uptime++) {
        clock.advance(1_000);
        await call('POST', `${agent}/heartbeat`, { mode: 'SLEEP', uptime_seconds: uptime });
        await call('POST', `${agent}/metrics`, { ...report, requests_handled: uptime, custom_metrics: { a: uptime } });
      }
      const { body } = await call('GET', agent);
      const agent_uuid = body.agent.uuid;
      const latest = { id: expect.any(String), agent_uuid, timestamp: clock.now().toISOString() };
      expect(body.recentHeartbeats[0]).toEqual({ ...latest, mode: 'SLEEP', uptime_seconds: 11 });
      expect(body.recentMetrics[0]).toEqual({ ...latest, ...report, requests_handled: 11, custom_metrics: { a: 11 } });
      const down = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
      expect(body.recentHeartbeats.map((each: { uptime_seconds: number }) => each.uptime_seconds)).toEqual(down);
      expect(body.recentMetrics.map((each: { requests_handled: number }) => each.requests_handled)).toEqual(down);
      expect(typesOf(body.lifecycleEvents)).toEqual(['ACTIVATED', 'PROVISIONED', 'CREATED']);
      expect(body.lifecycleEvents[0]).toEqual({
        id: expect.any(String),
        agent_uuid,
        event_type: 'ACTIVATED',
        from_state: 'PROVISIONED',
        to_state: 'ACTIVE',
        metadata: { triggered_by: 'system' },
        timestamp: body.agent.activated_at,
      });
      expect(body.agent).toMatchObject({ state: 'ACTIVE', last_heartbeat_at: clock.now().toISOString() });
    },
  );

  it('show a history of thousands of events whole', verifies('agents.details'), async () => {
    const { call, caller } = await tenantOf(server);
    const agent = await agentPathOf(call);
    await database.query({
      query_timeout: 9_000,
      text: `INSERT INTO agent_events (agent_uuid, profile_uuid, event_type, from_state, to_state, metadata, occurred_at)
        SELECT $1, $2, 'AGENT_RECOVERED', 'ACTIVE', 'ACTIVE', '{"triggered_by": "system", "mode": "IDLE"}', now() FROM generate_series(1, 5000)`,
      values: [agent.split('/').at(-1), caller.principal?.profileUuid],
    });
    const { status, body } = await call('GET', agent);
    expect([status, body.lifecycleEvents?.length]).toEqual([200, 5_002]);
  });
});

describe('DELETE /api/agents/{uuid}', () => {
  it('ends the agent, keeps its record, and answers the same again', verifies('agents.delete'), async () => {
    const { call } = await tenantOf(server);
    for (const isActive of [false, true]) {
      const agent = await agentPathOf(call);
      if (isActive) await call('POST', `${agent}/heartbeat`, beat);
      const { body: before } = await call('GET', agent);
      const answer = await call('DELETE', agent);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          message: `Agent ${before.agent.name} deleted successfully`,
          orchestrator: { success: true, message: 'Agent terminated successfully' },
        },
      ]);
      const { body: after } = await call('GET', agent);
      const terminated_at = clock.now().toISOString();
      expect(after.agent).toEqual({ ...before.agent, state: 'TERMINATED', terminated_at });
      clock.advance(60_000);
      expect((await call('DELETE', agent)).text).toBe(answer.text);
      expect((await call('GET', agent)).body).toEqual(after);
    }
  });
});
