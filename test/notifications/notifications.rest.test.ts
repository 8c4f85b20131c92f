import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { type Call, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const { clock } = server;

const someone = async () => (await tenantOf(server)).call;
const make = async (call: Call, body: object = {}) =>
  (await call('POST', '/api/notifications', { message: 'm', ...body })).body.notification;
const invalid = (field: string) => ({
  error: { code: 'VALIDATION_ERROR', message: 'Validation error', details: { [field]: expect.any(String) } },
});
const notFound = { error: { code: 'NOT_FOUND', message: 'Notification not found' } };

describe('POST /api/notifications/custom', () => {
  it('creates the notification as existing proxies send it', verifies('notifications.custom'), async () => {
    const call = await someone();
    const sent = { title: 'Done', message: 'm', severity: 'SUCCESS', sendEmail: false };
    const { status, body } = await call('POST', '/api/notifications/custom', { ...sent, metadata: 7 });
    expect([status, body]).toEqual([
      200,
      { success: true, message: expect.any(String), notificationId: expect.any(String), emailSent: false },
    ]);
    await call('POST', '/api/notifications/custom', { message: 'n', title: null, severity: null, sendEmail: null });
    const { notifications } = (await call('GET', '/api/notifications')).body;
    expect(notifications).toMatchObject([
      { type: 'CUSTOM', title: null, message: 'n', severity: 'INFO', metadata: {} },
      { id: body.notificationId, type: 'CUSTOM', title: 'Done', message: 'm', severity: 'SUCCESS', metadata: {} },
    ]);
  });

  it('names every wrong field in the text of the error', verifies('notifications.custom', 'errors.proxy'), async () => {
    const body = { title: 7, message: '', severity: 'LOUD', sendEmail: 'yes' };
    const answer = await (await someone())('POST', '/api/notifications/custom', body);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error:
          'title must be a string; message must not be empty; severity must be one of: INFO, SUCCESS, WARNING, ALERT; sendEmail must be true or false',
        code: 'VALIDATION_ERROR',
      },
    ]);
  });
});

