-- CreateTable
CREATE TABLE "webhooks" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "uuid" UUID NOT NULL,
    "webhook_uuid" UUID NOT NULL,
    "event_uuid" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(3),
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "response_status" INTEGER,
    "response_ms" INTEGER,
    "response_body" TEXT,
    "error" TEXT,
    "next_retry_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "retry_of" UUID,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("uuid")
);

-- The data of an event is stored once, whatever the number of its deliveries.
CREATE TABLE "webhook_events" (
    "uuid" UUID NOT NULL,
    "data" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("uuid")
);

-- CreateIndex
CREATE INDEX "webhooks_profile_uuid_created_at_idx" ON "webhooks"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_uuid_created_at_idx" ON "webhook_deliveries"("webhook_uuid", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_uuid_idx" ON "webhook_deliveries"("event_uuid");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_uuid_fkey" FOREIGN KEY ("webhook_uuid") REFERENCES "webhooks"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- A claim changes no indexed column; with room on the page it does not touch the indexes.
ALTER TABLE "webhook_deliveries" SET (fillfactor = 80);

-- The few deliveries that are sent apart from the others, because several workers stopped while they sent them.
CREATE INDEX "webhook_deliveries_apart_idx" ON "webhook_deliveries"("due_at") WHERE status = 'pending' AND losses >= 3;

-- Deletes those of the given events to which no delivery refers. Events are locked first: a replay locks the event that it repeats, so
-- the snapshot of the deletion, which is taken afterwards, shows every delivery. A locked event is left to the purge.
-- What these functions switch off: see clipboard_pop; a plan that was made while a table was empty would read it as a whole.
CREATE FUNCTION webhook_events_remove_unused(p_uuids uuid[]) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_held uuid[];
  v_count int;
BEGIN
  v_held := ARRAY(SELECT e.uuid FROM unnest(p_uuids) AS given (uuid) JOIN webhook_events e ON e.uuid = given.uuid FOR UPDATE OF e SKIP LOCKED);
  DELETE FROM webhook_events e USING unnest(v_held) AS held (uuid)
    WHERE e.uuid = held.uuid AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_uuid = held.uuid);
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END $$;

CREATE FUNCTION webhook_deliveries_ended() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  PERFORM webhook_events_remove_unused(ARRAY(SELECT DISTINCT event_uuid FROM ended));
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_deliveries_ended AFTER DELETE ON webhook_deliveries
  REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_ended();

-- The queue has the pending deliveries alone: the outcome of an attempt is then no entry of this index.
CREATE INDEX "webhook_deliveries_queue_idx" ON "webhook_deliveries"("webhook_uuid", "due_at") WHERE status = 'pending';

-- Only the purge reads events by their age: an index of ranges costs a write next to nothing.
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
