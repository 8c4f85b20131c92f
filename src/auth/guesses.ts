import { createHash } from 'node:crypto';
import type { Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { networkOf, type RateLimits } from '../platform/limits/rate-limits.ts';

/** How long a network stays known after its last sign-in, in seconds: 90 days. */
export const networkRememberedSeconds = 7_776_000;
/** Known networks of one user; the next pushes out the one that was used least recently. */
export const networksRememberedMax = 100;

/** The user that a sign-in names, as far as there is one. */
export interface NamedUser {
  readonly uuid: string;
  readonly passwordHash: string;
  readonly disabledAt: Date | null;
  /** Whether the user has signed in from the caller's network before. */
  readonly isFromKnownNetwork: boolean;
}

const namedText = (column: 'email_key' | 'username_key') => `SELECT u.uuid, u.password_hash AS "passwordHash",
    u.disabled_at AS "disabledAt", EXISTS (SELECT FROM sign_in_networks n
      WHERE n.user_uuid = u.uuid AND n.network = $2 AND n.last_at > $3) AS "isFromKnownNetwork"
  FROM users u WHERE u.${column} = $1`;

const rememberText = `INSERT INTO sign_in_networks (user_uuid, network, last_at) VALUES ($1, $2, $3)
  ON CONFLICT (user_uuid, network) DO UPDATE SET last_at = excluded.last_at`;

const forgetSurplusText = `DELETE FROM sign_in_networks WHERE user_uuid = $1 AND network IN (
  SELECT network FROM sign_in_networks WHERE user_uuid = $1 ORDER BY last_at DESC, network OFFSET $2)`;

export type Guesses = ReturnType<typeof createGuesses>;

/**
 * Limits guesses at one password, from however many addresses they come. The owner's networks and session have allowances of
 * their own, so that guessing does not lock the owner out. Why: docs/decisions/0031-guesses-at-an-account.md.
 */
export function createGuesses(deps: { database: Database; clock: Clock; rateLimits: Pick<RateLimits, 'countGuess'> }) {
  const { database, clock, rateLimits } = deps;
  const oldest = () => new Date(clock.now().getTime() - networkRememberedSeconds * 1_000);

  /** Finds the user that a sign-in names. One statement, whether there is such a user or not. */
  async function named(
    { address }: Caller,
    name: { readonly column: 'email_key' | 'username_key'; readonly key: string },
  ): Promise<NamedUser | null> {
    const values = [name.key, networkOf(address), oldest()];
    const [user] = await database.query<NamedUser>({ text: namedText(name.column), values });
    return user ?? null;
  }

  /**
   * Counts a guess before the password is hashed. A name without a user is counted like any other.
   *
   * @param name What the sign-in names, in the form that makes it unique.
   * @returns Takes the count back: for a password that was right.
   * @throws {RateLimited} when there were too many; `UNAVAILABLE` while Redis is away.
   */
  async function atSignIn(caller: Caller, name: string, user: NamedUser | null): Promise<() => Promise<void>> {
    // Guesses from there are limited like all of one address.
    if (user?.isFromKnownNetwork) return async () => {};
    const { principal } = caller;
    if (user && principal?.kind === 'session' && principal.userUuid === user.uuid) return ofSession(caller);
    return rateLimits.countGuess(`account:${createHash('sha256').update(name).digest('base64url')}`);
  }

  /** Counts a guess by a session at the password of its own user. */
  const ofSession = ({ principal }: Pick<Caller, 'principal'>): Promise<() => Promise<void>> =>
    rateLimits.countGuess(`session:${principal?.credentialUuid}`);

  /** Remembers the caller's network, in the transaction in which the user signs in. */
  async function remember(tx: Pick<Database, 'query'>, { address }: Caller, userUuid: string): Promise<void> {
    if (address === '') return;
    await tx.query({ text: rememberText, values: [userUuid, networkOf(address), clock.now()] });
    await tx.query({ text: forgetSurplusText, values: [userUuid, networksRememberedMax] });
  }

  /** Forgets all networks of a user: a password that is changed may have been known to others. */
  async function forgetAll(tx: Pick<Database, 'query'>, userUuid: string): Promise<void> {
    await tx.query({ text: 'DELETE FROM sign_in_networks WHERE user_uuid = $1', values: [userUuid] });
  }

  /** Deletes networks that are known no more. @returns How many. */
  async function purgeNetworks(): Promise<number> {
    const rows = await database.query<{ count: number }>({
      text: `WITH gone AS (DELETE FROM sign_in_networks WHERE last_at <= $1 RETURNING 1) SELECT count(*)::int AS count FROM gone`,
      values: [oldest()],
    });
    return rows[0]?.count ?? 0;
  }

  return { named, atSignIn, ofSession, remember, forgetAll, purgeNetworks };
}
