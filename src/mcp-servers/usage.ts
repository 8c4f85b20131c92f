import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse, requireUuid } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { Activity, NewRating } from './input.ts';
import { profileOf, ratingOf, seerOf, serverNotFound } from './server.ts';
import * as statements from './statements.ts';

/** How a server is used. Source: docs/specification/mcp-servers.md#statistics. */
export interface McpServerStats {
  readonly serverUuid: string;
  readonly installations: number;
  /** 0 while there is none, else 1 to 5, to two decimals. */
  readonly rating: number;
  readonly ratingsCount: number;
  readonly lastActivityAt: Date | null;
  /** Of the last 30 days in UTC, the oldest first; today is the last. */
  readonly dailyInstalls: readonly number[];
}

/** Notifies people of several profiles, as part of a transaction. @returns What to call after the commit. */
type NotifyAll = (
  tx: Database,
  notices: ReadonlyMap<
    string,
    {
      readonly type: 'server_installed';
      readonly severity: 'INFO';
      readonly title: string;
      readonly message: string;
      readonly metadata: Record<string, unknown>;
    }
  >,
) => Promise<() => void>;

export interface UsageDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly notifyAll: NotifyAll;
  /** Called after the commit of an activity that trends count. */
  readonly onUse: () => void;
}

/** Of one statement. */
const serversAskedMax = 1_000;
/** Two months of trends, and what the hours round off. */
const hoursKeptDays = 61;
/** The days that are shown, and one more for a process whose clock is behind. */
const daysKept = statements.installDays + 1;
/** After that, activity of a user counts again. */
const usersKeptDays = 30;
const purgedRows = 5_000;
/** Of one transaction, for which every other use of these servers waits. */
const recountedServers = 100;
const firstUuid = '00000000-0000-0000-0000-000000000000';
/** Servers that one notification names by their ids: its metadata has room for some 400. */
const namedMax = 100;

/**
 * The use of servers: installations, ratings, calls, and their figures. Source:
 * docs/specification/mcp-servers.md#usage.
 */
