import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Passwords } from './passwords.ts';
import { usernameKeyOf } from './usernames.ts';

/** Not an address that a user could sign up with: those have a dot. */
const addressOf = (username: string) => `${username}@internal`;

/**
 * Internal accounts of the platform, for objects without an owner. Their names cannot be taken, their passwords are
 * random and discarded, and they are disabled from the start. Such a user cannot be seen, followed, signed in as or
 * notified.
 */
export function createInternalAccounts(deps: { database: Database; clock: Clock; passwords: Pick<Passwords, 'hash'> }) {
  const { database, clock, passwords } = deps;

  /**
   * The one profile of such an account, which is made if there is none.
   *
   * @param username One of the reserved names.
   */
  async function profileOf(username: string): Promise<string> {
    const known = await find(username);
    if (known !== null) return known;
    const passwordHash = await passwords.hash(randomBytes(32).toString('base64url'));
    await database.query({
      text: `WITH u AS (
          INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, disabled_at, created_at, updated_at)
          VALUES ($1, $4, $4, $5, $6, $7, $8, $8, $8) ON CONFLICT DO NOTHING RETURNING uuid),
        j AS (
          INSERT INTO projects (uuid, user_uuid, name, created_at, updated_at) SELECT $2, uuid, 'Default', $8, $8 FROM u)
        INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at) SELECT $3, $2::uuid, 'Default', $8, $8 FROM u`,
      values: [
        randomUUID(),
        randomUUID(),
        randomUUID(),
        addressOf(username),
        username,
        usernameKeyOf(username),
        passwordHash,
        clock.now(),
      ],
    });
    const made = await find(username);
    if (made === null) throw new Error(`the name ${username} belongs to a user`);
    return made;
  }

  async function find(username: string): Promise<string | null> {
    const [row] = await database.query<{ uuid: string }>({
      text: `SELECT p.uuid FROM users u JOIN projects j ON j.user_uuid = u.uuid JOIN profiles p ON p.project_uuid = j.uuid
        WHERE u.username_key = $1 AND u.email_key = $2 AND u.disabled_at IS NOT NULL ORDER BY p.created_at LIMIT 1`,
      values: [usernameKeyOf(username), addressOf(username)],
    });
    return row?.uuid ?? null;
  }

  return { profileOf };
}
