import type { Narrowing } from './input.ts';

/** Whether a search has a filter. */
export const isNarrow = (narrowing: Narrowing): boolean => Object.values(narrowing).some((value) => value !== null);

/**
 * The indexed versions of the documents that a search may find, as SQL.
 *
 * @param indexId As SQL.
 * @param first Number of the first parameter of `narrowed`.
 */
export const versionsOf = (indexId: string, first: number, { modelName }: Narrowing): string => `
  SELECT v.version_id FROM document_indexed_versions v JOIN documents d ON d.uuid = v.document_uuid
  WHERE v.index_id = ${indexId} AND ${documentsOf(first)}${modelName === null ? '' : byModel(first + 6)}`;

const documentsOf = (first: number) => `d.profile_uuid = $${first} AND d.deleted_at IS NULL
  AND ($${first + 1}::text IS NULL OR d.source = $${first + 1})
  AND ($${first + 2}::timestamptz IS NULL OR d.created_at >= $${first + 2})
  AND ($${first + 3}::timestamptz IS NULL OR d.created_at < $${first + 3})
  AND ($${first + 4}::text[] IS NULL OR d.tags @> $${first + 4}::text[])
  AND ($${first + 5}::uuid[] IS NULL OR d.uuid = ANY ($${first + 5}::uuid[]))`;

const byModel = (place: number) => ` AND EXISTS (
    SELECT FROM document_attributions a WHERE a.document_uuid = d.uuid AND a.model_name = $${place})`;

/** The parameters of `versionsOf`. */
export const narrowed = (profileUuid: string, narrowing: Narrowing): unknown[] => [
  profileUuid,
  narrowing.source,
  narrowing.from,
  narrowing.before,
  narrowing.tags,
  narrowing.documentUuids,
  ...(narrowing.modelName === null ? [] : [narrowing.modelName]),
];
