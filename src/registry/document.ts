import type { GithubRepository } from './github.ts';
import type { PackageType } from './input.ts';
import type { Manifest } from './manifest.ts';
import { registryNameOf } from './repository.ts';
import { type ServerJson, schemaUrl } from './server-json.ts';

const descriptionMax = 100;

/** The start and connection settings in a submission. */
export interface Usage {
  readonly packageType: PackageType;
  readonly transport: readonly ('stdio' | 'sse' | 'http')[];
  readonly environmentVariables: readonly string[];
}

/**
 * The server.json of a submission: the repository as GitHub knows it, what its manifest says, and how it is used. Pure.
 *
 * @param repository Whose names and number are the code host's, never the submitter's.
 */
export function documentOf(repository: GithubRepository, manifest: Manifest, usage: Usage): ServerJson {
  const { owner, name } = repository;
  const version = manifest.version ?? versionOfPush(repository.pushedAt);
  const description = manifest.description ?? repository.description ?? `An MCP server from ${owner}/${name}`;
  return {
    $schema: schemaUrl,
    name: registryNameOf(repository),
    description: shortened(description, descriptionMax),
    repository: { url: repository.url, source: 'github', id: String(repository.id) },
    version,
    packages: usage.transport.map((transport) => ({
      ...packageOf(repository, manifest, usage.packageType, version),
      transport: transportOf(transport),
      ...(usage.environmentVariables.length > 0 && {
        environmentVariables: usage.environmentVariables.map((variable) => ({ name: variable })),
      }),
    })),
  };
}

/** The user who starts a package chooses its address: the address is a variable. Source: server.schema.json, URL templates. */
const transportOf = (transport: Usage['transport'][number]) =>
  transport === 'stdio'
    ? { type: 'stdio' as const }
    : { type: transport === 'sse' ? ('sse' as const) : ('streamable-http' as const), url: '{url}' };

function packageOf({ owner, name }: GithubRepository, { packageName }: Manifest, type: PackageType, version: string) {
  if (type === 'npm')
    return {
      registryType: 'npm',
      registryBaseUrl: 'https://registry.npmjs.org',
      identifier: packageName ?? name,
      version,
    };
  if (type === 'pypi')
    return { registryType: 'pypi', registryBaseUrl: 'https://pypi.org', identifier: packageName ?? name, version };
  // Where GitHub keeps the images of a repository. An OCI identifier has its tag in it, and is lower case.
  return { registryType: 'oci', identifier: `ghcr.io/${owner}/${name}:${version}`.toLowerCase() };
}

/** For a repository whose manifest has no version: by the time of its last push, so that later ones are newer. */
const versionOfPush = (pushedAt: Date): string => `0.0.0-${pushedAt.toISOString().replace(/\D/g, '').slice(0, 14)}`;

/** At most `max` UTF-16 units, and no half of a character. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** How a client starts the server of a server.json, if it can be derived: data, which the platform never runs. */
export interface Start {
  readonly transport: 'stdio' | 'sse' | 'http';
  readonly transports: readonly string[];
  readonly command: string | null;
  readonly args: readonly string[];
  readonly url: string | null;
  readonly packageType: PackageType | null;
  readonly environmentVariables: readonly string[];
}

/** A map, because a type is foreign text: an object would also find inherited properties. */
const packageTypes: ReadonlyMap<string, PackageType> = new Map([
  ['npm', 'npm'],
  ['pypi', 'pypi'],
  ['oci', 'docker'],
  ['docker', 'docker'],
]);

const packageTypeOf = (type: string): PackageType | null => packageTypes.get(type.toLowerCase()) ?? null;

const transportNames = { stdio: 'stdio', sse: 'sse', 'streamable-http': 'http' } as const;

/**
 * How the server of a document is used: what runs elsewhere by its address, a package by a command. Pure.
 *
 * @param isReachable Whether an address may be called from here; one that may not be is left out.
 */
export function startOf(document: ServerJson, isReachable: (url: string) => boolean): Start {
  const { packages = [], remotes = [] } = document;
  const startable = packages.filter(({ registryType }) => packageTypeOf(registryType));
  const known = startable.length > 0 ? startable : packages;
  const first = known.find(({ transport }) => transport.type === 'stdio') ?? known[0];
  // An address with variables cannot be called before a user has filled them in.
  const remote = remotes.find(({ url }) => !/[{}]/.test(url) && isReachable(url));
  const ways = [...remotes.map(({ type }) => type), ...packages.map(({ transport }) => transport.type)];
  const transports = [...new Set(ways.map((type) => transportNames[type]))];
  const packageType = first ? packageTypeOf(first.registryType) : null;
  const variables = [...new Set((first?.environmentVariables ?? []).map(({ name }) => name))].slice(0, 100);
  const shared = { packageType, environmentVariables: variables };
  if (remote && first?.transport.type !== 'stdio')
    return { ...shared, transport: transportNames[remote.type], transports, command: null, args: [], url: remote.url };
  const [elsewhere] = remotes;
  // The address is unknown before a user has filled in the variables, or it may not be called from here.
  if (elsewhere && !first)
    return { ...shared, transport: transportNames[elsewhere.type], transports, command: null, args: [], url: null };
  if (!first) return { ...shared, transport: 'stdio', transports: ['stdio'], command: null, args: [], url: null };
  // Other transports start in the same way; the user who starts the server chooses where it listens.
  const transport = transportNames[first.transport.type];
  return { ...shared, transport, transports, ...commandOf(first, variables), url: null };
}

type Package = NonNullable<ServerJson['packages']>[number];
type Argument = NonNullable<Package['packageArguments']>[number];

/** The usual command for a package type, with its fixed arguments; a document may name another one. */
function commandOf(
  { registryType, identifier, version, runtimeHint, runtimeArguments, packageArguments }: Package,
  variables: readonly string[],
): { command: string | null; args: string[] } {
  const type = packageTypeOf(registryType);
  const pinned = (mark: string) => (version === undefined ? identifier : `${identifier}${mark}${version}`);
  const [before, after] = [literals(runtimeArguments), literals(packageArguments)];
  if (type === 'npm') return { command: runtimeHint ?? 'npx', args: ['-y', ...before, pinned('@'), ...after] };
  if (type === 'pypi') return { command: runtimeHint ?? 'uvx', args: [...before, pinned('=='), ...after] };
  if (type === 'docker') {
    // A container sees only the variables that the command hands on by name.
    const handed = variables.flatMap((name) => ['-e', name]);
    return {
      command: runtimeHint ?? 'docker',
      args: ['run', '-i', '--rm', ...handed, ...before, identifier, ...after],
    };
  }
  return { command: runtimeHint ?? null, args: [...before, pinned('@'), ...after] };
}

/**
 * Arguments whose values are known; those that a user has yet to fill in are left out. Source: server.schema.json, Input: "If
 * this is not set, the user may be prompted to provide a value".
 */
const literals = (given: readonly Argument[] = []): string[] =>
  given.flatMap(({ type, name = '', value, default: usual }) => {
    const known = value ?? usual;
    if (known === undefined || /\{[^{}]+\}/.test(known)) return [];
    return [type === 'named' ? name : '', known].filter((part) => part !== '');
  });
