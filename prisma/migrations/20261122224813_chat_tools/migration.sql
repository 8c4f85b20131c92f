-- AlterTable
ALTER TABLE "chat_messages" DROP COLUMN "tool_calls";

-- AlterTable
ALTER TABLE "chat_usage" ADD COLUMN     "tool_calls" INTEGER NOT NULL DEFAULT 0;

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

-- AddForeignKey
ALTER TABLE "chat_tool_calls" ADD CONSTRAINT "chat_tool_calls_message_uuid_fkey" FOREIGN KEY ("message_uuid") REFERENCES "chat_messages"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;
