-- CreateTable
CREATE TABLE "agents" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "description" TEXT,
    "image" TEXT NOT NULL,
    "cpu_request" TEXT NOT NULL,
    "memory_request" TEXT NOT NULL,
    "cpu_limit" TEXT NOT NULL,
    "memory_limit" TEXT NOT NULL,
    "orchestrator_namespace" TEXT NOT NULL,
    "orchestrator_deployment" TEXT NOT NULL,
    "dns_name" TEXT NOT NULL,
    "holds_host" BOOLEAN NOT NULL DEFAULT false,
    "replicas" INTEGER NOT NULL DEFAULT 1,
    "restarted_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "applied_revision" INTEGER NOT NULL DEFAULT 0,
    "status" JSONB,
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "credential_hash" BYTEA NOT NULL,
    "credential" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "provisioned_at" TIMESTAMPTZ(3),
    "activated_at" TIMESTAMPTZ(3),
    "drain_until" TIMESTAMPTZ(3),
    "terminated_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "agents_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "agent_liveness" (
    "agent_uuid" UUID NOT NULL,
    "mode" TEXT NOT NULL DEFAULT 'IDLE',
    "last_heartbeat_at" TIMESTAMPTZ(3),
    "deadline" TIMESTAMPTZ(3),
    "unhealthy_since" TIMESTAMPTZ(3),

    CONSTRAINT "agent_liveness_pkey" PRIMARY KEY ("agent_uuid")
);

-- CreateTable
CREATE TABLE "agent_events" (
    "id" BIGSERIAL NOT NULL,
    "agent_uuid" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "from_state" TEXT NOT NULL,
    "to_state" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "agents_orchestrator_deployment_key" ON "agents"("orchestrator_deployment");

-- CreateIndex
CREATE UNIQUE INDEX "agents_credential_hash_key" ON "agents"("credential_hash");

-- CreateIndex
CREATE INDEX "agents_profile_uuid_created_at_idx" ON "agents"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "agent_liveness_deadline_idx" ON "agent_liveness"("deadline");

-- CreateIndex
CREATE INDEX "agent_events_agent_uuid_id_idx" ON "agent_events"("agent_uuid", "id");

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_liveness" ADD CONSTRAINT "agent_liveness_agent_uuid_fkey" FOREIGN KEY ("agent_uuid") REFERENCES "agents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_events" ADD CONSTRAINT "agent_events_agent_uuid_fkey" FOREIGN KEY ("agent_uuid") REFERENCES "agents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- A name is free again once its agent has ended.
CREATE UNIQUE INDEX "agents_live_name_key" ON "agents"("profile_uuid", "name") WHERE "state" NOT IN ('TERMINATED', 'KILLED');

-- A host name belongs to one agent at a time, on the whole platform.
CREATE UNIQUE INDEX "agents_held_host_key" ON "agents"("dns_name") WHERE "holds_host";

-- What the reconciler has to do: settled agents are not in it.
CREATE INDEX "agents_due_idx" ON "agents"("due_at") WHERE "due_at" IS NOT NULL;

-- Free space for the next version of a row, so that a heartbeat stays in its page and touches no index.
ALTER TABLE "agent_liveness" SET (fillfactor = 50);
