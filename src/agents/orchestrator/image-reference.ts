/** A container image, as registries and container runtimes read its reference. */
export interface ImageReference {
  /** Registry and repository in full, such as `docker.io/library/nginx` for `nginx`. */
  readonly repository: string;
  /** Null where a digest stands alone; `latest` where there is neither. */
  readonly tag: string | null;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string | null;
}

const referenceLengthMax = 512;
const repositoryLengthMax = 255;
const hostPattern =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*(?::\d{1,5})?$/;
const componentPattern = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^sha256:[a-f0-9]{64}$/;

/**
 * Parses a reference such as `nginx`, `ghcr.io/acme/agent:1.2` or `localhost:5000/agent@sha256:…`.
 *
 * @returns Null for text that is not a reference.
 * @see https://github.com/distribution/reference (its grammar; registries by IPv6 and digests other than SHA-256 are
 * left out)
 */
export function imageReferenceOf(text: string): ImageReference | null {
  if (text.length > referenceLengthMax) return null;
  const [named = '', digest = null, ...more] = text.split('@');
  if (more.length > 0 || (digest !== null && !digestPattern.test(digest))) return null;
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const tag = colon === -1 ? null : named.slice(colon + 1);
  if (tag !== null && !tagPattern.test(tag)) return null;
  const repository = repositoryOf(colon === -1 ? named : named.slice(0, colon));
  if (repository === null) return null;
  return { repository, tag: tag ?? (digest ? null : 'latest'), digest };
}

/**
 * The full name of a repository. The first component is a registry when it has a dot or a port or is `localhost`; without a registry
 * the repository is one of Docker Hub.
 */
export function repositoryOf(name: string): string | null {
  const components = name.split('/');
  const [first = ''] = components;
  const hasRegistry = components.length > 1 && (/[.:]/.test(first) || first === 'localhost');
  const registry = hasRegistry ? first : 'docker.io';
  const path = hasRegistry ? components.slice(1) : components.length === 1 ? ['library', first] : components;
  const repository = `${registry === 'index.docker.io' ? 'docker.io' : registry.toLowerCase()}/${path.join('/')}`;
  const isWellFormed = hostPattern.test(registry) && path.every((component) => componentPattern.test(component));
  return isWellFormed && repository.length <= repositoryLengthMax ? repository : null;
}
