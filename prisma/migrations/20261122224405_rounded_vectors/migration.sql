-- AlterTable
ALTER TABLE "document_vectors" ADD COLUMN     "rounded" BYTEA;

-- Each number as a multiple of the largest / 127, as the product writes it from now on.
UPDATE "document_vectors" SET "rounded" = (
  SELECT decode(string_agg(lpad(to_hex(
      (CASE WHEN most.number = 0 THEN 0 ELSE round(each.number * 127 / most.number)::int END) & 255), 2, '0'), '' ORDER BY each.place), 'hex')
  FROM unnest("vector") WITH ORDINALITY AS each (number, place),
    (SELECT max(abs(number)) AS number FROM unnest("vector") AS number) AS most);

ALTER TABLE "document_vectors" ALTER COLUMN "rounded" SET NOT NULL;
