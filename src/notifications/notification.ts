import { ApiError } from '../platform/errors.ts';
import { requireUuid } from '../platform/input/input.ts';
import type { NotificationType, Severity } from './input.ts';

/** A notification for the users of a profile. Source: docs/specification/notifications.md#notification. */
export interface Notification {
  readonly uuid: string;
  /** The place among all notifications of the profile: a later commit has a higher number. Not shown. */
  readonly seq: number;
  readonly type: NotificationType;
  readonly title: string | null;
  /** Plain text: whatever looks like HTML is text too. */
  readonly message: string;
  readonly severity: Severity | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
  /** Set once, by the first who marked it as read. */
  readonly readAt: Date | null;
  readonly completedAt: Date | null;
}

const notFound = () => new ApiError('NOT_FOUND', 'Notification not found');

/** @throws {ApiError} `NOT_FOUND` for a malformed id. */
export const requireId = (uuid: string): string => requireUuid(uuid, notFound);

/** The row that a statement found. @throws {ApiError} `NOT_FOUND` without one. */
export function found<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}
