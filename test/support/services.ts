import { afterAll } from 'vitest';
import type { Services } from '../../schema/context.ts';
import { createServices } from '../../src/main/services.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createDatabase, type Database } from '../../src/platform/database/database.ts';
import { createLocalEvents } from '../../src/platform/events.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createMail, type Mail } from '../../src/platform/mail.ts';
import { createQueue, type Queue } from '../../src/platform/queue.ts';
import { createTestDatabase } from './database.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export interface TestServices {
  readonly services: Services;
  readonly database: Database;
  readonly queue: Queue;
  readonly mail: Mail;
  readonly clock: ManualClock;
  readonly url: string;
  /** The text of every statement so far, oldest first; clear it with `statements.length = 0`. */
  readonly statements: string[];
}

/** All areas over a database of their own, at a time that stands still. */
export async function createTestServices(): Promise<TestServices> {
  const url = await createTestDatabase();
  const clock = createManualClock();
  const log = createLogger('silent');
  const statements: string[] = [];
  const database = createDatabase({ url, log, onStatement: (text) => statements.push(text) });
  const queue = createQueue({ url, log, isWorker: false });
  const mail = createMail({ database, queue, clock, log, config: readConfig({ NODE_ENV: 'test' }) });
  afterAll(async () => {
    await queue.stop();
    await database.close();
  });
  return {
    services: createServices({ database, clock, events: createLocalEvents(), log, queue, mail }),
    mail,
    database,
    queue,
    clock,
    url,
    statements,
  };
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
