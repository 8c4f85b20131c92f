import type { Statement } from '../platform/database/database.ts';

/** A session as the broker works with it. */
export interface SessionRow {
  uuid: string;
  profile_uuid: string;
  user_uuid: string;
  server_uuid: string | null;
  server_url: string | null;
  provider: string;
  client_uuid: string | null;
  issuer: string;
  metadata: string;
  resource: string | null;
  redirect_uri: string;
  scopes: string[];
  status: 'pending' | 'active' | 'expired' | 'revoked';
  access_token: string | null;
  refresh_token: string | null;
  expires_at: Date | null;
  generation: number;
  refresh_claim: string | null;
  refresh_claimed_until: Date | null;
  refreshed_at: Date | null;
  failures: number;
  challenge: string | null;
  step_ups: number;
  /** By the clock that all processes share. */
  now: Date;
}

const columns = `uuid, profile_uuid, user_uuid, server_uuid, server_url, provider, client_uuid, issuer, metadata, resource, redirect_uri,
  scopes, status, access_token, refresh_token, expires_at, generation, refresh_claim, refresh_claimed_until, refreshed_at, failures, challenge, step_ups`;

/** The time of the database, unless a test has pinned it. */
const now = (parameter: number) => `coalesce($${parameter}::timestamptz, clock_timestamp())`;

export const hold = (uuid: string, pinned: Date | null): Statement => ({
  name: 'oauth_session_hold',
  text: `SELECT ${columns}, ${now(2)} AS now FROM oauth_sessions WHERE uuid = $1 FOR NO KEY UPDATE`,
  values: [uuid, pinned],
});

export const find = (uuid: string, pinned: Date | null): Statement => ({
  name: 'oauth_session_find',
  text: `SELECT ${columns}, ${now(2)} AS now FROM oauth_sessions WHERE uuid = $1`,
  values: [uuid, pinned],
});

/** The session whose tokens a server is called with: the latest one that is active. */
export const ofServer = (serverUuid: string, pinned: Date | null): Statement => ({
  name: 'oauth_session_of_server',
  text: `SELECT ${columns}, ${now(2)} AS now FROM oauth_sessions WHERE server_uuid = $1 AND status = 'active'
    ORDER BY created_at DESC, uuid DESC LIMIT 1`,
  values: [serverUuid, pinned],
});

export interface NewSession {
  readonly uuid: string;
  readonly profileUuid: string;
  readonly userUuid: string;
  readonly serverUuid: string | null;
  readonly serverUrl: string | null;
  readonly provider: string;
  readonly clientUuid: string | null;
  readonly issuer: string;
  readonly metadata: string;
  readonly resource: string | null;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly status: 'pending' | 'active';
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
  readonly stepUps: number;
  readonly now: Date;
}

export const insert = (session: NewSession): Statement => ({
  name: 'oauth_session_insert',
  text: `INSERT INTO oauth_sessions (uuid, profile_uuid, user_uuid, server_uuid, server_url, provider, client_uuid, issuer, metadata, resource,
      redirect_uri, scopes, status, access_token, refresh_token, expires_at, step_ups, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`,
  values: [
    session.uuid,
    session.profileUuid,
    session.userUuid,
    session.serverUuid,
    session.serverUrl,
    session.provider,
    session.clientUuid,
    session.issuer,
    session.metadata,
    session.resource,
    session.redirectUri,
    session.scopes,
    session.status,
    session.accessToken,
    session.refreshToken,
    session.expiresAt,
    session.stepUps,
    session.now,
  ],
});

/** Activates a pending session. No row if it was revoked or has expired. */
export const activate = (row: {
  uuid: string;
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date | null;
  scopes: readonly string[];
  now: Date;
}): Statement => ({
  name: 'oauth_session_activate',
  text: `UPDATE oauth_sessions SET status = 'active', access_token = $2, refresh_token = $3, expires_at = $4, scopes = $5, updated_at = $6
    WHERE uuid = $1 AND status = 'pending' RETURNING uuid`,
  values: [row.uuid, row.accessToken, row.refreshToken, row.expiresAt, row.scopes, row.now],
});

/** Marks a refresh token as used. No row where it was used before. */
export const markUsed = (sessionUuid: string, tokenHash: Buffer, usedAt: Date): Statement => ({
  name: 'oauth_refresh_token_mark',
  text: `INSERT INTO oauth_used_refresh_tokens (session_uuid, token_hash, used_at) VALUES ($1, $2, $3)
    ON CONFLICT (session_uuid, token_hash) DO NOTHING RETURNING 1`,
  values: [sessionUuid, tokenHash, usedAt],
});

