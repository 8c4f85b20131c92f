import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Heartbeat, MetricReport } from '../../src/agents/input.ts';
import { pageBytesMax } from '../../src/agents/metric-reports.ts';
import { parse } from '../../src/platform/input/input.ts';
import { apiError, take } from '../notifications/notification-services.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { agentStage, telemetryOver } from './telemetry-stage.ts';

const { services, infrastructure, clock, statements } = await createTestServices();
const { metricReports, heartbeats, series, removeContents, registry } = telemetryOver(infrastructure);
const stage = agentStage(infrastructure);
const newProfile = async () => String((await signUp(services)).principal?.profileUuid);
const profileUuid = await newProfile();
const report = { cpuPercent: 12.5, memoryMb: 100, requestsHandled: 7, customMetrics: null };
const about = (details: Record<string, string>) => apiError('VALIDATION_ERROR', { details });

describe('a metric report', () => {
  it('is stored when it is answered and comes back as it came, newest first', async () => {
    const agent = await stage.agent(profileUuid, { name: 'stored' });
    const customMetrics = JSON.parse('{"z": 1, "a": [null, 1.5, "x"], "__proto__": {"polluted": true}}');
    await metricReports.record(agent, report);
    await metricReports.record(agent, {
      cpuPercent: 100,
      memoryMb: 1e308,
      requestsHandled: Number.MAX_SAFE_INTEGER,
      customMetrics,
    });
    const found = await metricReports.latest(agent.uuid, 10);
    expect(found).toMatchObject([
      { cpuPercent: 100, memoryMb: 1e308, requestsHandled: Number.MAX_SAFE_INTEGER, agentUuid: agent.uuid },
      { ...report, at: clock.now() },
    ]);
    expect(JSON.stringify(found[0]?.customMetrics)).toBe(JSON.stringify(customMetrics));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await metricReports.latest(agent.uuid, 5, found[0])).toEqual([found[1]]);
    // It does not count as a heartbeat.
    expect(await stage.livenessOf(agent)).toMatchObject({ last_heartbeat_at: null });
  });

  it('G09: of an unknown agent or one of another profile is 404, and the others of its statement are stored', async () => {
    const agents = await stage.agents(profileUuid, 10, { name: 'crowd' });
    const other = await newProfile();
    await metricReports.record(agents[0] as (typeof agents)[0], report);
    statements.length = 0;
    const calls = [
      ...agents,
      { uuid: randomUUID(), profileUuid },
      { uuid: String(agents[0]?.uuid), profileUuid: other },
    ];
    const outcomes = await Promise.allSettled(calls.map((agent) => metricReports.record(agent, report)));
    expect(outcomes.map(({ status }) => status)).toEqual(calls.map((_, n) => (n < 10 ? 'fulfilled' : 'rejected')));
    expect(outcomes.at(-1)).toMatchObject({ reason: apiError('NOT_FOUND', { message: 'Agent not found' }) });
    expect(statements.filter((text) => text.includes('INSERT INTO agent_metrics'))).toHaveLength(1);
    expect(await registry.getSingleMetricAsString('patchbay_agent_metric_reports_total')).toMatch(/ \d+$/);
  });

  it('with large custom metrics is stored in several statements, and a page of them ends at 8 MB', async () => {
    const agent = await stage.agent(profileUuid, { name: 'large' });
    const customMetrics = { text: 'x'.repeat(60_000) };
    await metricReports.record(agent, report);
    statements.length = 0;
    await Promise.all(Array.from({ length: 150 }, () => metricReports.record(agent, { ...report, customMetrics })));
    expect(statements.filter((text) => text.includes('INSERT INTO agent_metrics')).length).toBeGreaterThanOrEqual(9);
    const page = await metricReports.latest(agent.uuid, 10_000);
    expect(page).toHaveLength(Math.floor(pageBytesMax / JSON.stringify(customMetrics).length));
    expect(await metricReports.latest(agent.uuid, 10_000, page.at(-1))).toHaveLength(151 - page.length);
  });

  it('is seen live by those who follow its agent', async () => {
    const agent = await stage.agent(profileUuid, { name: 'live' });
    const news = await metricReports.follow(agent.uuid);
    await metricReports.record(agent, { ...report, customMetrics: { a: 1 } });
    expect(await take(news, 1)).toEqual(await metricReports.latest(agent.uuid, 1));
    await news.return();
  });
});

