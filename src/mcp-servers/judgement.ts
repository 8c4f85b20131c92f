import type { McpServer } from '../../prisma/generated/client/client.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { Refusal } from '../platform/errors.ts';
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
 * @throws {Refusal} `VALIDATION_ERROR` for stdio without a command, and for http or sse without a url that may be reached.
 * @see gaps.md, Servers
 */
export function judgeConnectable({ transport, command, args, url }: Connectable, egress: Pick<Egress, 'judgeUrl'>) {
  if (transport === 'stdio') {
    if (!command) throw invalid('command', 'command is required for stdio');
    return { transport, command, args: [...(args ?? [])], url: null };
  }
  if (!url) throw invalid('url', `url is required for ${transport}`);
  const { mistake } = egress.judgeUrl(url);
  if (mistake !== undefined) throw invalid('url', `url ${mistake}`);
  return { transport, command: null, args: [], url };
}

/** The fields that webhooks are told of, in the spelling of REST. */
const told = {
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

/** Pure: what a change makes another, with the new values. Those that are secret are masked; a new seal counts as a change. */
export function changesOf(before: McpServer, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(told))
    if (data[field] !== undefined && JSON.stringify(data[field]) !== JSON.stringify(before[field as keyof McpServer]))
      changes[name] = data[field];
  for (const [field, names] of [
    ['env', 'envNames'],
    ['headers', 'headerNames'],
  ] as const)
    if (data[field] !== undefined && data[field] !== before[field]) changes[field] = masked(data[names] as string[]);
  return changes;
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

/** @throws {Refusal} `CONFLICT` for a change of what the registry shows. */
export function refuseReviewed(
  { source }: Pick<McpServer, 'source'>,
  changes: Readonly<Record<string, unknown>>,
): void {
  const refused = source === 'registry' ? reviewed.filter((name) => name in changes) : [];
  if (refused.length > 0)
    throw new Refusal('CONFLICT', 'This server is in the registry: submit it again, or withdraw it first', {
      details: Object.fromEntries(refused.map((name) => [name, `${name} is as the registry shows it`])),
    });
}

const invalid = (field: string, message: string) =>
  new Refusal('VALIDATION_ERROR', 'Validation error', { details: { [field]: message } });
