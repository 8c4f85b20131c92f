import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../src/platform/database/database.ts';
import { ApiError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createLocalEvents } from '../../../src/platform/messaging/events.ts';
import {
  createOutbox,
  eventsSetAside,
  type OutboxEvent,
  oldestEventSeconds,
} from '../../../src/platform/messaging/outbox.ts';
import { createOutboxRelay, type OutboxReader } from '../../../src/platform/messaging/outbox-relay.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const lines: { level: number; msg: string; event?: string; type?: string }[] = [];
const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
const clock = createManualClock();
const events = createLocalEvents();
const outbox = createOutbox<Record<string, object>>({ clock, events });

let database: Database;

beforeAll(async () => {
  database = createDatabase({ url: await createTestDatabase(), log });
});
beforeEach(async () => {
  lines.length = 0;
  await database.query({ text: 'DELETE FROM outbox_events' });
});
afterAll(() => database.close());

/** Keeps every batch that it was given, those that it could not take too. */
function reader(take: (tx: Database, batch: readonly OutboxEvent[]) => Promise<void> = async () => {}) {
  const batches: (readonly OutboxEvent[])[] = [];
  const taken: OutboxEvent[] = [];
  const each: OutboxReader = {
    name: 'reader',
    async read(tx, batch) {
      batches.push(batch);
      await take(tx, batch);
      return () => void taken.push(...batch);
    },
  };
  return { each, batches, taken, typesTaken: () => taken.map(({ type }) => type) };
}

const relayTo = (each: OutboxReader, over: Partial<Database> = {}) =>
  createOutboxRelay({ database: { ...database, ...over }, clock, events, log, readers: [each] });

const writeMany = (profileUuid: string, type: string, count: number, data: object = {}) =>
  database.transaction((tx) =>
    outbox.writeAll(
      tx,
      type,
      Array.from({ length: count }, (_, n) => ({ profileUuid, data: { n, ...data } })),
    ),
  );

it('gives each profile with due events the same share of a batch, and keeps the order within each', async () => {
  const [busy, ...others] = Array.from({ length: 4 }, () => randomUUID()) as [string, ...string[]];
  await writeMany(busy, 'busy', 3_000);
  for (const other of others) await writeMany(other, 'other', 30);
  const { each, batches, taken } = reader();
  expect(await relayTo(each).relay()).toBe(3_090);
  // All events of the others are in the first batch, though 3 000 were written before them: a quarter of it is for each profile.
  expect(batches[0]?.filter(({ type }) => type === 'other')).toHaveLength(90);
  expect(batches[0]).toHaveLength(90 + 125);
  for (const profile of [busy, ...others]) {
    const numbers = taken
      .filter(({ profileUuid }) => profileUuid === profile)
      .map(({ data }) => (data as { n: number }).n);
    expect(numbers).toEqual(numbers.map((_, n) => n));
  }
});

it('takes profiles in turn where there are more of them than one batch takes', async () => {
  const profiles = Array.from({ length: 150 }, () => randomUUID());
  for (const profile of profiles) await writeMany(profile, 'each', 20);
  const { each, batches } = reader();
  expect(await relayTo(each).relay()).toBe(3_000);
  const firstBatchOf = profiles.map((profile) =>
    batches.findIndex((batch) => batch.some(({ profileUuid }) => profileUuid === profile)),
  );
  // 64 profiles a batch: each has had its first turn before any has its second.
  expect(Math.max(...firstBatchOf)).toBe(2);
});

it('bounds a batch by the bytes of its events, and takes one that is larger alone', async () => {
  const [small, large] = [randomUUID(), randomUUID()];
  await writeMany(small, 'small', 120, { text: 'x'.repeat(100_000) });
  await writeMany(large, 'large', 2, { text: 'x'.repeat(5_000_000) });
  const { each, batches } = reader();
  expect(await relayTo(each).relay()).toBe(122);
  const sizes = batches.map((batch) => batch.map(({ data }) => Buffer.byteLength(JSON.stringify(data))));
  // The last event of a batch may pass the limit of 4 MB: without its last one each is below it.
  for (const bytes of sizes) expect(bytes.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBeLessThan(4_000_000);
});

it('D18: a batch that times out while the database answers is halved down to the event that fails, and all others go on', async () => {
  const [ill, well] = [randomUUID(), randomUUID()];
  await writeMany(ill, 'good', 20);
  await writeMany(ill, 'poison', 1);
  await writeMany(ill, 'good', 20);
  await writeMany(well, 'good', 20);
  const { each, typesTaken, batches } = reader(async (tx, batch) => {
    if (batch.some(({ type }) => type === 'poison'))
      await tx.query({ text: 'SELECT pg_sleep(0.2)', query_timeout: 20 });
  });
  expect(await relayTo(each).relay()).toBe(60);
  expect(typesTaken()).toEqual(Array(60).fill('good'));
  expect(batches.filter((batch) => batch.some(({ type }) => type === 'poison')).at(-1)).toHaveLength(1);
  expect(await database.query({ text: 'SELECT type, failures FROM outbox_events' })).toEqual([
    { type: 'poison', failures: 1 },
  ]);
});

it('sets an event aside after ten failures, names it once in the log and in a metric, and is not asked about it again', async () => {
  await writeMany(randomUUID(), 'poison', 1);
  const { each, batches } = reader(async () => {
    throw new Error('not this one');
  });
  const { relay } = relayTo(each);
  for (let day = 0; day < 20; day++) {
    await relay();
    clock.advance(24 * 3_600_000);
  }
  expect(batches).toHaveLength(10);
  expect(await eventsSetAside({ database })).toBe(1);
  expect(await oldestEventSeconds({ database, clock })).toBe(0);
  const id = batches[0]?.[0]?.id;
  expect(lines.map(({ level, event, type, msg }) => [level, event, type, msg])).toEqual([
    [40, id, 'poison', 'an event of the outbox could not be handed over; it is tried again'],
    [50, id, 'poison', 'an event of the outbox was set aside: it could not be handed over'],
  ]);
});

it('waits, and counts no failure, while the database is away', async () => {
  await writeMany(randomUUID(), 'kept', 3);
  const away = async () => {
    throw new ApiError('UNAVAILABLE', 'away');
  };
  const { each, batches } = reader(away);
  await expect(relayTo(each, { ping: away }).relay()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(batches).toHaveLength(1);
  expect(await database.query({ text: 'SELECT DISTINCT failures FROM outbox_events' })).toEqual([{ failures: 0 }]);
});
