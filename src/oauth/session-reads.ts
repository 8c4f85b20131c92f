import type { z } from 'zod';
import type { OauthSession, Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import { byAge, type Connection, ConnectionRequest, connectionIn, rowIn } from '../platform/input/keyset.ts';
import type { SessionStatus } from './session-watch.ts';

/** A session as other areas see it: without the encrypted tokens. */
export type SessionRecord = Omit<OauthSession, 'accessToken' | 'refreshToken'>;

export type SessionShape = Pick<Prisma.OauthSessionFindManyArgs, 'select' | 'include' | 'omit'>;

const withoutSecrets = { omit: { accessToken: true, refreshToken: true } } as const;

/** Sessions of one response of GET /api/mcp/oauth/session. */
export const listedMax = 1_000;

export const sessionNotFound = () => new ApiError('NOT_FOUND', 'OAuth session not found');

export const sessionsOf = ({ profileUuid }: Principal) => ({ profileUuid }) satisfies Prisma.OauthSessionWhereInput;

/** The OAuth sessions that a caller may see. Source: docs/specification/oauth.md#sessions. */
export function createSessionReads({
  database: { prisma },
  clock,
}: {
  readonly database: Pick<Database, 'prisma'>;
  readonly clock: Clock;
}) {
  /** Which sessions the caller may see. */
  const visible = (caller: Caller): Prisma.OauthSessionWhereInput => sessionsOf(authorize(caller, 'oauth:read'));

  /** The status of a session at this moment: an access token without a refresh token expires by itself. */
  function statusOf(session: Pick<OauthSession, 'status' | 'expiresAt' | 'canRefresh'>): SessionStatus {
    const status = session.status as SessionStatus;
    const isPast = session.expiresAt !== null && session.expiresAt <= clock.now();
    const canExpire = status === 'pending' || (status === 'active' && !session.canRefresh);
    return canExpire && isPast ? 'expired' : status;
  }

  /** All sessions of the caller's profile, the newest first; at most 1 000. @see docs/specification/oauth.md#sessions */
  async function list(caller: Caller, query: SessionShape = withoutSecrets): Promise<SessionRecord[]> {
    return prisma.oauthSession.findMany({ ...query, where: visible(caller), orderBy: byAge('desc'), take: listedMax });
  }

  async function connection(
    caller: Caller,
    input: z.input<typeof ConnectionRequest>,
    query: SessionShape = withoutSecrets,
  ): Promise<Connection<SessionRecord>> {
    const seen = visible(caller);
    return connectionIn(prisma.oauthSession, parse(ConnectionRequest, input), 'desc', seen, query);
  }

  const count = async (caller: Caller): Promise<number> => prisma.oauthSession.count({ where: visible(caller) });

  /** @throws {ApiError} `NOT_FOUND`, also for a malformed id and a session of another profile. */
  async function find(caller: Caller, uuid: string, query: SessionShape = withoutSecrets): Promise<SessionRecord> {
    return rowIn(prisma.oauthSession, uuid, visible(caller), query, sessionNotFound);
  }

  /** The same for the response of a mutation: a key that may only write can see the session that it changed. */
  async function findChanged(
    caller: Caller,
    uuid: string,
    query: SessionShape = withoutSecrets,
  ): Promise<SessionRecord> {
    return rowIn(prisma.oauthSession, uuid, sessionsOf(authorize(caller, 'oauth:write')), query, sessionNotFound);
  }

  return { visible, statusOf, list, connection, count, find, findChanged };
}
