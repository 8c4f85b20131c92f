-- CreateTable
CREATE TABLE "notifications" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT,
    "message" TEXT NOT NULL,
    "severity" TEXT,
    "metadata" JSON NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "notification_counters" (
    "profile_uuid" UUID NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "total" INTEGER NOT NULL DEFAULT 0,
    "unread" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "notification_counters_pkey" PRIMARY KEY ("profile_uuid")
);

-- CreateTable
CREATE TABLE "local_mails" (
    "uuid" UUID NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "local_mails_pkey" PRIMARY KEY ("uuid")
);

-- CreateIndex
CREATE INDEX "notifications_profile_uuid_read_at_seq_idx" ON "notifications"("profile_uuid", "read_at", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_profile_uuid_seq_key" ON "notifications"("profile_uuid", "seq");

-- CreateIndex
CREATE INDEX "local_mails_created_at_idx" ON "local_mails"("created_at");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_counters" ADD CONSTRAINT "notification_counters_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- For the removal after the retention: each notification is an entry of one of the two.
CREATE INDEX "notifications_read_age_idx" ON "notifications"("created_at") WHERE read_at IS NOT NULL;
CREATE INDEX "notifications_unread_age_idx" ON "notifications"("created_at") WHERE read_at IS NULL;

-- The counts of a profile are those of notifications, whoever writes there, so that a list reads one row for its total. A creation has
-- locked the row of the profile already. All others lock it after their notifications, several in the order of their profiles.
-- A deleted profile may have no row left; none must be made again.
CREATE FUNCTION notifications_made() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  UPDATE notification_counters c SET total = c.total + made.total, unread = c.unread + made.unread
  FROM (SELECT profile_uuid, count(*) AS total, count(*) FILTER (WHERE read_at IS NULL) AS unread FROM come GROUP BY profile_uuid) made
  WHERE c.profile_uuid = made.profile_uuid;
  RETURN NULL;
END $$;

CREATE FUNCTION notifications_changed() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  UPDATE notification_counters c SET unread = c.unread + changed.unread
  FROM (SELECT profile_uuid, sum(unread) AS unread FROM (
      SELECT profile_uuid, (read_at IS NULL)::int AS unread FROM come
      UNION ALL SELECT profile_uuid, -(read_at IS NULL)::int FROM gone) each
    GROUP BY profile_uuid HAVING sum(unread) <> 0) changed
  WHERE c.profile_uuid = changed.profile_uuid;
  RETURN NULL;
END $$;

CREATE FUNCTION notifications_removed() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  PERFORM 1 FROM notification_counters WHERE profile_uuid IN (SELECT profile_uuid FROM gone)
    ORDER BY profile_uuid FOR NO KEY UPDATE;
  UPDATE notification_counters c SET total = c.total - removed.total, unread = c.unread - removed.unread
  FROM (SELECT profile_uuid, count(*) AS total, count(*) FILTER (WHERE read_at IS NULL) AS unread FROM gone GROUP BY profile_uuid) removed
  WHERE c.profile_uuid = removed.profile_uuid;
  RETURN NULL;
END $$;

CREATE TRIGGER notifications_made AFTER INSERT ON notifications
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION notifications_made();
CREATE TRIGGER notifications_changed AFTER UPDATE ON notifications
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION notifications_changed();
CREATE TRIGGER notifications_removed AFTER DELETE ON notifications
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION notifications_removed();
