import type { Database } from '../platform/database/database.ts';
import type { Events } from '../platform/messaging/events.ts';
import { createWatches, over, resumed, type Source } from '../platform/messaging/watches.ts';
import type { Notification } from './notification.ts';
import * as statements from './statements.ts';

/** Published after a commit. It says that there is something to see, never what. */
export type Signal = 'created' | 'changed';

const channelOf = (profileUuid: string): string => `notifications:${profileUuid}`;

export const publishSignal = (events: Pick<Events, 'publish'>, profileUuid: string, what: Signal) =>
  events.publish(channelOf(profileUuid), what);

/** Notifications of one read. A subscriber that missed more receives them read by read, so that memory stays bounded. */
const lookRows = 100;

export interface FeedDependencies {
  readonly database: Pick<Database, 'read' | 'query' | 'report'>;
  readonly events: Pick<Events, 'subscribe'>;
}

/**
 * New notifications, live. An event is only a signal that a profile has new rows, which are then read in the order of
 * their numbers. So no notification is missed or delivered twice if several processes create at once, or signals are
 * reordered or lost.
 */
export function createFeed({ database, events }: FeedDependencies) {
  const after = async (profileUuid: string, place: number): Promise<Notification[]> => {
    const rows = await database.read<statements.NotificationRow>(statements.after(profileUuid, place, lookRows));
    return rows.map(statements.notificationOf);
  };
  const lastPlaces = async (profiles: readonly string[]): Promise<Map<string, number>> => {
    const rows = await database.read<{ profile_uuid: string; last_seq: string }>(statements.lastPlaces(profiles));
    return new Map(rows.map((row) => [row.profile_uuid, Number(row.last_seq)]));
  };
  const lastPlace = async (profileUuid: string): Promise<number> =>
    (await lastPlaces([profileUuid])).get(profileUuid) ?? 0;
  const unreadCounts = async (profiles: readonly string[]): Promise<Map<string, number>> => {
    const rows = await database.query<{ profile_uuid: string; count: number }>(statements.unreadCounts(profiles));
    return new Map(rows.map((row) => [row.profile_uuid, row.count]));
  };

  /** The state is the number of the newest notification that was delivered to all subscribers. */
  const additions: Source<number, Notification, Signal> = {
    of: 'notifications',
    channelOf,
    begin: lastPlace,
    concerns: (signal: Signal) => signal === 'created',
    async look(profileUuid, place) {
      const items = await after(profileUuid, place);
      return { state: items.at(-1)?.seq ?? place, items, more: items.length === lookRows };
    },
    async changed(states) {
      const last = await lastPlaces([...states.keys()]);
      return [...states].filter(([uuid, place]) => (last.get(uuid) ?? 0) > place).map(([uuid]) => uuid);
    },
  };

  /** The state is the last delivered count; null before the first. */
  const counts: Source<number | null, number, Signal> = {
    of: 'counts of notifications',
    channelOf,
    begin: async () => null,
    concerns: () => true,
    async look(profileUuid) {
      const count = (await unreadCounts([profileUuid])).get(profileUuid) ?? 0;
      return { state: count, items: [count], more: false };
    },
    async changed(states) {
      const now = await unreadCounts([...states.keys()]);
      return [...states].filter(([uuid, count]) => (now.get(uuid) ?? 0) !== count).map(([uuid]) => uuid);
    },
  };

  const added = createWatches({ source: additions, events, report: database.report });
  const unread = createWatches({ source: counts, events, report: database.report });

  return {
    /**
     * Every notification after a place, in order: first the stored ones, read as they are consumed, then each new one.
     *
     * @param from A number of the profile; null for notifications that are created after this has resolved.
     */
    async added(profileUuid: string, from: number | null): Promise<AsyncGenerator<Notification, void, void>> {
      return resumed(await added.follow(profileUuid), from, {
        rows: lookRows,
        placeOf: ({ seq }) => seq,
        lastPlace: () => lastPlace(profileUuid),
        after: (place) => after(profileUuid, place),
      });
    },

    /** How many are unread: at once, then after each change. What changes faster than it is taken is one change. */
    async unreadCounts(profileUuid: string): Promise<AsyncGenerator<number, void, void>> {
      let latest: number | null = null;
      let isWaiting = false;
      const live = await unread.follow(profileUuid, (push) => (count) => {
        latest = count;
        if (!isWaiting) push(count);
        isWaiting = true;
      });
      unread.look(profileUuid);
      let sent: number | null = null;
      return over(live, async () => {
        while (!(await live.next()).done) {
          isWaiting = false;
          if (latest === sent) continue;
          sent = latest;
          return sent;
        }
        return null;
      });
    },

    /** Checks everything that is watched, as the timer does, for signals that were lost. */
    async lookAround(): Promise<void> {
      await Promise.all([added.lookAround(), unread.lookAround()]);
    },
  };
}
