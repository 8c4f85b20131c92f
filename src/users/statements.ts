import type { Statement } from '../platform/database/database.ts';
import type { Aged } from '../platform/input/keyset.ts';
import type { UserProfile } from './user-profile.ts';

/**
 * Every statement of the users, prepared once per connection. `viewer` is the uuid of the caller, null without one; `pinned` is
 * the instant to write, null for the database's own clock.
 *
 * No statement here writes the counts of a profile: the trigger of user_follows does, in the same transaction.
 */

export interface ProfileRow {
  uuid: string;
  username: string;
  bio: string | null;
  avatar_url: string | null;
  is_public: boolean;
  social_links: Readonly<Record<string, string>> | null;
  followers_count: number;
  following_count: number;
  is_followed_by_viewer: boolean;
}

/** A row as the profile that its viewers see. */
export const profileOf = (row: ProfileRow, serversCount: number): UserProfile => ({
  uuid: row.uuid,
  username: row.username,
  bio: row.bio,
  avatarUrl: row.avatar_url,
  isPublic: row.is_public,
  socialLinks: row.social_links ?? {},
  followersCount: row.followers_count,
  followingCount: row.following_count,
  serversCount,
  isFollowedByViewer: row.is_followed_by_viewer,
});

/**
 * Who changed nothing yet has no row of a profile. `$1` is the viewer. Whether it follows is a scalar sub-select: for an EXISTS
 * the planner may read all whom the viewer follows.
 */
const briefColumns = `u.uuid, u.username, coalesce(p.is_public, false) AS is_public,
      coalesce(p.followers_count, 0) AS followers_count, coalesce(p.following_count, 0) AS following_count,
      (SELECT true FROM user_follows own WHERE own.follower_uuid = $1::uuid AND own.followed_uuid = u.uuid) IS NOT NULL
        AS is_followed_by_viewer`;
const columns = `${briefColumns}, p.bio, p.avatar_url, p.social_links`;
const shownTo = (viewer: string, user = 'u', profile = 'p') =>
  `(${user}.disabled_at IS NULL AND (${profile}.is_public OR ${user}.uuid = ${viewer}::uuid))`;

/** The instant as it is stored: to the millisecond. */
const clock = (pinned: string) =>
  `(SELECT date_trunc('milliseconds', coalesce(${pinned}::timestamptz, clock_timestamp())) AS now)`;

/** A user whose active profile is gone acts as the oldest one, as its sessions do. */
const actingProfile = `coalesce(u.active_profile_uuid, (
        SELECT first.uuid FROM profiles first JOIN projects own ON own.uuid = first.project_uuid
        WHERE own.user_uuid = u.uuid ORDER BY first.created_at, first.uuid LIMIT 1))`;

/** The profile of a name, if the viewer may see it. */
export const byName = (viewer: string | null, usernameKey: string): Statement => ({
  name: 'users_by_name',
  text: `SELECT ${columns} FROM users u LEFT JOIN user_profiles p ON p.user_uuid = u.uuid
    WHERE u.username_key = $2 AND ${shownTo('$1')}`,
  values: [viewer, usernameKey],
});

/** Profiles by the uuids of their users, as far as the viewer may see them. Brief: without what may be long. */
export const find = (viewer: string | null, uuids: readonly string[], isWhole: boolean): Statement => ({
  name: isWhole ? 'users_find' : 'users_find_brief',
  text: `SELECT ${isWhole ? columns : `${briefColumns}, NULL AS bio, NULL AS avatar_url, NULL AS social_links`}
    FROM users u LEFT JOIN user_profiles p ON p.user_uuid = u.uuid
    WHERE u.uuid = ANY ($2::uuid[]) AND ${shownTo('$1')}`,
  values: [viewer, uuids],
});

/** New values; undefined keeps the stored one. */
export interface Change {
  readonly bio?: string | null | undefined;
  readonly isPublic?: boolean | undefined;
  readonly avatarUrl?: string | null | undefined;
  readonly socialLinks?: object | undefined;
}

