import { createHash } from 'node:crypto';
import { afterAll } from 'vitest';
import type { Services } from '../../schema/context.ts';
import { openPlatform } from '../../src/main/platform.ts';
import { createServices, type Platform } from '../../src/main/services.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestDatabase } from './database.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export interface TestServices {
  readonly services: Services;
  readonly database: Database;
  readonly platform: Platform;
  readonly clock: ManualClock;
  readonly url: string;
  /** The text of every statement so far, oldest first; clear it with `statements.length = 0`. */
  readonly statements: string[];
}

/** All areas over a database of their own, at a time that stands still. */
export async function createTestServices(): Promise<TestServices> {
  const url = await createTestDatabase();
  const clock = createManualClock();
  const statements: string[] = [];
  const platform = await openTestPlatform({ url, clock, onStatement: (text) => statements.push(text) });
  return { services: createServices(platform), platform, database: platform.database, clock, url, statements };
}

export const encryptionKeys = `test:${createHash('sha256').update('the key of the tests').digest('base64')}`;

/** What the areas stand on, silent, for the life of the test file. Requests to this machine are let out. */
export async function openTestPlatform(options: {
  url: string;
  clock: ManualClock;
  onStatement?: (text: string) => void;
}): Promise<Platform> {
  const environment = { NODE_ENV: 'test', ENCRYPTION_KEYS: encryptionKeys, EGRESS_ALLOW: '127.0.0.0/8' };
  const config = readConfig(environment);
  const platform = await openPlatform({ ...options, config, log: createLogger('silent'), isWorker: false });
  afterAll(() => platform.close());
  return platform;
}

let people = 0;

/** A new user, signed in. */
export async function signUp({ auth }: Pick<Services, 'auth'>, username = `person${++people}`): Promise<Caller> {
  const { principal } = await auth.users.signUp(anonymous('192.0.2.1'), {
    email: `${username}@example.com`,
    username,
    password: 'correct horse battery',
  });
  return { principal, address: '192.0.2.1' };
}

/** A key of the caller's active profile. */
export async function keyOf(
  { auth }: Pick<Services, 'auth'>,
  caller: Caller,
  input: { scopes?: ('read' | 'write' | 'admin')[]; channel?: 'sdk' | 'mcp'; profileUuid?: string } = {},
): Promise<{ caller: Caller; secret: string; uuid: string }> {
  const { secret, apiKey } = await auth.apiKeys.create(caller, { name: 'test', ...input });
  return { caller: { principal: await auth.apiKeys.verify(secret), address: '192.0.2.1' }, secret, uuid: apiKey.uuid };
}
