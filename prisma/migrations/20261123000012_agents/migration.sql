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
    "idle_after_seconds" INTEGER,
    "idle_at" TIMESTAMPTZ(3),
    "idle_requests" BIGINT,
    "suspended_for" TEXT,

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
    "profile_uuid" UUID NOT NULL,

    CONSTRAINT "agent_events_pkey" PRIMARY KEY ("agent_uuid","id")
);

-- CreateTable
CREATE TABLE "agent_orchestrator_lease" (
    "id" INTEGER NOT NULL,
    "holder" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "is_reachable" BOOLEAN NOT NULL,

    CONSTRAINT "agent_orchestrator_lease_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_heartbeats" (
    "id" BIGSERIAL NOT NULL,
    "agent_uuid" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "uptime_seconds" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_heartbeats_pkey" PRIMARY KEY ("agent_uuid","at","id")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "agent_metrics" (
    "id" BIGSERIAL NOT NULL,
    "agent_uuid" UUID NOT NULL,
    "cpu_percent" DOUBLE PRECISION NOT NULL,
    "memory_mb" DOUBLE PRECISION NOT NULL,
    "requests_handled" BIGINT NOT NULL,
    "custom_metrics" JSON,
    "custom_bytes" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_metrics_pkey" PRIMARY KEY ("agent_uuid","at","id")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "agent_metric_touches" (
    "agent_uuid" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL
);

-- CreateTable
CREATE TABLE "agent_metric_buckets" (
    "agent_uuid" UUID NOT NULL,
    "seconds" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "cpu_percent_average" DOUBLE PRECISION NOT NULL,
    "cpu_percent_max" DOUBLE PRECISION NOT NULL,
    "memory_mb_average" DOUBLE PRECISION NOT NULL,
    "memory_mb_max" DOUBLE PRECISION NOT NULL,
    "requests_handled" BIGINT NOT NULL,

    CONSTRAINT "agent_metric_buckets_pkey" PRIMARY KEY ("agent_uuid","seconds","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "agent_usage" (
    "id" BIGSERIAL NOT NULL,
    "agent_uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "cpu_millicores" INTEGER NOT NULL,
    "memory_bytes" BIGINT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "cpu_before" DECIMAL(40,0) NOT NULL,
    "memory_before" DECIMAL(40,0) NOT NULL,

    CONSTRAINT "agent_usage_pkey" PRIMARY KEY ("agent_uuid","id")
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
CREATE INDEX "agent_events_profile_uuid_id_idx" ON "agent_events"("profile_uuid", "id");

-- CreateIndex
CREATE INDEX "agent_usage_profile_uuid_ended_at_idx" ON "agent_usage"("profile_uuid", "ended_at");

-- CreateIndex
CREATE INDEX "agent_usage_ended_at_agent_uuid_id_idx" ON "agent_usage"("ended_at", "agent_uuid", "id");

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_liveness" ADD CONSTRAINT "agent_liveness_agent_uuid_fkey" FOREIGN KEY ("agent_uuid") REFERENCES "agents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_events" ADD CONSTRAINT "agent_events_agent_uuid_fkey" FOREIGN KEY ("agent_uuid") REFERENCES "agents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_usage" ADD CONSTRAINT "agent_usage_agent_uuid_fkey" FOREIGN KEY ("agent_uuid") REFERENCES "agents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- A name is free again once its agent has ended.
CREATE UNIQUE INDEX "agents_live_name_key" ON "agents"("profile_uuid", "name") WHERE "state" NOT IN ('TERMINATED', 'KILLED');

-- A host name belongs to one agent at a time, on the whole platform.
CREATE UNIQUE INDEX "agents_held_host_key" ON "agents"("dns_name") WHERE "holds_host";

-- What the reconciler has to do: settled agents are not in it.
CREATE INDEX "agents_due_idx" ON "agents"("due_at") WHERE "due_at" IS NOT NULL;

-- Free space for the next version of a row, so that a heartbeat stays in its page and touches no index.
ALTER TABLE "agent_liveness" SET (fillfactor = 50);

-- Takes what no other partition has room for, so that an insert never fails for want of one. The others are made ahead by
-- src/agents/partitions.ts.
CREATE TABLE "agent_heartbeats_default" PARTITION OF "agent_heartbeats" DEFAULT;
CREATE TABLE "agent_metrics_default" PARTITION OF "agent_metrics" DEFAULT;
CREATE TABLE "agent_metric_buckets_default" PARTITION OF "agent_metric_buckets" DEFAULT;

-- For the number of unhealthy agents. A heartbeat of a healthy agent does not touch it.
CREATE INDEX "agent_liveness_unhealthy_idx" ON "agent_liveness"("unhealthy_since") WHERE "unhealthy_since" IS NOT NULL;

-- Agents whose grace period ends, for an installation whose orchestrator is off: its scan costs nothing for all other agents.
CREATE INDEX "agents_drain_until_idx" ON "agents"("drain_until") WHERE "state" = 'DRAINING';

-- An agent has at most one open interval.
CREATE UNIQUE INDEX "agent_usage_open_key" ON "agent_usage"("agent_uuid") WHERE "ended_at" IS NULL;

-- The scan for idle agents costs nothing for all others.
CREATE INDEX "agents_idle_idx" ON "agents"("idle_at") WHERE "idle_at" IS NOT NULL;
