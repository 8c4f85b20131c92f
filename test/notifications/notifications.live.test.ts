import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Services } from '../../schema/context.ts';
import { createServices } from '../../src/main/services.ts';
import type { Notification } from '../../src/notifications/notification.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { createDatabase, type Database } from '../../src/platform/database/database.ts';
import { createLocalEvents, type Events } from '../../src/platform/events.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { verifies } from '../requirements.ts';
import { randomOf } from '../strict/random.ts';
import { eventually, within } from '../support/deadline.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { createUnreliableEvents } from './unreliable-events.ts';

const one = await createTestServices();
const { clock, platform, statements } = one;
const log = createLogger('silent');
const sql = new Client({ connectionString: one.url });
await sql.connect();
afterAll(() => sql.end());

/** All services over the one database. */
function servicesWith(events: Events, database: Database = one.database): Services {
  return createServices({ ...platform, database, events });
}

const someone = async () => (await keyOf(one.services, await signUp(one.services))).caller;
const profileOf = (caller: Caller) => String(caller.principal?.profileUuid);
const make = async ({ notifications }: Services, caller: Caller, message = 'm') =>
  (await notifications.create(caller, { message })).notification;
const refusal = (code: string, facts: object = {}) => expect.objectContaining({ name: 'Refusal', code, ...facts });

/** The next so many of a stream. */
async function take<Payload>(stream: AsyncGenerator<Payload>, count: number): Promise<Payload[]> {
  const taken: Payload[] = [];
  while (taken.length < count) {
    const next = await within(`payload ${taken.length + 1} of ${count}`, 5_000, stream.next());
    if (next.done) throw new Error(`the stream ended after ${taken.length}`);
    taken.push(next.value);
  }
  return taken;
}
const messages = (list: readonly Notification[]) => list.map(({ message }) => message);

/** Notifications written by SQL, numbered on from those that are there; nobody is told. */
async function fill(caller: Caller, count: number): Promise<void> {
  await sql.query(
    `WITH next AS (INSERT INTO notification_counters AS c VALUES ($1, $2)
        ON CONFLICT (profile_uuid) DO UPDATE SET last_seq = c.last_seq + $2 RETURNING last_seq - $2 AS seq)
      INSERT INTO notifications (uuid, profile_uuid, seq, type, message, metadata, created_at)
      SELECT gen_random_uuid(), $1, next.seq + i, 'SYSTEM', (next.seq + i)::text, '{}', $3 FROM next, generate_series(1, $2::int) i`,
    [profileOf(caller), count, clock.now()],
  );
}

/** Ten seconds go by for what looks round every ten seconds, and for nothing else. */
const timers = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
afterEach(() => void vi.useRealTimers());

