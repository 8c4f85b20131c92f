-- The data of an event is stored once instead of in each delivery. No process of the version before can write a delivery whose data
-- would be lost: the table is locked until the columns are gone, and from then on its statements fail and change nothing.
LOCK TABLE "webhook_deliveries" IN ACCESS EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "webhook_events" (
    "uuid" UUID NOT NULL,
    "data" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("uuid")
);

INSERT INTO "webhook_events" ("uuid", "data", "event_at", "created_at")
SELECT "event_uuid", "data", "event_at", "created_at" FROM "webhook_deliveries" ORDER BY "created_at"
ON CONFLICT ("uuid") DO NOTHING;

-- CreateIndex
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");

-- AlterTable
ALTER TABLE "webhook_deliveries" DROP COLUMN "data",
DROP COLUMN "event_at",
ADD COLUMN     "losses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "retry_of" UUID;

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_uuid_idx" ON "webhook_deliveries"("event_uuid");

-- The few deliveries that are sent apart from the others, because several workers stopped while they sent them.
CREATE INDEX "webhook_deliveries_apart_idx" ON "webhook_deliveries"("due_at") WHERE status = 'pending' AND losses >= 3;

UPDATE "webhook_deliveries" d SET retry_of = p.uuid FROM "webhook_deliveries" p
WHERE d.status = 'pending' AND d.attempt > 1
  AND p.event_uuid = d.event_uuid AND p.webhook_uuid = d.webhook_uuid AND p.next_retry_at = d.due_at;

-- A failed attempt that was made again has no next one.
UPDATE "webhook_deliveries" d SET next_retry_at = NULL
WHERE d.next_retry_at IS NOT NULL AND NOT EXISTS (SELECT FROM "webhook_deliveries" r WHERE r.retry_of = d.uuid AND r.event_uuid = d.event_uuid);

-- Deletes those of the given events to which no delivery refers. Events are locked first: a replay locks the event that it repeats, so
-- the snapshot of the deletion, which is taken afterwards, shows every delivery. A locked event is left to the purge.
-- What these functions switch off: see clipboard_stack_jit; a plan that was made while a table was empty would read it as a whole.
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

-- AlterTable
ALTER TABLE "outbox_events" ADD COLUMN     "set_aside_at" TIMESTAMPTZ(3);

-- Events are taken by profile, in turn, and the oldest of each first.
CREATE INDEX "outbox_events_profile_uuid_seq_idx" ON "outbox_events"("profile_uuid", "seq") WHERE set_aside_at IS NULL;
CREATE INDEX "outbox_events_set_aside_idx" ON "outbox_events"("seq") WHERE set_aside_at IS NOT NULL;
