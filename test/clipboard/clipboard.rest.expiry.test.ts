import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const { clock } = server;
const path = '/api/clipboard';
const notFound = { success: false, error: 'Entry not found' };

describe('ttlSeconds', () => {
  const routes = [
    [path, { name: 'n', value: 'v' }],
    [`${path}/push`, { value: 'v' }],
  ] as const;

  it.each([1, 60, 86_400, 2_592_000])(
    'A11: %s is accepted, and expiresAt is that far from now',
    verifies('clipboard.ttl.bounds'),
    async (ttlSeconds) => {
      const { call } = await tenantOf(server);
      for (const [at, body] of routes) {
        const answer = await call('POST', at, { ...body, ttlSeconds });
        expect(answer.status).toBe(200);
        expect(Date.parse(answer.body.entry.expiresAt) - clock.now().getTime()).toBe(ttlSeconds * 1000);
      }
    },
  );

  it('takes null as if ttlSeconds were left out: 86 400', verifies('everywhere.null'), async () => {
    const { call } = await tenantOf(server);
    for (const [at, body] of routes) {
      const answer = await call('POST', at, { ...body, ttlSeconds: null });
      expect([answer.status, answer.body.entry.expiresAt]).toEqual([
        200,
        new Date(clock.now().getTime() + 86_400_000).toISOString(),
      ]);
    }
  });

  it.each<[unknown]>([[0], [-1], [1.5], ['60'], [2_592_001], [2 ** 31], [2 ** 53], [1e308], [true], [[60]], [{}]])(
    'A11: %j is 400 naming ttlSeconds, and nothing is stored',
    async (ttlSeconds) => {
      const { call } = await tenantOf(server);
      for (const [at, body] of routes) {
        const answer = await call('POST', at, { ...body, ttlSeconds });
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({
          success: false,
          error: 'Validation error',
          details: { ttlSeconds: expect.any(String) },
        });
      }
      expect((await call('GET', path)).body.total).toBe(0);
    },
  );

  it('A11: 60.0 and 6e1 are the integer 60', async () => {
    const { call } = await tenantOf(server);
    for (const number of ['60.0', '6e1']) {
      const { status, body } = await call('POST', path, `{"name":"n","value":"v","ttlSeconds":${number}}`);
      expect(status).toBe(200);
      expect(Date.parse(body.entry.expiresAt) - clock.now().getTime()).toBe(60_000);
    }
  });
});

describe('A12: an entry is there until one millisecond before expiresAt, and absent at it', () => {
  /** A named entry and a stack entry that expire in one second. */
  async function brief() {
    const tenant = await tenantOf(server);
    const { body: named } = await tenant.call('POST', path, { name: 'n', value: 'v', ttlSeconds: 1 });
    const { body: pushed } = await tenant.call('POST', `${path}/push`, { value: 'v', ttlSeconds: 1 });
    return { ...tenant, named: named.entry, pushed: pushed.entry };
  }

  it('in the list and its total', verifies('clipboard.expiry.exact'), async () => {
    const { call } = await brief();
    clock.advance(999);
    expect((await call('GET', path)).body).toMatchObject({ total: 2, entries: [{ idx: 0 }, { name: 'n' }] });
    clock.advance(1);
    expect((await call('GET', path)).body).toStrictEqual({
      success: true,
      entries: [],
      total: 0,
      limit: 1000,
      offset: 0,
    });
  });

  it('by name and by index, on both paths', verifies('clipboard.expiry.exact'), async () => {
    const { call } = await brief();
    const ask = () =>
      Promise.all([
        call('POST', `${path}/get`, { name: 'n' }),
        call('POST', `${path}/get`, { idx: 0 }),
        call('GET', `${path}?name=n`),
        call('GET', `${path}?idx=0`),
      ]);
    clock.advance(999);
    for (const { status } of await ask()) expect(status).toBe(200);
    clock.advance(1);
    for (const { status, body } of await ask()) {
      expect(status).toBe(404);
      expect(body).toStrictEqual(notFound);
    }
  });

  it('by uuid', async () => {
    const { call, named, pushed } = await brief();
    clock.advance(999);
    for (const { uuid } of [named, pushed]) expect((await call('GET', `${path}/entries/${uuid}`)).status).toBe(200);
    clock.advance(1);
    for (const { uuid } of [named, pushed])
      expect((await call('GET', `${path}/entries/${uuid}`)).body).toStrictEqual(notFound);
  });

  it('for pop', verifies('clipboard.expiry.exact'), async () => {
    const before = await brief();
    clock.advance(999);
    expect((await before.call('DELETE', `${path}/pop`)).status).toBe(200);
    const after = await brief();
    clock.advance(1000);
    const { status, body } = await after.call('DELETE', `${path}/pop`);
    expect(status).toBe(404);
    expect(body).toStrictEqual(notFound);
  });

  it('for delete by name and by index', async () => {
    const before = await brief();
    clock.advance(999);
    for (const selector of [{ name: 'n' }, { idx: 0 }])
      expect((await before.call('DELETE', path, selector)).body.deleted).toBe(true);
    const after = await brief();
    clock.advance(1000);
    for (const selector of [{ name: 'n' }, { idx: 0 }]) {
      expect((await after.call('DELETE', path, selector)).body).toStrictEqual({ success: true, deleted: false });
    }
  });

  it('for delete all, which counts what could still be seen', async () => {
    const { call } = await brief();
    await call('POST', path, { name: 'stays', value: 'v' });
    clock.advance(1000);
    expect((await call('DELETE', `${path}/all`)).body).toStrictEqual({ success: true, deletedCount: 1 });
  });

  it(
    'A10: for set: before, it updates; at expiresAt, it makes a new entry without old fields',
    verifies('clipboard.expiry.reset'),
    async () => {
      const { call, named } = await brief();
      await call('POST', path, {
        name: 'o',
        value: 'v',
        createdByTool: 'old',
        createdByModel: 'old',
        visibility: 'public',
        contentType: 'x/y',
        ttlSeconds: 1,
      });
      const old = (await call('GET', `${path}?name=o`)).body.entry;
      clock.advance(999);
      const kept = (await call('POST', path, { name: 'n', value: 'w', ttlSeconds: 1 })).body.entry;
      expect(kept).toMatchObject({ uuid: named.uuid, createdAt: named.createdAt });
      clock.advance(1);
      const { status, body } = await call('POST', path, { name: 'o', value: 'new' });
      expect(status).toBe(200);
      const now = clock.now().toISOString();
      expect(body.entry).toMatchObject({
        value: 'new',
        contentType: 'text/plain',
        visibility: 'private',
        createdByTool: null,
        createdByModel: null,
        createdAt: now,
        updatedAt: now,
      });
      expect(body.entry.uuid).not.toBe(old.uuid);
      expect((await call('GET', `${path}/entries/${old.uuid}`)).status).toBe(404);
      expect((await call('GET', `${path}?name=o`)).body.entry).toStrictEqual(body.entry);
      // The entry that was set again in time lives by its new lifetime.
      clock.advance(998);
      expect((await call('GET', `${path}?name=n`)).status).toBe(200);
      clock.advance(1);
      expect((await call('GET', `${path}?name=n`)).status).toBe(404);
    },
  );
});

