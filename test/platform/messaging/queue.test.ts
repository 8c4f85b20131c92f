import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import type { Job } from '../../../src/platform/messaging/jobs.ts';
import { createQueue, installQueues, type Queue } from '../../../src/platform/messaging/queue.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/deadline.ts';

const log = createLogger('silent');
let url: string;
let database: Database;
const queues: Queue[] = [];

function newQueue(isWorker: boolean): Queue {
  const queue = createQueue({ url, log, report: database.report, isWorker });
  queues.push(queue);
  return queue;
}

beforeAll(async () => {
  url = await createTestDatabase();
  database = createDatabase({ url, log });
});
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await database.close();
});

/** A tick of a schedule, as pg-boss sends one. */
const tick = (job: string) => database.transaction((tx) => newQueue(false).send(tx, 'schedules', [{ job }]));

describe('a queue', () => {
  it('holds a job exactly when the transaction is committed, hands it to one of two workers, and again after a failure', async () => {
    const sender = newQueue(false);
    const [kept, undone] = [randomUUID(), randomUUID()];
    await database.transaction((tx) => sender.send(tx, 'mail', [{ id: kept }]));
    const failing = database.transaction(async (tx) => {
      await sender.send(tx, 'mail', [{ id: undone }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const seen: string[] = [];
    const handle = async (batch: readonly object[]) => {
      seen.push(...(batch as { id: string }[]).map(({ id }) => id));
      if (seen.length === 1) throw new Error('not yet');
    };
    const workers = [newQueue(true), newQueue(true)];
    for (const worker of workers) await worker.work('mail', handle);
    await eventually('it was handed out', async () => seen.length === 1);
    await eventually('it is handed out again', async () => {
      // Each time: the failure may be written down only now.
      await database.query({
        text: "UPDATE pgboss.job SET start_after = now() WHERE name = 'mail' AND state = 'retry'",
      });
      for (const worker of workers) worker.wake('mail');
      return seen.length === 2;
    });
    expect(seen).toEqual([kept, kept]);
  });

  it('runs schedules once a tick for all workers, and forgets removed schedules', async () => {
    const runs: string[] = [];
    const jobOf = (name: string): Job => ({
      name,
      cron: '0 0 1 1 *',
      run: async () => runs.push(name),
    });
    const schedules = () => database.query<{ key: string }>({ text: 'SELECT key FROM pgboss.schedule ORDER BY key' });
    await newQueue(true).schedule([jobOf('kept'), jobOf('old')]);
    expect((await schedules()).map(({ key }) => key)).toEqual(['kept', 'old']);
    await newQueue(true).schedule([jobOf('kept'), jobOf('new')]);
    expect((await schedules()).map(({ key }) => key)).toEqual(['kept', 'new']);
    await tick('kept');
    await tick('unknown');
    await eventually('it has run', async () => {
      for (const queue of queues) queue.wake('schedules');
      return runs.length > 0;
    });
    await eventually('nothing is left', async () => {
      for (const queue of queues) queue.wake('schedules');
      const left = await database.query({
        text: "SELECT FROM pgboss.job WHERE name = 'schedules' AND state < 'completed'",
      });
      return left.length === 0;
    });
    expect(runs).toEqual(['kept']);
  });

  it('is installed again without a change, by several at once', async () => {
    await Promise.all([installQueues(url), installQueues(url)]);
    const rows = await database.query<{ name: string }>({
      text: "SELECT name FROM pgboss.queue WHERE name NOT LIKE '\\_\\_%' ORDER BY name",
    });
    expect(rows.map(({ name }) => name)).toEqual([
      'authorization-reports',
      'discoveries',
      'documents',
      'mail',
      'schedules',
    ]);
  });
});
