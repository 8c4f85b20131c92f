import type { Statement } from '../platform/database/database.ts';
import { now } from './statements.ts';

/** Deletes a webhook with its deliveries, where they are fewer than so many. */
export const removeWebhook = (uuid: string, profileUuid: string, deliveries: number): Statement => ({
  name: 'webhooks_remove',
  text: `DELETE FROM webhooks WHERE uuid = $1 AND profile_uuid = $2
      AND (SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE webhook_uuid = $1 LIMIT $3) d) < $3 RETURNING uuid`,
  values: [uuid, profileUuid, deliveries],
});

/** Switches a webhook off that is about to go. */
export const endWebhook = (uuid: string, profileUuid: string): Statement => ({
  name: 'webhooks_end',
  text: 'UPDATE webhooks SET active = false WHERE uuid = $1 AND profile_uuid = $2 RETURNING uuid',
  values: [uuid, profileUuid],
});

export const removeDeliveries = (webhookUuid: string, most: number): Statement => ({
  name: 'webhooks_remove_deliveries',
  text: `DELETE FROM webhook_deliveries WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM webhook_deliveries WHERE webhook_uuid = $1 LIMIT $2)) RETURNING 1`,
  values: [webhookUuid, most],
});

/**
 * Deletes finished deliveries that are older than a number of days. Deliveries that wait for an inactive or failed
 * webhook wait no longer than that.
 */
export const removeOld = (pinned: Date | null, days: number, rows: number): Statement => ({
  name: 'webhooks_purge',
  text: `WITH clock AS ${now},
    gone AS (
      DELETE FROM webhook_deliveries WHERE uuid = ANY (ARRAY(
        SELECT d.uuid FROM clock, webhook_deliveries d
        WHERE d.created_at < now - make_interval(days => $2)
          AND (d.status <> 'pending' OR NOT EXISTS (SELECT FROM webhooks w WHERE w.uuid = d.webhook_uuid AND w.active))
        LIMIT $3 FOR UPDATE OF d SKIP LOCKED))
      RETURNING 1)
    SELECT count(*)::int AS count FROM gone`,
  values: [pinned, days, rows],
});

/**
 * Deletes events that are older than so many days and have no delivery. A delivery that is deleted takes its event along; what this
 * finds are the events of which two deliveries were deleted at the same moment, each beside the other.
 */
export const removeUnusedEvents = (pinned: Date | null, days: number, rows: number): Statement => ({
  name: 'webhooks_purge_events',
  text: `SELECT webhook_events_remove_old(now - make_interval(days => $2), $3) AS count FROM ${now} clock`,
  values: [pinned, days, rows],
});
