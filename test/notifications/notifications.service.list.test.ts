import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import {
  createNotificationServices,
  errorAbout,
  make,
  messages,
  notFound,
  profileOf,
} from './notification-services.ts';

const { services, clock, someone } = await createNotificationServices();
const { notifications } = services;
const list = async (caller: Caller, input = {}) => notifications.page(caller, input);

describe('page', () => {
  it(
    'lists the newest first, by limit and offset, with the total of the list and the unread of all',
    verifies('notifications.list'),
    async () => {
      const caller = await someone();
      for (let i = 1; i <= 25; i++) await make(services, caller, String(i));
      const { notifications: all } = await list(caller, { limit: 100 });
      expect(messages(all)).toEqual(Array.from({ length: 25 }, (_, i) => String(25 - i)));
      for (const { uuid } of all.slice(0, 3)) await notifications.markRead(caller, uuid);
      const page = await list(caller, { limit: 2, offset: 2 });
      expect(page).toMatchObject({ total: 25, unreadCount: 22, limit: 2, offset: 2 });
      expect(messages(page.notifications)).toEqual(['23', '22']);
      const unread = await list(caller, { unread: true, limit: 1 });
      expect(unread).toMatchObject({ total: 22, unreadCount: 22 });
      expect(messages(unread.notifications)).toEqual(['22']);
      expect((await list(caller, { unread: false })).notifications).toHaveLength(20);
      expect(await list(caller, { offset: 1_000 })).toEqual({
        notifications: [],
        total: 25,
        unreadCount: 22,
        limit: 20,
        offset: 1_000,
      });
    },
  );

  it.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { limit: Number.NaN }, { offset: -1 }, { offset: 2 ** 31 }])(
    'refuses %o instead of clamping it',
    verifies('notifications.list'),
    async (input) => {
      await expect(list(await someone(), input)).rejects.toEqual(errorAbout(Object.keys(input)[0] as string));
    },
  );

  it(
    'is consistent while others create, read and delete: the listed unread ones are the counted ones (H12)',
    verifies('notifications.snapshot'),
    async () => {
      const caller = await someone();
      let isOver = false;
      const change = async (turn: number) => {
        while (!isOver) {
          const { uuid } = await make(services, caller, String(turn));
          if (turn === 1) await notifications.markRead(caller, uuid);
          if (turn === 2) await notifications.remove(caller, uuid);
          if (turn === 3) await notifications.markAllRead(caller);
        }
      };
      const changing = [0, 1, 2, 3].map(change);
      let disagreements = 0;
      for (let i = 0; i < 150; i++) {
        const [all, unread] = await Promise.all([
          list(caller, { limit: 100 }),
          list(caller, { unread: true, limit: 100 }),
        ]);
        if (all.total <= 100) {
          disagreements += Number(all.total !== all.notifications.length);
          disagreements += Number(all.unreadCount !== all.notifications.filter(({ readAt }) => readAt === null).length);
        }
        if (unread.total <= 100) disagreements += Number(unread.total !== unread.notifications.length);
        disagreements += Number(unread.total !== unread.unreadCount);
        if (all.total > 80)
          await Promise.all(all.notifications.map(({ uuid }) => notifications.remove(caller, uuid).catch(() => 0)));
      }
      isOver = true;
      await Promise.all(changing);
      expect(disagreements).toBe(0);
    },
  );
});

describe('connection', () => {
  it(
    "goes through all by cursors that know of nothing but one's own",
    verifies('graph.connections', 'access.tenants'),
    async () => {
      const [caller, otherTenant] = [await someone(), await someone()];
      for (let i = 1; i <= 5; i++) {
        await make(services, caller, String(i));
        await make(services, otherTenant, 'foreign');
      }
      const first = await notifications.connection(caller, { first: 3 });
      expect(messages(first.edges.map(({ node }) => node))).toEqual(['5', '4', '3']);
      expect(first.hasNextPage).toBe(true);
      // The numbers are the profile's own: they tell nothing of how much others are told.
      expect(first.edges.map(({ cursor }) => Buffer.from(cursor, 'base64url').toString())).toEqual([
        'n:5',
        'n:4',
        'n:3',
      ]);
      await notifications.remove(caller, String(first.edges[2]?.node.uuid));
      const rest = await notifications.connection(caller, { first: 3, after: first.edges[2]?.cursor });
      expect(messages(rest.edges.map(({ node }) => node))).toEqual(['2', '1']);
      expect(rest.hasNextPage).toBe(false);
      expect(await notifications.connection(caller, { first: 0 })).toEqual({ edges: [], hasNextPage: true });
      await notifications.markRead(caller, String(first.edges[0]?.node.uuid));
      const unread = await notifications.connection(caller, { unread: true });
      expect(messages(unread.edges.map(({ node }) => node))).toEqual(['4', '2', '1']);
    },
  );

  it.each([
    '',
    'x',
    'bjow',
    Buffer.from('n:-1').toString('base64url'),
    Buffer.from('s:1').toString('base64url'),
    '😀',
    'x'.repeat(10_000),
  ])('refuses an invalid cursor (%#)', verifies('graph.connections'), async (after) => {
    await expect(notifications.connection(await someone(), { after })).rejects.toEqual(errorAbout('after'));
  });
});

