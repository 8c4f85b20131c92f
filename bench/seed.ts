import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { newApiKey } from '../src/auth/api-key-format.ts';
import { secretHash } from '../src/auth/secret-hash.ts';

/** A profile and a key that may read and write it. */
export interface Tenant {
  readonly profileUuid: string;
  readonly key: string;
}

/** The bytes of every value. */
export const value = 'patchbay'.repeat(128);

/** A user with one project, and a way to make profiles in it. */
export async function createTenants(pool: Pool): Promise<(count: number) => Promise<Tenant[]>> {
  const user = randomUUID();
  const project = randomUUID();
  await pool.query(
    `INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
      VALUES ($1::uuid, 'bench@example.com', 'bench@example.com', 'bench', 'bench', '-', now(), now())`,
    [user],
  );
  await pool.query(
    `INSERT INTO projects (uuid, user_uuid, name, created_at, updated_at) VALUES ($1, $2, 'bench', now(), now())`,
    [project, user],
  );
  return async (count) => {
    const tenants = Array.from({ length: count }, () => ({ profileUuid: randomUUID(), key: newApiKey() }));
    const profiles = tenants.map(({ profileUuid }) => profileUuid);
    await pool.query(
      `INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at)
        SELECT uuid, $2, 'bench', now(), now() FROM unnest($1::uuid[]) uuid`,
      [profiles, project],
    );
    await pool.query(
      `INSERT INTO api_keys (uuid, profile_uuid, name, prefix, key_hash, scopes, created_at)
        SELECT gen_random_uuid(), profile, 'bench', 'pbk_bench', hash, '{read,write}', now()
        FROM unnest($1::uuid[], $2::bytea[]) AS given (profile, hash)`,
      [profiles, tenants.map(({ key }) => secretHash(key))],
    );
    return tenants;
  };
}

/** Adds entries `n1`, `n2`, … or entries of the stack, until each tenant has so many of that kind. One is made each millisecond. */
export async function fill(
  pool: Pool,
  kind: 'named' | 'stack',
  tenants: readonly Tenant[],
  entriesEach: number,
): Promise<void> {
  await pool.query(
    `INSERT INTO clipboard_entries (uuid, profile_uuid, name, seq, value, content_type, encoding, size_bytes, visibility,
        source, created_at, updated_at, expires_at)
      SELECT gen_random_uuid(), profile, CASE WHEN $2 = 'named' THEN 'n' || n END,
        CASE WHEN $2 = 'stack' THEN nextval('clipboard_seq') END, $4::text, 'text/plain', 'utf-8', length($4::text), 'private',
        'sdk', at, at, now() + interval '1 day'
      FROM unnest($1::uuid[]) profile
        CROSS JOIN LATERAL (SELECT count(*) AS have FROM clipboard_entries
          WHERE profile_uuid = profile AND (name IS NOT NULL) = ($2 = 'named')) counted
        CROSS JOIN LATERAL generate_series(have + 1, $3::int) n
        CROSS JOIN LATERAL (SELECT now() - make_interval(secs => ($3::int - n) / 1000.0) AS at) clock`,
    [tenants.map(({ profileUuid }) => profileUuid), kind, entriesEach, value],
  );
}
