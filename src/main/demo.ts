import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Auth, createAuth } from '../auth/index.ts';
import { anonymous } from '../platform/caller.ts';
import { systemClock } from '../platform/clock.ts';
import { createDatabase, type Database } from '../platform/database/database.ts';
import { isRefusal } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { uncounted } from '../platform/rate-limits.ts';

export interface Demo {
  /** The file with the key, mode 0600. */
  readonly keyFile: string;
  /** The file with the user's password, mode 0600. */
  readonly passwordFile: string;
  /** The key itself, on the run that made it; null later. */
  readonly secret: string | null;
}

const username = 'demo-user';
const email = 'demo@patchbay.example';

/**
 * On the first run of all, when nobody has signed up yet: a user with a project, a profile and an API key, so that there is
 * something to call with.
 *
 * @returns null when there is no demo account.
 */
export async function createDemo(options: { url: string; dataDir: string; log: Logger }): Promise<Demo | null> {
  const database = createDatabase({ url: options.url, log: options.log });
  try {
    const auth = createAuth({ database, clock: systemClock, log: options.log, rateLimits: uncounted });
    return await demoIn(database, auth, options.dataDir);
  } finally {
    await database.close();
  }
}

/** The profile that the demo user acts as; null where there is no such user. */
export async function demoProfileOf({ prisma }: Pick<Database, 'prisma'>): Promise<string | null> {
  const user = await prisma.user.findUnique({
    where: { usernameKey: username },
    select: { activeProfileUuid: true, email: true },
  });
  return user?.email === email ? user.activeProfileUuid : null;
}

async function demoIn({ prisma }: Pick<Database, 'prisma'>, auth: Auth, dataDir: string): Promise<Demo | null> {
  const keyFile = path.resolve(dataDir, 'demo-api-key');
  const passwordFile = path.resolve(dataDir, 'demo-password');
  const earlier = () => (existsSync(keyFile) ? { keyFile, passwordFile, secret: null } : null);
  // The platform's own accounts, which imports make, are nobody.
  const nobodys = { emailKey: { endsWith: '@internal' } };
  if ((await prisma.user.findFirst({ where: { NOT: nobodys }, select: { uuid: true } })) !== null) return earlier();
  const password = randomBytes(18).toString('base64url');
  const signedUp = await auth.users.signUp(anonymous(), { email, username, password }).catch((error: unknown) => {
    // Another process on the same empty database was a moment faster.
    if (isRefusal(error) && error.code === 'CONFLICT') return null;
    throw error;
  });
  if (signedUp === null) return earlier();
  const { principal } = signedUp;
  const { secret } = await auth.apiKeys.create(
    { principal, address: '' },
    { name: 'Demo', scopes: ['read', 'write', 'admin'] },
  );
  await mkdir(dataDir, { recursive: true });
  for (const [file, text] of [
    [passwordFile, password],
    [keyFile, secret],
  ] as const) {
    // The mode is for new files only: an old one may be open to others.
    await rm(file, { force: true });
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
  }
  return { keyFile, passwordFile, secret };
}
