-- DropIndex
DROP INDEX "document_versions_storage_key_key";

-- AlterTable
ALTER TABLE "document_versions" ADD COLUMN     "profile_uuid" UUID NOT NULL,
ADD COLUMN     "progress" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "indexed_version" INTEGER;

-- CreateTable
CREATE TABLE "document_attributions" (
    "id" BIGSERIAL NOT NULL,
    "document_uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "model_provider" TEXT NOT NULL,
    "model_name" TEXT NOT NULL,
    "contribution" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_attributions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_files" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "storage_key" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "file_size" BIGINT,
    "mime_type" TEXT,
    "content_hash" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removable_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_files_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "document_usage" (
    "profile_uuid" UUID NOT NULL,
    "documents" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "document_usage_pkey" PRIMARY KEY ("profile_uuid")
);

-- CreateIndex
CREATE INDEX "document_attributions_document_uuid_idx" ON "document_attributions"("document_uuid");

-- CreateIndex
CREATE INDEX "document_attributions_profile_uuid_model_name_idx" ON "document_attributions"("profile_uuid", "model_name");

-- CreateIndex
CREATE UNIQUE INDEX "document_files_storage_key_key" ON "document_files"("storage_key");

-- CreateIndex
CREATE INDEX "document_files_removable_at_idx" ON "document_files"("removable_at");

-- CreateIndex
CREATE INDEX "document_versions_profile_uuid_content_hash_idx" ON "document_versions"("profile_uuid", "content_hash");

-- CreateIndex
CREATE INDEX "document_versions_storage_key_idx" ON "document_versions"("storage_key");

-- CreateIndex
CREATE INDEX "document_versions_due_at_idx" ON "document_versions"("due_at");

-- CreateIndex
CREATE INDEX "documents_deleted_at_idx" ON "documents"("deleted_at");

-- AddForeignKey
ALTER TABLE "document_attributions" ADD CONSTRAINT "document_attributions_document_uuid_fkey" FOREIGN KEY ("document_uuid") REFERENCES "documents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_usage" ADD CONSTRAINT "document_usage_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- A file may be removed when its versions are gone, whatever removed them: also the removal of a profile.
CREATE FUNCTION document_files_are_removable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_files f SET removable_at = '-infinity' FROM gone WHERE f.storage_key = gone.storage_key;
  RETURN NULL;
END
$$;

CREATE TRIGGER document_versions_gone AFTER DELETE ON document_versions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION document_files_are_removable();
