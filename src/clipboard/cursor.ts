import { invalid, isUuid } from '../platform/input/input.ts';
import type { ListedRow, Page } from './statements.ts';

/** A cursor names the entry's place in the list's order, so that pages stay whole while entries come and go. */
export const cursorOf = (row: ListedRow): string =>
  Buffer.from(row.seq === null ? `n:${row.createdAt.getTime()}:${row.uuid}` : `s:${row.seq}`).toString('base64url');

/** @throws {ApiError} `VALIDATION_ERROR` for anything that `cursorOf` did not make. */
export function placeAfter(cursor: string | null | undefined): Page['after'] {
  if (cursor === null || cursor === undefined) return null;
  const [kind, first = '', uuid, ...rest] = Buffer.from(cursor, 'base64url').toString().split(':');
  const isNumber = /^\d{1,15}$/.test(first) && rest.length === 0;
  if (kind === 's' && isNumber && uuid === undefined) return { seq: first };
  if (kind === 'n' && isNumber && Number(first) <= 8.64e15 && isUuid(uuid))
    return { createdAt: new Date(Number(first)), uuid };
  throw invalid({ after: 'after is not a cursor of this list' });
}