describe('what an agent may report', () => {
  const good = { cpu_percent: 0, memory_mb: 0, requests_handled: 0 };

  it('G12: names every wrong field of metrics', () => {
    expect(() => parse(MetricReport, { cpu_percent: '5', memory_mb: Number.NaN, requests_handled: 2 ** 53 })).toThrow(
      about({
        cpu_percent: 'cpu_percent must be a number from 0 to 100',
        memory_mb: 'memory_mb must be a finite number, 0 or more',
        requests_handled: 'requests_handled must be an integer from 0 to 9007199254740991',
      }),
    );
    expect(() => parse(MetricReport, {})).toThrow(
      about({
        cpu_percent: 'cpu_percent is required',
        memory_mb: 'memory_mb is required',
        requests_handled: 'requests_handled must be an integer from 0 to 9007199254740991',
      }),
    );
  });

  it.each([
    ['cpu_percent', 100.01],
    ['cpu_percent', -0.01],
    ['memory_mb', -1],
    ['memory_mb', Number.POSITIVE_INFINITY],
    ['requests_handled', 1.5],
    ['requests_handled', -1],
    ['custom_metrics', []],
    ['custom_metrics', 'x'],
    ['custom_metrics', { x: 'x'.repeat(65_536) }],
    ['custom_metrics', { x: '\u0000' }],
    ['custom_metrics', { '\ud800': 1 }],
    ['custom_metrics', { x: Number.POSITIVE_INFINITY }],
    ['custom_metrics', JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)],
  ])('G12: %s is refused', (field, value) => {
    expect(() => parse(MetricReport, { ...good, [field]: value })).toThrow(about({ [field]: expect.any(String) }));
  });

  it('G12: takes the bounds themselves, ignores other fields, and custom metrics may be null', () => {
    const edge = { cpu_percent: 100, memory_mb: -0, requests_handled: Number.MAX_SAFE_INTEGER, custom_metrics: null };
    expect(parse(MetricReport, { ...edge, mode: 'IDLE', surplus: 1 })).toEqual(edge);
    const custom = { x: 'x'.repeat(65_536 - 8) };
    expect(parse(MetricReport, { ...good, custom_metrics: custom })).toEqual({ ...good, custom_metrics: custom });
  });

  it('a heartbeat carries no resources; its other unknown fields are ignored', () => {
    const beat = { mode: 'IDLE', uptime_seconds: 1.5 };
    expect(parse(Heartbeat, { ...beat, cpu_temperature: 3, cpu_percent: null })).toMatchObject(beat);
    expect(() => parse(Heartbeat, { cpu_percent: 1, memory_mb: 0, requests_handled: 0, custom_metrics: {} })).toThrow(
      about({
        mode: 'mode is required',
        uptime_seconds: 'uptime_seconds is required',
        cpu_percent: 'cpu_percent must be sent in metrics, not in a heartbeat',
        memory_mb: 'memory_mb must be sent in metrics, not in a heartbeat',
        requests_handled: 'requests_handled must be sent in metrics, not in a heartbeat',
        custom_metrics: 'custom_metrics must be sent in metrics, not in a heartbeat',
      }),
    );
    for (const wrong of [{ mode: 'idle' }, { uptime_seconds: -1 }, { uptime_seconds: Number.NaN }])
      expect(() => parse(Heartbeat, { ...beat, ...wrong })).toThrow(
        about({ [Object.keys(wrong)[0] as string]: expect.any(String) }),
      );
  });
});

it('the telemetry of a deleted profile is removed, and that of others stays', async () => {
  const [gone, kept] = [await newProfile(), await newProfile()];
  const [ofGone, ofKept] = [await stage.agents(gone, 3), await stage.agents(kept, 1)];
  for (const agent of [...ofGone, ...ofKept]) {
    await heartbeats.record(agent, { mode: 'IDLE', uptimeSeconds: 1 });
    await metricReports.record(agent, report);
  }
  await series.addUp();
  await removeContents(gone);
  const left = (agents: typeof ofGone) =>
    Promise.all(
      agents.flatMap((agent) =>
        (['agent_heartbeats', 'agent_metrics', 'agent_metric_buckets'] as const).map((table) =>
          stage.countOf(table, agent),
        ),
      ),
    );
  expect(await left(ofGone)).toEqual(Array.from({ length: 9 }).fill(0));
  expect(await left(ofKept)).toEqual([1, 1, 2]);
});
