import type { AgentExport, HeartbeatRecord, MetricBucket, MetricReportRecord } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import { enumOf } from '../enum.ts';
import { mutation } from '../mutation.ts';
import { query } from '../query.ts';
import { Agent, HeartbeatModeEnum } from './agent.ts';
import { AgentEvent } from './event.ts';
import { recordLoaders } from './loaders.ts';

const Heartbeat = builder.objectRef<HeartbeatRecord>('AgentHeartbeat').implement({
  description: 'A heartbeat of an agent. It carries no resource data.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id; later heartbeats of an agent have larger ones.' }),
    agentUuid: t.expose('agentUuid', { type: 'UUID', description: 'UUID of the agent.' }),
    mode: t.expose('mode', { type: HeartbeatModeEnum, description: 'Mode of the agent.' }),
    uptimeSeconds: t.exposeFloat('uptimeSeconds', { description: 'Seconds since the agent started.' }),
    at: t.expose('at', { type: 'DateTime', description: 'Time at which the platform received it.' }),
  }),
});

const MetricReport = builder.objectRef<MetricReportRecord>('AgentMetricReport').implement({
  description: 'Resource data that an agent reported.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id; later reports of an agent have larger ones.' }),
    agentUuid: t.expose('agentUuid', { type: 'UUID', description: 'UUID of the agent.' }),
    cpuPercent: t.exposeFloat('cpuPercent', { description: 'CPU in percent, 0 to 100.' }),
    memoryMb: t.exposeFloat('memoryMb', { description: 'Memory in megabytes.' }),
    requestsHandled: t.exposeFloat('requestsHandled', {
      description: 'Requests handled since the agent started: an integer to 2^53-1.',
    }),
    customMetrics: t.expose('customMetrics', {
      type: 'JSONObject',
      nullable: true,
      description: 'Figures of its own, at most 64 kB of JSON.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time at which the platform received it.' }),
  }),
});

const recentArgs = { first: 10 } as const;

builder.prismaObjectFields(Agent, (t) => ({
  recentHeartbeats: t.field({
    type: [Heartbeat],
    description: 'The latest heartbeats, the newest first.',
    args: { first: t.arg.int({ defaultValue: recentArgs.first, description: '0 to 100.' }) },
    resolve: ({ uuid }, { first }, context, info) =>
      recordLoaders(context, info, first ?? recentArgs.first).heartbeats.load(uuid),
  }),
  recentMetrics: t.field({
    type: [MetricReport],
    description: 'The latest metric reports, the newest first.',
    args: { first: t.arg.int({ defaultValue: recentArgs.first, description: '0 to 100.' }) },
    resolve: ({ uuid }, { first }, context, info) =>
      recordLoaders(context, info, first ?? recentArgs.first).metrics.load(uuid),
  }),
}));

mutation('agentHeartbeat', {
  description:
    'Records a heartbeat. The first one of a deployed agent activates it; one of an unhealthy agent ends that condition.',
  rateLimit: 'agents',
  input: {
    description: 'A heartbeat.',
    argument: 'The heartbeat.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the agent.' }),
      mode: t.field({ type: HeartbeatModeEnum, required: true, description: 'Mode of the agent.' }),
      uptimeSeconds: t.float({ required: true, description: 'Seconds since the agent started: 0 or more.' }),
    }),
  },
  payload: { uuid: { type: 'UUID', description: 'UUID of the agent.' } },
  payloadDescription: 'Result of `agentHeartbeat`: the heartbeat is stored.',
  resolve: async ({ uuid, mode, uptimeSeconds }, { caller, services }) => ({
    uuid: await services.agents.reports.heartbeat(caller, uuid, { mode, uptime_seconds: uptimeSeconds }),
  }),
});

mutation('agentMetricsReport', {
  description: 'Records resource data of an agent. It does not count as a heartbeat.',
  rateLimit: 'agents',
  input: {
    description: 'Resource data of an agent.',
    argument: 'The report.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the agent.' }),
      cpuPercent: t.float({ required: true, description: 'CPU in percent, 0 to 100.' }),
      memoryMb: t.float({ required: true, description: 'Memory in megabytes.' }),
      requestsHandled: t.float({
        required: true,
        description: 'Requests handled since the agent started: an integer to 2^53-1.',
      }),
      customMetrics: t.field({ type: 'JSONObject', description: 'Figures of its own, at most 64 kB of JSON.' }),
    }),
  },
  payload: { uuid: { type: 'UUID', description: 'UUID of the agent.' } },
  payloadDescription: 'Result of `agentMetricsReport`: the report is stored.',
  resolve: async (input, { caller, services }) => ({
    uuid: await services.agents.reports.metrics(caller, input.uuid, {
      cpu_percent: input.cpuPercent,
      memory_mb: input.memoryMb,
      requests_handled: input.requestsHandled,
      custom_metrics: input.customMetrics,
    }),
  }),
});

