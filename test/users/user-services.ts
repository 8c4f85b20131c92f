import { Client } from 'pg';
import { expect } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { createUsers } from '../../src/users/index.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestServices, signUp } from '../support/services.ts';

/** All areas over a database of their own, and what tests of users ask of it besides. */
export async function createUserServices() {
  const test = await createTestServices();
  const { services, infrastructure } = test;
  const sql = new Client({ connectionString: test.url });
  await sql.connect();
  cleanUp(() => sql.end());
  const nameOf = async (caller: Caller) => (await services.auth.accounts.current(caller)).username;
  return {
    ...test,
    sql,
    nameOf,
    /** A new user with its name, public unless it is said otherwise. */
    async someone({ isPublic = true }: { isPublic?: boolean } = {}) {
      const caller = await signUp(services);
      if (isPublic) await services.users.update(caller, { isPublic });
      return { caller, uuid: String(caller.principal?.userUuid), username: await nameOf(caller) };
    },
    /** The users once more over the same database, told how many servers there are. */
    usersWithServers(publicServersOf: (uuids: readonly string[]) => Promise<ReadonlyMap<string, number>>) {
      const { auth, notifications } = createServices(infrastructure);
      const outbox = { write: async () => '', writeAll: async () => {}, wake: () => {} };
      const { database, clock } = infrastructure;
      const { notify } = notifications;
      return createUsers({ database, clock, outbox, notify, usernames: auth.usernames, publicServersOf });
    },
    /** So many public users, made by SQL, each of whom follows all others. @returns Their uuids. */
    async circle(size: number): Promise<string[]> {
      const { rows } = await sql.query(
        `WITH made AS (
            INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
            SELECT gen_random_uuid(), n, n, n, n, '', now(), now()
            FROM (SELECT 'c' || left(md5(random()::text), 20) AS n FROM generate_series(1, $1)) names RETURNING uuid)
          INSERT INTO user_profiles (user_uuid, is_public, bio) SELECT uuid, true, 'b' FROM made RETURNING user_uuid AS uuid`,
        [size],
      );
      const uuids = rows.map(({ uuid }) => uuid as string);
      await sql.query(
        `INSERT INTO user_follows SELECT a, b, now() FROM unnest($1::uuid[]) a, unnest($1::uuid[]) b WHERE a <> b`,
        [uuids],
      );
      return uuids;
    },
    /** What stands in the outbox about follows for a profile, the oldest first. */
    async follows(profileUuid: string): Promise<{ type: string; data: unknown }[]> {
      const { rows } = await sql.query(
        `SELECT type, data::json AS data FROM outbox_events WHERE profile_uuid = $1 AND type LIKE 'user.%' ORDER BY seq`,
        [profileUuid],
      );
      return rows;
    },
    /** Number of users whose counts are not those of their follows, and of follows that show hidden users or hide others. */
    async miscounted(): Promise<number> {
      const { rows } = await sql.query(
        `SELECT ((SELECT count(*) FROM user_profiles p
          WHERE (followers_count, following_count) <> (
            (SELECT count(*) FROM user_follows WHERE followed_uuid = p.user_uuid),
            (SELECT count(*) FROM user_follows WHERE follower_uuid = p.user_uuid)))
          + (SELECT count(*) FROM user_follows f
            JOIN user_profiles er ON er.user_uuid = f.follower_uuid JOIN users eru ON eru.uuid = f.follower_uuid
            JOIN user_profiles ed ON ed.user_uuid = f.followed_uuid JOIN users edu ON edu.uuid = f.followed_uuid
          WHERE (f.is_follower_shown, f.is_followed_shown) <>
            (er.is_public AND eru.disabled_at IS NULL, ed.is_public AND edu.disabled_at IS NULL)))::int AS count`,
      );
      return rows[0].count;
    },
  };
}

export const profileUuidOf = (caller: Caller) => String(caller.principal?.profileUuid);
export const apiError = (code: string, facts: object = {}) =>
  expect.objectContaining({ name: 'ApiError', code, ...facts });
export const errorAbout = (field: string) => apiError('VALIDATION_ERROR', { details: { [field]: expect.any(String) } });
export const notFound = apiError('NOT_FOUND', { message: 'User not found', details: undefined });
