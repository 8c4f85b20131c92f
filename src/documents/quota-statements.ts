import type { Statement } from '../platform/database/database.ts';

/** What a profile stores. */
export interface UsageRow extends Record<string, unknown> {
  documents: number;
  bytes: number;
}

/** Counts what a profile stores, and holds the count until the transaction ends. */
export const count = (profileUuid: string, documents: number, bytes: number): Statement => ({
  name: 'document_usage_count',
  text: `INSERT INTO document_usage AS u (profile_uuid, documents, bytes) VALUES ($1, greatest($2::int, 0), greatest($3::bigint, 0))
    ON CONFLICT (profile_uuid) DO UPDATE SET documents = greatest(u.documents + $2, 0), bytes = greatest(u.bytes + $3, 0)
    RETURNING u.documents, u.bytes::float8 AS bytes`,
  values: [profileUuid, documents, bytes],
});

export const usageOf = (profileUuid: string): Statement => ({
  name: 'document_usage_of',
  text: 'SELECT documents, bytes::float8 AS bytes FROM document_usage WHERE profile_uuid = $1',
  values: [profileUuid],
});