describe('added', () => {
  it(`tells what is created from then on, in order, to the profile alone (F07) ${verifies('notifications.live', 'access.tenants')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const [caller, stranger] = [await someone(), await someone()];
    await make(services, caller, 'before');
    const stream = await services.notifications.added(caller);
    await make(services, stranger, 'foreign');
    const made = [await make(services, caller, '1'), await make(services, caller, '2')];
    expect(await take(stream, 2)).toEqual(made);
    await stream.return();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('does not tell who comes later what was made before', async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const early = await services.notifications.added(caller);
    // Its hint is still being followed when the second comes.
    const created = make(services, caller, 'before');
    await created;
    const late = await services.notifications.added(caller);
    await make(services, caller, 'after');
    expect(messages(await take(early, 2))).toEqual(['before', 'after']);
    expect(messages(await take(late, 1))).toEqual(['after']);
    await Promise.all([early.return(), late.return()]);
  });

  it(`costs one read for each notification, however many listen ${verifies('notifications.live.shared')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const streams = await Promise.all(Array.from({ length: 200 }, () => services.notifications.added(caller)));
    const reads = () => statements.filter((text) => text.includes('n.seq > $2 ORDER BY n.seq')).length;
    const before = reads();
    for (let i = 0; i < 3; i++) {
      await make(services, caller, String(i));
      const heard = await Promise.all(streams.map((stream) => take(stream, 1)));
      expect(new Set(heard.flatMap(messages))).toEqual(new Set([String(i)]));
    }
    expect(reads() - before).toBe(3);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('makes one read of the hints that come together', async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const stream = await services.notifications.added(caller);
    const before = statements.length;
    const created = await Promise.all(Array.from({ length: 40 }, (_, i) => make(services, caller, String(i))));
    const heard = await take(stream, 40);
    expect(heard.map(({ uuid }) => uuid)).toEqual([...created].sort((a, b) => a.seq - b.seq).map(({ uuid }) => uuid));
    expect(statements.slice(before).filter((text) => text.includes('n.seq > $2')).length).toBeLessThanOrEqual(40);
    await stream.return();
  });

  it('looks once more for a hint that comes while a look is under way', async () => {
    let whileReading: (() => Promise<unknown>) | null = null;
    const database: Database = {
      ...one.database,
      async read<Row extends object>(statement: Parameters<Database['read']>[0]) {
        const rows = await one.database.read<Row>(statement);
        const interrupt = statement.name === 'notifications_after' ? whileReading : null;
        whileReading = null;
        // What is created now is not in what was read.
        await interrupt?.();
        return rows;
      },
    };
    const services = servicesWith(createLocalEvents(), database);
    const caller = await someone();
    const stream = await services.notifications.added(caller);
    whileReading = () => make(services, caller, '2');
    await make(services, caller, '1');
    expect(messages(await take(stream, 2))).toEqual(['1', '2']);
    await stream.return();
  });

  it('tells nothing of what was undone', async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const stream = await services.notifications.added(caller);
    const notice = { type: 'SYSTEM', message: 'undone' } as const;
    const undone = one.database.transaction(async (tx) => {
      (await services.notifications.notify(tx, profileOf(caller), notice))();
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    const announce = await one.database.transaction((tx) =>
      services.notifications.notify(tx, profileOf(caller), { ...notice, message: 'kept' }),
    );
    announce();
    expect(messages(await take(stream, 1))).toEqual(['kept']);
    await stream.return();
  });

  it(`finds within ten seconds what no hint tells of, with one statement for all that is watched ${verifies('notifications.live.resume')}`, async () => {
    timers();
    const deaf: Events = { ...createLocalEvents(), publish: () => {} };
    const services = servicesWith(deaf);
    const callers = [await someone(), await someone(), await someone()] as const;
    const streams = await Promise.all(callers.map((caller) => services.notifications.added(caller)));
    await make(services, callers[0], 'one');
    await make(services, callers[2], 'three');
    statements.length = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(messages(await take(streams[0] as (typeof streams)[0], 1))).toEqual(['one']);
    expect(messages(await take(streams[2] as (typeof streams)[0], 1))).toEqual(['three']);
    expect(statements.filter((text) => text.includes('notification_counters'))).toHaveLength(1);
    expect(statements.filter((text) => text.includes('n.seq > $2'))).toHaveLength(2);
    await Promise.all(streams.map((stream) => stream.return()));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells what it could not read once it can again', async () => {
    let isAway = false;
    const database: Database = {
      ...one.database,
      read: (statement) => (isAway ? Promise.reject(new Error('away')) : one.database.read(statement)),
    };
    const services = servicesWith(createLocalEvents(), database);
    const caller = await someone();
    const stream = await services.notifications.added(caller);
    isAway = true;
    await make(services, caller, '1');
    await new Promise(setImmediate);
    await expect(services.notifications.added(caller)).rejects.toThrow('away');
    isAway = false;
    await make(services, caller, '2');
    expect(messages(await take(stream, 2))).toEqual(['1', '2']);
    await stream.return();
  });

  it(`lets go who does not take them, and keeps no more than a bound for them (F09) ${verifies('graph.slow-reader')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const [slow, fast] = [await services.notifications.added(caller), await services.notifications.added(caller)];
    await fill(caller, 1_200);
    await make(services, caller, 'last');
    const heard: Notification[] = [];
    const reading = (async () => {
      for await (const each of fast) {
        heard.push(each);
        if (each.message === 'last') return;
      }
    })();
    await within('the fast one has all', 10_000, reading);
    expect(heard).toHaveLength(1_201);
    await expect(slow.next()).rejects.toMatchObject({ name: 'SlowListener' });
    expect(await slow.next()).toEqual({ done: true, value: undefined });
  });
});

describe('added, since a notification', () => {
  it(`tells first what came after it, then what comes ${verifies('notifications.live.resume')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const first = await make(services, caller, 'had');
    await fill(caller, 250);
    const stream = await services.notifications.added(caller, { sinceId: first.uuid });
    await make(services, caller, 'live');
    expect(messages(await take(stream, 251))).toEqual([
      ...Array.from({ length: 250 }, (_, i) => String(i + 2)),
      'live',
    ]);
    await stream.return();
  });

  it('ends while it is still telling what came after it, when nobody wants more', async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const { uuid: sinceId } = await make(services, caller);
    await fill(caller, 150);
    const stream = await services.notifications.added(caller, { sinceId });
    await take(stream, 3);
    const next = stream.next();
    await stream.return();
    await next;
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it(`makes up for 1 000, and says what to do about more ${verifies('notifications.live.resume')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const { uuid: sinceId } = await make(services, caller);
    await fill(caller, 1_000);
    const stream = await services.notifications.added(caller, { sinceId });
    expect(await take(stream, 1_000)).toHaveLength(1_000);
    await stream.return();
    await fill(caller, 1);
    await expect(services.notifications.added(caller, { sinceId })).rejects.toEqual(
      refusal('VALIDATION_ERROR', { details: { sinceId: expect.stringContaining('more than 1000') } }),
    );
  });

  it(`is NOT_FOUND for one that was deleted and for another tenant's, as for one that never was (F07) ${verifies('notifications.not-found')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const [caller, stranger] = [await someone(), await someone()];
    const deleted = await make(services, caller);
    await services.notifications.remove(caller, deleted.uuid);
    const foreign = await make(services, stranger);
    for (const { uuid: sinceId } of [deleted, foreign])
      await expect(services.notifications.added(caller, { sinceId })).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it(`loses nothing and tells nothing twice: two processes create at once, hints are late, doubled, out of order or lost, and connections break ${verifies('notifications.live.resume', 'notifications.order')}`, async () => {
    const random = randomOf(7);
    const events = createUnreliableEvents({ processes: 2, random, lossRate: 0.2 });
    const two = createDatabase({ url: one.url, log });
    const [left, right] = [servicesWith(events.ofProcess(0)), servicesWith(events.ofProcess(1), two)];
    const caller = await someone();
    const start = await make(left, caller, 'start');
    const each = 60;
    const creators = [left, left, right, right].map(async (services, creator) => {
      for (let i = 0; i < each; i++) await make(services, caller, `${creator}:${i}`);
    });
    let isOver = false;
    /** Listens at one process or the other, and is thrown out again and again; takes up where it was. */
    const listen = async (): Promise<Notification[]> => {
      const heard: Notification[] = [];
      while (heard.at(-1)?.message !== 'end') {
        const { notifications } = random() < 0.5 ? left : right;
        const stream = await notifications.added(caller, { sinceId: (heard.at(-1) ?? start).uuid });
        const staysFor = isOver ? Number.POSITIVE_INFINITY : 1 + random() * 30;
        for (let i = 0; i < staysFor; i++) {
          // Whoever is told nothing for a while goes too.
          const next = await Promise.race([
            stream.next(),
            new Promise<null>((resolve) => setTimeout(resolve, 50, null)),
          ]);
          if (next === null || next.done) break;
          heard.push(next.value);
          if (next.value.message === 'end') break;
        }
        await stream.return();
      }
      return heard;
    };
    const listening = Promise.all(Array.from({ length: 6 }, listen));
    await Promise.all(creators);
    isOver = true;
    await make(right, caller, 'end');
    const { rows } = await sql.query(
      'SELECT uuid FROM notifications WHERE profile_uuid = $1 AND seq > 1 ORDER BY seq',
      [profileOf(caller)],
    );
    expect(rows).toHaveLength(4 * each + 1);
    for (const heard of await listening) expect(heard.map(({ uuid }) => uuid)).toEqual(rows.map(({ uuid }) => uuid));
    await eventually('every subscription is returned', () => events.open() === 0);
    await two.close();
  });
});

describe('unreadCountChanged', () => {
  it(`tells the number at once, and whenever it is another ${verifies('notifications.live.unread')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const { notifications } = services;
    const caller = await someone();
    const first = await make(services, caller);
    const stream = await notifications.unreadCountChanged(caller);
    const next = async () => (await take(stream, 1))[0];
    expect(await next()).toBe(1);
    const second = await make(services, caller);
    expect(await next()).toBe(2);
    await notifications.markRead(caller, first.uuid);
    expect(await next()).toBe(1);
    // None of these changes it.
    await notifications.markRead(caller, first.uuid);
    await notifications.setCompleted(caller, second.uuid, {});
    await notifications.remove(caller, first.uuid);
    await make(services, await someone());
    await notifications.remove(caller, second.uuid);
    expect(await next()).toBe(0);
    await make(services, caller);
    await make(services, caller);
    await eventually('both are counted', async () => (await next()) === 2);
    await notifications.markAllRead(caller);
    expect(await next()).toBe(0);
    await stream.return();
  });

  it(`shares its reads, and keeps one number for who does not take them (F09) ${verifies('notifications.live.shared', 'graph.slow-reader')}`, async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const streams = await Promise.all(
      Array.from({ length: 200 }, () => services.notifications.unreadCountChanged(caller)),
    );
    const [watching, ...idle] = streams as [(typeof streams)[0], ...typeof streams];
    expect(await take(watching, 1)).toEqual([0]);
    const before = statements.length;
    for (let i = 1; i <= 20; i++) {
      await make(services, caller);
      expect(await take(watching, 1)).toEqual([i]);
    }
    const reads = statements.slice(before).filter((text) => text.includes('GROUP BY profile_uuid'));
    expect(reads).toHaveLength(20);
    for (const stream of idle) expect(await take(stream, 1)).toEqual([20]);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it(`finds within ten seconds what no hint tells of ${verifies('notifications.live.unread')}`, async () => {
    timers();
    const deaf: Events = { ...createLocalEvents(), publish: () => {} };
    const services = servicesWith(deaf);
    const caller = await someone();
    const stream = await services.notifications.unreadCountChanged(caller);
    expect(await take(stream, 1)).toEqual([0]);
    await make(services, caller);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await take(stream, 1)).toEqual([1]);
    await stream.return();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('listeners that go (F06)', () => {
  it(`leave no subscription and no timer behind, also those who go while they come ${verifies('graph.no-trace')}`, async () => {
    timers();
    const events = createUnreliableEvents({ processes: 1, random: () => 0.5, lossRate: 0 });
    const services = servicesWith(events.ofProcess(0));
    const { notifications } = services;
    const callers = await Promise.all(Array.from({ length: 5 }, someone));
    for (let round = 0; round < 10; round++) {
      const coming = callers.flatMap((caller) => [
        notifications.added(caller),
        notifications.unreadCountChanged(caller),
      ]);
      if (round % 2) for (const stream of await Promise.all(coming)) void stream.next();
      await Promise.all(coming.map(async (stream) => (await stream).return()));
    }
    expect(events.open()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
