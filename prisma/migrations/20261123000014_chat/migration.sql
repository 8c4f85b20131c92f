-- CreateTable
CREATE TABLE "chat_sessions" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "title" TEXT,
    "model" TEXT NOT NULL,
    "temperature" DOUBLE PRECISION NOT NULL,
    "max_tokens" INTEGER NOT NULL,
    "tools" JSONB NOT NULL,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "last_ordinal" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_sessions_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "chat_messages" (
    "uuid" UUID NOT NULL,
    "session_uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure" TEXT,
    "model" TEXT,
    "include_context" BOOLEAN NOT NULL,
    "question_uuid" UUID,
    "replaces_uuid" UUID,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "is_estimated" BOOLEAN NOT NULL DEFAULT false,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(3),
    "abort_requested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "stale_at" TIMESTAMPTZ(3),

    CONSTRAINT "chat_messages_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "chat_parts" (
    "message_uuid" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "chat_parts_pkey" PRIMARY KEY ("message_uuid","number")
);

-- CreateTable
CREATE TABLE "chat_citations" (
    "message_uuid" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "sentence" TEXT NOT NULL,
    "document_uuid" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "start_offset" INTEGER NOT NULL,
    "end_offset" INTEGER NOT NULL,
    "page" INTEGER,
    "text" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "is_verified" BOOLEAN NOT NULL,
    "check_version" INTEGER,
    "stale_at" TIMESTAMPTZ(3),
    "stale_version" INTEGER,
    "stale_text" TEXT,

    CONSTRAINT "chat_citations_pkey" PRIMARY KEY ("message_uuid","place")
);

-- CreateTable
CREATE TABLE "chat_usage" (
    "profile_uuid" UUID NOT NULL,
    "month" DATE NOT NULL,
    "answers" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "tool_calls" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "chat_usage_pkey" PRIMARY KEY ("profile_uuid","month")
);

-- CreateTable
CREATE TABLE "chat_tool_calls" (
    "message_uuid" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "server_uuid" UUID,
    "server_name" TEXT,
    "name" TEXT NOT NULL,
    "arguments" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "result" TEXT,
    "result_length" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "milliseconds" INTEGER,

    CONSTRAINT "chat_tool_calls_pkey" PRIMARY KEY ("message_uuid","number")
);

-- CreateIndex
CREATE INDEX "chat_sessions_profile_uuid_created_at_idx" ON "chat_sessions"("profile_uuid", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "chat_messages_session_uuid_ordinal_key" ON "chat_messages"("session_uuid", "ordinal");

-- CreateIndex
CREATE INDEX "chat_citations_document_uuid_idx" ON "chat_citations"("document_uuid");

-- AddForeignKey
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_session_uuid_fkey" FOREIGN KEY ("session_uuid") REFERENCES "chat_sessions"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_parts" ADD CONSTRAINT "chat_parts_message_uuid_fkey" FOREIGN KEY ("message_uuid") REFERENCES "chat_messages"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_citations" ADD CONSTRAINT "chat_citations_message_uuid_fkey" FOREIGN KEY ("message_uuid") REFERENCES "chat_messages"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_usage" ADD CONSTRAINT "chat_usage_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_tool_calls" ADD CONSTRAINT "chat_tool_calls_message_uuid_fkey" FOREIGN KEY ("message_uuid") REFERENCES "chat_messages"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- The answers under way are few, whatever is stored.
CREATE INDEX "chat_messages_under_way_idx" ON "chat_messages"("session_uuid") WHERE status IN ('pending', 'streaming');

-- What is to be looked for in another version.
CREATE INDEX "chat_citations_check_idx" ON "chat_citations"("document_uuid") WHERE check_version IS NOT NULL;
