import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Services } from '../../schema/context.ts';
import type { PasswordCost } from '../../src/auth/index.ts';
import { type OpenInfrastructure, openInfrastructure } from '../../src/main/infrastructure.ts';
import { createServices, type Infrastructure } from '../../src/main/services.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase, patientTimeouts } from './database.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { lentPrisma } from './prisma-clients.ts';

export interface TestServices {
  readonly services: Services;
  readonly database: Database;
  readonly infrastructure: Infrastructure;
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
  const infrastructure = await openTestInfrastructure({ url, clock, onStatement: (text) => statements.push(text) });
  return {
    services: createServices(infrastructure),
    infrastructure,
    database: infrastructure.database,
    clock,
    url,
    statements,
  };
}

export const encryptionKeys = `test:${createHash('sha256').update('the key of the tests').digest('base64')}`;

/** The least that argon2id takes. The tests of passwords themselves use the product's cost. */
export const cheapPasswords: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Files of documents that tests make: they go when the process ends. */
export const testFolder = mkdtempSync(path.join(os.tmpdir(), 'patchbay-test-'));
process.once('exit', () => rmSync(testFolder, { recursive: true, force: true }));

/** What the areas stand on, silent, until the test or its file is over, or until it is closed. Requests to this machine are let out. */
export async function openTestInfrastructure(options: {
  url: string;
  clock: ManualClock;
  onStatement?: (text: string) => void;
}): Promise<OpenInfrastructure> {
  const environment = {
    NODE_ENV: 'test',
    DATA_DIR: testFolder,
    ENCRYPTION_KEYS: encryptionKeys,
    EGRESS_ALLOW: '127.0.0.0/8',
  };
  const config = readConfig(environment);
  const infrastructure = await openInfrastructure({
    ...options,
    config,
    log: createLogger('silent'),
    isWorker: false,
    passwordCost: cheapPasswords,
    prismaOver: lentPrisma,
    databaseTimeouts: patientTimeouts,
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= infrastructure.close();
    return closed;
  };
  cleanUp(close);
  return { ...infrastructure, close };
}

let people = 0;

/** A new user, signed in. */
export async function signUp({ auth }: Pick<Services, 'auth'>, username = `person${++people}`): Promise<Caller> {
  const { principal } = await auth.accounts.signUp(anonymous('192.0.2.1'), {
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
