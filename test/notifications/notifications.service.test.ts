import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { notificationTypes } from '../../src/notifications/input.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { keyOf, signUp } from '../support/services.ts';
import {
  apiError,
  createNotificationServices,
  errorAbout,
  make,
  messages,
  profileOf,
} from './notification-services.ts';

const { services, database, clock, statements, sql, someone, queued } = await createNotificationServices();
const { notifications } = services;
const list = async (caller: Caller, input = {}) => notifications.page(caller, input);

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
    expect(Object.keys(notifications).sort()).toEqual(
      [...Object.keys(reads), ...Object.keys(writes), 'notify', 'notifyAll', 'purge', 'removeContents'].sort(),
    );
  });

  it.each(Object.entries({ ...reads, ...writes }))(
    '%s refuses an anonymous caller, without a statement',
    async (_, work) => {
      statements.length = 0;
      await expect(attempt(work, anonymous())).rejects.toEqual(apiError('UNAUTHORIZED'));
      expect(statements).toEqual([]);
    },
  );

  it('a key that may only read changes nothing, and one that may only write sees nothing', async () => {
    const user = await signUp(services);
    const { caller: reader } = await keyOf(services, user, { scopes: ['read'] });
    const { caller: writer } = await keyOf(services, user, { scopes: ['write'] });
    for (const work of Object.values(writes))
      await expect(attempt(work, reader)).rejects.toEqual(apiError('FORBIDDEN'));
    for (const work of Object.values(reads)) await expect(attempt(work, writer)).rejects.toEqual(apiError('FORBIDDEN'));
  });
});