export function createUsage({ database, clock, outbox, notifyAll, onUse }: UsageDependencies) {
  /**
   * Installs a server in the caller's profile: its own or a public one. Repeating it changes nothing.
   *
   * The owner of a public server is notified of the first installation by a user only, so that alternating
   * installations and removals cannot fill the owner's list.
   *
   * @returns Whether it was not installed before.
   * @throws {ApiError} `NOT_FOUND` for a server that the caller may not see.
   */
  async function install(caller: Caller, serverUuid: string): Promise<boolean> {
    const principal = authorize(caller, 'mcp-servers:write');
    const { installed, alreadyInstalled } = await installIn(principal, [requireUuid(serverUuid, serverNotFound)]);
    if (installed + alreadyInstalled === 0) throw serverNotFound();
    return installed > 0;
  }

  /**
   * The same for several servers at once, in as many statements as for one; what the caller may not see is passed over. An
   * owner of several of them is notified once.
   *
   * @param serverUuids Well-formed and bounded by the caller: a collection has at most 500.
   */
  async function installAll(
    caller: Caller,
    serverUuids: readonly string[],
  ): Promise<{ installed: number; alreadyInstalled: number }> {
    const principal = authorize(caller, 'mcp-servers:write');
    return installIn(principal, [...new Set(serverUuids)]);
  }

  async function installIn({ profileUuid, userUuid }: Principal, servers: readonly string[]) {
    if (servers.length === 0) return { installed: 0, alreadyInstalled: 0 };
    const { rows, added, announce } = await database.transaction(async (tx) => {
      const held = await tx.query<{ uuid: string }>(statements.holdAll(servers, profileUuid));
      const uuids = held.map(({ uuid }) => uuid);
      const installations = uuids.map(() => randomUUID());
      const statement = statements.install(uuids, profileUuid, clock.now(), userUuid, installations);
      const rows = held.length > 0 ? await tx.query<statements.InstalledRow>(statement) : [];
      const added = rows.filter(({ installed }) => installed);
      const events = added.map(({ uuid, source, version }) => ({
        profileUuid,
        data: { server_uuid: uuid, user_id: userUuid, profile_uuid: profileUuid, metadata: { source, version } },
      }));
      await outbox.writeAll(tx, 'server.installed', events);
      const notified = added.filter((row) => row.is_first && row.is_somebodys && row.owner !== profileUuid);
      return { rows, added, announce: await notifyAll(tx, noticesOf(notified, userUuid)) };
    });
    announce();
    if (added.length > 0) {
      outbox.wake();
      onUse();
    }
    return { installed: added.length, alreadyInstalled: rows.length - added.length };
  }

  /**
   * Removes a server from the caller's profile.
   *
   * @throws {ApiError} `NOT_FOUND` where it is not installed, whether or not there is such a server.
   */
  async function uninstall(caller: Caller, serverUuid: string): Promise<void> {
    const principal = authorize(caller, 'mcp-servers:write');
    if (!(await uninstallIn(principal, requireUuid(serverUuid, serverNotFound)))) throw serverNotFound();
  }

  /** @returns Whether the server was installed until now. */
  async function uninstallIn({ profileUuid, userUuid }: Principal, uuid: string): Promise<boolean> {
    const isRemoved = await database.transaction(async (tx) => {
      await tx.query(statements.holdAny(uuid));
      const [row] = await tx.query<{ uuid: string }>(statements.uninstall(uuid, profileUuid, clock.now(), userUuid));
      if (!row) return false;
      const data = { server_uuid: uuid, user_id: userUuid, profile_uuid: profileUuid };
      await outbox.write(tx, { profileUuid, type: 'server.uninstalled', data });
      return true;
    });
    if (isRemoved) {
      outbox.wake();
      onUse();
    }
    return isRemoved;
  }

  /**
   * Rates a server, 1 to 5, for the caller's user: one rating, which a later one replaces.
   *
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for a server that the caller may not see; `FORBIDDEN` for a server of any of
   *   the user's profiles.
   */
  async function rate(caller: Caller, serverUuid: string, input: z.input<typeof NewRating>): Promise<void> {
    const { profileUuid, userUuid } = authorize(caller, 'mcp-servers:write');
    const { rating } = parse(NewRating, input);
    const uuid = requireUuid(serverUuid, serverNotFound);
    await database.transaction(async (tx) => {
      const [server] = await tx.query<{ is_own: boolean }>(statements.holdRated(uuid, profileUuid, userUuid));
      if (!server) throw serverNotFound();
      if (server.is_own) throw new ApiError('FORBIDDEN', 'You cannot rate your own server');
      await tx.query(statements.rate(uuid, clock.now(), userUuid, rating));
    });
  }

  /**
   * Counts activity of a client on a server. A call is counted without its arguments and results; a successful
   * `install` or `uninstall` does the same as the function of that name.
   *
   * A proxy also reports calls of its own tools, which belong to no server: such a report succeeds and counts nothing.
   *
   * @returns Whether the report was counted. False without a server, for a malformed or unknown uuid, and for a server
   * that the caller neither owns nor has installed (for an `install`: may not see).
   * @throws {ApiError} `VALIDATION_ERROR`.
   * @see docs/specification/mcp-servers.md#usage
   */
  async function report(
    caller: Caller,
    serverUuid: string | null | undefined,
    input: z.input<typeof Activity>,
  ): Promise<boolean> {
    const principal = authorize(caller, 'mcp-servers:write');
    const { action, success } = parse(Activity, input);
    if (!isUuid(serverUuid)) return false;
    const uuid = serverUuid.toLowerCase();
    if (action === 'install') return success && (await installIn(principal, [uuid])).installed > 0;
    if (action === 'uninstall') return success && (await uninstallIn(principal, uuid));
    const { profileUuid, userUuid } = principal;
    const [row] = await database.query<{ counts: boolean }>(
      statements.report(uuid, profileUuid, clock.now(), userUuid, success ? 0 : 1),
    );
    if (row?.counts) onUse();
    return row !== undefined;
  }

  /**
   * The figures of servers, in one statement for each thousand. Which scope that needs is asked where the servers come from.
   *
   * @returns A record per id in the same order; null for what the caller may not see.
   */
  async function statsOfAll(caller: Caller, serverUuids: readonly string[]): Promise<(McpServerStats | null)[]> {
    const profileUuid = profileOf(caller);
    const now = clock.now();
    const asked = [...new Set(serverUuids.filter(isUuid))];
    const byUuid = new Map<string, McpServerStats>();
    for (let first = 0; first < asked.length; first += serversAskedMax) {
      const some = asked.slice(first, first + serversAskedMax);
      const rows = await database.query<statements.StatsRow>(statements.stats(profileUuid, now, some));
      for (const row of rows) byUuid.set(row.uuid, statsOf(row));
    }
    return serverUuids.map((uuid) => byUuid.get(uuid.toLowerCase()) ?? null);
  }

  /** The figures of a server. @throws {ApiError} `NOT_FOUND` for one that the caller may not see. */
  async function stats(caller: Caller, serverUuid: string): Promise<McpServerStats> {
    seerOf(caller);
    const [found] = await statsOfAll(caller, [serverUuid]);
    if (!found) throw serverNotFound();
    return found;
  }

  /** Corrects the counters of servers whose users have gone. @returns How many were wrong. */
  async function recount(): Promise<number> {
    let wrong = 0;
    for (let last: string | undefined = firstUuid; last !== undefined; )
      last = await database.transaction(async (tx) => {
        const held = await tx.query<{ uuid: string }>(statements.holdCounted(last as string, recountedServers));
        const uuids = held.map(({ uuid }) => uuid);
        if (uuids.length > 0) wrong += (await tx.query(statements.recount(uuids))).length;
        return uuids.at(-1);
      });
    return wrong;
  }

  /** The number of public servers of users, for their public profiles. Users without one are not in the result. */
  async function publicServersOf(userUuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await database.read<{ user_uuid: string; count: number }>(statements.publicServersOf(userUuids));
    return new Map(rows.map((row) => [row.user_uuid, row.count]));
  }

  /** Deletes what neither trends nor statistics need any more of hours, days and users, in batches. @returns How many rows went. */
  async function purge(): Promise<number> {
    const before = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
    const each = [
      () => statements.purgeHours(before(hoursKeptDays), purgedRows),
      () => statements.purgeDays(before(daysKept), purgedRows),
      () => statements.purgeUsers(before(usersKeptDays), purgedRows),
    ];
    let purged = 0;
    for (const statement of each)
      for (let rows = purgedRows; rows === purgedRows; purged += rows)
        rows = (await database.query(statement())).length;
    return purged;
  }

  return { install, installAll, uninstall, rate, report, stats, statsOfAll, recount, publicServersOf, purge };
}

