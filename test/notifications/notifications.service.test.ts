import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { notificationTypes } from '../../src/notifications/input.ts';
import type { Notification } from '../../src/notifications/notification.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';

const { services, database, clock, statements, url } = await createTestServices();
const sql = new Client({ connectionString: url });
await sql.connect();
afterAll(() => sql.end());
const { notifications } = services;

/** A new profile, as its key. */
const someone = async () => (await keyOf(services, await signUp(services))).caller;
const profileOf = (caller: Caller) => String(caller.principal?.profileUuid);
const refusal = (code: string, facts: object = {}) => expect.objectContaining({ name: 'Refusal', code, ...facts });
const about = (field: string) => refusal('VALIDATION_ERROR', { details: { [field]: expect.any(String) } });
const notFound = refusal('NOT_FOUND', { message: 'Notification not found' });

const make = async (caller: Caller, message = 'm') => (await notifications.create(caller, { message })).notification;
const list = async (caller: Caller, input = {}) => notifications.page(caller, input);
const messages = (found: readonly Notification[]) => found.map(({ message }) => message);

/** What stands in the outbox of a profile or in the queue of letters, the oldest first. */
async function queued(queue: 'events' | 'mail', profileOrText: string): Promise<Record<string, unknown>[]> {
  const text =
    queue === 'mail'
      ? "SELECT data FROM pgboss.job WHERE name = 'mail' AND data::text LIKE $1 ORDER BY created_on"
      : `SELECT json_build_object('id', uuid, 'profileUuid', profile_uuid, 'type', type, 'data', data::json) AS data
          FROM outbox_events WHERE profile_uuid::text LIKE $1 ORDER BY seq`;
  const { rows } = await sql.query(text, [`%${profileOrText}%`]);
  return rows.map(({ data }) => data);
}

describe('who may', () => {
  const uuid = randomUUID();
  const reads: Record<string, (caller: Caller) => unknown> = {
    page: (caller) => notifications.page(caller, {}),
    connection: (caller) => notifications.connection(caller, {}),
    count: (caller) => notifications.count(caller, {}),
    find: (caller) => notifications.find(caller, [uuid]),
    added: async (caller) => (await notifications.added(caller)).return(),
    unreadCountChanged: async (caller) => (await notifications.unreadCountChanged(caller)).return(),
  };
  const writes: Record<string, (caller: Caller) => unknown> = {
    create: (caller) => notifications.create(caller, { message: 'm' }),
    markRead: (caller) => notifications.markRead(caller, uuid),
    markAllRead: (caller) => notifications.markAllRead(caller),
    setCompleted: (caller) => notifications.setCompleted(caller, uuid, {}),
    remove: (caller) => notifications.remove(caller, uuid),
  };
  const attempt = async (work: (caller: Caller) => unknown, caller: Caller) => work(caller);

  it('covers every function that takes a caller', () => {
    expect(Object.keys(notifications).sort()).toEqual([...Object.keys(reads), ...Object.keys(writes), 'notify'].sort());
  });

  it.each(Object.entries({ ...reads, ...writes }))(
    '%s refuses nobody, and asks the database nothing',
    async (_, work) => {
      statements.length = 0;
      await expect(attempt(work, anonymous())).rejects.toEqual(refusal('UNAUTHORIZED'));
      expect(statements).toEqual([]);
    },
  );

  it('a key that may only read changes nothing, and one that may only write sees nothing', async () => {
    const user = await signUp(services);
    const { caller: reader } = await keyOf(services, user, { scopes: ['read'] });
    const { caller: writer } = await keyOf(services, user, { scopes: ['write'] });
    for (const work of Object.values(writes)) await expect(attempt(work, reader)).rejects.toEqual(refusal('FORBIDDEN'));
    for (const work of Object.values(reads)) await expect(attempt(work, writer)).rejects.toEqual(refusal('FORBIDDEN'));
  });
});

