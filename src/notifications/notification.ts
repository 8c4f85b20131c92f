import type { NotificationType, Severity } from './input.ts';

/** Something that a profile's people should know. Source: docs/specification/notifications.md#notification. */
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
