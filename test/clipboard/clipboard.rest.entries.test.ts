import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { entryBody, givenFields } from '../support/clipboard-entry.ts';
import { invalid, notFound } from '../support/clipboard-responses.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';

/** The instant `ms` from now, as the platform writes it. */
const instant = (ms = 0) => new Date(server.clock.now().getTime() + ms).toISOString();

describe('POST /api/clipboard', () => {
  it(
    'set: answers {success, entry} with every field, the defaults filled in and absent values as null',
    verifies('clipboard.set', 'clipboard.entry.fields', 'clipboard.entry.defaults'),
    async () => {
      const { call } = await tenantOf(server);
      const { status, body, headers } = await call('POST', path, { name: 'greeting', value: 'hello' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(body).toStrictEqual({
        success: true,
        entry: entryBody(server.clock.now(), { name: 'greeting', idx: null, value: 'hello' }),
      });
    },
  );

  it('set: keeps what the client says about the value', async () => {
    const { call } = await tenantOf(server);
    const given = { name: 'A_z-09', value: 'aGVsbG8=', ...givenFields };
    const { status, body } = await call('POST', path, { ...given, ttlSeconds: 60 });
    expect(status).toBe(200);
    expect(body.entry).toMatchObject({ ...given, idx: null, sizeBytes: 8, expiresAt: instant(60_000) });
    const read = await call('POST', `${path}/get`, { name: 'A_z-09' });
    expect(read.body).toStrictEqual(body);
  });

  it(
    'set on an existing name: keeps uuid and createdAt and replaces the rest, also expiry',
    verifies('clipboard.set.replace'),
    async () => {
      const tenant = await tenantOf(server);
      const first = await tenant.call('POST', path, { name: 'n', value: 'aGk=', ...givenFields, ttlSeconds: 1000 });
      server.clock.advance(1_234);
      const second = await tenant.call('POST', path, { name: 'n', value: 'two' });
      expect(second.status).toBe(200);
      expect(second.body.entry).toStrictEqual({
        ...entryBody(server.clock.now(), { name: 'n', idx: null, value: 'two' }),
        uuid: first.body.entry.uuid,
        createdAt: first.body.entry.createdAt,
      });
      const list = await tenant.call('GET', path);
      expect(list.body.entries).toStrictEqual([second.body.entry]);
    },
  );

  it('name: names differ by case and live apart', async () => {
    const { call } = await tenantOf(server);
    await call('POST', path, { name: 'Case', value: 'upper' });
    await call('POST', path, { name: 'case', value: 'lower' });
    expect((await call('POST', `${path}/get`, { name: 'Case' })).body.entry.value).toBe('upper');
    expect((await call('POST', `${path}/get`, { name: 'case' })).body.entry.value).toBe('lower');
  });

  it(
    'A21: fields that the platform sets are not the client’s to choose, and unknown ones are ignored',
    verifies('everywhere.unknown-fields', 'clipboard.source'),
    async () => {
      const victim = await tenantOf(server);
      const { call } = await tenantOf(server);
      const forged = {
        uuid: randomUUID(),
        idx: 7,
        sizeBytes: 1,
        source: 'ui',
        createdAt: '2001-01-01T00:00:00.000Z',
        updatedAt: '2001-01-01T00:00:00.000Z',
        expiresAt: '2099-01-01T00:00:00.000Z',
        profileUuid: victim.caller.principal?.profileUuid,
        success: false,
        nonsense: { deep: [1] },
      };
      const set = await call('POST', path, { name: 'mine', value: 'abc', ...forged });
      const push = await call('POST', `${path}/push`, { value: 'abc', name: 'mine', ...forged });
      for (const { status, body } of [set, push]) {
        expect(status).toBe(200);
        expect(body.entry).toMatchObject({ sizeBytes: 3, source: 'sdk', createdAt: instant(), updatedAt: instant() });
        expect(body.entry.expiresAt).toBe(instant(86_400_000));
        expect(body.entry.uuid).not.toBe(forged.uuid);
      }
      expect(set.body.entry).toMatchObject({ name: 'mine', idx: null });
      expect(push.body.entry).toMatchObject({ name: null, idx: 0 });
      expect((await victim.call('GET', path)).body.entries).toEqual([]);
      expect((await victim.call('GET', `${path}?profileUuid=${forged.profileUuid}`)).body.entries).toEqual([]);
    },
  );
});

describe('POST /api/clipboard/get and GET /api/clipboard?name= or ?idx=', () => {
  it(
    'get: answers {success, entry} by name and by index, alike on both paths',
    verifies('clipboard.get', 'clipboard.get.query'),
    async () => {
      const { call } = await tenantOf(server);
      const { body: named } = await call('POST', path, { name: 'n', value: 'v' });
      const { body: pushed } = await call('POST', `${path}/push`, { value: 'p' });
      for (const [body, query, expected] of [
        [{ name: 'n' }, 'name=n', named],
        [{ idx: 0 }, 'idx=0', pushed],
      ] as const) {
        const post = await call('POST', `${path}/get`, body);
        const get = await call('GET', `${path}?${query}`);
        expect([post.status, get.status]).toEqual([200, 200]);
        expect(post.body).toStrictEqual(expected);
        expect(get.text).toBe(post.text);
      }
    },
  );

  it(
    'missing: 404 Entry not found, on both paths',
    verifies('clipboard.get', 'clipboard.get.query', 'clipboard.errors.status'),
    async () => {
      const { call } = await tenantOf(server);
      await call('POST', path, { name: 'other', value: 'v' });
      await call('POST', `${path}/push`, { value: 'v' });
      const answers = await Promise.all([
        call('POST', `${path}/get`, { name: 'n' }),
        call('POST', `${path}/get`, { idx: 1 }),
        call('POST', `${path}/get`, { idx: 2 ** 31 - 1 }),
        call('GET', `${path}?name=n`),
        call('GET', `${path}?idx=1`),
      ]);
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(body).toStrictEqual(notFound);
      }
    },
  );

  it('get with both or neither: 400 Validation error', verifies('clipboard.get.selector'), async () => {
    const { call } = await tenantOf(server);
    await call('POST', path, { name: 'n', value: 'v' });
    await call('POST', `${path}/push`, { value: 'v' });
    const answers = await Promise.all([
      call('POST', `${path}/get`, {}),
      call('POST', `${path}/get`),
      call('POST', `${path}/get`, { name: null, idx: null }),
      call('POST', `${path}/get`, { name: 'n', idx: 0 }),
      call('GET', `${path}?name=n&idx=0`),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toMatchObject(invalid());
    }
  });

  it.each<[Record<string, unknown>, string]>([
    [{ idx: -1 }, 'idx'],
    [{ idx: 1.5 }, 'idx'],
    [{ idx: '0' }, 'idx'],
    [{ idx: 2 ** 31 }, 'idx'],
    [{ idx: 1e308 }, 'idx'],
    [{ idx: true }, 'idx'],
    [{ idx: [0] }, 'idx'],
    [{ name: 0 }, 'name'],
    [{ name: ['n'] }, 'name'],
    [{ name: { toString: 'n' } }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'a b' }, 'name'],
    [{ name: '\u0000' }, 'name'],
    [{ name: '\ud800' }, 'name'],
  ])('A20: get and delete refuse %j with 400 naming the field', async (selector, field) => {
    const { call } = await tenantOf(server);
    await call('POST', `${path}/push`, { value: 'v' });
    for (const [method, at] of [
      ['POST', `${path}/get`],
      ['DELETE', path],
    ] as const) {
      const { status, body } = await call(method, at, selector);
      expect(status).toBe(400);
      expect(body).toEqual(invalid(field));
    }
    expect((await call('GET', path)).body.total).toBe(1);
  });

  it('A19: get and delete refuse a name of 256 characters', async () => {
    const { call } = await tenantOf(server);
    for (const [method, at] of [
      ['POST', `${path}/get`],
      ['DELETE', path],
    ] as const) {
      const { status, body } = await call(method, at, { name: 'a'.repeat(256) });
      expect(status).toBe(400);
      expect(body).toEqual(invalid('name'));
    }
  });

  it.each([
    'idx=-1',
    'idx=1.5',
    'idx=x',
    'idx=2147483648',
    'idx=',
    'idx=1e0',
    'idx=0&idx=0',
    'name=',
    'name=a&name=b',
    'name[]=a',
    'name[__proto__]=a',
  ])(
    'A20, I09: GET /api/clipboard?%s is 400 in the clipboard’s shape, or ignored for an unknown parameter',
    async (query) => {
      const { call } = await tenantOf(server);
      await call('POST', `${path}/push`, { value: 'v' });
      await call('POST', path, { name: 'a', value: 'v' });
      const { status, body } = await call('GET', `${path}?${query}`);
      if (query.includes('[') && status === 200) expect(body.entries).toHaveLength(2);
      else {
        expect(status).toBe(400);
        expect(body).toMatchObject(invalid());
      }
    },
  );

  it('A20: a null beside the other selector counts as left out', async () => {
    const { call } = await tenantOf(server);
    await call('POST', path, { name: 'n', value: 'v' });
    expect((await call('POST', `${path}/get`, { name: 'n', idx: null })).status).toBe(200);
    expect((await call('DELETE', path, { name: 'n', idx: null })).body).toStrictEqual({ success: true, deleted: true });
  });

  it('A24: GET ignores a body', async () => {
    const { call, secret } = await tenantOf(server);
    await call('POST', path, { name: 'n', value: 'v' });
    const body = Buffer.from(JSON.stringify({ name: 'missing' }));
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
    };
    const answer = await rawRequest(server.base, { method: 'GET', path, headers, body });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ success: true, total: 1 });
  });
});