describe('POST /api/notifications', () => {
  it(
    'answers the notification with the documented fields and explicit nulls',
    verifies('notifications.create', 'notifications.text'),
    async () => {
      const call = await someone();
      const { status, body } = await call('POST', '/api/notifications', {
        message: '<b>hello</b>\nthere',
        metadata: { server_id: 's', user_id: 'u' },
        type: 'SYSTEM',
        profileUuid: randomUUID(),
        read: true,
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        notification: {
          id: body.notificationId,
          type: 'CUSTOM',
          title: null,
          message: '<b>hello</b>\nthere',
          severity: 'INFO',
          read: false,
          created_at: clock.now().toISOString(),
          read_at: null,
          completed: false,
          completed_at: null,
          metadata: { server_id: 's', user_id: 'u' },
        },
        notificationId: expect.any(String),
        emailSent: false,
      });
    },
  );

  it.each(['INFO', 'SUCCESS', 'WARNING', 'ALERT'])(
    'takes the severity %s',
    verifies('notifications.create'),
    async (severity) => {
      expect(await make(await someone(), { severity, title: 't' })).toMatchObject({ severity, title: 't' });
    },
  );

  it.each([
    ['message', { message: undefined }],
    ['message', { message: null }],
    ['message', { message: 5 }],
    ['message', { message: '' }],
    ['message', { message: 'x'.repeat(5_001) }],
    ['message', { message: '\u0000' }],
    ['title', { title: 'a\r\nBcc: x@example.com' }],
    ['title', { title: ['a'] }],
    ['severity', { severity: 'info' }],
    ['severity', { severity: 'CRITICAL' }],
    ['severity', { severity: 1 }],
    ['send_email', { send_email: 'true' }],
    ['send_email', { send_email: 1 }],
    ['metadata', { metadata: 'x' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { a: '\u0000' } }],
    ['metadata', { metadata: { a: 'x'.repeat(16_384) } }],
  ])(
    'names the mistakes: %s (%#) (H11)',
    verifies('notifications.create.form', 'notifications.mail.injection'),
    async (field, wrong) => {
      const call = await someone();
      const { status, body } = await call('POST', '/api/notifications', { message: 'm', ...wrong });
      expect([status, body]).toEqual([400, invalid(field)]);
      expect((await call('GET', '/api/notifications')).body.total).toBe(0);
    },
  );

  it('refuses numbers beyond the range of JSON and metadata that is nested too deeply, with or without an Idempotency-Key', async () => {
    const call = await someone();
    const nested = (levels: number) =>
      `{"message": "m", "metadata": {"a": ${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    for (const headers of [{}, { 'Idempotency-Key': randomUUID() }] as Record<string, string>[])
      for (const [text, field] of [
        ['{"message": "m", "metadata": {"a": 1e999}}', 'metadata'],
        [nested(30), 'metadata'],
        [nested(50_000), 'body'],
      ] as const) {
        const { status, body } = await call('POST', '/api/notifications', text, headers);
        expect([status, body]).toEqual([400, invalid(field)]);
      }
  });

  it('runs once for an Idempotency-Key, email included', verifies('everywhere.idempotency'), async () => {
    const call = await someone();
    const headers = { 'Idempotency-Key': randomUUID() };
    const once = { message: 'once', send_email: true };
    const [first, again] = [
      await call('POST', '/api/notifications', once, headers),
      await call('POST', '/api/notifications', once, headers),
    ];
    expect(first.body).toMatchObject({ success: true, emailSent: true });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await call('GET', '/api/notifications')).body.total).toBe(1);
  });
});

describe('GET /api/notifications', () => {
  it('lists the newest first with total and unread_count', verifies('notifications.list'), async () => {
    const call = await someone();
    for (let i = 1; i <= 22; i++) await make(call, { message: String(i) });
    const { body } = await call('GET', '/api/notifications');
    expect(body).toMatchObject({ total: 22, unread_count: 22, limit: 20, offset: 0 });
    expect(body.notifications).toHaveLength(20);
    expect(body.notifications[0].message).toBe('22');
    const last = (await call('GET', '/api/notifications?limit=5&offset=20')).body;
    expect(last.notifications.map(({ message }: { message: string }) => message)).toEqual(['2', '1']);
    expect(last).toMatchObject({ total: 22, unread_count: 22, limit: 5, offset: 20 });
    expect((await call('GET', '/api/notifications?limit=100')).body.notifications).toHaveLength(22);
  });

  it.each(['unread', 'onlyUnread', 'unreadOnly'])(
    'filters by %s, and all three mean the same',
    verifies('notifications.list.unread'),
    async (name) => {
      const call = await someone();
      const [{ id }] = [await make(call), await make(call)];
      await call('PATCH', `/api/notifications/${id}/read`);
      const counts = async (query: string) => {
        const { notifications, total, unread_count } = (await call('GET', `/api/notifications?${query}`)).body;
        return [notifications.length, total, unread_count];
      };
      expect(await counts(`${name}=true`)).toEqual([1, 1, 1]);
      expect(await counts(`${name}=false`)).toEqual([2, 2, 1]);
      expect(await counts('unread=true&onlyUnread=true&unreadOnly=true')).toEqual([1, 1, 1]);
    },
  );

  it.each([
    ['unread', 'unread=1'],
    ['onlyUnread', 'onlyUnread=TRUE'],
    ['unreadOnly', 'unreadOnly='],
    ['onlyUnread', 'unread=true&onlyUnread=false'],
    ['unreadOnly', 'onlyUnread=false&unreadOnly=true'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=abc'],
    ['limit', 'limit=1e1'],
    ['limit', 'unread=true&limit=99999999999'],
    ['offset', 'offset=-1'],
    ['offset', 'offset=2147483648'],
    ['unread', 'unread=true&unread=true'],
  ])('refuses %s by name: %s', verifies('notifications.list.unread', 'everywhere.pages'), async (field, query) => {
    const { status, body } = await (await someone())('GET', `/api/notifications?${query}`);
    expect([status, body]).toEqual([400, invalid(field)]);
  });
});

describe('one notification', () => {
  it('is read once: read_at stays', verifies('notifications.read'), async () => {
    const call = await someone();
    const { id } = await make(call);
    const read_at = clock.now().toISOString();
    const expected = { success: true, notification: { id, read: true, read_at } };
    expect((await call('PATCH', `/api/notifications/${id}/read`)).body).toEqual(expected);
    clock.advance(60_000);
    expect((await call('PATCH', `/api/notifications/${id}/read`, {})).body).toEqual(expected);
    expect((await call('GET', '/api/notifications')).body.notifications[0]).toMatchObject({ id, read: true, read_at });
  });

  it('is marked with all others by read-all, which is not an id', verifies('notifications.read-all'), async () => {
    const call = await someone();
    await make(call);
    await make(call);
    const all = async () => (await call('PATCH', '/api/notifications/read-all')).body;
    expect(await all()).toEqual({ success: true, updatedCount: 2 });
    expect(await all()).toEqual({ success: true, updatedCount: 0 });
    expect((await call('GET', '/api/notifications')).body.unread_count).toBe(0);
  });

  it('is completed as requested, or inverted', verifies('notifications.completed'), async () => {
    const call = await someone();
    const { id } = await make(call);
    const path = `/api/notifications/${id}/completed`;
    const completed_at = clock.now().toISOString();
    const done = { success: true, notification: { id, completed: true, completed_at } };
    const open = { success: true, notification: { id, completed: false, completed_at: null } };
    expect((await call('PATCH', path)).body).toEqual(done);
    expect((await call('PATCH', path, { completed: true })).body).toEqual(done);
    expect((await call('PATCH', path, { completed: null })).body).toEqual(open);
    expect((await call('PATCH', path, { completed: false })).body).toEqual(open);
    const { status, body } = await call('PATCH', path, { completed: 'true' });
    expect([status, body]).toEqual([400, invalid('completed')]);
  });

  it('is deleted for good', verifies('notifications.delete'), async () => {
    const call = await someone();
    const { id } = await make(call);
    const remove = () => call('DELETE', `/api/notifications/${id}`);
    expect((await remove()).body).toEqual({ success: true, message: 'Notification deleted' });
    expect([(await remove()).status, (await remove()).body]).toEqual([404, notFound]);
  });

  it(
    "that is unknown, malformed or another tenant's is the same 404",
    verifies('notifications.not-found', 'everywhere.malformed-uuid'),
    async () => {
      const call = await someone();
      const foreign = await make(await someone());
      for (const id of [foreign.id, randomUUID(), 'x', '0', '%00', '%F0%9F%98%80'])
        for (const [method, path] of [
          ['PATCH', `/api/notifications/${id}/read`],
          ['PATCH', `/api/notifications/${id}/completed`],
          ['DELETE', `/api/notifications/${id}`],
        ] as const) {
          const { status, body } = await call(method, path);
          expect([status, body], `${method} ${path}`).toEqual([404, notFound]);
        }
    },
  );

  it('has no other methods', verifies('everywhere.method'), async () => {
    const call = await someone();
    const allowed = async (method: string, path: string) => {
      const { status, headers } = await call(method, path);
      return [status, headers.get('allow')];
    };
    expect(await allowed('DELETE', '/api/notifications')).toEqual([405, 'GET, HEAD, POST']);
    for (const method of ['POST', 'DELETE'])
      expect(await allowed(method, '/api/notifications/read-all')).toEqual([405, 'PATCH']);
    expect(await allowed('GET', `/api/notifications/${randomUUID()}`)).toEqual([405, 'DELETE']);
    expect(await allowed('POST', `/api/notifications/${randomUUID()}/read`)).toEqual([405, 'PATCH']);
  });
});
