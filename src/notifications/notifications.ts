import { createChanges } from './changes.ts';
import { type CreationDependencies, createCreation } from './creation.ts';
import { createLive } from './live.ts';
import { createReads } from './reads.ts';

export interface NotificationsDependencies extends CreationDependencies {
  /** Days that a notification is kept once it was read; an unread one is kept twice as long. */
  readonly retentionDays: number;
}

export type Notifications = ReturnType<typeof createNotifications>;

/** Notifications for the users of a profile. Source: docs/specification/notifications.md. */
export const createNotifications = (deps: NotificationsDependencies) => ({
  ...createCreation(deps),
  ...createReads(deps),
  ...createChanges(deps),
  ...createLive(deps),
});
