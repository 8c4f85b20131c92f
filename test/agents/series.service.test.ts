import { describe, expect, it } from 'vitest';
import { apiError } from '../notifications/notification-services.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { agentStage, type StagedAgent, telemetryOver } from './telemetry-stage.ts';

const { services, infrastructure, clock, database } = await createTestServices();
const { metricReports, series } = telemetryOver(infrastructure);
const stage = agentStage(infrastructure);
const profileUuid = String((await signUp(services)).principal?.profileUuid);

const minuteMs = 60_000;
const hourMs = 3_600_000;
let hours = 0;

/** An agent at the start of an hour of its own. */
async function agentAtHour(): Promise<{ agent: StagedAgent; start: Date }> {
  hours += 2;
  const start = new Date(Date.UTC(2026, 2, 2) + hours * hourMs);
  clock.set(start);
  return { agent: await stage.agent(profileUuid, { name: `hour-${hours}` }), start };
}

async function report(agent: StagedAgent, start: Date, seconds: number, requestsHandled: number, cpuPercent = 10) {
  clock.set(new Date(start.getTime() + seconds * 1_000));
  await metricReports.record(agent, { cpuPercent, memoryMb: cpuPercent * 10, requestsHandled, customMetrics: null });
}

const bucketsOf = (agent: StagedAgent, start: Date, resolution: 'minute' | 'hour' = 'minute') =>
  series.buckets(agent.uuid, resolution, start, new Date(start.getTime() + 2 * hourMs));

