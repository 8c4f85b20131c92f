import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { tenantOf } from '../support/server.ts';
import { agentPathOf, startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const { clock, database } = server;
const beat = { mode: 'IDLE', uptime_seconds: 1 };
const report = { cpu_percent: 12.5, memory_mb: 181.2, requests_handled: 3 };
const typesOf = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);

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
    ['resource data', { ...beat, cpu_percent: 1 }, 'cpu_percent must be sent in metrics, not in a heartbeat'],
    ['custom metrics', { ...beat, custom_metrics: {} }, 'custom_metrics must be sent in metrics, not in a heartbeat'],
  ])('G12: a heartbeat with %s is 400', verifies('agents.heartbeat.input'), async (_what, body, error) => {
    const { call } = await tenantOf(server);
    const agent = await agentPathOf(call);
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
  ])('G12: a report with %s is 400', verifies('agents.metrics.input'), async (_what, body) => {
    const { call } = await tenantOf(server);
    const agent = await agentPathOf(call);
    const answer = await call('POST', `${agent}/metrics`, body);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error']]);
    expect((await call('GET', agent)).body.recentMetrics).toEqual([]);
  });

  it(
    'take what lies at the bounds, and drop other fields',
    verifies('agents.heartbeat.input', 'agents.metrics.input'),
    async () => {
      const { call } = await tenantOf(server);
      const agent = await agentPathOf(call);
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
    },
  );
});

describe('POST /api/agents/{uuid}/export', () => {
  it(
    'G14: holds 100 records of each kind, or as many as asked for up to 10 000, with their totals',
    verifies('agents.export'),
    async () => {
      const { call } = await tenantOf(server);
      const agent = await agentPathOf(call);
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
    },
  );

  it.each([0, -1, 10_001, 1e9, 1.5, 'all', '10'])(
    'G14: a telemetry_limit of %s is 400',
    verifies('agents.export'),
    async (limit) => {
      const { call } = await tenantOf(server);
      const answer = await call('POST', `${await agentPathOf(call)}/export`, { telemetry_limit: limit });
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error']]);
      expect(answer.body.error).toContain('telemetry_limit');
    },
  );
});
