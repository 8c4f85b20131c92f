import type { z } from 'zod';
import { ApiError } from '../platform/errors.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Events } from '../platform/messaging/events.ts';
import type { Platform } from '../platform/platform.ts';
import { agentNotFound } from './agent.ts';
import { createCombined } from './combined.ts';
import { eachOf } from './heartbeats.ts';
import { noteRequests } from './idle-statements.ts';
import { RecentRequest } from './input.ts';
import type { AgentMetrics } from './metrics.ts';
import type { Partitions } from './partitions.ts';
import * as statements from './telemetry-statements.ts';

/** Source: docs/specification/agents.md#metrics. */
export interface MetricReportRecord {
  readonly id: string;
  readonly agentUuid: string;
  readonly cpuPercent: number;
  readonly memoryMb: number;
  /** Total since the agent's start. */
  readonly requestsHandled: number;
  readonly customMetrics: Readonly<Record<string, unknown>> | null;
  readonly at: Date;
}

/** As it goes between processes. */
type Published = Omit<MetricReportRecord, 'at'> & { readonly at: string };

/** Bytes of custom metrics in one statement, and in one publication. */
const statementBytesMax = 1_048_576;
/** Bytes of custom metrics of one page. */
export const pageBytesMax = 8_388_608;

/** Metric reports of agents. Source: docs/specification/agents.md#metrics. */
export function createMetricReports(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly events: Pick<Events, 'publish' | 'subscribe'>;
    readonly partitions: Pick<Partitions, 'ready'>;
    readonly metrics: Pick<AgentMetrics, 'metricReports' | 'batchRows'>;
  },
) {
  const { database, clock, events, partitions, metrics } = deps;
  const combined = createCombined<statements.NewReport, statements.StoredReportRow | null>({
    database,
    run: store,
    itemsMax: 1_000,
    waitingMax: 20_000,
    bytesOf: ({ customBytes }) => customBytes,
    bytesMax: statementBytesMax,
  });

  async function store(reports: readonly statements.NewReport[]) {
    await partitions.ready();
    const rows = await database.query<statements.StoredReportRow>(statements.recordReports(clock.pinned(), reports));
    const handled = rows
      .filter(({ has_handled: hasHandled }) => hasHandled)
      .map(({ place }) => reports[place - 1] as statements.NewReport)
      .map(({ agent, requestsHandled }) => ({ agentUuid: agent.uuid, requestsHandled }));
    // Requests reach an agent past the platform; its total is what the platform sees of them.
    if (handled.length > 0) await database.query(noteRequests(clock.pinned(), handled));
    metrics.batchRows.observe({ kind: 'metrics' }, reports.length);
    metrics.metricReports.inc(rows.length);
    const results = Array.from<statements.StoredReportRow | null>({ length: reports.length }).fill(null);
    for (const row of rows) results[row.place - 1] = row;
    const byAgent = Map.groupBy(rows, ({ place }) => (reports[place - 1] as statements.NewReport).agent.uuid);
    for (const [agentUuid, stored] of byAgent)
      events.publish(
        channelOf(agentUuid),
        stored.map((row) => publishedOf(row, reports[row.place - 1] as statements.NewReport)),
      );
    return results;
  }

  /**
   * Records a metric report. It is stored when this resolves, even if the unit of work around it is rolled back. It
   * does not count as a heartbeat.
   *
   * @param report As the schema `MetricReport` allows.
   * @throws {ApiError} `NOT_FOUND` for an agent that is not in the profile; `UNAVAILABLE`.
   * @see docs/specification/agents.md#metrics
   */
  async function record(
    { uuid, profileUuid }: statements.AgentKey,
    report: Omit<MetricReportRecord, 'id' | 'agentUuid' | 'at'>,
  ): Promise<void> {
    const customMetrics = report.customMetrics && JSON.stringify(report.customMetrics);
    const customBytes = customMetrics === null ? 0 : Buffer.byteLength(customMetrics);
    const agent = { uuid: requireUuid(uuid, agentNotFound), profileUuid };
    if ((await combined.add({ ...report, agent, customMetrics, customBytes })) === null) throw agentNotFound();
  }

  /**
   * The latest reports of an agent, the newest first. The agent is taken to be the caller's.
   *
   * @param limit 1 to 10 000. A page also ends at 8 MB of custom metrics, but holds one report at least.
   * @param before The last of the page before.
   */
  async function latest(
    agentUuid: string,
    limit: number,
    before: statements.TelemetryPlace | null = null,
  ): Promise<MetricReportRecord[]> {
    const rows = await database.read<statements.ReportRow>(statements.reports(agentUuid, limit, pageBytesMax, before));
    return rows.map((row) => recordOf(agentUuid, row));
  }

  /**
   * The latest reports of each agent, the newest first, in one statement. The agents are taken to be the caller's.
   *
   * @param input.first Reports of each: 0 to 100, 10 if left out.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds; `TOO_LARGE` over 8 MB of custom metrics.
   */
  async function latestOfAll(
    agentUuids: readonly string[],
    input: z.input<typeof RecentRequest>,
  ): Promise<MetricReportRecord[][]> {
    const { first } = parse(RecentRequest, input);
    const rows = await database.read<statements.ReportRow & { agent_uuid: string; bytes: number }>(
      statements.reportsOfAll(agentUuids, first, pageBytesMax),
    );
    if ((rows[0]?.bytes ?? 0) > pageBytesMax)
      throw new ApiError('TOO_LARGE', 'The custom metrics exceed 8 MB: request fewer reports');
    const byAgent = Map.groupBy(rows, (row) => row.agent_uuid);
    return agentUuids.map((uuid) => (byAgent.get(uuid) ?? []).map((row) => recordOf(uuid, row)));
  }

  /** The reports of an agent from when this resolves. Some may be lost. The agent is taken to be the caller's. */
  async function follow(agentUuid: string): Promise<AsyncGenerator<MetricReportRecord, void, void>> {
    const stream = await events.subscribe<Published[]>(channelOf(agentUuid));
    return eachOf(stream, ({ at, ...report }) => ({ ...report, at: new Date(at) }));
  }

  return { record, latest, latestOfAll, follow };
}

const recordOf = (agentUuid: string, row: statements.ReportRow): MetricReportRecord => ({
  id: row.id,
  agentUuid,
  cpuPercent: row.cpu_percent,
  memoryMb: row.memory_mb,
  requestsHandled: Number(row.requests_handled),
  customMetrics: row.custom_metrics,
  at: row.at,
});

const channelOf = (agentUuid: string) => `agent-metrics:${agentUuid}`;

const publishedOf = (
  { id, at }: statements.StoredReportRow,
  { agent, cpuPercent, memoryMb, requestsHandled, customMetrics }: statements.NewReport,
): Published => ({
  id,
  agentUuid: agent.uuid,
  cpuPercent,
  memoryMb,
  requestsHandled,
  customMetrics: customMetrics === null ? null : JSON.parse(customMetrics),
  at: at.toISOString(),
});
