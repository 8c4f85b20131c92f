import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Notifications } from '../notifications/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import { invalid, isUuid, parse } from '../platform/input/input.ts';
import { type Connection, ConnectionRequest, connectionOf } from '../platform/input/keyset.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { ProfileChange, profilesMax, UsernameQuestion } from './input.ts';
import * as statements from './statements.ts';
import type { ListedProfile, UserProfile } from './user-profile.ts';

export interface UserDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly notify: Notifications['notify'];
  /** Allowed user names, as validated at the sign-up. */
  readonly usernames: { keyOf(text: string): string | null; isFree(username: string): Promise<boolean> };
  /** The number of public servers of some users; users without one may be missing. */
  readonly publicServersOf: (userUuids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

export type Users = ReturnType<typeof createUsers>;

/** Public profiles and follows. Source: docs/specification/users.md. */
export function createUsers(deps: UserDependencies) {
  const { database, clock, outbox, notify, usernames, publicServersOf } = deps;

  /**
   * Whether a user could sign up with a name now. A malformed or reserved name is not available, and is not an error.
   *
   * @throws {ApiError} `FORBIDDEN` without `users:read`; `VALIDATION_ERROR` without a name.
   * @see docs/specification/users.md#user-names
   */
  async function isUsernameAvailable(caller: Caller, input: z.input<typeof UsernameQuestion>): Promise<boolean> {
    authorize(caller, 'users:read');
    return usernames.isFree(parse(UsernameQuestion, input).username);
  }

  /**
   * The public profile of a user by name, case-insensitive. No scope is required.
   *
   * @throws {ApiError} `NOT_FOUND`, the same for an unknown name and for a user who is disabled or not public, except
   * for the user itself.
   * @see docs/specification/users.md#profiles
   */
  async function profile(caller: Caller, username: string): Promise<UserProfile> {
    const key = usernames.keyOf(username);
    const rows =
      key === null ? [] : await database.read<statements.ProfileRow>(statements.byName(viewerOf(caller), key));
    const [found] = await withServers(rows);
    if (!found) throw notFound();
    return found;
  }

  /**
   * Profiles by the uuids of their users, in the same order. Open to everybody.
   *
   * @param isWhole Whether bio, avatar and links are read, too.
   * @returns null for what `profile` would not find.
   */
  async function find(caller: Caller, uuids: readonly string[], isWhole = true): Promise<(UserProfile | null)[]> {
    const asked = [...new Set(uuids.filter(isUuid).map((uuid) => uuid.toLowerCase()))];
    if (asked.length === 0) return uuids.map(() => null);
    if (isWhole && asked.length > profilesMax) throw invalid({ ids: `at most ${profilesMax} at once` });
    const known = await read(caller, asked, isWhole);
    return uuids.map((uuid) => known.get(uuid.toLowerCase()) ?? null);
  }

  /**
   * Updates the caller's public profile. Omitted fields keep their values; null clears.
   *
   * @param input.bio At most 1 000 characters of plain text.
   * @param input.isPublic Whether other users see the profile; false until it is changed.
   * @param input.avatarUrl An http or https URL of at most 2 048 characters.
   * @param input.socialLinks All links: a map from a kind of site to such a URL, at most 20 and 8 kB.
   * @throws {ApiError} `FORBIDDEN` without `users:write`; `VALIDATION_ERROR`.
   * @see docs/specification/users.md#update
   */
  async function update(caller: Caller, input: z.input<typeof ProfileChange>): Promise<UserProfile> {
    const { userUuid } = authorize(caller, 'users:write');
    const { socialLinks, ...rest } = parse(ProfileChange, input);
    const change = { ...rest, socialLinks: socialLinks === null ? {} : socialLinks };
    const rows = await database.query<statements.ProfileRow>(statements.update(userUuid, change));
    const [changed] = await withServers(rows);
    if (!changed) throw unauthorized();
    return changed;
  }

  /**
   * Follows a user. Repeating it changes nothing. The active profile of the user gets the event `user.followed`, and a
   * notification once a day for each follower.
   *
   * @returns The followed user.
   * @throws {ApiError} `FORBIDDEN` without `users:write`; `NOT_FOUND` as for `profile`, except for a user who is
   * already followed; `VALIDATION_ERROR` for oneself.
   */
  async function follow(caller: Caller, username: string): Promise<{ uuid: string; isFollowing: true }> {
    const { userUuid } = authorize(caller, 'users:write');
    const key = requireUsernameKey(username);
    const { uuid, announce } = await database.transaction(async (tx) => {
      const [target] = await tx.query<statements.FollowRow>(statements.follow(userUuid, clock.pinned(), key));
      if (!target) throw notFound();
      const { uuid, profile_uuid: profileUuid } = target;
      if (target.is_self) throw invalid({ username: 'username is your own: users cannot follow themselves' });
      if (!target.is_new || profileUuid === null) return { uuid, announce: null };
      const data = { follower_id: userUuid, followed_id: uuid };
      await outbox.write(tx, { profileUuid, type: 'user.followed', data });
      if (!target.is_to_be_told) return { uuid, announce: outbox.wake };
      const who = target.follower_name ?? 'A user whose profile is not public';
      const message = `${who} follows you now.`;
      const metadata = { user_id: userUuid };
      return { uuid, announce: await notify(tx, profileUuid, { type: 'INFO', severity: 'INFO', message, metadata }) };
    });
    announce?.();
    return { uuid, isFollowing: true };
  }

  /**
   * Unfollows a user, also one who is no longer public. Without a follow it changes nothing. The user's active profile
   * gets the event `user.unfollowed`, and no notification.
   *
   * @returns The unfollowed user.
   * @throws {ApiError} `FORBIDDEN` without `users:write`; `NOT_FOUND` as for `profile`, except for a user who was
   * followed.
   */
  async function unfollow(caller: Caller, username: string): Promise<{ uuid: string; isFollowing: false }> {
    const { userUuid } = authorize(caller, 'users:write');
    const key = requireUsernameKey(username);
    const { uuid, isPublished } = await database.transaction(async (tx) => {
      const [target] = await tx.query<{ uuid: string; profile_uuid: string | null; is_ended: boolean }>(
        statements.unfollow(userUuid, key),
      );
      if (!target) throw notFound();
      const { uuid, profile_uuid: profileUuid } = target;
      if (!target.is_ended || profileUuid === null) return { uuid, isPublished: false };
      const data = { follower_id: userUuid, followed_id: uuid };
      await outbox.write(tx, { profileUuid, type: 'user.unfollowed', data });
      return { uuid, isPublished: true };
    });
    if (isPublished) outbox.wake();
    return { uuid, isFollowing: false };
  }

  /**
   * A page of one of the two lists of each of several users, the newest follow first, in three statements. No scope is
   * required; a user whom the caller may not see is in no list and has empty ones.
   *
   * @param isWhole As for `find`.
   * @throws {ApiError} `VALIDATION_ERROR` for `first` out of 0 to 100 and for an invalid cursor.
   */
  async function lists(
    caller: Caller,
    list: statements.FollowList,
    owners: readonly string[],
    input: z.input<typeof ConnectionRequest>,
    isWhole = true,
  ): Promise<Connection<ListedProfile>[]> {
    const request = parse(ConnectionRequest, input);
    const places = await database.query<{ owner: string; uuid: string; created_at: Date }>(
      statements.pages(list, viewerOf(caller), owners, request),
    );
    const known = await read(caller, [...new Set(places.map(({ uuid }) => uuid))], isWhole);
    const placesOf = Map.groupBy(places, ({ owner }) => owner);
    return owners.map((owner) => {
      const rows = (placesOf.get(owner) ?? []).flatMap(({ uuid, created_at: createdAt }) => {
        const listed = known.get(uuid);
        return listed ? [{ ...listed, createdAt }] : [];
      });
      return connectionOf(rows, request);
    });
  }

  /** How many each of the lists has for the caller, in one statement. Open to everybody. */
  async function counts(caller: Caller, list: statements.FollowList, owners: readonly string[]): Promise<number[]> {
    const rows = await database.query<{ uuid: string; count: number }>(
      statements.counts(list, viewerOf(caller), owners),
    );
    const known = new Map(rows.map(({ uuid, count }) => [uuid, count]));
    return owners.map((owner) => known.get(owner) ?? 0);
  }

  /** Deletes records of follow notifications that are older than a day. @returns The number of deleted rows. */
  async function purgeNotices(): Promise<number> {
    const [row] = await database.query<{ count: number }>(statements.purgeNotices(clock.pinned()));
    return row?.count ?? 0;
  }

  async function read(caller: Caller, uuids: readonly string[], isWhole: boolean): Promise<Map<string, UserProfile>> {
    if (uuids.length === 0) return new Map();
    const rows = await database.read<statements.ProfileRow>(statements.find(viewerOf(caller), uuids, isWhole));
    return new Map((await withServers(rows)).map((found) => [found.uuid, found]));
  }

  async function withServers(rows: readonly statements.ProfileRow[]): Promise<UserProfile[]> {
    if (rows.length === 0) return [];
    const counted = await publicServersOf(rows.map(({ uuid }) => uuid));
    return rows.map((row) => statements.profileOf(row, counted.get(row.uuid) ?? 0));
  }

  /** @throws {ApiError} `NOT_FOUND` for a text that cannot be a name, without a query. */
  function requireUsernameKey(username: string): string {
    const key = usernames.keyOf(username);
    if (key === null) throw notFound();
    return key;
  }

  return { isUsernameAvailable, profile, find, update, follow, unfollow, lists, counts, purgeNotices };
}

/** The user whose own profile is shown whatever its visibility: null for a key that may not read. */
const viewerOf = ({ principal }: Caller): string | null =>
  principal && (principal.kind === 'session' || principal.scopes.has('read')) ? principal.userUuid : null;

const notFound = () => new ApiError('NOT_FOUND', 'User not found');
