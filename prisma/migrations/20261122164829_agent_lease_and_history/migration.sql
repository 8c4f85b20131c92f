-- AlterTable
ALTER TABLE "agent_events" ADD COLUMN     "profile_uuid" UUID NOT NULL;

-- CreateTable
CREATE TABLE "agent_orchestrator_lease" (
    "id" INTEGER NOT NULL,
    "holder" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "is_reachable" BOOLEAN NOT NULL,

    CONSTRAINT "agent_orchestrator_lease_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_events_profile_uuid_id_idx" ON "agent_events"("profile_uuid", "id");
