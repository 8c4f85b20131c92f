import type { Database } from '../platform/database/database.ts';
import { Username, UsernameForm } from './input.ts';

/** What makes a user name unique: it is ASCII, so lower case is all there is to fold. */
export const usernameKeyOf = (username: string): string => username.toLowerCase();

/**
 * Which user names exist and are allowed. Sign-up validates with the same schema and the same key. Source:
 * docs/specification/identity.md#user-names.
 */
export function createUsernames({ database }: { database: Pick<Database, 'read'> }) {
  /** The key that a user is found by; null for a text that cannot be a name. A reserved name may belong to an older user. */
  function keyOf(text: string): string | null {
    return UsernameForm.safeParse(text).success ? usernameKeyOf(text) : null;
  }

  /** Whether a user could sign up with a name now: it is well formed, not reserved, and not taken in any case. */
  async function isFree(username: string): Promise<boolean> {
    if (!Username.safeParse(username).success) return false;
    const taken = await database.read({
      name: 'auth_username_taken',
      text: 'SELECT FROM users WHERE username_key = $1',
      values: [usernameKeyOf(username)],
    });
    return taken.length === 0;
  }

  return { keyOf, isFree };
}