describe('create', () => {
  it(`makes an unread CUSTOM notification of severity INFO with its defaults ${verifies('notifications.create')}`, async () => {
    const caller = await someone();
    const { notification, emailSent } = await notifications.create(caller, { message: 'hello' });
    expect(emailSent).toBe(false);
    expect(notification).toEqual({
      uuid: expect.any(String),
      seq: 1,
      type: 'CUSTOM',
      title: null,
      message: 'hello',
      severity: 'INFO',
      metadata: {},
      createdAt: clock.now(),
      readAt: null,
      completedAt: null,
    });
    expect((await list(caller)).notifications).toEqual([notification]);
  });

  it(`keeps HTML, line breaks and every other character of a message as they came ${verifies('notifications.text')}`, async () => {
    const caller = await someone();
    const message = '<script>alert("1")</script>\r\n\t<b>&amp;</b> \u0001 😀 \u202e';
    expect((await make(caller, message)).message).toBe(message);
    expect(messages((await list(caller)).notifications)).toEqual([message]);
  });

  it.each([
    ['message', { message: '' }],
    ['message', { message: 'x'.repeat(5_001) }],
    ['message', { message: 'a\u0000' }],
    ['message', { message: '\ud800' }],
    ['message', {}],
    ['title', { message: 'm', title: 'x'.repeat(256) }],
    ['title', { message: 'm', title: 'a\r\nBcc: everybody@example.com' }],
    ['title', { message: 'm', title: 'a\nb' }],
    ['title', { message: 'm', title: 'a\u0085b' }],
    ['title', { message: 'm', title: 'a\u0000' }],
    ['severity', { message: 'm', severity: 'info' }],
    ['severity', { message: 'm', severity: 'CRITICAL' }],
    ['sendEmail', { message: 'm', sendEmail: 'yes' }],
    ['metadata', { message: 'm', metadata: [] }],
    ['metadata', { message: 'm', metadata: 'x' }],
    ['metadata', { message: 'm', metadata: { a: 'x\u0000' } }],
    ['metadata', { message: 'm', metadata: { 'k\u0000': 1 } }],
    ['metadata', { message: 'm', metadata: { a: [{ b: '\udc00' }] } }],
    ['metadata', { message: 'm', metadata: { a: Number.POSITIVE_INFINITY } }],
    ['metadata', { message: 'm', metadata: { a: 'é'.repeat(8_192) } }],
    ['metadata', { message: 'm', metadata: JSON.parse(`${'{"a":'.repeat(17)}1${'}'.repeat(17)}`) }],
    ['metadata', { message: 'm', metadata: { a: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) } }],
  ])(
    `refuses a wrong %s, naming it, and writes nothing (%#) (H11) ${verifies('notifications.create.form')}`,
    async (field, input) => {
      const caller = await someone();
      await expect(notifications.create(caller, input as never)).rejects.toEqual(about(field));
      expect(await notifications.count(caller, {})).toBe(0);
    },
  );

  it('takes all of that at its bounds, and gives metadata back as it came', async () => {
    const caller = await someone();
    const metadata = JSON.parse(
      `{"__proto__": "mine", "z": 1, "a": {"__proto__": {"x": 1}}, "big": 1e308, "small": 5e-324, "n": null, "deep": ${'['.repeat(15)}${']'.repeat(15)}, "": "", "pad": ""}`,
    );
    metadata.pad = 'x'.repeat(16_384 - JSON.stringify(metadata).length);
    const { notification } = await notifications.create(caller, {
      title: 'x'.repeat(255),
      message: '\u{10000}'.repeat(2_500),
      severity: 'ALERT',
      metadata,
    });
    const [found] = await notifications.find(caller, [notification.uuid]);
    expect(found).toEqual(notification);
    expect(JSON.stringify(found?.metadata)).toBe(JSON.stringify(metadata));
  });

  it(`tells the outbox of each, with its id and type ${verifies('notifications.event')}`, async () => {
    const caller = await someone();
    const { uuid } = await make(caller);
    expect(await queued('events', profileOf(caller))).toEqual([
      {
        id: expect.any(String),
        profileUuid: profileOf(caller),
        type: 'notification.created',
        data: { notification_id: uuid, type: 'CUSTOM' },
      },
    ]);
  });

  it(`posts a letter to the user whose profile it is when asked to ${verifies('notifications.email')}`, async () => {
    const user = await signUp(services);
    const { email } = await services.auth.users.current(user);
    const asked = { title: 'Done', message: 'It is <b>done</b>.', sendEmail: true };
    expect((await notifications.create(user, asked)).emailSent).toBe(true);
    await notifications.create(user, { message: 'untitled', sendEmail: true });
    await notifications.create(user, { message: 'not asked', sendEmail: false });
    expect(await queued('mail', email)).toMatchObject([
      { to: email, subject: 'Done', text: 'It is <b>done</b>.\n\n-- \nhttp://localhost:3000\n' },
      { to: email, subject: 'CUSTOM', text: 'untitled\n\n-- \nhttp://localhost:3000\n' },
    ]);
  });

  it(`gives the profile's notifications numbers in the order of their commits, from all connections at once ${verifies('notifications.order')}`, async () => {
    const caller = await someone();
    const made = await Promise.all(Array.from({ length: 30 }, (_, i) => make(caller, String(i))));
    expect(made.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });

  it('lets nobody have a number before who has a lower one is done', async () => {
    const caller = await someone();
    const order: string[] = [];
    let second: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await notifications.notify(tx, profileOf(caller), { type: 'SYSTEM', message: 'first' });
      order.push('first written');
      second = make(caller, 'second').then(() => order.push('second made'));
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually('the second waits', async () => (await sql.query(waiting)).rowCount);
      order.push('first commits');
    });
    await second;
    expect(order).toEqual(['first written', 'first commits', 'second made']);
    expect(messages((await list(caller)).notifications)).toEqual(['second', 'first']);
  });
});