/** Changes the user's own profile, which there is afterwards. */
export const update = (userUuid: string, { bio, isPublic, avatarUrl, socialLinks }: Change): Statement => ({
  name: 'users_update',
  // Showing or hiding a user writes each of its follows: some 30 000 a second.
  ...(isPublic !== undefined && { query_timeout: 9_000 }),
  text: `WITH p AS (
      INSERT INTO user_profiles AS old (user_uuid, bio, is_public, avatar_url, social_links)
      VALUES ($1, $3, coalesce($4, false), $6, coalesce($7::json, '{}'))
      ON CONFLICT (user_uuid) DO UPDATE SET
        bio = CASE WHEN $2 THEN $3 ELSE old.bio END,
        is_public = coalesce($4, old.is_public),
        avatar_url = CASE WHEN $5 THEN $6 ELSE old.avatar_url END,
        social_links = coalesce($7::json, old.social_links)
      RETURNING *)
    SELECT ${columns} FROM p JOIN users u ON u.uuid = p.user_uuid`,
  values: [
    userUuid,
    bio !== undefined,
    bio ?? null,
    isPublic ?? null,
    avatarUrl !== undefined,
    avatarUrl ?? null,
    socialLinks === undefined ? null : JSON.stringify(socialLinks),
  ],
});

export interface FollowRow {
  uuid: string;
  /** The profile through which the user is notified; null for a user without a profile. */
  profile_uuid: string | null;
  is_self: boolean;
  is_new: boolean;
  /** Whether no notification of this follower was sent for a day. */
  is_to_be_told: boolean;
  /** Null for a user who is not public. */
  follower_name: string | null;
}

/**
 * Of two at once the second waits and finds that it is done. Who follows already may go on, whatever the other shows now: that
 * there is such a user is known.
 */
export const follow = (follower: string, pinned: Date | null, usernameKey: string): Statement => ({
  name: 'users_follow',
  text: `WITH clock AS ${clock('$2')},
    target AS (
      SELECT u.uuid, ${actingProfile} AS profile_uuid
      FROM users u LEFT JOIN user_profiles p ON p.user_uuid = u.uuid
      WHERE u.username_key = $3 AND (${shownTo('$1')} OR EXISTS (
        SELECT FROM user_follows f WHERE f.follower_uuid = $1 AND f.followed_uuid = u.uuid))),
    made AS (
      INSERT INTO user_follows (follower_uuid, followed_uuid, created_at)
      SELECT $1, target.uuid, now FROM target, clock WHERE target.uuid <> $1
      ON CONFLICT DO NOTHING RETURNING 1),
    noticed AS (
      INSERT INTO user_follow_notices AS n (follower_uuid, followed_uuid, notified_at)
      SELECT $1, target.uuid, now FROM target, clock WHERE EXISTS (SELECT FROM made)
      ON CONFLICT (follower_uuid, followed_uuid) DO UPDATE SET notified_at = excluded.notified_at
        WHERE n.notified_at <= excluded.notified_at - interval '24 hours'
      RETURNING 1)
    SELECT target.uuid, target.profile_uuid, target.uuid = $1 AS is_self, EXISTS (SELECT FROM made) AS is_new,
      EXISTS (SELECT FROM noticed) AS is_to_be_told,
      (SELECT me.username FROM users me JOIN user_profiles p ON p.user_uuid = me.uuid
        WHERE me.uuid = $1 AND p.is_public) AS follower_name
    FROM target`,
  values: [follower, pinned, usernameKey],
});

