-- AlterTable
ALTER TABLE "mcp_capabilities" ADD COLUMN     "bytes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "mcp_servers" ADD COLUMN     "discovery_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "mcp_secret_reads" (
    "profile_uuid" UUID NOT NULL,
    "credential_uuid" UUID NOT NULL,
    "day" DATE NOT NULL,
    "reads" INTEGER NOT NULL,
    "first_read_at" TIMESTAMPTZ(3) NOT NULL,
    "last_read_at" TIMESTAMPTZ(3) NOT NULL,
    "last_address" TEXT NOT NULL,

    CONSTRAINT "mcp_secret_reads_pkey" PRIMARY KEY ("profile_uuid","credential_uuid","day")
);

-- AddForeignKey
ALTER TABLE "mcp_secret_reads" ADD CONSTRAINT "mcp_secret_reads_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;