describe('A09: an expired entry in the stack is invisible at once', () => {
  it(
    'A09: on top: the next live entry has idx 0 for list, get, delete and pop',
    verifies('clipboard.index.live'),
    async () => {
      const { call } = await tenantOf(server);
      await call('POST', `${path}/push`, { value: 'bottom' });
      await call('POST', `${path}/push`, { value: 'middle' });
      await call('POST', `${path}/push`, { value: 'top', ttlSeconds: 1 });
      clock.advance(1000);
      const { body } = await call('GET', path);
      expect(body).toMatchObject({
        total: 2,
        entries: [
          { idx: 0, value: 'middle' },
          { idx: 1, value: 'bottom' },
        ],
      });
      expect((await call('POST', `${path}/get`, { idx: 0 })).body.entry).toMatchObject({ idx: 0, value: 'middle' });
      expect((await call('DELETE', path, { idx: 0 })).body.deleted).toBe(true);
      expect((await call('DELETE', `${path}/pop`)).body.entry).toMatchObject({ idx: 0, value: 'bottom' });
      expect((await call('DELETE', `${path}/pop`)).body).toStrictEqual(notFound);
    },
  );

  it(
    'A09: in the middle: the indices of those below close up, also by uuid',
    verifies('clipboard.index.live'),
    async () => {
      const { call } = await tenantOf(server);
      const { body } = await call('POST', `${path}/push`, { value: 'bottom' });
      await call('POST', `${path}/push`, { value: 'middle', ttlSeconds: 1 });
      await call('POST', `${path}/push`, { value: 'top' });
      expect((await call('GET', `${path}/entries/${body.entry.uuid}`)).body.entry.idx).toBe(2);
      clock.advance(1000);
      expect((await call('GET', `${path}/entries/${body.entry.uuid}`)).body.entry.idx).toBe(1);
      expect((await call('POST', `${path}/get`, { idx: 1 })).body.entry.value).toBe('bottom');
      expect((await call('POST', `${path}/get`, { idx: 2 })).body).toStrictEqual(notFound);
      expect((await call('GET', `${path}?limit=1&offset=1`)).body).toMatchObject({
        total: 2,
        entries: [{ idx: 1, value: 'bottom' }],
      });
    },
  );

  it('A09: a push over an expired top keeps the order of the rest', async () => {
    const { call } = await tenantOf(server);
    await call('POST', `${path}/push`, { value: 'a' });
    await call('POST', `${path}/push`, { value: 'gone', ttlSeconds: 1 });
    clock.advance(1000);
    await call('POST', `${path}/push`, { value: 'b' });
    const { body } = await call('GET', path);
    expect(body.entries.map((entry: { idx: number; value: string }) => [entry.idx, entry.value])).toEqual([
      [0, 'b'],
      [1, 'a'],
    ]);
  });
});

it(
  'without ttlSeconds an entry lives for 24 hours to the millisecond',
  verifies('clipboard.entry.defaults'),
  async () => {
    const { call, graphql } = await tenantOf(server);
    await call('POST', path, { name: 'n', value: 'v' });
    clock.advance(86_400_000 - 1);
    expect((await call('GET', `${path}?name=n`)).status).toBe(200);
    clock.advance(1);
    expect((await call('GET', `${path}?name=n`)).status).toBe(404);
    expect((await graphql('{ clipboardEntry(by: { name: "n" }) { uuid } }')).data).toEqual({ clipboardEntry: null });
  },
);
