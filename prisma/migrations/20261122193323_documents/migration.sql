-- CreateTable
CREATE TABLE "documents" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "source" TEXT NOT NULL,
    "tags" TEXT[] NOT NULL,
    "visibility" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "documents_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "document_versions" (
    "id" BIGSERIAL NOT NULL,
    "document_uuid" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "file_name" TEXT NOT NULL,
    "file_size" BIGINT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "content_hash" BYTEA NOT NULL,
    "storage_key" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure_code" TEXT,
    "failure_reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "text_length" INTEGER,
    "page_starts" INTEGER[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ready_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_texts" (
    "version_id" BIGINT NOT NULL,
    "part" INTEGER NOT NULL,
    "start_offset" INTEGER NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "document_texts_pkey" PRIMARY KEY ("version_id","part")
);

-- CreateTable
CREATE TABLE "document_chunks" (
    "id" BIGSERIAL NOT NULL,
    "version_id" BIGINT NOT NULL,
    "document_uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "start_offset" INTEGER NOT NULL,
    "end_offset" INTEGER NOT NULL,
    "page" INTEGER,
    "heading" TEXT,
    "text" TEXT NOT NULL,

    CONSTRAINT "document_chunks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "documents_profile_uuid_created_at_idx" ON "documents"("profile_uuid", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "document_versions_storage_key_key" ON "document_versions"("storage_key");

-- CreateIndex
CREATE UNIQUE INDEX "document_versions_document_uuid_version_key" ON "document_versions"("document_uuid", "version");

-- CreateIndex
CREATE UNIQUE INDEX "document_chunks_version_id_ordinal_key" ON "document_chunks"("version_id", "ordinal");

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_uuid_fkey" FOREIGN KEY ("document_uuid") REFERENCES "documents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_texts" ADD CONSTRAINT "document_texts_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "document_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_chunks" ADD CONSTRAINT "document_chunks_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "document_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