describe('notify, for other areas', () => {
  it.each(notificationTypes)(
    `writes a %s in the transaction of its cause ${verifies('notifications.types')}`,
    async (type) => {
      const caller = await someone();
      await database.transaction((tx) => notifications.notify(tx, profileOf(caller), { type, message: 'm' }));
      expect((await list(caller)).notifications).toMatchObject([{ type, severity: null, title: null, metadata: {} }]);
      expect(await queued('events', profileOf(caller))).toMatchObject([
        { type: 'notification.created', data: { type } },
      ]);
    },
  );

  it(`leaves nothing behind when its cause is undone, and its number is given again ${verifies('notifications.event')}`, async () => {
    const caller = await someone();
    const undone = database.transaction(async (tx) => {
      await notifications.notify(tx, profileOf(caller), { type: 'SYSTEM', message: 'm' });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await list(caller)).toMatchObject({ notifications: [], total: 0, unreadCount: 0 });
    expect(await queued('events', profileOf(caller))).toEqual([]);
    expect((await make(caller)).seq).toBe(1);
  });

  it('refuses another type, and a title with a line break', async () => {
    const caller = await someone();
    const notify = (notice: object) =>
      database.transaction((tx) => notifications.notify(tx, profileOf(caller), notice as never));
    await expect(notify({ type: 'OTHER', message: 'm' })).rejects.toEqual(about('type'));
    await expect(notify({ type: 'SYSTEM', title: 'a\nb', message: 'm' })).rejects.toEqual(about('title'));
  });
});

describe('page', () => {
  it(`lists the newest first, by limit and offset, with the total of the list and the unread of all ${verifies('notifications.list')}`, async () => {
    const caller = await someone();
    for (let i = 1; i <= 25; i++) await make(caller, String(i));
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
  });

  it.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { limit: Number.NaN }, { offset: -1 }, { offset: 2 ** 31 }])(
    `refuses %o instead of clamping it ${verifies('notifications.list')}`,
    async (input) => {
      await expect(list(await someone(), input)).rejects.toEqual(about(Object.keys(input)[0] as string));
    },
  );

  it(`agrees with itself while others create, read and delete: what it lists as unread is what it counts (H12) ${verifies('notifications.snapshot')}`, async () => {
    const caller = await someone();
    let isOver = false;
    const change = async (turn: number) => {
      while (!isOver) {
        const { uuid } = await make(caller, String(turn));
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
  });
});

describe('connection', () => {
  it(`goes through all by cursors that know of nothing but one's own ${verifies('graph.connections', 'access.tenants')}`, async () => {
    const [caller, stranger] = [await someone(), await someone()];
    for (let i = 1; i <= 5; i++) {
      await make(caller, String(i));
      await make(stranger, 'foreign');
    }
    const first = await notifications.connection(caller, { first: 3 });
    expect(messages(first.edges.map(({ node }) => node))).toEqual(['5', '4', '3']);
    expect(first.hasNextPage).toBe(true);
    // The numbers are the profile's own: they tell nothing of how much others are told.
    expect(first.edges.map(({ cursor }) => Buffer.from(cursor, 'base64url').toString())).toEqual(['n:5', 'n:4', 'n:3']);
    await notifications.remove(caller, String(first.edges[2]?.node.uuid));
    const rest = await notifications.connection(caller, { first: 3, after: first.edges[2]?.cursor });
    expect(messages(rest.edges.map(({ node }) => node))).toEqual(['2', '1']);
    expect(rest.hasNextPage).toBe(false);
    expect(await notifications.connection(caller, { first: 0 })).toEqual({ edges: [], hasNextPage: true });
    await notifications.markRead(caller, String(first.edges[0]?.node.uuid));
    const unread = await notifications.connection(caller, { unread: true });
    expect(messages(unread.edges.map(({ node }) => node))).toEqual(['4', '2', '1']);
  });

  it.each([
    '',
    'x',
    'bjow',
    Buffer.from('n:-1').toString('base64url'),
    Buffer.from('s:1').toString('base64url'),
    '😀',
    'x'.repeat(10_000),
  ])(`refuses what is no cursor (%#) ${verifies('graph.connections')}`, async (after) => {
    await expect(notifications.connection(await someone(), { after })).rejects.toEqual(about('after'));
  });
});

describe('marking, completing, deleting', () => {
  it(`sets readAt once: who comes later changes nothing, also at the same instant (H12) ${verifies('notifications.read')}`, async () => {
    const caller = await someone();
    const { uuid } = await make(caller);
    const at = clock.now();
    expect((await notifications.markRead(caller, uuid)).readAt).toEqual(at);
    clock.advance(5_000);
    const again = await Promise.all(Array.from({ length: 8 }, () => notifications.markRead(caller, uuid)));
    expect(again.map(({ readAt }) => readAt)).toEqual(Array.from({ length: 8 }, () => at));
    expect(await notifications.markAllRead(caller)).toBe(0);
    expect((await notifications.find(caller, [uuid]))[0]?.readAt).toEqual(at);
  });

  it(`marks all as read, and each is counted by one of those who do so at once ${verifies('notifications.read-all')}`, async () => {
    const caller = await someone();
    const made = await Promise.all(Array.from({ length: 12 }, () => make(caller)));
    const single = notifications.markRead(caller, String(made[0]?.uuid));
    const counts = await Promise.all(Array.from({ length: 5 }, () => notifications.markAllRead(caller)));
    await single;
    const sum = counts.reduce((a, b) => a + b, 0);
    expect([11, 12]).toContain(sum);
    expect(await list(caller)).toMatchObject({ total: 12, unreadCount: 0 });
  });

  it(`completes when told so, and turns round when not ${verifies('notifications.completed')}`, async () => {
    const caller = await someone();
    const { uuid } = await make(caller);
    const at = clock.now();
    expect((await notifications.setCompleted(caller, uuid, {})).completedAt).toEqual(at);
    clock.advance(1_000);
    expect((await notifications.setCompleted(caller, uuid, { completed: true })).completedAt).toEqual(at);
    expect((await notifications.setCompleted(caller, uuid, {})).completedAt).toBeNull();
    expect((await notifications.setCompleted(caller, uuid, { completed: false })).completedAt).toBeNull();
    await expect(notifications.setCompleted(caller, uuid, { completed: 'yes' as never })).rejects.toEqual(
      about('completed'),
    );
    expect((await notifications.find(caller, [uuid]))[0]).toMatchObject({ readAt: null, completedAt: null });
  });

  it(`deletes for good ${verifies('notifications.delete')}`, async () => {
    const caller = await someone();
    const { uuid } = await make(caller);
    expect(await notifications.remove(caller, uuid)).toBe(uuid);
    await expect(notifications.remove(caller, uuid)).rejects.toEqual(notFound);
    expect(await notifications.count(caller, {})).toBe(0);
    // Its number is not given again: who follows from it would take the next for one that it has.
    expect((await make(caller)).seq).toBe(2);
  });

  it(`answers unknown, malformed and foreign ids alike, and changes nothing of anybody's ${verifies('notifications.not-found')}`, async () => {
    const [caller, stranger] = [await someone(), await someone()];
    const foreign = await make(stranger);
    for (const id of [foreign.uuid, randomUUID(), '', 'x', "' OR 1=1 --", '\u0000', 'read-all']) {
      await expect(notifications.markRead(caller, id)).rejects.toEqual(notFound);
      await expect(notifications.setCompleted(caller, id, { completed: true })).rejects.toEqual(notFound);
      await expect(notifications.remove(caller, id)).rejects.toEqual(notFound);
      await expect(notifications.added(caller, { sinceId: id })).rejects.toEqual(notFound);
      expect(await notifications.find(caller, [id])).toEqual([null]);
    }
    await notifications.markAllRead(caller);
    expect((await list(stranger)).notifications).toEqual([foreign]);
  });
});

describe('the number of statements', () => {
  it('is four for a creation, two more with a letter, and one for everything else', async () => {
    const caller = await someone();
    const { uuid } = await make(caller);
    const counts: Record<string, number> = {};
    const count = async (name: string, work: () => Promise<unknown>) => {
      statements.length = 0;
      await work();
      counts[name] = statements.length;
    };
    await count('create', () => make(caller));
    await count('create with a letter', () => notifications.create(caller, { message: 'm', sendEmail: true }));
    await count('page', () => list(caller));
    await count('connection', () => notifications.connection(caller, {}));
    await count('count', () => notifications.count(caller, {}));
    await count('find', () => notifications.find(caller, [uuid, uuid, randomUUID()]));
    await count('find nothing', () => notifications.find(caller, ['x']));
    await count('markRead', () => notifications.markRead(caller, uuid));
    await count('markAllRead', () => notifications.markAllRead(caller));
    await count('setCompleted', () => notifications.setCompleted(caller, uuid, {}));
    await count('remove', () => notifications.remove(caller, uuid));
    expect(counts).toEqual({
      create: 4,
      'create with a letter': 6,
      page: 1,
      connection: 1,
      count: 1,
      find: 1,
      'find nothing': 0,
      markRead: 1,
      markAllRead: 1,
      setCompleted: 1,
      remove: 1,
    });
  });
});
