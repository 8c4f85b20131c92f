import { createHash } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import { isApiKey } from '../src/auth/api-key-format.ts';

/** What the two baselines share: the key's statement, that of a named entry, and the entry's documented shape. */

export interface Caller {
  readonly profileUuid: string;
  readonly scopes: string[];
  readonly channel: string;
}

/** The key, looked up by its SHA-256 with every request, with the joins that ours has. */
export async function verifyKey(pool: Pool, header: string | undefined): Promise<Caller | null> {
  const secret = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (!isApiKey(secret)) return null;
  const { rows } = await pool.query({
    name: 'key',
    text: `SELECT k.uuid, k.scopes, k.channel, p.uuid AS profile_uuid, j.uuid AS project_uuid, u.uuid AS user_uuid, u.is_admin
      FROM api_keys k
        JOIN profiles p ON p.uuid = k.profile_uuid
        JOIN projects j ON j.uuid = p.project_uuid
        JOIN users u ON u.uuid = j.user_uuid
      WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
    values: [createHash('sha256').update(secret).digest()],
  });
  const [row] = rows;
  return row ? { profileUuid: row.profile_uuid, scopes: row.scopes, channel: row.channel } : null;
}

export const columns = `uuid, name, value, content_type, encoding, size_bytes, visibility, created_by_tool, created_by_model,
  source, created_at, updated_at, expires_at`;

export async function getByName(pool: Pool, profileUuid: string, name: string): Promise<QueryResultRow | undefined> {
  const { rows } = await pool.query({
    name: 'get',
    text: `SELECT ${columns}, NULL::int AS idx FROM clipboard_entries
      WHERE profile_uuid = $1 AND name = $2 AND expires_at > clock_timestamp()`,
    values: [profileUuid, name],
  });
  return rows[0];
}

export const entryBody = (row: QueryResultRow) => ({
  uuid: row.uuid,
  name: row.name,
  idx: row.idx,
  value: row.value,
  contentType: row.content_type,
  encoding: row.encoding,
  sizeBytes: row.size_bytes,
  visibility: row.visibility,
  createdByTool: row.created_by_tool,
  createdByModel: row.created_by_model,
  source: row.source,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  expiresAt: row.expires_at,
});