/** Also ends the follow of a user who is no longer visible: the follower already knows that this user exists. */
export const unfollow = (follower: string, usernameKey: string): Statement => ({
  name: 'users_unfollow',
  text: `WITH target AS (
      SELECT u.uuid, ${actingProfile} AS profile_uuid, ${shownTo('$1')} AS is_shown
      FROM users u LEFT JOIN user_profiles p ON p.user_uuid = u.uuid WHERE u.username_key = $2),
    ended AS (
      DELETE FROM user_follows f USING target WHERE f.follower_uuid = $1 AND f.followed_uuid = target.uuid RETURNING 1)
    SELECT uuid, profile_uuid, EXISTS (SELECT FROM ended) AS is_ended FROM target
    WHERE is_shown OR EXISTS (SELECT FROM ended)`,
  values: [follower, usernameKey],
});

/** The two lists of a user: who follows it, and whom it follows. */
export type FollowList = 'followers' | 'following';

/** Whose list it is, who stands in it, and whether that user may be shown to everybody. */
const ends = {
  followers: { owner: 'followed_uuid', listed: 'follower_uuid', isShown: 'is_follower_shown' },
  following: { owner: 'follower_uuid', listed: 'followed_uuid', isShown: 'is_followed_shown' },
} as const;

/** Whose lists are asked for by `$2`, as far as the viewer may see them. */
const owners = `unnest($2::uuid[]) AS asked (uuid) JOIN users o ON o.uuid = asked.uuid
      JOIN user_profiles op ON op.user_uuid = o.uuid AND ${shownTo('$1', 'o', 'op')}`;

/** The follows of a list whose users may be shown to everybody. */
const shownFollows = (list: FollowList) =>
  `user_follows f WHERE f.${ends[list].owner} = o.uuid AND f.${ends[list].isShown}`;

/** The follow of the viewer, who sees itself in lists also while hidden from others. */
const ownFollow = (list: FollowList) =>
  `user_follows f WHERE f.${ends[list].owner} = o.uuid AND NOT f.${ends[list].isShown} AND f.${ends[list].listed} = $1::uuid`;

/**
 * Users of a page of each of several users' lists, the newest follow first; one more than requested shows that there
 * are others. Hidden users are not read.
 */
export const pages = (
  list: FollowList,
  viewer: string | null,
  ownerUuids: readonly string[],
  { first, after }: { first: number; after: Aged | null },
): Statement => {
  const columns = `f.${ends[list].listed} AS uuid, f.created_at`;
  const isAfter = `(f.created_at, f.${ends[list].listed})
          < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`;
  return {
    name: `users_${list}`,
    text: `SELECT o.uuid AS owner, page.uuid, page.created_at FROM ${owners}
    CROSS JOIN LATERAL (
      (SELECT ${columns} FROM ${shownFollows(list)} AND ${isAfter}
        ORDER BY f.created_at DESC, f.${ends[list].listed} DESC LIMIT $5)
      UNION ALL (SELECT ${columns} FROM ${ownFollow(list)} AND ${isAfter})
      ORDER BY created_at DESC, uuid DESC LIMIT $5) page
    ORDER BY page.created_at DESC, page.uuid DESC`,
    values: [viewer, ownerUuids, after?.createdAt ?? null, after?.uuid ?? null, first + 1],
  };
};

/** Number of users of each list that the viewer may see. The database counts entries of an index: its cost grows with them. */
export const counts = (list: FollowList, viewer: string | null, ownerUuids: readonly string[]): Statement => ({
  name: `users_${list}_counts`,
  text: `SELECT o.uuid, ((SELECT count(*) FROM ${shownFollows(list)}) + (SELECT count(*) FROM ${ownFollow(list)}))::int AS count
    FROM ${owners}`,
  values: [viewer, ownerUuids],
});

/** Notices are remembered for as long as they keep another one back. */
export const purgeNotices = (pinned: Date | null): Statement => ({
  name: 'users_purge_notices',
  query_timeout: 9_000,
  text: `WITH gone AS (
      DELETE FROM user_follow_notices
      WHERE notified_at <= coalesce($1::timestamptz, statement_timestamp()) - interval '24 hours' RETURNING 1)
    SELECT count(*)::int AS count FROM gone`,
  values: [pinned],
});
