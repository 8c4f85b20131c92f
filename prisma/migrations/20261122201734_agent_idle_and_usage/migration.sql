-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "idle_after_seconds" INTEGER,
ADD COLUMN     "idle_at" TIMESTAMPTZ(3),
ADD COLUMN     "idle_requests" BIGINT,
ADD COLUMN     "suspended_for" TEXT;

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
CREATE INDEX "agent_usage_profile_uuid_ended_at_idx" ON "agent_usage"("profile_uuid", "ended_at");

-- AddForeignKey
ALTER TABLE "agent_usage" ADD CONSTRAINT "agent_usage_agent_uuid_fkey" FOREIGN KEY ("agent_uuid") REFERENCES "agents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- An agent has at most one open interval.
CREATE UNIQUE INDEX "agent_usage_open_key" ON "agent_usage"("agent_uuid") WHERE "ended_at" IS NULL;

-- The scan for idle agents costs nothing for all others.
CREATE INDEX "agents_idle_idx" ON "agents"("idle_at") WHERE "idle_at" IS NOT NULL;

-- Suspended agents were suspended by their owners.
UPDATE "agents" SET "suspended_for" = 'OWNER' WHERE "replicas" = 0;

-- The use of agents that run counts from now.
INSERT INTO "agent_usage" ("agent_uuid", "profile_uuid", "cpu_millicores", "memory_bytes", "started_at", "cpu_before", "memory_before")
SELECT "uuid", "profile_uuid",
  CASE WHEN "cpu_request" LIKE '%m' THEN rtrim("cpu_request", 'm')::integer ELSE ("cpu_request"::numeric * 1000)::integer END,
  (substring("memory_request" from '^[0-9.]+')::numeric * CASE ltrim("memory_request", '0123456789.')
    WHEN 'k' THEN 1000 WHEN 'M' THEN 1000000 WHEN 'G' THEN 1000000000 WHEN 'T' THEN 1000000000000
    WHEN 'Ki' THEN 1024 WHEN 'Mi' THEN 1048576 WHEN 'Gi' THEN 1073741824 WHEN 'Ti' THEN 1099511627776 ELSE 1 END)::bigint,
  date_trunc('milliseconds', now()), 0, 0
FROM "agents" WHERE "state" IN ('PROVISIONED', 'ACTIVE', 'DRAINING') AND "replicas" > 0;