const Export = builder.objectRef<AgentExport>('AgentExport').implement({
  description: 'All data that the platform stores about an agent.',
  fields: (t) => ({
    agent: t.field({ type: Agent, description: 'The agent.', resolve: ({ agent }) => agent as never }),
    heartbeats: t.expose('heartbeats', {
      type: [Heartbeat],
      description: 'The latest heartbeats, the newest first.',
      extensions: { defaultLength: 100 },
    }),
    metrics: t.expose('metrics', {
      type: [MetricReport],
      description: 'The latest metric reports, the newest first.',
      extensions: { defaultLength: 100 },
    }),
    lifecycleEvents: t.expose('lifecycleEvents', {
      type: [AgentEvent],
      description: 'The lifecycle events, the newest first.',
      extensions: { defaultLength: 100 },
    }),
    exportedAt: t.expose('exportedAt', { type: 'DateTime', description: 'Time of the export.' }),
  }),
});

query('agentExport', {
  type: Export,
  description: 'All data that the platform stores about an agent of your profile.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the agent.' }),
    includeTelemetry: arg.boolean({ description: 'Whether heartbeats and metrics are included; true by default.' }),
    telemetryLimit: arg.int({ description: 'Records of each kind: 1 to 10 000, 100 by default.' }),
  }),
  extensions: { rateLimit: 'agents' },
  resolve: (_root, { uuid, includeTelemetry, telemetryLimit }, context, info) =>
    context.services.agents.reports.exported(
      context.caller,
      uuid,
      { include_telemetry: includeTelemetry, telemetry_limit: telemetryLimit },
      rowQuery(context, info, 'Agent', 'agent'),
    ),
});

const Resolution = enumOf('AgentMetricResolution', 'Length of a bucket of a series.', {
  minute: 'A minute.',
  hour: 'An hour.',
});

const Bucket = builder.objectRef<MetricBucket>('AgentMetricBucket').implement({
  description: 'The metric reports of an agent in a minute or an hour.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'Start of the bucket.' }),
    samples: t.exposeInt('samples', { description: 'Number of reports.' }),
    cpuPercentAverage: t.exposeFloat('cpuPercentAverage', { description: 'Average CPU in percent.' }),
    cpuPercentMax: t.exposeFloat('cpuPercentMax', { description: 'Highest CPU in percent.' }),
    memoryMbAverage: t.exposeFloat('memoryMbAverage', { description: 'Average memory in megabytes.' }),
    memoryMbMax: t.exposeFloat('memoryMbMax', { description: 'Highest memory in megabytes.' }),
    requestsHandled: t.exposeFloat('requestsHandled', { description: 'Requests handled in the bucket.' }),
  }),
});

query('agentMetricSeries', {
  type: [Bucket],
  description:
    'Metric reports of an agent added up by minute or hour, the oldest bucket first, for charts. Buckets without reports are left out.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the agent.' }),
    resolution: arg({ type: Resolution, required: true, description: 'Length of a bucket.' }),
    from: arg({ type: 'DateTime', required: true, description: 'The first instant.' }),
    to: arg({
      type: 'DateTime',
      required: true,
      description: 'The instant before which the series ends: at most 1500 buckets after `from`.',
    }),
  }),
  extensions: { rateLimit: 'agents', defaultLength: 1_500 },
  resolve: (_root, { uuid, ...input }, { caller, services }) => services.agents.reports.series(caller, uuid, input),
});

const agentArg = { required: true, description: 'UUID of the agent.' } as const;

builder.subscriptionField('agentHeartbeats', (t) =>
  t.field({
    type: Heartbeat,
    description: 'The heartbeats of an agent as they arrive. Some may be left out while the connection is slow.',
    args: { agentUuid: t.arg.string(agentArg) },
    extensions: { rateLimit: 'agents', sharesResults: true },
    subscribe: (_root, { agentUuid }, { caller, services }) =>
      services.agents.reports.followHeartbeats(caller, agentUuid),
    resolve: (heartbeat) => heartbeat,
  }),
);

builder.subscriptionField('agentMetrics', (t) =>
  t.field({
    type: MetricReport,
    description: 'The metric reports of an agent as they arrive. Some may be left out while the connection is slow.',
    args: { agentUuid: t.arg.string(agentArg) },
    extensions: { rateLimit: 'agents', sharesResults: true },
    subscribe: (_root, { agentUuid }, { caller, services }) => services.agents.reports.followMetrics(caller, agentUuid),
    resolve: (report) => report,
  }),
);
