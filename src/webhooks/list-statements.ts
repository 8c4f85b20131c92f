import type { Statement } from '../platform/database/database.ts';
import type { Aged } from '../platform/input/keyset.ts';

/** The places of a page of each webhook's deliveries, the newest first, and of one more: whether anything follows. */
export const pages = (
  profileUuid: string,
  webhookUuids: readonly string[],
  status: string | null,
  { first, after }: { first: number; after: Aged | null },
): Statement => ({
  name: 'webhooks_pages',
  text: `SELECT page.uuid, w.uuid AS webhook_uuid
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.uuid, d.created_at FROM webhook_deliveries d
      WHERE d.webhook_uuid = w.uuid AND ($3::text IS NULL OR d.status = $3)
        AND d.created_at <= coalesce($4::timestamptz, 'infinity') AND ($4 IS NULL OR (d.created_at, d.uuid) < ($4, $5::uuid))
      ORDER BY d.created_at DESC, d.uuid DESC LIMIT $6) page
    WHERE w.uuid = ANY ($1::uuid[]) AND w.profile_uuid = $2
    ORDER BY page.created_at DESC, page.uuid DESC`,
  values: [webhookUuids, profileUuid, status, after?.createdAt ?? null, after?.uuid ?? null, first + 1],
});

export const counts = (profileUuid: string, webhookUuids: readonly string[], status: string | null): Statement => ({
  name: 'webhooks_counts',
  text: `SELECT w.uuid, count(*)::int AS count FROM webhooks w JOIN webhook_deliveries d ON d.webhook_uuid = w.uuid
    WHERE w.uuid = ANY ($1::uuid[]) AND w.profile_uuid = $2 AND ($3::text IS NULL OR d.status = $3) GROUP BY w.uuid`,
  values: [webhookUuids, profileUuid, status],
});
