import type { Statement } from '../platform/database/database.ts';

export interface StateRow {
  state_hash: Buffer;
  user_uuid: string;
  server_uuid: string | null;
  server_url: string | null;
  session_uuid: string | null;
  client_uuid: string | null;
  issuer: string;
  metadata: string;
  resource: string | null;
  scopes: string[];
  redirect_uri: string;
  verifier: string;
  integrity_hash: string;
  created_at: Date;
  expires_at: Date;
}

export const store = (row: {
  stateHash: Buffer;
  userUuid: string;
  serverUuid: string | null;
  serverUrl: string | null;
  sessionUuid: string | null;
  clientUuid: string | null;
  issuer: string;
  metadata: string;
  resource: string | null;
  scopes: readonly string[];
  redirectUri: string;
  verifier: string;
  integrityHash: string;
  createdAt: Date;
  expiresAt: Date;
}): Statement => ({
  name: 'oauth_state_store',
  text: `INSERT INTO oauth_pkce_states (state_hash, user_uuid, server_uuid, server_url, session_uuid, client_uuid, issuer, metadata, resource,
      scopes, redirect_uri, verifier, integrity_hash, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
  values: [
    row.stateHash,
    row.userUuid,
    row.serverUuid,
    row.serverUrl,
    row.sessionUuid,
    row.clientUuid,
    row.issuer,
    row.metadata,
    row.resource,
    row.scopes,
    row.redirectUri,
    row.verifier,
    row.integrityHash,
    row.createdAt,
    row.expiresAt,
  ],
});

/** Deletes a state and returns it: of two callbacks at once one gets it. A state of a session is not found by another session. */
export const take = (stateHash: Buffer, sessionUuid: string | null): Statement => ({
  name: 'oauth_state_take',
  text: `DELETE FROM oauth_pkce_states WHERE state_hash = $1 AND session_uuid IS NOT DISTINCT FROM $2::uuid
    RETURNING state_hash, user_uuid, server_uuid, server_url, session_uuid, client_uuid, issuer, metadata, resource, scopes,
      redirect_uri, verifier, integrity_hash, created_at, expires_at`,
  values: [stateHash, sessionUuid],
});

/** Rows that another cleanup holds are left to it. */
export const cleanUp = (before: Date, rows: number): Statement => ({
  name: 'oauth_states_clean_up',
  query_timeout: 9_000,
  text: `DELETE FROM oauth_pkce_states WHERE state_hash = ANY (ARRAY(
      SELECT state_hash FROM oauth_pkce_states WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
  values: [before, rows],
});

export const countActive = (now: Date): Statement => ({
  name: 'oauth_states_active',
  text: 'SELECT count(*)::int AS count FROM oauth_pkce_states WHERE expires_at > $1',
  values: [now],
});