const statsOf = (row: statements.StatsRow): McpServerStats => ({
  serverUuid: row.uuid,
  installations: row.installations,
  rating: ratingOf({ ratingSum: row.rating_sum, ratingsCount: row.ratings_count }),
  ratingsCount: row.ratings_count,
  lastActivityAt: row.last_activity_at,
  dailyInstalls: row.daily_installs,
});

/** Notifications for the owners of newly installed servers, by profile. */
function noticesOf(rows: readonly statements.InstalledRow[], userUuid: string) {
  const ofOwners = Map.groupBy(rows, ({ owner }) => owner);
  return new Map([...ofOwners].map(([owner, servers]) => [owner, noticeOf(servers, userUuid)]));
}

function noticeOf(servers: readonly statements.InstalledRow[], userUuid: string) {
  const [first, ...others] = servers as [statements.InstalledRow, ...statements.InstalledRow[]];
  const which = others.length === 0 ? `"${first.name}"` : `"${first.name}" and ${others.length} more of your servers`;
  return {
    type: 'server_installed',
    severity: 'INFO',
    title: others.length === 0 ? 'A server of yours was installed' : 'Servers of yours were installed',
    message: `A user installed ${which}.`,
    metadata:
      others.length === 0
        ? { server_id: first.uuid, user_id: userUuid }
        : { server_ids: servers.slice(0, namedMax).map(({ uuid }) => uuid), user_id: userUuid },
  } as const;
}