/** For a token that is still good: the exchange did not happen, or the server gave no other one. */
export const unmarkUsed = (sessionUuid: string, tokenHash: Buffer): Statement => ({
  name: 'oauth_refresh_token_unmark',
  text: 'DELETE FROM oauth_used_refresh_tokens WHERE session_uuid = $1 AND token_hash = $2',
  values: [sessionUuid, tokenHash],
});

export const claim = (uuid: string, claimUuid: string, until: Date): Statement => ({
  name: 'oauth_session_claim',
  text: 'UPDATE oauth_sessions SET refresh_claim = $2, refresh_claimed_until = $3 WHERE uuid = $1',
  values: [uuid, claimUuid, until],
});

/** Stores the tokens of a refresh. No row where the claim was lost. */
export const refreshed = (row: {
  uuid: string;
  claim: string;
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date | null;
  scopes: readonly string[];
  now: Date;
  pinned: Date | null;
}): Statement => ({
  name: 'oauth_session_refreshed',
  text: `UPDATE oauth_sessions SET access_token = $3, refresh_token = $4, expires_at = $5, scopes = $6, generation = generation + 1,
      refreshed_at = ${now(8)}, updated_at = $7, refresh_claim = NULL, refresh_claimed_until = NULL, failures = 0, retry_at = NULL, error = NULL
    WHERE uuid = $1 AND refresh_claim = $2 AND status = 'active' RETURNING generation`,
  values: [row.uuid, row.claim, row.accessToken, row.refreshToken, row.expiresAt, row.scopes, row.now, row.pinned],
});

/** Whether a session holds these tokens: they were stored by a transaction whose commit was not acknowledged. */
export const holds = (uuid: string, accessToken: string): Statement => ({
  name: 'oauth_session_holds',
  text: 'SELECT generation FROM oauth_sessions WHERE uuid = $1 AND access_token = $2',
  values: [uuid, accessToken],
});

/** Gives the claim back after a failure that leaves the tokens as they are. */
export const release = (row: { uuid: string; claim: string; retryAt: Date; error: string; now: Date }): Statement => ({
  name: 'oauth_session_release',
  text: `UPDATE oauth_sessions SET refresh_claim = NULL, refresh_claimed_until = NULL, failures = failures + 1, retry_at = $3, error = $4,
      updated_at = $5 WHERE uuid = $1 AND refresh_claim = $2 RETURNING failures`,
  values: [row.uuid, row.claim, row.retryAt, row.error, row.now],
});

export interface EndedRow {
  uuid: string;
  profile_uuid: string;
  user_uuid: string;
  server_uuid: string | null;
  provider: string;
  client_uuid: string | null;
  metadata: string;
  issuer: string;
  redirect_uri: string;
  status: 'revoked' | 'expired';
  /** As they were before. */
  access_token: string | null;
  refresh_token: string | null;
}

/**
 * Which sessions end: one, or all of a server and a user. `replacedBy` is a session that takes the place of the others with its redirect
 * URI: a flow of the browser does not end sessions of the general API.
 */
export type Ending =
  | { readonly sessionUuid: string }
  | {
      readonly serverUuid: string;
      readonly userUuid: string;
      readonly replacedBy?: { readonly uuid: string; readonly redirectUri: string };
    };

/** Ends sessions, with their tokens. @returns Those that were not over, with the tokens that they had. */
export const end = (which: Ending, status: 'revoked' | 'expired', error: string | null, at: Date): Statement => {
  const one = 'sessionUuid' in which;
  return {
    name: one ? 'oauth_session_end' : 'oauth_sessions_end',
    text: `WITH ending AS (
        SELECT uuid, access_token, refresh_token FROM oauth_sessions
        WHERE ${one ? 'uuid = $4' : 'server_uuid = $4 AND user_uuid = $5 AND ($6::uuid IS NULL OR (uuid <> $6 AND redirect_uri = $7))'} AND status IN ('pending', 'active')
        ORDER BY uuid FOR NO KEY UPDATE)
      UPDATE oauth_sessions s SET status = $1, error = $2, ended_at = $3, updated_at = $3, access_token = NULL, refresh_token = NULL,
        refresh_claim = NULL, refresh_claimed_until = NULL
      FROM ending WHERE s.uuid = ending.uuid
      RETURNING s.uuid, s.profile_uuid, s.user_uuid, s.server_uuid, s.provider, s.client_uuid, s.metadata, s.issuer, s.redirect_uri,
        s.status, ending.access_token, ending.refresh_token`,
    values: [
      status,
      error,
      at,
      ...(one
        ? [which.sessionUuid]
        : [which.serverUuid, which.userUuid, which.replacedBy?.uuid ?? null, which.replacedBy?.redirectUri ?? null]),
    ],
  };
};

