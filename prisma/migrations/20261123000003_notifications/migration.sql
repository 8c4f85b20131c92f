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
