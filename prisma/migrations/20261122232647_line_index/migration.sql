-- AlterTable
ALTER TABLE "document_texts" ADD COLUMN     "feeds_before" INTEGER;

UPDATE "document_texts" t SET "feeds_before" = counted.feeds_before
FROM (
  SELECT version_id, part, sum(feeds) OVER (PARTITION BY version_id ORDER BY part)::int - feeds AS feeds_before
  FROM (SELECT version_id, part, octet_length(text) - octet_length(replace(text, E'\n', '')) AS feeds FROM "document_texts") each) counted
WHERE t.version_id = counted.version_id AND t.part = counted.part;

ALTER TABLE "document_texts" ALTER COLUMN "feeds_before" SET NOT NULL;

-- CreateIndex
CREATE INDEX "document_texts_version_id_feeds_before_part_idx" ON "document_texts"("version_id", "feeds_before", "part");
