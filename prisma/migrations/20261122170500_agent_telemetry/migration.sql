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

-- Takes what no other partition has room for, so that an insert never fails for want of one. The others are made ahead by
-- src/agents/partitions.ts.
CREATE TABLE "agent_heartbeats_default" PARTITION OF "agent_heartbeats" DEFAULT;
CREATE TABLE "agent_metrics_default" PARTITION OF "agent_metrics" DEFAULT;
CREATE TABLE "agent_metric_buckets_default" PARTITION OF "agent_metric_buckets" DEFAULT;

-- For the number of unhealthy agents. A heartbeat of a healthy agent does not touch it.
CREATE INDEX "agent_liveness_unhealthy_idx" ON "agent_liveness"("unhealthy_since") WHERE "unhealthy_since" IS NOT NULL;