describe('totals', () => {
  it('stay right when notifications are written at once', verifies('notifications.list'), async () => {
    const caller = await someone();
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => make(services, caller, String(n))));
    const uuids = made.map(({ uuid }) => uuid);
    await Promise.all([
      ...uuids
        .slice(0, 6)
        .flatMap((uuid) => [notifications.markRead(caller, uuid), notifications.markRead(caller, uuid)]),
      ...uuids.slice(4, 8).map((uuid) => notifications.setCompleted(caller, uuid, {})),
      ...uuids.slice(8).map((uuid) => notifications.remove(caller, uuid)),
      make(services, caller, 'one more'),
    ]);
    const totals = async () => {
      const { total, unreadCount, notifications: listed } = await notifications.page(caller, {});
      expect(listed).toHaveLength(total);
      expect(await notifications.count(caller, {})).toBe(total);
      expect(await notifications.count(caller, { unread: true })).toBe(unreadCount);
      return [total, unreadCount];
    };
    expect(await totals()).toEqual([9, 3]);
    await notifications.markAllRead(caller);
    expect(await totals()).toEqual([9, 0]);
    await notifications.removeContents(profileOf(caller));
    expect(await totals()).toEqual([0, 0]);
  });
});

describe('marking, completing, deleting', () => {
  it(
    'sets readAt once: later calls change nothing, also at the same instant (H12)',
    verifies('notifications.read'),
    async () => {
      const caller = await someone();
      const { uuid } = await make(services, caller);
      const at = clock.now();
      expect((await notifications.markRead(caller, uuid)).readAt).toEqual(at);
      clock.advance(5_000);
      const again = await Promise.all(Array.from({ length: 8 }, () => notifications.markRead(caller, uuid)));
      expect(again.map(({ readAt }) => readAt)).toEqual(Array.from({ length: 8 }, () => at));
      expect(await notifications.markAllRead(caller)).toBe(0);
      expect((await notifications.find(caller, [uuid]))[0]?.readAt).toEqual(at);
    },
  );

  it(
    'marks all as read, and each is counted by one of those who do so at once',
    verifies('notifications.read-all'),
    async () => {
      const caller = await someone();
      const made = await Promise.all(Array.from({ length: 12 }, () => make(services, caller)));
      const single = notifications.markRead(caller, String(made[0]?.uuid));
      const counts = await Promise.all(Array.from({ length: 5 }, () => notifications.markAllRead(caller)));
      await single;
      const sum = counts.reduce((a, b) => a + b, 0);
      expect([11, 12]).toContain(sum);
      expect(await list(caller)).toMatchObject({ total: 12, unreadCount: 0 });
    },
  );

  it('completes when requested, and inverts otherwise', verifies('notifications.completed'), async () => {
    const caller = await someone();
    const { uuid } = await make(services, caller);
    const at = clock.now();
    expect((await notifications.setCompleted(caller, uuid, {})).completedAt).toEqual(at);
    clock.advance(1_000);
    expect((await notifications.setCompleted(caller, uuid, { completed: true })).completedAt).toEqual(at);
    expect((await notifications.setCompleted(caller, uuid, {})).completedAt).toBeNull();
    expect((await notifications.setCompleted(caller, uuid, { completed: false })).completedAt).toBeNull();
    await expect(notifications.setCompleted(caller, uuid, { completed: 'yes' as never })).rejects.toEqual(
      errorAbout('completed'),
    );
    expect((await notifications.find(caller, [uuid]))[0]).toMatchObject({ readAt: null, completedAt: null });
  });

  it('deletes for good', verifies('notifications.delete'), async () => {
    const caller = await someone();
    const { uuid } = await make(services, caller);
    expect(await notifications.remove(caller, uuid)).toBe(uuid);
    await expect(notifications.remove(caller, uuid)).rejects.toEqual(notFound);
    expect(await notifications.count(caller, {})).toBe(0);
    // Its number is not given again: who follows from it would take the next for one that it has.
    expect((await make(services, caller)).seq).toBe(2);
  });

  it(
    'answers unknown, malformed and foreign ids alike, and changes no rows',
    verifies('notifications.not-found'),
    async () => {
      const [caller, otherTenant] = [await someone(), await someone()];
      const foreign = await make(services, otherTenant);
      for (const id of [foreign.uuid, randomUUID(), '', 'x', "' OR 1=1 --", '\u0000', 'read-all']) {
        await expect(notifications.markRead(caller, id)).rejects.toEqual(notFound);
        await expect(notifications.setCompleted(caller, id, { completed: true })).rejects.toEqual(notFound);
        await expect(notifications.remove(caller, id)).rejects.toEqual(notFound);
        await expect(notifications.added(caller, { sinceId: id })).rejects.toEqual(notFound);
        expect(await notifications.find(caller, [id])).toEqual([null]);
      }
      await notifications.markAllRead(caller);
      expect((await list(otherTenant)).notifications).toEqual([foreign]);
    },
  );
});
