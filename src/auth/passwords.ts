import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '../platform/errors.ts';
import { commonPasswords } from './common-passwords.ts';

/** What a hash costs by argon2id: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's first choice for argon2id, which is what the package uses: 19 MiB, two passes, one lane; about 15 ms. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash of a random text at `passwordCost`. A password is checked against it if the user does not exist, so that both
 * cases take the same time.
 */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$/dF80V6CeR46Fbj527noTg$bLOWxWNt/xLJoJxxZLUEjhld4Ad/k9MDd3XyckWiYDg';

/** Hashing runs on libuv's four threads, which name look-ups and files need too; and two hashes hold 38 MiB. */
const atOnceMax = 2;
/** Half a second of work. Later callers are rejected with a retry time instead of waiting behind a flood. */
const waitingMax = 64;

export interface Passwords {
  /** @throws {ApiError} `UNAVAILABLE` when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * @param stored The user's hash; null if the user does not exist: the check then takes the same time and is false.
   * @throws {ApiError} `UNAVAILABLE` when too many wait.
   */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/**
 * Hashes and verifies with argon2id (RFC 9106), a few at a time; a call that waits too long in the queue is rejected.
 *
 * @param cost Tests, which sign up hundreds of users, use a lower one. No setting changes it.
 */
export function createPasswords(cost: PasswordCost = passwordCost): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax)
        throw new ApiError('UNAVAILABLE', 'Too many sign-ins at once; try again', { retryAfter: 1 });
      // A finished hash hands over its slot, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    hash: (password) => inTurn(() => hash(canonical(password), cost)),
    verify: (stored, password) =>
      inTurn(async () => (await verify(stored ?? decoyHash, canonical(password))) && stored !== null),
  };
}

/** One password typed on two keyboards may arrive composed or decomposed (NIST SP 800-63B, 3.1.1.2). */
const canonical = (password: string): string => password.normalize('NFKC');

/**
 * Rejects the passwords that are guessed first: the most common ones, one repeated character, and the user's own names.
 *
 * @returns A message that begins with `field`; undefined for an accepted password.
 */
export function guessableMistake(
  field: string,
  password: string,
  { email = '', username = '' }: { email?: string | undefined; username?: string | undefined },
): string | undefined {
  const folded = canonical(password).toLowerCase();
  const ownNames = [email, username, email.slice(0, email.indexOf('@'))].map((name) => canonical(name).toLowerCase());
  if (commonPasswords.has(folded) || new Set(folded).size === 1) return `${field} is too easy to guess`;
  return ownNames.includes(folded) ? `${field} must not be your user name or email address` : undefined;
}
