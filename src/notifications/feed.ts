import type { Database } from '../platform/database/database.ts';
import type { Events } from '../platform/events.ts';
import type { Notification } from './notification.ts';
import * as statements from './statements.ts';
import { createWatches, type Hint, type Source } from './watch.ts';

/** Notifications of one look. Whoever missed more is given them look by look, so that memory stays bounded. */
const lookRows = 100;

export interface FeedDependencies {
  readonly database: Pick<Database, 'read' | 'query' | 'report'>;
  readonly events: Pick<Events, 'subscribe'>;
}

/**
 * What is new, live. An event only hints that there is something to see; what it is, is read in the order of its numbers. So
 * nothing is missed or told twice when several processes create at once, when hints overtake each other or are lost.
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

  /** The state is the number of the newest notification that everybody has been told of. */
  const additions: Source<number, Notification> = {
    begin: lastPlace,
    concerns: (hint: Hint) => hint === 'created',
    async look(profileUuid, place) {
      const news = await after(profileUuid, place);
      return { state: news.at(-1)?.seq ?? place, news, more: news.length === lookRows };
    },
    async changed(states) {
      const last = await lastPlaces([...states.keys()]);
      return [...states].filter(([uuid, place]) => (last.get(uuid) ?? 0) > place).map(([uuid]) => uuid);
    },
  };

  /** The state is the number that everybody has been told; null before the first. */
  const counts: Source<number | null, number> = {
    begin: async () => null,
    concerns: () => true,
    async look(profileUuid) {
      const count = (await unreadCounts([profileUuid])).get(profileUuid) ?? 0;
      return { state: count, news: [count], more: false };
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
     * Every notification after a place, in order: first those that are there, read as they are taken, then each when it comes.
     *
     * @param from A number of the profile; null for what is created once this has resolved.
     */
    async added(profileUuid: string, from: number | null): Promise<AsyncGenerator<Notification, void, void>> {
      const live = await added.follow(profileUuid);
      let place: number;
      try {
        place = from ?? (await lastPlace(profileUuid));
      } catch (error) {
        await live.return();
        throw error;
      }
      // Whatever the live ones do not hold was committed before they began, and is there to be read.
      let isCaughtUp = from === null;
      let stored: Notification[] = [];
      return over(live, async (isOver) => {
        while (!isOver()) {
          if (stored.length === 0 && !isCaughtUp) {
            stored = await after(profileUuid, place);
            isCaughtUp = stored.length < lookRows;
            continue;
          }
          const next = stored.shift() ?? (await live.next()).value;
          if (!next) return null;
          if (next.seq <= place) continue;
          place = next.seq;
          return next;
        }
        return null;
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
      let told: number | null = null;
      return over(live, async () => {
        while (!(await live.next()).done) {
          isWaiting = false;
          if (latest === told) continue;
          told = latest;
          return told;
        }
        return null;
      });
    },

    /** Looks at everything that is watched, as the timer does: for hints that were lost. */
    async lookAround(): Promise<void> {
      await Promise.all([added.lookAround(), unread.lookAround()]);
    },
  };
}

/**
 * A generator over another. Not by `async function*`, whose `return` would wait for a `next` that may never come.
 *
 * @param take What comes next; null for the end.
 */
function over<Payload>(
  inner: AsyncGenerator<unknown, void, void>,
  take: (isOver: () => boolean) => Promise<Payload | null>,
): AsyncGenerator<Payload, void, void> {
  let isOver = false;
  const end = async () => {
    isOver = true;
    await inner.return();
  };
  return {
    async next() {
      try {
        const value = await take(() => isOver);
        return value === null ? { done: true, value: undefined } : { done: false, value };
      } catch (error) {
        await end();
        throw error;
      }
    },
    async return() {
      await end();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await end();
      throw error;
    },
    [Symbol.asyncDispose]: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
