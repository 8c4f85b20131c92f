import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseTimeouts } from '../../src/platform/database/database.ts';
import { verifies } from '../requirements.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Call, tenantOf } from '../support/server.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { nil, startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const { clock, database } = server;
const path = '/api/agents';
let names = 0;

async function agentOf(call: Call) {
  const { body } = await call('POST', path, { name: `reporter-${++names}` });
  return `${path}/${body.agent.uuid}` as const;
}
const beat = { mode: 'IDLE', uptime_seconds: 1 };
const report = { cpu_percent: 12.5, memory_mb: 181.2, requests_handled: 3 };
const typesOf = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);

describe('GET /api/agents and GET /api/agents/{uuid}', () => {
  it(`list the agents of the profile, the newest first, with those that have ended ${verifies('agents.list')}`, async () => {
    const { call } = await tenantOf(server);
    await agentOf(await tenantOf(server).then((other) => other.call));
    const paths = [];
    for (let made = 0; made < 3; made++) {
      paths.unshift(await agentOf(call));
      clock.advance(1_000);
    }
    await call('DELETE', paths[1] ?? '');
    const { status, body } = await call('GET', path);
    expect(status).toBe(200);
    expect(body.map(({ uuid }: { uuid: string }) => `${path}/${uuid}`)).toEqual(paths);
    expect(body.map(({ state }: { state: string }) => state)).toEqual(['PROVISIONED', 'TERMINATED', 'PROVISIONED']);
    for (const [place, each] of paths.entries()) expect((await call('GET', each)).body.agent).toEqual(body[place]);
  });

  it(`show the last ten heartbeats and reports and the whole history, the newest first ${verifies('agents.details')}`, async () => {
    const { call } = await tenantOf(server);
    const agent = await agentOf(call);
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
  });

  it(`show a history of thousands of events whole ${verifies('agents.details')}`, async () => {
    const { call, caller } = await tenantOf(server);
    const agent = await agentOf(call);
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

describe('an agent that the caller may not see', () => {
  it(`G09: is 404, byte for byte as one that never was ${verifies('agents.not-found')}`, async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const foreign = await agentOf(owner.call);
    const requests = [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/export', {}],
      ['POST', '/heartbeat', beat],
      ['POST', '/metrics', report],
    ] as const;
    for (const [method, what, body] of requests)
      for (const each of [foreign, `${path}/${nil}`, `${path}/x`, `${path}/%00`, `${path}/${nil}%20`]) {
        const answer = await other.call(method, each + what, body);
        expect([answer.status, answer.text], `${method} ${each}${what}`).toEqual([
          404,
          '{"error":"Agent not found"}\n',
        ]);
      }
    expect((await owner.call('GET', foreign)).body).toMatchObject({
      agent: { state: 'PROVISIONED', last_heartbeat_at: null },
      recentMetrics: [],
    });
  });
});

describe('DELETE /api/agents/{uuid}', () => {
  it(`ends the agent, keeps its record, and answers the same again ${verifies('agents.delete')}`, async () => {
    const { call } = await tenantOf(server);
    for (const isActive of [false, true]) {
      const agent = await agentOf(call);
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

describe('POST /api/agents/{uuid}/heartbeat and /metrics', () => {
  it.each([
    ['no mode', { uptime_seconds: 1 }, 'mode is required'],
    ['another mode', { ...beat, mode: 'idle' }, 'mode must be one of: EMERGENCY, IDLE, SLEEP'],
    ['no uptime', { mode: 'IDLE' }, 'uptime_seconds is required'],
    ['uptime as text', { ...beat, uptime_seconds: '5' }, 'uptime_seconds must be a finite number, 0 or more'],
    ['a negative uptime', { ...beat, uptime_seconds: -1 }, 'uptime_seconds must be a finite number, 0 or more'],
    [
      'an endless uptime',
      '{"mode":"IDLE","uptime_seconds":1e309}',
      'uptime_seconds must be a finite number, 0 or more',
    ],
    ['resource data', { ...beat, cpu_percent: 1 }, 'cpu_percent belongs in metrics'],
    ['custom metrics', { ...beat, custom_metrics: {} }, 'custom_metrics belongs in metrics'],
  ])(`G12: a heartbeat with %s is 400 ${verifies('agents.heartbeat.input')}`, async (_what, body, error) => {
    const { call } = await tenantOf(server);
    const agent = await agentOf(call);
    const answer = await call('POST', `${agent}/heartbeat`, body);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
    expect((await call('GET', agent)).body.recentHeartbeats).toEqual([]);
  });

  const deep = `{"cpu_percent":1,"memory_mb":1,"requests_handled":1,"custom_metrics":${'{"a":'.repeat(40)}1${'}'.repeat(41)}`;
  it.each([
    ['nothing', {}],
    ['cpu 100.01', { ...report, cpu_percent: 100.01 }],
    ['cpu "5"', { ...report, cpu_percent: '5' }],
    ['cpu NaN', { ...report, cpu_percent: Number.NaN }],
    ['cpu -0.01', { ...report, cpu_percent: -0.01 }],
    ['memory -1', { ...report, memory_mb: -1 }],
    ['requests 2^53', { ...report, requests_handled: 2 ** 53 }],
    ['requests 1.5', { ...report, requests_handled: 1.5 }],
    ['a list of custom metrics', { ...report, custom_metrics: [1] }],
    ['64 kB of custom metrics', { ...report, custom_metrics: { a: 'x'.repeat(65_536) } }],
    ['deep custom metrics', deep],
    ['NUL in custom metrics', { ...report, custom_metrics: { a: '\u0000' } }],
  ])(`G12: a report with %s is 400 ${verifies('agents.metrics.input')}`, async (_what, body) => {
    const { call } = await tenantOf(server);
    const agent = await agentOf(call);
    const answer = await call('POST', `${agent}/metrics`, body);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error']]);
    expect((await call('GET', agent)).body.recentMetrics).toEqual([]);
  });

  it(`take what lies at the bounds, and drop other fields ${verifies('agents.heartbeat.input', 'agents.metrics.input')}`, async () => {
    const { call } = await tenantOf(server);
    const agent = await agentOf(call);
    const sent = await call('POST', `${agent}/heartbeat`, {
      mode: 'EMERGENCY',
      uptime_seconds: 1e308,
      state: 'KILLED',
    });
    expect([sent.status, sent.body]).toEqual([200, { message: 'Heartbeat recorded' }]);
    const text = `{"cpu_percent":-0,"memory_mb":0,"requests_handled":${2 ** 53 - 1},"custom_metrics":{"__proto__":{"a":1}},"x":1}`;
    const reported = await call('POST', `${agent}/metrics`, text);
    expect([reported.status, reported.body]).toEqual([200, { message: 'Metrics recorded' }]);
    expect((await call('POST', `${agent}/metrics`, { ...report, custom_metrics: null })).status).toBe(200);
    const { text: shown, body } = await call('GET', agent);
    expect(body.recentHeartbeats[0]).toMatchObject({ mode: 'EMERGENCY', uptime_seconds: 1e308 });
    expect(body.recentMetrics[0].custom_metrics).toBeNull();
    expect(body.recentMetrics[1]).toMatchObject({ cpu_percent: 0, memory_mb: 0, requests_handled: 2 ** 53 - 1 });
    expect(shown).toContain('"custom_metrics":{"__proto__":{"a":1}}');
  });
});

describe('POST /api/agents/{uuid}/export', () => {
  it(`G14: holds 100 records of each kind, or as many as asked for up to 10 000, with their totals ${verifies('agents.export')}`, async () => {
    const { call } = await tenantOf(server);
    const agent = await agentOf(call);
    const values = [agent.split('/').at(-1), clock.now()];
    for (const text of [
      "INSERT INTO agent_heartbeats (agent_uuid, mode, uptime_seconds, at) SELECT $1, 'IDLE', i, $2 FROM generate_series(1, 10001) i",
      `INSERT INTO agent_metrics (agent_uuid, cpu_percent, memory_mb, requests_handled, custom_bytes, at)
        SELECT $1, 1, 1, i, 0, $2 FROM generate_series(1, 10001) i`,
    ])
      await database.query({ text, values, query_timeout: 9_000 });
    for (const [asked, count] of [
      [undefined, 100],
      [{}, 100],
      [{ telemetry_limit: 1 }, 1],
      [{ telemetry_limit: 10_000 }, 10_000],
      [{ include_telemetry: false, telemetry_limit: 5 }, 0],
    ] as const) {
      const { status, body } = await call('POST', `${agent}/export`, asked);
      expect([status, body.heartbeats?.length, body.metrics?.length], JSON.stringify(asked)).toEqual([
        200,
        count,
        count,
      ]);
      expect(Object.keys(body)).toEqual(['agent', 'heartbeats', 'metrics', 'lifecycle_events', 'metadata']);
      expect(typesOf(body.lifecycle_events)).toEqual(['PROVISIONED', 'CREATED']);
      const exported_at = clock.now().toISOString();
      const totals = { total_heartbeats: count, total_metrics: count };
      expect(body.metadata).toEqual({ exported_at, triggered_by: 'user', ...totals });
      if (count > 0) expect(body.heartbeats[0].uptime_seconds).toBe(10_001);
    }
  });

  it.each([0, -1, 10_001, 1e9, 1.5, 'all', '10'])(
    `G14: a telemetry_limit of %s is 400 ${verifies('agents.export')}`,
    async (limit) => {
      const { call } = await tenantOf(server);
      const answer = await call('POST', `${await agentOf(call)}/export`, { telemetry_limit: limit });
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error']]);
      expect(answer.body.error).toContain('telemetry_limit');
    },
  );
});

describe('faults', () => {
  it(`are in the shape of agents: malformed JSON, wrong methods, wrong types ${verifies('agents.errors')}`, async () => {
    const { call } = await tenantOf(server);
    const agent = await agentOf(call);
    for (const each of [path, `${agent}/heartbeat`, `${agent}/metrics`, `${agent}/export`])
      for (const body of ['{"a":', '[]', '"x"', 'null']) {
        const answer = await call('POST', each, body);
        expect([answer.status, Object.keys(answer.body), typeof answer.body.error], `${each} ${body}`).toEqual([
          400,
          ['error'],
          'string',
        ]);
      }
    for (const [method, each, allow] of [
      ['PUT', path, 'GET, POST'],
      ['PATCH', agent, 'DELETE, GET'],
      ['GET', `${agent}/heartbeat`, 'POST'],
    ] as const) {
      const answer = await call(method, each);
      expect([answer.status, Object.keys(answer.body)]).toEqual([405, ['error']]);
      const allowed = answer.headers
        .get('allow')
        ?.split(', ')
        .filter((name) => !['HEAD', 'OPTIONS'].includes(name));
      expect(allowed?.sort().join(', ')).toBe(allow);
    }
    const type = await call('POST', path, 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect([type.status, Object.keys(type.body)]).toEqual([415, ['error']]);
  });

  it(`of the database are 500 with the documented text, never 401 ${verifies('agents.errors')}`, async () => {
    const proxy = await createTcpProxy(await createTestDatabase());
    onTestFinished(() => proxy.close());
    const broken = await startAgentServer({ url: proxy.url, databaseTimeouts, isOff: true });
    const { call } = await tenantOf(broken);
    const agent = await agentOf(call);
    await proxy.cut();
    for (const [method, each, error, body] of [
      ['GET', path, 'Failed to list agents'],
      ['POST', path, 'Failed to create agent', { name: 'x' }],
      ['GET', agent, 'Failed to fetch agent'],
      ['DELETE', agent, 'Failed to delete agent'],
      ['POST', `${agent}/export`, 'Failed to export agent', {}],
      ['POST', `${agent}/heartbeat`, 'Failed to record heartbeat', beat],
      ['POST', `${agent}/metrics`, 'Failed to record metrics', report],
    ] as const) {
      const answer = await call(method, each, body);
      expect([answer.status, answer.body]).toEqual([500, { error }]);
    }
    await proxy.restore();
  });
});
