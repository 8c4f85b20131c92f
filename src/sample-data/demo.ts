import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Auth, createAuth, type SignedIn } from '../auth/index.ts';
import { anonymous } from '../platform/caller.ts';
import { systemClock } from '../platform/clock.ts';
import { createDatabase, type Database, patientTimeouts } from '../platform/database/database.ts';
import { isApiError } from '../platform/errors.ts';
import { uncounted } from '../platform/limits/rate-limits.ts';
import type { Logger } from '../platform/logger.ts';

export interface Demo {
  /** The file with the key, mode 0600. */
  readonly keyFile: string;
  /** The file with the user's password, mode 0600. */
  readonly passwordFile: string;
  /** The key itself, on the run that made it; null later. */
  readonly secret: string | null;
  /** Whether the account never had a key before. */
  readonly isNew: boolean;
}

/** Of the demo user. */
export const demoUsername = 'demo-user';
const email = 'demo@patchbay.example';

/**
 * Creates the demo user with a project, a profile and an API key, if no user has signed up yet. If the key file is
 * missing and the password file still opens the account, creates a new key.
 *
 * @returns null if there is no demo account.
 */
export async function createDemo(options: { url: string; dataDir: string; log: Logger }): Promise<Demo | null> {
  const database = createDatabase({ url: options.url, log: options.log, timeouts: patientTimeouts });
  try {
    const auth = createAuth({ database, clock: systemClock, log: options.log, rateLimits: uncounted });
    return await demoIn(database, auth, options.dataDir);
  } finally {
    await database.close();
  }
}

/** Where the key and the password of the demo user are kept. */
export const demoFiles = (dataDir: string): Pick<Demo, 'keyFile' | 'passwordFile'> => ({
  keyFile: path.resolve(dataDir, 'demo-api-key'),
  passwordFile: path.resolve(dataDir, 'demo-password'),
});

/** The profile that the demo user acts as; null if there is no such user. */
export async function demoProfileOf({ prisma }: Pick<Database, 'prisma'>): Promise<string | null> {
  const user = await prisma.user.findUnique({
    where: { usernameKey: demoUsername },
    select: { activeProfileUuid: true, email: true },
  });
  return user?.email === email ? user.activeProfileUuid : null;
}

/**
 * The password file is written before the user is made, and the key file last: a start that is killed in between is completed by
 * the next one, which signs in with the password and makes a key.
 */
async function demoIn({ prisma }: Pick<Database, 'prisma'>, auth: Auth, dataDir: string): Promise<Demo | null> {
  const { keyFile, passwordFile } = demoFiles(dataDir);
  const isMade = await hasPeople(prisma);
  if (isMade && existsSync(keyFile)) return { keyFile, passwordFile, secret: null, isNew: false };
  const user = isMade ? await signInAgain(auth, passwordFile) : await signUp(auth, passwordFile);
  if (user === null) return null;
  const { profileUuid } = user.principal;
  const isNew = (await prisma.apiKey.findFirst({ where: { profileUuid }, select: { uuid: true } })) === null;
  const { secret } = await auth.apiKeys.create(
    { principal: user.principal, address: '' },
    { name: 'Demo', scopes: ['read', 'write', 'admin'] },
  );
  // The mode is for new files only: an old one may be open to others.
  await rm(keyFile, { force: true });
  await writeFile(keyFile, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return { keyFile, passwordFile, secret, isNew };
}

/** Whether a user has signed up. The platform's internal accounts, which imports create, do not count. */
async function hasPeople(prisma: Database['prisma']): Promise<boolean> {
  const own = { emailKey: { endsWith: '@internal' } };
  return (await prisma.user.findFirst({ where: { NOT: own }, select: { uuid: true } })) !== null;
}

async function signUp(auth: Auth, passwordFile: string): Promise<SignedIn | null> {
  const password = await newPassword(passwordFile);
  return auth.accounts.signUp(anonymous(), { email, username: demoUsername, password }).catch((error: unknown) => {
    // Another process on the same empty database was a moment faster.
    if (isApiError(error) && error.code === 'CONFLICT') return null;
    throw error;
  });
}

/**
 * @returns null if the file has no password of the demo user: the password may have changed, or there is no such user.
 */
async function signInAgain(auth: Auth, passwordFile: string): Promise<SignedIn | null> {
  if (!existsSync(passwordFile)) return null;
  const password = (await readFile(passwordFile, 'utf8')).trim();
  return auth.accounts.signIn(anonymous(), { username: demoUsername, password }).catch((error: unknown) => {
    if (isApiError(error)) return null;
    throw error;
  });
}

async function newPassword(passwordFile: string): Promise<string> {
  const password = randomBytes(18).toString('base64url');
  await mkdir(path.dirname(passwordFile), { recursive: true });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  return password;
}
