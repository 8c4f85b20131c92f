import { bytesOf, millicoresOf } from '../../platform/input/quantities.ts';
import { imageReferenceOf, repositoryOf } from './image-reference.ts';

/** The limits for images and resources of agents. Source: README.md#settings, AGENT_IMAGES, AGENT_MAX_CPU, AGENT_MAX_MEMORY and AGENT_DEFAULTS. */
export interface AgentPolicy {
  /**
   * The images that may run: a repository (`ghcr.io/acme/agent`) with every tag and digest, or the beginning of one up to a slash
   * (`ghcr.io/acme`). Null allows every image.
   */
  readonly images: readonly string[] | null;
  /** The highest limit of CPU, such as `4`. */
  readonly cpuMax: string;
  /** The highest limit of memory, such as `8Gi`. */
  readonly memoryMax: string;
  /** Defaults of `resources`. */
  readonly defaults: AgentResources;
}

/**
 * The policy by the settings. Without AGENT_IMAGES, production runs the default image alone: an image of someone else's choice runs code
 * on the operator's nodes, so the operator says which. Elsewhere every image may run, so that a first try needs no setting.
 */
export const agentPolicyOf = (settings: {
  readonly NODE_ENV: string;
  readonly AGENT_IMAGES?: readonly string[] | null | undefined;
  readonly AGENT_MAX_CPU: string;
  readonly AGENT_MAX_MEMORY: string;
  readonly AGENT_DEFAULTS: {
    readonly cpuRequest: string;
    readonly memoryRequest: string;
    readonly cpuLimit: string;
    readonly memoryLimit: string;
  };
}): AgentPolicy => ({
  images:
    settings.AGENT_IMAGES === undefined
      ? settings.NODE_ENV === 'production'
        ? [defaultRepository]
        : null
      : settings.AGENT_IMAGES,
  cpuMax: settings.AGENT_MAX_CPU,
  memoryMax: settings.AGENT_MAX_MEMORY,
  defaults: {
    cpu_request: settings.AGENT_DEFAULTS.cpuRequest,
    memory_request: settings.AGENT_DEFAULTS.memoryRequest,
    cpu_limit: settings.AGENT_DEFAULTS.cpuLimit,
    memory_limit: settings.AGENT_DEFAULTS.memoryLimit,
  },
});

/** The resources of an agent as a request has them. */
export interface AgentResources {
  readonly cpu_request: string;
  readonly memory_request: string;
  readonly cpu_limit: string;
  readonly memory_limit: string;
}

/** The image of an agent without one: nginx that listens on 8080 as an unprivileged user. Source: docs/specification/agents.md#fields. */
export const defaultImage = 'docker.io/nginxinc/nginx-unprivileged:1.27-alpine';
const defaultRepository = 'docker.io/nginxinc/nginx-unprivileged';

/**
 * Why an agent may not have its image.
 *
 * @param images See `AgentPolicy.images`.
 * @returns The message for the field `image`; undefined when the image is allowed.
 */
export function imageMistake(image: string, images: AgentPolicy['images']): string | undefined {
  const reference = imageReferenceOf(image);
  if (!reference) return 'image must be a container image reference, such as ghcr.io/acme/agent:1.2';
  if (images === null || images.some((allowed) => isBelow(reference.repository, allowed))) return undefined;
  return `image is not allowed on this platform; allowed: ${images.join(', ')}`;
}

/** Compared by whole components: `ghcr.io/acme` allows `ghcr.io/acme/agent`, and `ghcr.io/acme-evil/agent` stays forbidden. */
function isBelow(repository: string, allowed: string): boolean {
  const prefix = prefixOf(allowed);
  return prefix !== null && (repository === prefix || repository.startsWith(`${prefix}/`));
}

/** `docker.io/library/nginx` for `nginx`; a registry alone (`ghcr.io`) stays as it is. */
function prefixOf(text: string): string | null {
  const name = text.replace(/\/$/, '');
  const isRegistry = !name.includes('/') && /[.:]/.test(name);
  if (!isRegistry) return repositoryOf(name);
  return repositoryOf(`${name}/x`)?.slice(0, -'/x'.length) ?? null;
}

interface Measure {
  readonly request: 'cpu_request' | 'memory_request';
  readonly limit: 'cpu_limit' | 'memory_limit';
  readonly max: 'cpuMax' | 'memoryMax';
  readonly example: string;
  amountOf(text: string): bigint | null;
}

const measures: readonly Measure[] = [
  {
    request: 'cpu_request',
    limit: 'cpu_limit',
    max: 'cpuMax',
    example: 'an amount of CPU, such as 100m or 0.5',
    amountOf: millicoresOf,
  },
  {
    request: 'memory_request',
    limit: 'memory_limit',
    max: 'memoryMax',
    example: 'an amount of memory, such as 256Mi or 1Gi',
    amountOf: bytesOf,
  },
];

/**
 * Everything that is wrong with the resources of an agent: an amount that cannot be read, a limit over the platform's highest, and a
 * request over its limit.
 *
 * @param resources With the defaults filled in.
 * @returns A message for each wrong field, by its dotted path, such as `resources.cpu_limit`.
 */
export function resourceMistakes(
  resources: AgentResources,
  policy: Pick<AgentPolicy, 'cpuMax' | 'memoryMax'>,
): Record<string, string> {
  const mistakes: Record<string, string> = {};
  for (const { request, limit, max, example, amountOf } of measures) {
    const [requested, limited, highest] = [resources[request], resources[limit], policy[max]].map(amountOf);
    if (requested == null) mistakes[`resources.${request}`] = `${request} must be ${example}`;
    if (limited == null) mistakes[`resources.${limit}`] = `${limit} must be ${example}`;
    else if (highest == null || limited > highest)
      mistakes[`resources.${limit}`] = `${limit} must be at most ${policy[max]}`;
    if (requested != null && limited != null && requested > limited)
      mistakes[`resources.${request}`] =
        `${request} (${resources[request]}) must be at most ${limit} (${resources[limit]})`;
  }
  return mistakes;
}
