import { z } from 'zod';
import { bytesOf, millicoresOf } from '../input/quantities.ts';

/**
 * A setting that is a JSON object. Every mistake in it is named with the path of the member. @param example The
 * expected form.
 */
const jsonSetting = <Schema extends z.ZodType>(schema: Schema, example: string) =>
  z
    .string()
    .optional()
    .transform((text, context): z.output<Schema> => {
      let given: unknown = {};
      try {
        given = JSON.parse(text ?? '{}');
      } catch {
        context.addIssue(`a JSON object, such as ${example}`);
        return z.NEVER;
      }
      const result = schema.safeParse(given);
      if (result.success) return result.data;
      for (const { path, message } of result.error.issues)
        context.addIssue(path.length > 0 ? `${path.join('.')} to be ${message}` : `${message}, such as ${example}`);
      return z.NEVER;
    });

const cpu = z.string().refine((text) => millicoresOf(text) !== null, { error: 'an amount of CPU, such as 500m or 4' });
const memory = z
  .string()
  .refine((text) => bytesOf(text) !== null, { error: 'an amount of memory, such as 512Mi or 8Gi' });

const strict = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: `an object of ${Object.keys(shape).join(', ')}` });

/** Limits of the live agents of a project. An omitted resource is not limited. */
const Quota = strict({
  /** Sum of CPU limits of the agents that are not suspended. */
  cpu: cpu.optional(),
  /** The same of memory limits. */
  memory: memory.optional(),
  agents: z.int({ error: 'a whole number' }).min(0, 'a whole number, 0 or more').optional(),
});

const quotas = jsonSetting(
  strict({ free: Quota.optional(), pro: Quota.optional(), enterprise: Quota.optional(), '*': Quota.optional() }),
  '{"free": {"cpu": "4", "memory": "8Gi", "agents": 10}}',
);

const defaults = jsonSetting(
  strict({
    cpuRequest: cpu.default('100m'),
    memoryRequest: memory.default('256Mi'),
    cpuLimit: cpu.default('1000m'),
    memoryLimit: memory.default('1Gi'),
  }),
  '{"cpuLimit": "500m", "memoryLimit": "512Mi"}',
);

const key = z
  .string()
  .regex(
    /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
    'a key of Kubernetes',
  );
const value = z.string().regex(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/, 'a label value of Kubernetes');
const objectName = z.string().regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'the name of an object');
const id = z
  .int({ error: 'a whole number' })
  .min(1, 'an id above 0, because agents never run as root')
  .max(4_294_967_295, 'an id');

const Toleration = strict({
  key: key.optional(),
  operator: z.enum(['Equal', 'Exists'], { error: 'Equal or Exists' }).optional(),
  value: value.optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], { error: 'an effect of a taint' }).optional(),
  tolerationSeconds: z.int({ error: 'a whole number' }).min(0, '0 or more').optional(),
});

const pods = jsonSetting(
  strict({
    tolerations: z.array(Toleration, { error: 'a list of tolerations' }).max(20, 'at most 20 tolerations').optional(),
    nodeSelector: z.record(key, value, { error: 'an object of labels' }).optional(),
    runtimeClassName: objectName.optional(),
    /** Additions alone: nothing here weakens the Pod Security Standard "restricted". */
    securityContext: strict({
      runAsUser: id.optional(),
      runAsGroup: id.optional(),
      fsGroup: id.optional(),
      supplementalGroups: z.array(id, { error: 'a list of ids' }).max(20, 'at most 20 ids').optional(),
      fsGroupChangePolicy: z.enum(['Always', 'OnRootMismatch'], { error: 'Always or OnRootMismatch' }).optional(),
      seLinuxOptions: strict({
        level: z.string({ error: 'a text' }).max(253, 'at most 253 characters').optional(),
        type: z
          .enum(['container_t', 'container_init_t', 'container_kvm_t'], {
            error: 'container_t, container_init_t or container_kvm_t',
          })
          .optional(),
      }).optional(),
    }).optional(),
    serviceAccount: strict({
      name: objectName.optional(),
      annotations: z.record(key, z.string({ error: 'a text' }), { error: 'an object of texts' }).optional(),
    })
      .refine(({ name, annotations }) => name === undefined || annotations === undefined, {
        error: 'name or annotations: an account that exists keeps its own annotations',
      })
      .optional(),
  }),
  '{"nodeSelector": {"pool": "agents"}, "runtimeClassName": "gvisor"}',
);
export type AgentPods = z.output<typeof pods>;

/** The settings of agents that are JSON objects, a part of src/platform/settings/agent-settings.ts. */
export const agentJsonSettings = {
  AGENT_DEFAULTS: defaults.describe(
    'Resources of an agent where its request names none: a JSON object of `cpuRequest`, `memoryRequest`, `cpuLimit` and `memoryLimit`. Left out: 100m, 256Mi, 1000m, 1Gi.',
  ),
  AGENT_QUOTAS: quotas.describe(
    'Quota of the live agents of a project, by tier (`free`, `pro`, `enterprise`, or `*` for all others): a JSON object such as `{"free": {"cpu": "4", "memory": "8Gi", "agents": 10}}`. `cpu` and `memory` count the limits of agents that are not suspended. Left out: no quota.',
  ),
  AGENT_PODS: pods.describe(
    'Additions to the pods of all agents: a JSON object of `tolerations`, `nodeSelector`, `runtimeClassName`, `securityContext` and `serviceAccount` (`name` of an account that exists, or `annotations` for those that are made). An agent that runs gets them with its next change.',
  ),
} as const;

type Defaults = z.output<typeof defaults>;

/** Mistakes of the defaults: against the maxima and each other. */
export function defaultsMistakes({
  AGENT_DEFAULTS,
  AGENT_MAX_CPU,
  AGENT_MAX_MEMORY,
}: {
  readonly AGENT_DEFAULTS: Defaults;
  readonly AGENT_MAX_CPU: string;
  readonly AGENT_MAX_MEMORY: string;
}): string[] {
  const { cpuRequest, cpuLimit, memoryRequest, memoryLimit } = AGENT_DEFAULTS;
  const isOver = (of: (text: string) => bigint | null, given: string, max: string) =>
    (of(given) ?? 0n) > (of(max) ?? 0n);
  return [
    isOver(millicoresOf, cpuLimit, AGENT_MAX_CPU) && 'cpuLimit to be at most AGENT_MAX_CPU',
    isOver(bytesOf, memoryLimit, AGENT_MAX_MEMORY) && 'memoryLimit to be at most AGENT_MAX_MEMORY',
    isOver(millicoresOf, cpuRequest, cpuLimit) && 'cpuRequest to be at most cpuLimit',
    isOver(bytesOf, memoryRequest, memoryLimit) && 'memoryRequest to be at most memoryLimit',
  ].flatMap((mistake) => (mistake ? [`AGENT_DEFAULTS: expected ${mistake}`] : []));
}
