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

-- CreateTable
CREATE TABLE "outbox_events" (
    "seq" BIGSERIAL NOT NULL,
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("seq")
);

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
    "data" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
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

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("uuid")
);

-- CreateIndex
CREATE INDEX "notifications_profile_uuid_read_at_seq_idx" ON "notifications"("profile_uuid", "read_at", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_profile_uuid_seq_key" ON "notifications"("profile_uuid", "seq");

-- CreateIndex
CREATE INDEX "local_mails_created_at_idx" ON "local_mails"("created_at");

-- CreateIndex
CREATE INDEX "webhooks_profile_uuid_created_at_idx" ON "webhooks"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_status_webhook_uuid_due_at_idx" ON "webhook_deliveries"("status", "webhook_uuid", "due_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_uuid_created_at_idx" ON "webhook_deliveries"("webhook_uuid", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING BRIN ("created_at");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_counters" ADD CONSTRAINT "notification_counters_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_uuid_fkey" FOREIGN KEY ("webhook_uuid") REFERENCES "webhooks"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- A claim changes no indexed column; with room on the page it does not touch the indexes.
ALTER TABLE "webhook_deliveries" SET (fillfactor = 80);
