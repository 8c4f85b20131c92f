import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { type AgentRecord, type AgentShape, agentNotFound } from './agent.ts';
import type { AgentEventRecord, createAgentEvents } from './events.ts';
import type { HeartbeatRecord } from './heartbeats.ts';
import { ExportRequest, Heartbeat, MetricReport, SeriesRequest } from './input.ts';
import type { MetricReportRecord } from './metric-reports.ts';
import type { MetricBucket } from './series.ts';
import type { Telemetry } from './telemetry.ts';

/** Everything that the platform holds of an agent. Source: docs/specification/agents.md#export. */
export interface AgentExport {
  readonly agent: AgentRecord;
  readonly heartbeats: HeartbeatRecord[];
  readonly metrics: MetricReportRecord[];
  readonly lifecycleEvents: AgentEventRecord[];
  readonly exportedAt: Date;
}

/** Lifecycle events of an export. */
const exportedEventsMax = 10_000;

export interface ReportDependencies extends Pick<Platform, 'clock'> {
  readonly telemetry: Pick<Telemetry, 'heartbeats' | 'metricReports' | 'series'>;
  readonly find: (caller: Caller, uuid: string, query?: AgentShape) => Promise<AgentRecord>;
  readonly events: Pick<ReturnType<typeof createAgentEvents>, 'latest'>;
}

/** Reports of agents, and their queries. */
export function createReports({ clock, telemetry, find, events }: ReportDependencies) {
  const { heartbeats, metricReports, series: allSeries } = telemetry;

  /** The agent that a caller may report for: any of its profile, or, for an agent's own credential, that agent alone. */
  function reporting(caller: Caller, uuid: string): { uuid: string; profileUuid: string } {
    const { kind, credentialUuid, profileUuid } = authorize(caller, 'agents:report');
    const agentUuid = requireUuid(uuid, agentNotFound);
    if (kind === 'agent' && credentialUuid !== agentUuid) throw agentNotFound();
    return { uuid: agentUuid, profileUuid };
  }

  /**
   * Records a heartbeat. The first one of a deployed agent activates it; one of an unhealthy agent ends that condition.
   *
   * @returns The uuid of the agent. The heartbeat is stored then.
   * @throws {ApiError} `VALIDATION_ERROR`, also for resource data; `NOT_FOUND`, also for an agent of another profile.
   * @see docs/specification/agents.md#heartbeats
   */
  async function heartbeat(caller: Caller, uuid: string, input: z.input<typeof Heartbeat>): Promise<string> {
    const agent = reporting(caller, uuid);
    const { mode, uptime_seconds: uptimeSeconds } = parse(Heartbeat, input);
    await heartbeats.record(agent, { mode, uptimeSeconds });
    return agent.uuid;
  }

  /**
   * Records a metric report.
   *
   * @returns The uuid of the agent. The report is stored then.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND`, also for an agent of another profile.
   * @see docs/specification/agents.md#metrics
   */
  async function metrics(caller: Caller, uuid: string, input: z.input<typeof MetricReport>): Promise<string> {
    const agent = reporting(caller, uuid);
    const report = parse(MetricReport, input);
    await metricReports.record(agent, {
      cpuPercent: report.cpu_percent,
      memoryMb: report.memory_mb,
      requestsHandled: report.requests_handled,
      customMetrics: report.custom_metrics ?? null,
    });
    return agent.uuid;
  }

  /**
   * Everything that the platform holds of an agent.
   *
   * @param input.telemetry_limit Heartbeats and reports at most: 1 to 10 000 of each, 100 if left out. Reports also end at 8 MB of
   *   custom metrics.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND`, also for an agent of another profile.
   * @see docs/specification/agents.md#export
   */
  async function exported(
    caller: Caller,
    uuid: string,
    input: z.input<typeof ExportRequest>,
    query?: AgentShape,
  ): Promise<AgentExport> {
    authorize(caller, 'agents:read');
    const { include_telemetry: isIncluded, telemetry_limit: limit } = parse(ExportRequest, input);
    const agent = await find(caller, uuid, query);
    const [beats, reports, [history = []]] = await Promise.all([
      isIncluded ? heartbeats.latest(agent.uuid, limit) : [],
      isIncluded ? metricReports.latest(agent.uuid, limit) : [],
      events.latest([agent.uuid], { first: exportedEventsMax }),
    ]);
    return { agent, heartbeats: beats, metrics: reports, lifecycleEvents: history, exportedAt: clock.now() };
  }

  /** The heartbeats of an agent from when this resolves; some may be lost. @throws {ApiError} `NOT_FOUND`. */
  async function followHeartbeats(caller: Caller, uuid: string): Promise<AsyncGenerator<HeartbeatRecord, void, void>> {
    authorize(caller, 'agents:read');
    await find(caller, uuid);
    return heartbeats.follow(requireUuid(uuid, agentNotFound));
  }

  /** The metric reports of an agent from when this resolves; some may be lost. @throws {ApiError} `NOT_FOUND`. */
  async function followMetrics(caller: Caller, uuid: string): Promise<AsyncGenerator<MetricReportRecord, void, void>> {
    authorize(caller, 'agents:read');
    await find(caller, uuid);
    return metricReports.follow(requireUuid(uuid, agentNotFound));
  }

  /**
   * Metric reports of an agent by minute or hour, the oldest first.
   *
   * @throws {ApiError} `VALIDATION_ERROR` for more than 1500 buckets; `NOT_FOUND`.
   */
  async function series(caller: Caller, uuid: string, input: z.input<typeof SeriesRequest>): Promise<MetricBucket[]> {
    authorize(caller, 'agents:read');
    const { resolution, from, to } = parse(SeriesRequest, input);
    await find(caller, uuid);
    return allSeries.buckets(requireUuid(uuid, agentNotFound), resolution, from, to);
  }

  return {
    heartbeat,
    metrics,
    exported,
    followHeartbeats,
    followMetrics,
    series,
    latestHeartbeats: heartbeats.latestOfAll,
    latestMetrics: metricReports.latestOfAll,
  };
}
