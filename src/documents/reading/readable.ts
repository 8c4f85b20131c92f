import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { requireUuid } from '../../platform/input/input.ts';
import { documentNotFound } from '../document.ts';
import * as statements from './statements.ts';

/** A version whose text can be read. */
export interface Readable {
  readonly id: string;
  readonly documentUuid: string;
  readonly title: string;
  readonly version: number;
  /** UTF-16 code units. */
  readonly textLength: number;
  readonly pageStarts: readonly number[];
  readonly createdAt: Date;
}

export const readableOf = (row: statements.ReadableRow): Readable => ({
  id: row.id,
  documentUuid: row.document_uuid,
  title: row.title,
  version: row.version,
  textLength: row.text_length ?? 0,
  pageStarts: row.page_starts,
  createdAt: row.created_at,
});

/**
 * A version of a profile's own document; without a number the newest that has been read.
 *
 * @throws {ApiError} `NOT_FOUND`; `CONFLICT` for a version that has not been read, or cannot be.
 */
export async function findReadable(
  database: Pick<Database, 'read'>,
  profileUuid: string,
  documentUuid: string,
  version: number | null,
): Promise<Readable> {
  const [row] = await database.read<statements.ReadableRow>(
    statements.readable(profileUuid, requireUuid(documentUuid, documentNotFound), version),
  );
  if (!row) throw documentNotFound();
  if (row.text_length !== null) return readableOf(row);
  throw new ApiError(
    'CONFLICT',
    row.status === 'failed' && row.failure_reason ? row.failure_reason : 'The document has not been read yet',
  );
}

/** The page on which an offset stands, from 1; null for a text without pages. */
export function pageOf(pageStarts: readonly number[], offset: number): number | null {
  if (pageStarts.length === 0) return null;
  let [low, high] = [0, pageStarts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pageStarts[middle] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(low, 1);
}
