import { z } from 'zod';
import {
  instantMessage,
  integerBetween,
  label,
  oneOf,
  pageRequest,
  storableText,
  trueOrFalse,
  whenValid,
} from '../platform/input/input.ts';
import { jsonFault } from '../platform/json/json-fault.ts';
import { type HeartbeatMode, heartbeatModes } from '../platform/settings/heartbeat-intervals.ts';

/** A DNS label. Source: docs/specification/agents.md#fields. */
const nameMax = 63;
const descriptionMax = 2_000;
/** Characters of a reference to a container image. */
const imageMax = 512;
const quantityMax = 32;

/** Agents of one page. Without a limit all of them, at most 1000. Source: docs/specification/agents.md#list. */
const pageRowsMax = 1_000;

/** Records of each kind in an export. Source: docs/specification/agents.md#export. */
const exportRowsMax = 10_000;
const exportRowsDefault = 100;

/** Seconds that an agent may drain. */
const drainSecondsMax = 3_600;

const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** Names that clusters and resolvers give a meaning. */
const reservedPattern = /^(kube-|xn--)/;

/** The texts are fixed. Source: docs/specification/errors.md#agent-errors. */
const Name = z
  .string({ error: 'Name is required' })
  .min(1, { error: 'Name is required', abort: true })
  .max(nameMax, { error: `Name must be at most ${nameMax} characters`, abort: true })
  .regex(namePattern, { error: 'Name must be DNS-safe: lowercase alphanumeric and hyphens only', abort: true })
  .refine((name) => !reservedPattern.test(name), 'Name must not begin with kube- or xn--');

const Description = storableText('description').max(
  descriptionMax,
  `description must be at most ${descriptionMax} characters`,
);

/** Which images may run is a setting of the platform, which the service checks. */
const Image = label('image', imageMax);

const quantity = (field: string) => label(`resources.${field}`, quantityMax);

const Resources = z.object(
  {
    cpu_request: quantity('cpu_request').nullish(),
    memory_request: quantity('memory_request').nullish(),
    cpu_limit: quantity('cpu_limit').nullish(),
    memory_limit: quantity('memory_limit').nullish(),
  },
  { error: 'resources must be an object' },
);

/** Seconds without activity: a minute to 30 days. */
const idleSecondsMin = 60;
const idleSecondsMax = 2_592_000;

const IdleAfter = integerBetween('idle_after_seconds', idleSecondsMin, idleSecondsMax)
  .nullable()
  .describe(
    `Seconds without activity after which the agent is suspended: ${idleSecondsMin} to ${idleSecondsMax}; null for never.`,
  );

/** When an agent is suspended by itself. */
export const IdleRequest = z.object({ idle_after_seconds: IdleAfter });

/** Days of one response. */
const usageDaysMax = 92;

const instant = (field: string) => z.date({ error: instantMessage(field) });

export const UsageRequest = z
  .object({ from: instant('from'), to: instant('to') })
  .superRefine(({ from, to }, context) => {
    const days = (to.getTime() - from.getTime()) / 86_400_000;
    if (days < 0) context.addIssue({ code: 'custom', path: ['to'], message: 'to must not be before from' });
    if (days > usageDaysMax)
      context.addIssue({ code: 'custom', path: ['to'], message: `to must be at most ${usageDaysMax} days after from` });
  });

/** Source: docs/specification/agents.md#create. */
export const NewAgent = z.object({
  name: Name,
  description: Description.nullish(),
  image: Image.nullish(),
  resources: Resources.nullish(),
  idle_after_seconds: IdleAfter.optional(),
});

/** Another image for an existing agent. Omitted fields keep their values. */
export const Redeployment = z.object({
  image: Image.nullish(),
  resources: Resources.nullish(),
});

export const DrainRequest = z.object({
  grace_seconds: integerBetween('grace_seconds', 0, drainSecondsMax)
    .nullish()
    .transform((seconds) => seconds ?? 30)
    .describe(`Seconds until the agent is terminated: 0 to ${drainSecondsMax}, 30 by default.`),
});

export const AgentPageRequest = pageRequest(pageRowsMax, pageRowsMax);

/** Events of an agent. REST answers with the complete history, which has this bound. */
export const EventsRequest = z.object({
  first: integerBetween('first', 0, 10_000)
    .nullish()
    .transform((first) => first ?? 20),
});