describe('GET /api/clipboard/entries/{uuid}', () => {
  it(
    'visibility: answers {success, entry} of a named and of a stack entry',
    verifies('clipboard.get.uuid'),
    async () => {
      const { call } = await tenantOf(server);
      const { body: named } = await call('POST', path, { name: 'n', value: 'v' });
      const { body: lower } = await call('POST', `${path}/push`, { value: 'v' });
      await call('POST', `${path}/push`, { value: 'w' });
      const byName = await call('GET', `${path}/entries/${named.entry.uuid}`);
      expect(byName.status).toBe(200);
      expect(byName.body).toStrictEqual(named);
      const byIdx = await call('GET', `${path}/entries/${lower.entry.uuid}`);
      expect(byIdx.body).toStrictEqual({ success: true, entry: { ...lower.entry, idx: 1 } });
      const upper = await call('GET', `${path}/entries/${named.entry.uuid.toUpperCase()}`);
      expect([200, 404]).toContain(upper.status);
    },
  );

  it.each([
    'not-a-uuid',
    '0',
    '%00',
    '..%2fall',
    `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(13)}`,
    "'%20or%201=1--",
  ])('the malformed uuid %s is the same 404 as an unknown one', async (id) => {
    const { call } = await tenantOf(server);
    const unknown = await call('GET', `${path}/entries/${randomUUID()}`);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toStrictEqual(notFound);
    const malformed = await call('GET', `${path}/entries/${id}`);
    // NUL characters are 400 where they are input of their own; in an id they are an unknown id.
    expect(malformed.status).toBe(404);
    expect(malformed.text).toBe(unknown.text);
  });
});
