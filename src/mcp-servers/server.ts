import type { McpServer, Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { mask } from '../platform/input/input.ts';

/** A server as other areas see it: without the encrypted values. */
export type McpServerRecord = Omit<McpServer, 'env' | 'headers'>;
export type McpServerShape = Pick<Prisma.McpServerFindManyArgs, 'select' | 'include' | 'omit'>;

export const withoutSecrets = { omit: { env: true, headers: true } } as const;

/** The same for a server that does not exist, a malformed id, and another user's private server. */
export const serverNotFound = () => new ApiError('NOT_FOUND', 'Server not found');

/** The user whose own servers the caller sees beside the public ones; null for none. */
export const seerOf = (caller: Caller): string | null =>
  caller.principal === null ? null : authorize(caller, 'mcp-servers:read').profileUuid;

/** The user whose own servers the caller sees, where the scope was checked already. */
export const profileOf = ({ principal }: Caller): string | null => principal?.profileUuid ?? null;

/** The servers that a caller may see. */
export function visibleTo(profileUuid: string | null): Prisma.McpServerWhereInput {
  return profileUuid === null ? { isPublic: true } : { OR: [{ profileUuid }, { isPublic: true }] };
}

/** Values that are not shown, by their names. */
export const masked = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, mask]));

/** 0 while there is none, else to two decimals. */
export const ratingOf = ({ ratingSum, ratingsCount }: Pick<McpServer, 'ratingSum' | 'ratingsCount'>): number =>
  ratingsCount === 0 ? 0 : Math.round((100 * ratingSum) / ratingsCount) / 100;
