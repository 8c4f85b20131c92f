import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createDatabase, type Database } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createLocalEvents } from '../../../src/platform/messaging/events.ts';
import { createOutbox, type OutboxEvent } from '../../../src/platform/messaging/outbox.ts';
import { createOutboxRelay, type OutboxReader } from '../../../src/platform/messaging/outbox-relay.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/deadline.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const log = createLogger('silent');
const clock = createManualClock();
const events = createLocalEvents();
const outbox = createOutbox<Record<string, object>>({ clock, events });
const profileUuid = randomUUID();

let database: Database;
let received: OutboxEvent[] = [];
const keeping: OutboxReader = {
  name: 'keeping',
  async read(_tx, batch) {
    return () => void received.push(...batch);
  },
};
const relayTo = (...readers: OutboxReader[]) => createOutboxRelay({ database, clock, events, log, readers });
const write = (type: string, data: object = {}) =>
  database.transaction((tx) => outbox.write(tx, { profileUuid, type, data }));
const typesOf = (each: readonly OutboxEvent[]) => each.map(({ type }) => type);

beforeAll(async () => {
  database = createDatabase({ url: await createTestDatabase(), log });
});
beforeEach(() => {
  received = [];
});
afterAll(() => database.close());

describe('the outbox', () => {
  it('takes many at once in one statement, and hands them over in their order', async () => {
    const data = Array.from({ length: 40 }, (_, n) => ({ n, text: 'ü\u2028"' }));
    await database.transaction((tx) =>
      outbox.writeAll(
        tx,
        'many',
        data.map((each) => ({ profileUuid, data: each })),
      ),
    );
    await database.transaction((tx) => outbox.writeAll(tx, 'none', []));
    await relayTo(keeping).relay();
    expect(received.map((each) => [each.type, each.profileUuid, each.data])).toEqual(
      data.map((each) => ['many', profileUuid, each]),
    );
  });

  it('holds an event exactly when the transaction of its cause is committed (D01)', async () => {
    const kept = await write('kept', { n: 1, text: 'ü\u2028"' });
    const undone = database.transaction(async (tx) => {
      await outbox.write(tx, { profileUuid, type: 'undone', data: {} });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await relayTo(keeping).relay()).toBe(1);
    expect(received).toEqual([
      { id: kept, profileUuid, type: 'kept', data: { n: 1, text: 'ü\u2028"' }, occurredAt: clock.now() },
    ]);
    expect(await relayTo(keeping).relay()).toBe(0);
  });

  it('hands over in the order of writing, to every reader, in one transaction with what they write', async () => {
    const order = Array.from({ length: 1_200 }, (_, n) => `event.${n}`);
    await database.transaction(async (tx) => {
      for (const type of order) await outbox.write(tx, { profileUuid, type, data: {} });
    });
    const other: OutboxEvent[] = [];
    const reader: OutboxReader = { name: 'other', read: async (_tx, batch) => () => void other.push(...batch) };
    expect(await relayTo(keeping, reader).relay()).toBe(1_200);
    expect(typesOf(received)).toEqual(order);
    expect(typesOf(other)).toEqual(order);
  });

  it('stores nothing of what one reader wrote where the next one fails', async () => {
    await database.query({ text: 'CREATE TABLE written_by_reader (type text)' });
    const writing: OutboxReader = {
      name: 'writing',
      async read(tx, batch) {
        for (const { type } of batch)
          await tx.query({ text: 'INSERT INTO written_by_reader VALUES ($1)', values: [type] });
        return () => undefined;
      },
    };
    let isFailing = true;
    const failing: OutboxReader = {
      name: 'failing',
      async read() {
        if (isFailing) throw new Error('no');
        return () => undefined;
      },
    };
    const written = async () => (await database.query({ text: 'SELECT type FROM written_by_reader' })).length;
    await write('of two readers');
    const relay = relayTo(writing, failing);
    await relay.relay();
    expect(await written()).toBe(0);
    isFailing = false;
    clock.advance(300_000);
    expect(await relay.relay()).toBe(1);
    expect(await written()).toBe(1);
    await database.query({ text: 'DROP TABLE written_by_reader' });
  });

  it('gives each event to one of several relays (D03)', async () => {
    await database.transaction(async (tx) => {
      for (let n = 0; n < 2_000; n++) await outbox.write(tx, { profileUuid, type: 'shared', data: { n } });
    });
    const counts = await Promise.all([1, 2, 3, 4].map(() => relayTo(keeping).relay()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(2_000);
    expect(new Set(received.map(({ id }) => id)).size).toBe(2_000);
  });

  it('keeps what a reader could not take, lets it wait longer each time, and holds up nothing else', async () => {
    for (const type of ['good', 'bad', 'better']) await write(type);
    let failures = 0;
    const choosy: OutboxReader = {
      name: 'choosy',
      async read(_tx, batch) {
        if (batch.some(({ type }) => type === 'bad')) {
          failures += 1;
          throw new Error('not this one');
        }
        return () => void received.push(...batch);
      },
    };
    const relay = relayTo(choosy);
    await relay.relay();
    expect(typesOf(received)).toEqual(['good', 'better']);
    expect(failures).toBe(3);
    await relay.relay();
    expect(failures).toBe(3);
    const rows = await database.query({ text: 'SELECT type, failures FROM outbox_events' });
    expect(rows).toEqual([{ type: 'bad', failures: 1 }]);
    clock.advance(2_000);
    await relay.relay();
    expect(failures).toBe(4);
    clock.advance(3_000);
    await relay.relay();
    expect(failures).toBe(4);
    clock.advance(1_000);
    expect(await relayTo(keeping).relay()).toBe(1);
    expect(typesOf(received)).toEqual(['good', 'better', 'bad']);
  });

  it('is read as soon as it is woken, and finds events without a signal too', async () => {
    const stop = await relayTo(keeping).start();
    await write('woken');
    outbox.wake();
    await eventually('it arrives', async () => typesOf(received).includes('woken'));
    await write('found');
    await eventually('it is found', async () => typesOf(received).includes('found'));
    await stop();
    await write('later');
    outbox.wake();
    expect(typesOf(received)).toEqual(['woken', 'found']);
  });

  it('hands over at once what a machine wrote whose clock is an hour ahead of the database (D20)', async () => {
    const ahead = { now: () => new Date(systemClock.now().getTime() + 3_600_000), pinned: () => null };
    const writer = createOutbox<Record<string, object>>({ clock: ahead, events });
    await database.transaction((tx) => writer.write(tx, { profileUuid, type: 'ahead', data: {} }));
    await createOutboxRelay({ database, clock: ahead, events, log, readers: [keeping] }).relay();
    expect(typesOf(received)).toContain('ahead');
  });

  it('takes text that PostgreSQL would refuse, and gives it back unchanged', async () => {
    const data = { name: 'a\u0000b', list: ['\ud83d', '\ud83d\ude00'], 'k\udc00': { back: '\\u0000' } };
    await write('odd', data);
    await relayTo(keeping).relay();
    expect(received.find(({ type }) => type === 'odd')?.data).toEqual(data);
  });
});
