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
    "indexed_version" INTEGER,

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
    "profile_uuid" UUID NOT NULL,
    "progress" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_texts" (
    "version_id" BIGINT NOT NULL,
    "part" INTEGER NOT NULL,
    "start_offset" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "feeds_before" INTEGER NOT NULL,

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
    "section" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "document_chunks_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "document_indexes" (
    "id" SERIAL NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "sections" INTEGER NOT NULL DEFAULT 0,
    "words" BIGINT NOT NULL DEFAULT 0,
    "languages" TEXT[],

    CONSTRAINT "document_indexes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_terms" (
    "id" BIGSERIAL NOT NULL,
    "index_id" INTEGER NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "sections" INTEGER NOT NULL,

    CONSTRAINT "document_terms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_postings" (
    "term_id" BIGINT NOT NULL,
    "version_id" BIGINT NOT NULL,
    "sections" BIGINT[],

    CONSTRAINT "document_postings_pkey" PRIMARY KEY ("term_id","version_id")
);

-- CreateTable
CREATE TABLE "document_indexed_versions" (
    "version_id" BIGINT NOT NULL,
    "index_id" INTEGER NOT NULL,
    "document_uuid" UUID NOT NULL,
    "sections" INTEGER NOT NULL,
    "words" INTEGER NOT NULL,
    "terms" BIGINT[],

    CONSTRAINT "document_indexed_versions_pkey" PRIMARY KEY ("version_id")
);

-- CreateTable
CREATE TABLE "document_embedding_models" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "dims" INTEGER NOT NULL,

    CONSTRAINT "document_embedding_models_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_vectors" (
    "chunk_id" BIGINT NOT NULL,
    "index_id" INTEGER NOT NULL,
    "version_id" BIGINT NOT NULL,
    "model_id" INTEGER NOT NULL,
    "signature" varbit NOT NULL,
    "vector" REAL[],
    "rounded" BYTEA NOT NULL,

    CONSTRAINT "document_vectors_pkey" PRIMARY KEY ("chunk_id")
);

-- CreateTable
CREATE TABLE "document_storage" (
    "id" INTEGER NOT NULL,
    "installation" UUID NOT NULL,
    "is_claimed" BOOLEAN NOT NULL,

    CONSTRAINT "document_storage_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "documents_profile_uuid_created_at_idx" ON "documents"("profile_uuid", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "document_versions_document_uuid_version_key" ON "document_versions"("document_uuid", "version");

-- CreateIndex
CREATE UNIQUE INDEX "document_chunks_version_id_ordinal_key" ON "document_chunks"("version_id", "ordinal");

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

-- CreateIndex
CREATE UNIQUE INDEX "document_indexes_profile_uuid_key" ON "document_indexes"("profile_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "document_terms_index_id_term_key" ON "document_terms"("index_id", "term");

-- CreateIndex
CREATE INDEX "document_indexed_versions_index_id_idx" ON "document_indexed_versions"("index_id");

-- CreateIndex
CREATE INDEX "document_indexed_versions_document_uuid_idx" ON "document_indexed_versions"("document_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "document_embedding_models_name_key" ON "document_embedding_models"("name");

-- CreateIndex
CREATE INDEX "document_texts_version_id_feeds_before_part_idx" ON "document_texts"("version_id", "feeds_before", "part");

-- CreateIndex
CREATE INDEX "document_versions_ready_at_idx" ON "document_versions"("ready_at");

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_uuid_fkey" FOREIGN KEY ("document_uuid") REFERENCES "documents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_texts" ADD CONSTRAINT "document_texts_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "document_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_chunks" ADD CONSTRAINT "document_chunks_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "document_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_attributions" ADD CONSTRAINT "document_attributions_document_uuid_fkey" FOREIGN KEY ("document_uuid") REFERENCES "documents"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_usage" ADD CONSTRAINT "document_usage_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_indexes" ADD CONSTRAINT "document_indexes_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_terms" ADD CONSTRAINT "document_terms_index_id_fkey" FOREIGN KEY ("index_id") REFERENCES "document_indexes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_postings" ADD CONSTRAINT "document_postings_term_id_fkey" FOREIGN KEY ("term_id") REFERENCES "document_terms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_indexed_versions" ADD CONSTRAINT "document_indexed_versions_index_id_fkey" FOREIGN KEY ("index_id") REFERENCES "document_indexes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_indexed_versions" ADD CONSTRAINT "document_indexed_versions_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "document_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_vectors" ADD CONSTRAINT "document_vectors_chunk_id_fkey" FOREIGN KEY ("chunk_id") REFERENCES "document_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_vectors" ADD CONSTRAINT "document_vectors_index_id_fkey" FOREIGN KEY ("index_id") REFERENCES "document_indexes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_vectors" ADD CONSTRAINT "document_vectors_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "document_embedding_models"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A file may be removed when its versions are gone, whatever removed them: also the removal of a profile.
CREATE FUNCTION document_files_are_removable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_files f SET removable_at = '-infinity' FROM gone WHERE f.storage_key = gone.storage_key;
  RETURN NULL;
END
$$;

CREATE TRIGGER document_versions_gone AFTER DELETE ON document_versions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION document_files_are_removable();

-- The sieve of a search reads this index alone: 100 bytes of a passage instead of 2 KB.
CREATE INDEX "document_vectors_index_id_model_id_chunk_id_version_id_sign_idx" ON "document_vectors"("index_id", "model_id", "chunk_id", "version_id", "signature");

-- A vector stays in its row, where it is read without a second table; it does not compress.
ALTER TABLE "document_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL;
ALTER TABLE "document_vectors" SET (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.02);

-- A search takes one core: starting workers for each takes half as much CPU again, and the searches of others would wait for it.
ALTER TABLE "document_vectors" SET (parallel_workers = 0);

-- Counts change in place.
ALTER TABLE "document_terms" SET (fillfactor = 80);

-- Takes the words of a version out of its index, whatever removes the version: a search of the index never counts what is gone. The
-- row of the index comes first, as everywhere, so that two changes of one index wait for each other and never both for the other.
CREATE FUNCTION document_words_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_indexes SET sections = sections - OLD.sections, words = words - OLD.words WHERE id = OLD.index_id;
  WITH gone AS (
    DELETE FROM document_postings WHERE term_id = ANY (OLD.terms) AND version_id = OLD.version_id
    RETURNING term_id, cardinality(sections) AS sections)
  UPDATE document_terms t SET sections = t.sections - gone.sections FROM gone WHERE t.id = gone.term_id;
  DELETE FROM document_terms WHERE id = ANY (OLD.terms) AND sections <= 0;
  RETURN NULL;
END
$$;

CREATE TRIGGER document_words_removed AFTER DELETE ON "document_indexed_versions"
  FOR EACH ROW EXECUTE FUNCTION document_words_removed();
