-- AlterTable
ALTER TABLE "registry_servers" ADD COLUMN "withdrawn_at" TIMESTAMPTZ(3);