describe('the series of an agent', () => {
  it('hold samples, averages, maxima and the growth of requests of each minute and hour', async () => {
    const { agent, start } = await agentAtHour();
    await report(agent, start, 0, 100, 10);
    await report(agent, start, 30, 130, 30);
    await report(agent, start, 59.999, 140, 50);
    await report(agent, start, 60, 150, 0);
    await report(agent, start, 3_599, 190, 100);
    await report(agent, start, 3_600, 200, 100);
    expect(await series.addUp()).toBe(6);
    const at = (minutes: number) => new Date(start.getTime() + minutes * minuteMs);
    expect(await bucketsOf(agent, start)).toEqual([
      {
        at: at(0),
        samples: 3,
        cpuPercentAverage: 30,
        cpuPercentMax: 50,
        memoryMbAverage: 300,
        memoryMbMax: 500,
        requestsHandled: 40,
      },
      {
        at: at(1),
        samples: 1,
        cpuPercentAverage: 0,
        cpuPercentMax: 0,
        memoryMbAverage: 0,
        memoryMbMax: 0,
        requestsHandled: 10,
      },
      {
        at: at(59),
        samples: 1,
        cpuPercentAverage: 100,
        cpuPercentMax: 100,
        memoryMbAverage: 1_000,
        memoryMbMax: 1_000,
        requestsHandled: 40,
      },
      {
        at: at(60),
        samples: 1,
        cpuPercentAverage: 100,
        cpuPercentMax: 100,
        memoryMbAverage: 1_000,
        memoryMbMax: 1_000,
        requestsHandled: 10,
      },
    ]);
    expect(await bucketsOf(agent, start, 'hour')).toMatchObject([
      { at: at(0), samples: 5, cpuPercentAverage: 38, cpuPercentMax: 100, requestsHandled: 90 },
      { at: at(60), samples: 1, requestsHandled: 10 },
    ]);
  });

  it('count requests from 0 after a restart of the agent', async () => {
    const { agent, start } = await agentAtHour();
    for (const [seconds, requests] of [
      [0, 50],
      [10, 60],
      [20, 5],
      [30, 8],
    ] as const)
      await report(agent, start, seconds, requests);
    await series.addUp();
    expect(await bucketsOf(agent, start)).toMatchObject([{ requestsHandled: 10 + 5 + 3 }]);
  });

  it('are the same however often they are added up, also with reports that are committed late', async () => {
    const { agent, start } = await agentAtHour();
    await report(agent, start, 10, 10);
    await report(agent, start, 70, 40);
    await report(agent, start, 130, 100);
    await series.addUp();
    const requests = async () => (await bucketsOf(agent, start)).map(({ requestsHandled }) => requestsHandled);
    expect(await requests()).toEqual([0, 30, 60]);
    // Of the first minute, after the second was added up: what it grew by is no longer the growth of the second.
    await report(agent, start, 50, 25);
    expect(await series.addUp()).toBe(1);
    expect(await requests()).toEqual([15, 15, 60]);
    expect(await bucketsOf(agent, start, 'hour')).toMatchObject([{ samples: 4, requestsHandled: 90 }]);
    await database.query({
      text: `INSERT INTO agent_metric_touches SELECT $1, $2::timestamptz + n * interval '1 minute' FROM generate_series(0, 2) n`,
      values: [agent.uuid, start],
    });
    const before = [await bucketsOf(agent, start), await bucketsOf(agent, start, 'hour')];
    expect(await series.addUp()).toBe(3);
    expect([await bucketsOf(agent, start), await bucketsOf(agent, start, 'hour')]).toEqual(before);
  });

  it('miss nothing when an addition is undone half-way, and nothing of an open transaction', async () => {
    const { agent, start } = await agentAtHour();
    await report(agent, start, 10, 10);
    await database.query({
      text: 'ALTER TABLE agent_metric_buckets ADD CONSTRAINT hourless CHECK (seconds = 60) NOT VALID',
    });
    await expect(series.addUp()).rejects.toThrow('hourless');
    expect(await bucketsOf(agent, start)).toEqual([]);
    await database.query({ text: 'ALTER TABLE agent_metric_buckets DROP CONSTRAINT hourless' });
    await database.transaction(async (tx) => {
      await tx.query({
        text: `INSERT INTO agent_metrics (agent_uuid, cpu_percent, memory_mb, requests_handled, custom_bytes, at)
          VALUES ($1, 90, 0, 20, 0, $2)`,
        values: [agent.uuid, new Date(start.getTime() + 20_000)],
      });
      await tx.query({ text: 'INSERT INTO agent_metric_touches VALUES ($1, $2)', values: [agent.uuid, start] });
      expect(await series.addUp()).toBe(1);
      expect(await bucketsOf(agent, start)).toMatchObject([{ samples: 1 }]);
    });
    expect(await series.addUp()).toBe(1);
    expect(await bucketsOf(agent, start)).toMatchObject([{ samples: 2, cpuPercentMax: 90, requestsHandled: 10 }]);
  });

  it('are added up once by many at once', async () => {
    const { agent, start } = await agentAtHour();
    await report(agent, start, 10, 10);
    const others = Array.from({ length: 4 }, () => telemetryOver(infrastructure).series.addUp());
    const counts = await Promise.all([series.addUp(), ...others]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await bucketsOf(agent, start)).toMatchObject([{ samples: 1 }]);
  });

  it('take figures that no sum can hold', async () => {
    const { agent, start } = await agentAtHour();
    for (let each = 0; each < 4; each++) {
      clock.set(new Date(start.getTime() + each));
      const requestsHandled = each % 2 ? 0 : Number.MAX_SAFE_INTEGER;
      await metricReports.record(agent, { cpuPercent: 0, memoryMb: 1.7e308, requestsHandled, customMetrics: null });
    }
    await series.addUp();
    expect(await bucketsOf(agent, start, 'hour')).toMatchObject([
      { samples: 4, requestsHandled: Number.MAX_SAFE_INTEGER },
    ]);
  });

  it('of an interval are bounded in number', async () => {
    const { agent, start } = await agentAtHour();
    const to = (minutes: number) => new Date(start.getTime() + minutes * minuteMs);
    expect(await series.buckets(agent.uuid, 'minute', start, to(1_500))).toEqual([]);
    await expect(series.buckets(agent.uuid, 'minute', start, to(1_501))).rejects.toEqual(apiError('VALIDATION_ERROR'));
    await expect(series.buckets(agent.uuid, 'hour', start, start)).rejects.toEqual(apiError('VALIDATION_ERROR'));
  });
});
