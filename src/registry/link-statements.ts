import type { Statement } from '../platform/database/database.ts';

export interface StateRow {
  user_uuid: string;
  session_uuid: string;
  verifier: string;
  created_at: Date;
  expires_at: Date;
}

/** Remembers a way that was begun, in the place of a user's oldest where there are too many. */
export const begin = (row: {
  stateHash: Buffer;
  userUuid: string;
  sessionUuid: string;
  verifier: string;
  now: Date;
  expiresAt: Date;
  /** How many others stay. */
  keep: number;
}): Statement => ({
  name: 'registry_link_begin',
  text: `WITH gone AS (
      DELETE FROM github_link_states WHERE state_hash IN (
        SELECT state_hash FROM github_link_states WHERE user_uuid = $2 ORDER BY created_at DESC, state_hash OFFSET $7))
    INSERT INTO github_link_states (state_hash, user_uuid, session_uuid, verifier, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)`,
  values: [row.stateHash, row.userUuid, row.sessionUuid, row.verifier, row.now, row.expiresAt, row.keep],
});

/** Of two at once one gets it. */
export const take = (stateHash: Buffer): Statement => ({
  name: 'registry_link_take',
  text: 'DELETE FROM github_link_states WHERE state_hash = $1 RETURNING user_uuid, session_uuid, verifier, created_at, expires_at',
  values: [stateHash],
});

export interface AccountRow {
  github_id: string;
  login: string;
  token: string | null;
  linked_at: Date;
}

/** No row where the account is linked to another user. */
export const link = (userUuid: string, githubId: number, login: string, token: string, now: Date): Statement => ({
  name: 'registry_link',
  text: `INSERT INTO github_accounts (user_uuid, github_id, login, token, linked_at)
    SELECT $1, $2, $3, $4, $5
    WHERE NOT EXISTS (SELECT 1 FROM github_accounts WHERE github_id = $2 AND user_uuid <> $1)
    ON CONFLICT (user_uuid) DO UPDATE SET github_id = $2, login = $3, token = $4, linked_at = $5 RETURNING user_uuid`,
  values: [userUuid, githubId, login, token, now],
});

export const unlink = (userUuid: string): Statement => ({
  name: 'registry_unlink',
  text: 'DELETE FROM github_accounts WHERE user_uuid = $1 RETURNING user_uuid',
  values: [userUuid],
});

export const account = (userUuid: string): Statement => ({
  name: 'registry_account',
  text: 'SELECT github_id, login, token, linked_at FROM github_accounts WHERE user_uuid = $1',
  values: [userUuid],
});

/** Deletes a token that GitHub has rejected, but not the account, and not a newer token. */
export const refuseToken = (userUuid: string, sealed: string): Statement => ({
  name: 'registry_refuse_token',
  text: 'UPDATE github_accounts SET token = NULL WHERE user_uuid = $1 AND token = $2',
  values: [userUuid, sealed],
});

export const purge = (now: Date): Statement => ({
  name: 'registry_link_purge',
  query_timeout: 9_000,
  text: 'DELETE FROM github_link_states WHERE expires_at <= $1 RETURNING user_uuid',
  values: [now],
});

export const countActive = (now: Date): Statement => ({
  name: 'registry_link_states_active',
  text: 'SELECT count(*)::int AS count FROM github_link_states WHERE expires_at > $1',
  values: [now],
});
