import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Notification } from '../../src/notifications/notification.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createLocalEvents, type Events } from '../../src/platform/messaging/events.ts';
import { verifies } from '../requirements.ts';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { createNotificationServices, make, messages, profileOf, take } from './notification-services.ts';
import { createUnreliableEvents } from './unreliable-events.ts';

const one = await createNotificationServices();
const { statements, servicesWith, someone, fill } = one;

/** Ten seconds go by for what looks round every ten seconds, and for nothing else. */
const timers = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
afterEach(() => void vi.useRealTimers());

describe('added', () => {
  it(
    'delivers new notifications, in order, to the profile alone (F07)',
    verifies('notifications.live', 'access.tenants'),
    async () => {
      const services = servicesWith(createLocalEvents());
      const [caller, otherTenant] = [await someone(), await someone()];
      await make(services, caller, 'before');
      const stream = await services.notifications.added(caller);
      await make(services, otherTenant, 'foreign');
      const made = [await make(services, caller, '1'), await make(services, caller, '2')];
      expect(await take(stream, 2)).toEqual(made);
      await stream.return();
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    },
  );

  it('does not deliver older notifications to later subscribers', async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const early = await services.notifications.added(caller);
    // Its signal is still being processed when the second comes.
    const created = make(services, caller, 'before');
    await created;
    const late = await services.notifications.added(caller);
    await make(services, caller, 'after');
    expect(messages(await take(early, 2))).toEqual(['before', 'after']);
    expect(messages(await take(late, 1))).toEqual(['after']);
    await Promise.all([early.return(), late.return()]);
  });

  it('costs one read for each notification, however many listen', verifies('notifications.live.shared'), async () => {
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

  it('makes one read of concurrent signals', async () => {
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

  it('reads once more for a signal that comes during a read', async () => {
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

  it('delivers nothing of a rolled back transaction', async () => {
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

  it(
    'finds within ten seconds what was not signalled, with one statement for all watched profiles',
    verifies('notifications.live.resume'),
    async () => {
      timers();
      const unsubscribe: Events = { ...createLocalEvents(), publish: () => {} };
      const services = servicesWith(unsubscribe);
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
    },
  );

  it('delivers rows that it could not read once it can again', async () => {
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

  it(
    'lets go who does not take them, and keeps no more than a bound for them (F09)',
    verifies('graph.slow-reader'),
    async () => {
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
      await within('the fast one has all', patienceMs, reading);
      expect(heard).toHaveLength(1_201);
      await expect(slow.next()).rejects.toMatchObject({ name: 'SlowListener' });
      expect(await slow.next()).toEqual({ done: true, value: undefined });
    },
  );
});

describe('unreadCountChanged', () => {
  it('delivers the number at once, and whenever it changes', verifies('notifications.live.unread'), async () => {
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

  it(
    'shares its reads, and keeps one number for who does not take them (F09)',
    verifies('notifications.live.shared', 'graph.slow-reader'),
    async () => {
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
      const reads = statements.slice(before).filter((text) => text.includes('unread AS count'));
      expect(reads).toHaveLength(20);
      for (const stream of idle) expect(await take(stream, 1)).toEqual([20]);
      await Promise.all(streams.map((stream) => stream.return()));
    },
  );

  it('finds within ten seconds what was not signalled', verifies('notifications.live.unread'), async () => {
    timers();
    const unsubscribe: Events = { ...createLocalEvents(), publish: () => {} };
    const services = servicesWith(unsubscribe);
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
  it(
    'leave no subscription and no timer behind, also those who go while they come',
    verifies('graph.no-trace'),
    async () => {
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
    },
  );
});
