import { randomBytes, randomUUID } from 'node:crypto';
import { authorize, type Caller, type Principal, type Scope, type Tier } from '../platform/caller.ts';
import type { Platform } from '../platform/platform.ts';
import { secretHash } from './secret-hash.ts';

/** Thirty days from sign-in, however often the session is used. */
export const sessionSeconds = 2_592_000;

const allScopes: ReadonlySet<Scope> = new Set<Scope>(['read', 'write', 'admin']);
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export interface NewSession {
  /** For the cookie; stored nowhere. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly row: { uuid: string; tokenHash: Buffer<ArrayBuffer>; createdAt: Date; expiresAt: Date };
}

/** A session that does not exist until its row is written. The token is 32 random bytes in base64url. */
export function newSession(now: Date): NewSession {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1_000);
  return { token, expiresAt, row: { uuid: randomUUID(), tokenHash: secretHash(token), createdAt: now, expiresAt } };
}

interface SessionRow {
  uuid: string;
  user_uuid: string;
  is_admin: boolean;
  profile_uuid: string;
  project_uuid: string;
  tier: Tier;
}

// A user whose active profile is gone acts as the oldest one. The sub-select runs for such users only.
const verifyText = `SELECT s.uuid, u.uuid AS user_uuid, u.is_admin, p.uuid AS profile_uuid, j.uuid AS project_uuid, j.tier
  FROM sessions s
    JOIN users u ON u.uuid = s.user_uuid
    JOIN profiles p ON p.uuid = coalesce(u.active_profile_uuid, (
      SELECT first.uuid FROM profiles first JOIN projects own ON own.uuid = first.project_uuid
      WHERE own.user_uuid = u.uuid AND first.deleted_at IS NULL AND own.deleted_at IS NULL ORDER BY first.created_at, first.uuid LIMIT 1))
    JOIN projects j ON j.uuid = p.project_uuid AND j.user_uuid = u.uuid
  WHERE s.token_hash = $1 AND s.expires_at > coalesce($2, clock_timestamp()) AND u.disabled_at IS NULL`;

export type Sessions = ReturnType<typeof createSessions>;

/** Signed-in browsers. Source: docs/specification/identity.md#sessions. */
export function createSessions({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  /**
   * Who the bearer of a session token is: its user, acting as the active profile. One indexed read; none for a text
   * that cannot be a token.
   *
   * @returns null for an unknown, ended or expired session (at the very instant of `expiresAt` it is over), and for a
   * disabled user.
   */
  async function verify(token: string): Promise<Principal | null> {
    if (typeof token !== 'string' || !tokenPattern.test(token)) return null;
    const [row] = await database.read<SessionRow>({
      name: 'auth_session_verify',
      text: verifyText,
      values: [secretHash(token), clock.pinned()],
    });
    if (row === undefined) return null;
    return {
      kind: 'session',
      credentialUuid: row.uuid,
      userUuid: row.user_uuid,
      projectUuid: row.project_uuid,
      profileUuid: row.profile_uuid,
      scopes: allScopes,
      source: 'ui',
      isAdmin: row.is_admin,
      tier: row.tier,
    };
  }

  /**
   * Signs the caller out by deleting the session. A request without a session succeeds too, since the browser already
   * is signed out; only API keys are rejected.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key.
   */
  async function end(caller: Caller): Promise<void> {
    if (caller.principal === null) return;
    const { credentialUuid } = authorize(caller, 'account:write');
    await database.prisma.session.deleteMany({ where: { uuid: credentialUuid } });
  }

  /**
   * Deletes expired sessions. This is only cleanup: an expired session is rejected at once.
   *
   * @returns The number of deleted rows.
   */
  async function purgeExpired(): Promise<number> {
    const [row] = await database.query<{ count: number }>({
      name: 'auth_session_purge_expired',
      text: `WITH gone AS (DELETE FROM sessions WHERE expires_at <= coalesce($1, statement_timestamp()) RETURNING 1)
        SELECT count(*)::int AS count FROM gone`,
      values: [clock.pinned()],
    });
    return row?.count ?? 0;
  }

  return { verify, end, purgeExpired };
}
