import type { McpServer } from '../../prisma/generated/client/client.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, maskedUrl } from '../platform/input/input.ts';
import type { Transport } from './input.ts';
import { masked } from './server.ts';

/** How a server is started or reached. */
export interface Connectable {
  readonly transport: Transport;
  readonly command?: string | null | undefined;
  readonly args?: readonly string[] | null | undefined;
  readonly url?: string | null | undefined;
}

/**
 * Pure: what belongs to the transport, and nothing of the other.
 *
 * @throws {ApiError} `VALIDATION_ERROR` for stdio without a command, and for http or sse without a url that may be reached.
 * @see docs/specification/mcp-servers.md#create
 */
export function validateConnectable(
  { transport, command, args, url }: Connectable,
  egress: Pick<Egress, 'validateUrl'>,
) {
  const mistakes = Object.entries(connectableMistakes({ transport, command, url }, egress));
  if (mistakes.length > 0) throw invalid(Object.fromEntries(mistakes));
  return transport === 'stdio'
    ? { transport, command, args: [...(args ?? [])], url: null }
    : { transport, command: null, args: [], url };
}

/** How a server is used that does not say it. */
export const transportOf = ({ transport, command, url }: Partial<Asked>): Transport =>
  transport ?? (url && !command ? 'http' : 'stdio');

type Asked = { readonly [Name in keyof Connectable]?: Connectable[Name] | null | undefined };

/**
 * Pure: what is missing for the transport, or may not be connected to.
 *
 * @param asked Without the fields that are already wrong: rules that depend on them are not checked.
 */
export function connectableMistakes(
  asked: Partial<Asked>,
  egress: Pick<Egress, 'validateUrl'>,
): Record<string, string> {
  const isKnown = (name: keyof Asked) => Object.hasOwn(asked, name);
  if (!isKnown('transport') || (!asked.transport && !(isKnown('command') && isKnown('url')))) return {};
  const transport = transportOf(asked);
  const needed = transport === 'stdio' ? 'command' : 'url';
  if (!isKnown(needed)) return {};
  if (!asked[needed]) return { [needed]: `${needed} is required for ${transport}` };
  const mistake = needed === 'url' ? egress.validateUrl(asked.url ?? '').mistake : undefined;
  return mistake === undefined ? {} : { url: `url ${mistake}` };
}

/** The fields in webhook events, in the spelling of REST. */
const webhookNames = {
  name: 'name',
  title: 'title',
  description: 'description',
  transport: 'transport',
  command: 'command',
  args: 'args',
  url: 'url',
  notes: 'notes',
  isPublic: 'is_public',
  repositoryUrl: 'repository_url',
  packageType: 'package_type',
  category: 'category',
  tags: 'tags',
  version: 'version',
} as const satisfies Partial<Record<keyof McpServer, string>>;

/** Pure: what a change makes another, with the new values. Those that are secret are masked, the query of a url too; a new seal counts as a change. */
export function changesOf(before: McpServer, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(webhookNames))
    if (data[field] !== undefined && JSON.stringify(data[field]) !== JSON.stringify(before[field as keyof McpServer]))
      changes[name] = field === 'url' && data.url ? maskedUrl(String(data.url)) : data[field];
  for (const [field, names] of [
    ['env', 'envNames'],
    ['headers', 'headerNames'],
  ] as const)
    if (data[field] !== undefined && data[field] !== before[field]) changes[field] = masked(data[names] as string[]);
  return changes;
}

/** What makes a server another one to ask, in the spelling of `changesOf`. */
const reachedBy = ['transport', 'url', 'headers'];
/** Marks a server whose discovery is queued in the same transaction, by that job. */
export const queuedAt = (now: Date, discoveryJob: string) => ({
  discoveryStatus: 'queued',
  discoveryAt: now,
  discoveryJob,
});
/** Marks a server that the platform no longer discovers, and whose capabilities no client has reported. */
const notAsked = { discoveryStatus: 'never', discoveryAt: null, discoveryJob: null, discoveryError: null };

/**
 * Pure: whether a server is discovered again after a change, and its new status.
 *
 * @param newJob For a server whose job is not waiting. A waiting job will see the changed server; a running one
 * connected to the old one.
 * @returns The job to queue; null for none.
 */
export function discoveryAfter(
  before: McpServer,
  changes: Readonly<Record<string, unknown>>,
  now: Date,
  newJob: string,
): { jobUuid: string | null; marks: object } {
  const transport = changes.transport ?? before.transport;
  if (!reachedBy.some((name) => name in changes)) return { jobUuid: null, marks: {} };
  if (transport === 'stdio') return { jobUuid: null, marks: before.transport === 'stdio' ? {} : notAsked };
  const jobUuid = (before.discoveryStatus === 'queued' && before.discoveryJob) || newJob;
  return { jobUuid, marks: queuedAt(now, jobUuid) };
}

/** What the registry shows of a server: its owner changes that by submitting it again, past an administrator's eyes. */
const reviewed = [
  'name',
  'title',
  'description',
  'transport',
  'command',
  'args',
  'url',
  'repository_url',
  'package_type',
  'version',
];

/** @throws {ApiError} `CONFLICT` for a change of what the registry shows. */
export function refuseReviewed(
  { source }: Pick<McpServer, 'source'>,
  changes: Readonly<Record<string, unknown>>,
): void {
  const refused = source === 'registry' ? reviewed.filter((name) => name in changes) : [];
  if (refused.length > 0)
    throw new ApiError(
      'CONFLICT',
      'This server is in the registry: submit the change there, or withdraw the server first',
      {
        details: Object.fromEntries(refused.map((name) => [name, `${name} cannot differ from the registry`])),
      },
    );
}