/** The latest heartbeats or metric reports of an agent. 10 of each. Source: docs/specification/agents.md#details. */
export const RecentRequest = z.object({
  first: integerBetween('first', 0, 100)
    .nullish()
    .transform((first) => first ?? 10),
});

export const LogRequest = z.object({
  tail: integerBetween('tail', 1, 1_000)
    .nullish()
    .transform((tail) => tail ?? 100)
    .describe('Number of the last lines: 1 to 1000, 100 by default.'),
});

export const SeriesRequest = z.object({
  resolution: oneOf('resolution', ['minute', 'hour']),
  from: instant('from'),
  to: instant('to'),
});

/** Ids are whole numbers; the graph and REST show them as text. */
export const LifecycleRequest = z.object({
  agentUuid: z.string({ error: 'agentUuid must be a string' }).nullish(),
  sinceId: z
    .string({ error: 'sinceId must be a string' })
    .max(16, { error: 'sinceId is not the id of an event', abort: true })
    .regex(/^\d{1,15}$/, 'sinceId is not the id of an event')
    .transform(Number)
    .nullish()
    .transform((id) => id ?? null),
});

/** Source: docs/specification/agents.md#export. */
export const ExportRequest = z.object({
  include_telemetry: trueOrFalse('include_telemetry')
    .nullish()
    .transform((isIncluded) => isIncluded ?? true)
    .describe('Whether heartbeats and metrics are included; true by default.'),
  telemetry_limit: integerBetween('telemetry_limit', 1, exportRowsMax)
    .nullish()
    .transform((limit) => limit ?? exportRowsDefault)
    .describe(`Records of each kind: 1 to ${exportRowsMax}, ${exportRowsDefault} by default.`),
});

/** Bytes of `custom_metrics` as JSON in UTF-8. Source: docs/specification/agents.md#metrics. */
const customMetricsBytesMax = 65_536;
const customMetricsDepthMax = 16;

/** A finite number between two bounds, inclusive. A string of digits is not a number. */
const numberBetween = (field: string, min: number, max: number, range: string) => {
  const message = `${field} must be ${range}`;
  return z
    .number({ error: ({ input }) => (input === undefined ? `${field} is required` : message) })
    .min(min, message)
    .max(max, message);
};

const atLeastZero = (field: string) => numberBetween(field, 0, Number.MAX_VALUE, 'a finite number, 0 or more');

/** Resource data, which a heartbeat must not carry. Source: docs/specification/agents.md#heartbeats. */
const resourceFields = ['cpu_percent', 'memory_mb', 'requests_handled', 'custom_metrics'] as const;

const HeartbeatFields = z.object({
  mode: oneOf('mode', heartbeatModes as [HeartbeatMode, ...HeartbeatMode[]]),
  uptime_seconds: atLeastZero('uptime_seconds'),
});

/**
 * Body of POST /api/agents/{uuid}/heartbeat. Other fields are read to find resource data, and then ignored: the type has the documented
 * fields alone. Source: docs/specification/agents.md#heartbeats.
 */
export const Heartbeat: typeof HeartbeatFields = HeartbeatFields.loose().superRefine((heartbeat, context) => {
  for (const field of resourceFields)
    if ((heartbeat?.[field] ?? null) !== null)
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `${field} must be sent in metrics, not in a heartbeat`,
      });
}, whenValid()) as never;

/** Not `z.record`, which would silently drop a member named `__proto__`. */
const customMetrics = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'custom_metrics must be an object',
    abort: true,
  })
  .superRefine((value, context) => {
    const bounds = { bytesMax: customMetricsBytesMax, depthMax: customMetricsDepthMax };
    const fault = jsonFault('custom_metrics', value, bounds);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ type: 'object', additionalProperties: true });

/** Body of POST /api/agents/{uuid}/metrics. Source: docs/specification/agents.md#metrics. */
export const MetricReport = z.object({
  cpu_percent: numberBetween('cpu_percent', 0, 100, 'a number from 0 to 100'),
  memory_mb: atLeastZero('memory_mb'),
  /** Total since the agent's start. */
  requests_handled: integerBetween('requests_handled', 0, Number.MAX_SAFE_INTEGER),
  custom_metrics: customMetrics.nullish(),
});
