-- AlterTable
ALTER TABLE "mcp_servers" ADD COLUMN     "are_tools_known" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "discovery_job" UUID;

-- Whoever was asked said all there is; of what clients reported it is known where there are tools.
UPDATE "mcp_servers" SET "are_tools_known" = true
WHERE "discovered_at" IS NOT NULL
  AND ("transport" <> 'stdio' OR EXISTS (SELECT 1 FROM "mcp_capabilities" c WHERE c.server_uuid = "mcp_servers".uuid AND c.kind = 'tool'));

-- A client reports what a stdio server offers: nobody asks it.
UPDATE "mcp_servers" SET "discovery_status" = 'never', "discovery_at" = NULL
WHERE "transport" = 'stdio' AND "discovery_status" IN ('queued', 'running');
