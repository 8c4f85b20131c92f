import type { Client } from 'pg';

interface StoredStack {
  readonly profileUuid: string;
  readonly count: number;
  readonly now: Date;
  /** Entries numbered from here on have expired; none if left out. */
  readonly expiredFrom?: number;
}

/** Writes the entries of a stack by SQL, oldest first. Their values are their numbers, from 1. */
export async function storeStack(sql: Client, stack: StoredStack): Promise<void> {
  const { profileUuid, count, now, expiredFrom = count + 1 } = stack;
  await sql.query({
    text: `INSERT INTO clipboard_entries (uuid, profile_uuid, seq, value, content_type, encoding, size_bytes, visibility,
             source, created_at, updated_at, expires_at)
           SELECT gen_random_uuid(), $1, nextval('clipboard_seq'), i::text, 'text/plain', 'utf-8', length(i::text), 'private', 'sdk', $2, $2,
             $2::timestamptz + CASE WHEN i >= $4 THEN interval '-1 second' ELSE interval '1 day' END
           FROM generate_series(1, $3) i`,
    values: [profileUuid, now, count, expiredFrom],
  });
}