/** Counts a failure of a session whose stored tokens cannot be read, so that the job leaves it alone for a while. */
export const postpone = (uuid: string, retryAt: Date, error: string, at: Date): Statement => ({
  name: 'oauth_session_postpone',
  text: 'UPDATE oauth_sessions SET failures = failures + 1, retry_at = $2, error = $3, updated_at = $4 WHERE uuid = $1',
  values: [uuid, retryAt, error, at],
});

/** Keeps the challenge with which a server has asked for more scopes. */
export const challenged = (uuid: string, challenge: string, error: string, at: Date): Statement => ({
  name: 'oauth_session_challenged',
  text: `UPDATE oauth_sessions SET challenge = $2, error = $3, updated_at = $4 WHERE uuid = $1 AND status = 'active'`,
  values: [uuid, challenge, error, at],
});

/** Writes down that an access token was used, at most once a minute. */
export const used = (uuid: string, at: Date): Statement => ({
  name: 'oauth_session_used',
  text: `UPDATE oauth_sessions SET last_used_at = $2 WHERE uuid = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`,
  values: [uuid, at],
});

/** Sessions whose access token expires before an instant, the first to expire first: not in a cool-down, and not of a disabled user. */
export const due = (expiringBefore: Date, at: Date, rows: number): Statement => ({
  name: 'oauth_sessions_due',
  text: `SELECT uuid, expires_at, generation FROM oauth_sessions s
    WHERE status = 'active' AND refresh_token IS NOT NULL AND expires_at < $1 AND (retry_at IS NULL OR retry_at <= $2)
      AND EXISTS (SELECT 1 FROM users u WHERE u.uuid = s.user_uuid AND u.disabled_at IS NULL)
    ORDER BY expires_at LIMIT $3`,
  values: [expiringBefore, at, rows],
});

/** Active sessions without a refresh token whose access token has expired. */
export const expireLapsed = (at: Date, rows: number): Statement => ({
  name: 'oauth_sessions_expire_lapsed',
  text: `UPDATE oauth_sessions SET status = 'expired', ended_at = $1, updated_at = $1, access_token = NULL WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM oauth_sessions WHERE status = 'active' AND refresh_token IS NULL AND expires_at <= $1
      ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING uuid`,
  values: [at, rows],
});

/** Pending sessions that were given up: their state has expired. */
export const expirePending = (at: Date, rows: number): Statement => ({
  name: 'oauth_sessions_expire_pending',
  text: `UPDATE oauth_sessions SET status = 'expired', ended_at = $1, updated_at = $1 WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM oauth_sessions WHERE status = 'pending' AND expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING uuid`,
  values: [at, rows],
});

export const purge = (before: Date, rows: number): Statement => ({
  name: 'oauth_sessions_purge',
  query_timeout: 9_000,
  text: `DELETE FROM oauth_sessions WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM oauth_sessions WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)) RETURNING 1`,
  values: [before, rows],
});

export const purgeUsedTokens = (before: Date, rows: number): Statement => ({
  name: 'oauth_used_tokens_purge',
  query_timeout: 9_000,
  text: `DELETE FROM oauth_used_refresh_tokens WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM oauth_used_refresh_tokens WHERE used_at < $1 ORDER BY used_at LIMIT $2)) RETURNING 1`,
  values: [before, rows],
});

export const countActive: Statement = {
  name: 'oauth_sessions_active',
  text: "SELECT count(*)::int AS count FROM oauth_sessions WHERE status = 'active'",
};

export const setExpiry = (uuid: string, expiresAt: Date): Statement => ({
  name: 'oauth_session_set_expiry',
  text: 'UPDATE oauth_sessions SET expires_at = $2 WHERE uuid = $1',
  values: [uuid, expiresAt],
});
