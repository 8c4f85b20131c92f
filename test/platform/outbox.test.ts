import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../src/platform/database/database.ts';
import { createLocalEvents } from '../../src/platform/events.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createOutbox, type OutboxEvent } from '../../src/platform/outbox.ts';
import { createQueue, type Queue } from '../../src/platform/queue.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/deadline.ts';
import { createManualClock } from '../support/manual-clock.ts';

const log = createLogger('silent');
const clock = createManualClock();
const events = createLocalEvents();
const profileUuid = randomUUID();

let url: string;
let database: Database;
const queues: Queue[] = [];
const queueOf = (isWorker: boolean) => {
  const queue = createQueue({ url, log, isWorker });
  queues.push(queue);
  return queue;
};

beforeAll(async () => {
  url = await createTestDatabase();
  database = createDatabase({ url, log });
});

afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await database.close();
});

describe('the outbox', () => {
  it('holds an event exactly when the transaction of its cause is committed (D01)', async () => {
    const outbox = createOutbox<Record<string, object>>({ queue: queueOf(false), clock, events });
    const kept = await database.transaction((tx) => outbox.write(tx, { profileUuid, type: 'kept', data: { n: 1 } }));
    const undone = database.transaction(async (tx) => {
      await outbox.write(tx, { profileUuid, type: 'undone', data: {} });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    const received: OutboxEvent[] = [];
    const worker = queueOf(true);
    await worker.work<OutboxEvent>('events', async (batch) => void received.push(...batch));
    await eventually('the event arrives', async () => received.length > 0);
    expect(received).toEqual([
      { id: kept, profileUuid, type: 'kept', data: { n: 1 }, occurredAt: clock.now().toISOString() },
    ]);
  });

  it('takes text that PostgreSQL would refuse: NUL and lone surrogates are replaced, and the cause is not undone', async () => {
    const outbox = createOutbox<Record<string, object>>({ queue: queueOf(false), clock, events });
    const data = { name: 'a\u0000b', list: ['\ud83d', '\ud83d\ude00'], 'k\udc00': { back: '\\u0000' } };
    const id = await database.transaction((tx) => outbox.write(tx, { profileUuid, type: 'odd', data }));
    const [job] = await database.query<{ data: OutboxEvent }>({
      text: `SELECT data FROM pgboss.job WHERE name = 'events' AND data ->> 'id' = $1`,
      values: [id],
    });
    expect(job?.data.data).toEqual({
      name: 'a\ufffdb',
      list: ['\ufffd', '\ud83d\ude00'],
      'k\ufffd': { back: '\\u0000' },
    });
  });

  it('an event that cannot be dealt with takes no other along', async () => {
    const own = await createTestDatabase();
    const queue = createQueue({ url: own, log, isWorker: true });
    queues.push(queue);
    const db = createDatabase({ url: own, log });
    const dealtWith: number[] = [];
    await db.transaction((tx) => queue.send(tx, 'events', [{ n: 1 }, { n: 2 }, { n: 3 }]));
    await queue.work<{ n: number }>('events', async (batch) => {
      if (batch.some(({ n }) => n === 2)) throw new Error('no');
      dealtWith.push(...batch.map(({ n }) => n));
    });
    const states = async () => {
      const rows = await db.query<{ n: number; state: string }>({
        text: `SELECT (data ->> 'n')::int AS n, state::text FROM pgboss.job WHERE name = 'events' ORDER BY 1`,
      });
      return rows.map(({ n, state }) => [n, state]);
    };
    await eventually('the others are dealt with, and it waits for another try', async () => {
      const [first, second, third] = (await states()).map(([, state]) => state);
      return first === 'completed' && second === 'retry' && third === 'completed';
    });
    expect(dealtWith.toSorted()).toEqual([1, 3]);
    await db.close();
  });
});
