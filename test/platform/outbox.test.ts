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
});