describe('create', () => {
  it(
    'makes an unread CUSTOM notification of severity INFO with its defaults',
    verifies('notifications.create'),
    async () => {
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
    },
  );

  it(
    'keeps HTML, line breaks and every other character of a message as they came',
    verifies('notifications.text'),
    async () => {
      const caller = await someone();
      const message = '<script>alert("1")</script>\r\n\t<b>&amp;</b> \u0001 😀 \u202e';
      expect((await make(services, caller, message)).message).toBe(message);
      expect(messages((await list(caller)).notifications)).toEqual([message]);
    },
  );

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
    'refuses a wrong %s, naming it, and writes nothing (%#) (H11)',
    verifies('notifications.create.form'),
    async (field, input) => {
      const caller = await someone();
      await expect(notifications.create(caller, input as never)).rejects.toEqual(errorAbout(field));
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

  it('writes each to the outbox, with its id and type', verifies('notifications.event'), async () => {
    const caller = await someone();
    const { uuid } = await make(services, caller);
    expect(await queued('events', profileOf(caller))).toEqual([
      {
        id: expect.any(String),
        profileUuid: profileOf(caller),
        type: 'notification.created',
        data: { notification_id: uuid, type: 'CUSTOM' },
      },
    ]);
  });

  it('sends an email to the user of the profile when asked to', verifies('notifications.email'), async () => {
    const user = await signUp(services);
    const { email } = await services.auth.accounts.current(user);
    const asked = { title: 'Done', message: 'It is <b>done</b>.', sendEmail: true };
    expect((await notifications.create(user, asked)).emailSent).toBe(true);
    await notifications.create(user, { message: 'untitled', sendEmail: true });
    await notifications.create(user, { message: 'not asked', sendEmail: false });
    expect(await queued('mail', email)).toMatchObject([
      { to: email, subject: 'Done', text: 'It is <b>done</b>.\n\n-- \nhttp://localhost:3000\n' },
      { to: email, subject: 'CUSTOM', text: 'untitled\n\n-- \nhttp://localhost:3000\n' },
    ]);
  });

  it(
    "gives the profile's notifications numbers in the order of their commits, from all connections at once",
    verifies('notifications.order'),
    async () => {
      const caller = await someone();
      const made = await Promise.all(Array.from({ length: 30 }, (_, i) => make(services, caller, String(i))));
      expect(made.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    },
  );

  it('gives no later number before the transaction of an earlier one has ended', async () => {
    const caller = await someone();
    const order: string[] = [];
    let second: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await notifications.notify(tx, profileOf(caller), { type: 'SYSTEM', message: 'first' });
      order.push('first written');
      second = make(services, caller, 'second').then(() => order.push('second made'));
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
    'writes a %s in the transaction of its cause',
    verifies('notifications.types'),
    async (type) => {
      const caller = await someone();
      await database.transaction((tx) => notifications.notify(tx, profileOf(caller), { type, message: 'm' }));
      expect((await list(caller)).notifications).toMatchObject([{ type, severity: null, title: null, metadata: {} }]);
      expect(await queued('events', profileOf(caller))).toMatchObject([
        { type: 'notification.created', data: { type } },
      ]);
    },
  );

  it(
    'notifies several profiles at once, each in its own numbers and with its own event',
    verifies('notifications.event', 'notifications.order'),
    async () => {
      const callers = [await signUp(services), await signUp(services)];
      const notices = new Map(
        callers.map((caller, n) => [
          profileOf(caller),
          { type: 'SYSTEM', severity: 'INFO', title: 't', message: `m${n}`, metadata: { n } } as const,
        ]),
      );
      for (let times = 0; times < 2; times++)
        (await database.transaction((tx) => notifications.notifyAll(tx, notices)))();
      for (const [n, caller] of callers.entries()) {
        const { notifications: found } = await notifications.page(caller, {});
        expect(
          found.map(({ seq, type, severity, title, message, metadata }) => [
            seq,
            type,
            severity,
            title,
            message,
            metadata,
          ]),
        ).toEqual([
          [2, 'SYSTEM', 'INFO', 't', `m${n}`, { n }],
          [1, 'SYSTEM', 'INFO', 't', `m${n}`, { n }],
        ]);
        const told = await database.query<{ data: string }>({
          text: "SELECT data FROM outbox_events WHERE profile_uuid = $1 AND type = 'notification.created' ORDER BY seq",
          values: [profileOf(caller)],
        });
        expect(told.map(({ data }) => JSON.parse(data))).toEqual(
          found.map(({ uuid }) => ({ notification_id: uuid, type: 'SYSTEM' })).reverse(),
        );
      }
    },
  );

  it(
    'leaves nothing behind when its cause is undone, and its number is given again',
    verifies('notifications.event'),
    async () => {
      const caller = await someone();
      const undone = database.transaction(async (tx) => {
        await notifications.notify(tx, profileOf(caller), { type: 'SYSTEM', message: 'm' });
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await list(caller)).toMatchObject({ notifications: [], total: 0, unreadCount: 0 });
      expect(await queued('events', profileOf(caller))).toEqual([]);
      expect((await make(services, caller)).seq).toBe(1);
    },
  );

  it('refuses another type, and a title with a line break', async () => {
    const caller = await someone();
    const notify = (notice: object) =>
      database.transaction((tx) => notifications.notify(tx, profileOf(caller), notice as never));
    await expect(notify({ type: 'OTHER', message: 'm' })).rejects.toEqual(errorAbout('type'));
    await expect(notify({ type: 'SYSTEM', title: 'a\nb', message: 'm' })).rejects.toEqual(errorAbout('title'));
  });
});

describe('the number of statements', () => {
  it('is four for a creation, two more with an email, and one for everything else', async () => {
    const caller = await someone();
    const { uuid } = await make(services, caller);
    const counts: Record<string, number> = {};
    const count = async (name: string, work: () => Promise<unknown>) => {
      statements.length = 0;
      await work();
      counts[name] = statements.length;
    };
    await count('create', () => make(services, caller));
    await count('create with an email', () => notifications.create(caller, { message: 'm', sendEmail: true }));
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
      'create with an email': 6,
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
