-- CreateTable
CREATE TABLE "idempotent_answers" (
    "scope_hash" BYTEA NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "answer" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY ("scope_hash")
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
    "set_aside_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "encryption_keys" (
    "id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "encryption_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "idempotent_answers_expires_at_idx" ON "idempotent_answers"("expires_at");

-- Events are taken by profile, in turn, and the oldest of each first.
CREATE INDEX "outbox_events_profile_uuid_seq_idx" ON "outbox_events"("profile_uuid", "seq") WHERE set_aside_at IS NULL;
CREATE INDEX "outbox_events_set_aside_idx" ON "outbox_events"("seq") WHERE set_aside_at IS NOT NULL;
