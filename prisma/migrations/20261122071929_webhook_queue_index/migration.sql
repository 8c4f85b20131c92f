-- The queue has the pending deliveries alone: the outcome of an attempt is then no entry of this index.
DROP INDEX "webhook_deliveries_status_webhook_uuid_due_at_idx";
CREATE INDEX "webhook_deliveries_queue_idx" ON "webhook_deliveries"("webhook_uuid", "due_at") WHERE status = 'pending';

-- Only the purge reads events by their age: an index of ranges costs a write next to nothing.
DROP INDEX "webhook_events_created_at_idx";
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events" USING BRIN ("created_at");

-- Deletes events that are older than an instant and have no delivery, so many at most. Deliveries are looked up one event at a time:
-- an anti-join may read all of them. What is switched off: see webhook_events_remove_unused.
CREATE FUNCTION webhook_events_remove_old(p_before timestamptz, p_rows int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN webhook_events_remove_unused(ARRAY(
    SELECT e.uuid FROM webhook_events e CROSS JOIN LATERAL (
      SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.event_uuid = e.uuid LIMIT 1) d) deliveries
    WHERE e.created_at < p_before AND deliveries.count = 0 LIMIT p_rows));
END $$;
