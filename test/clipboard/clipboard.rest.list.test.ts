import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { entryBody } from '../support/clipboard-entry.ts';
import { invalid } from '../support/clipboard-responses.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';

describe('GET /api/clipboard', () => {
  it(
    'list: {success, entries} with total, limit and offset; empty for a new profile',
    verifies('clipboard.list'),
    async () => {
      const { call } = await tenantOf(server);
      const { status, body } = await call('GET', path);
      expect(status).toBe(200);
      expect(body).toStrictEqual({ success: true, entries: [], total: 0, limit: 1000, offset: 0 });
    },
  );

  it(
    'list: the stack by index, then the names, newest first, each with all its fields',
    verifies('clipboard.list'),
    async () => {
      const { call } = await tenantOf(server);
      for (const step of [1, 2, 3]) {
        await call('POST', path, { name: `n${step}`, value: `n${step}` });
        server.clock.advance(1);
        await call('POST', `${path}/push`, { value: `p${step}` });
        server.clock.advance(1);
      }
      const { body } = await call('GET', path);
      expect(body.total).toBe(6);
      expect(
        body.entries.map((entry: { idx: number | null; name: string | null; value: string }) => [
          entry.idx,
          entry.name,
          entry.value,
        ]),
      ).toEqual([
        [0, null, 'p3'],
        [1, null, 'p2'],
        [2, null, 'p1'],
        [null, 'n3', 'n3'],
        [null, 'n2', 'n2'],
        [null, 'n1', 'n1'],
      ]);
      const keys = Object.keys(entryBody(server.clock.now(), { name: null, idx: 0, value: '' }));
      for (const entry of body.entries) expect(Object.keys(entry)).toEqual(keys);
    },
  );

  it(
    'list: limit and offset cut pages out of one order; every page knows the total',
    verifies('clipboard.list.page'),
    async () => {
      const { call } = await tenantOf(server);
      for (let i = 0; i < 5; i++) await call('POST', `${path}/push`, { value: `p${i}` });
      for (let i = 0; i < 4; i++) await call('POST', path, { name: `n${i}`, value: `n${i}` });
      const whole = (await call('GET', path)).body.entries;
      expect(whole).toHaveLength(9);
      for (const [limit, offset] of [
        [1, 0],
        [4, 0],
        [4, 3],
        [4, 5],
        [3, 6],
        [1000, 8],
        [5, 9],
        [5, 1000],
      ] as const) {
        const { status, body } = await call('GET', `${path}?limit=${limit}&offset=${offset}`);
        expect(status).toBe(200);
        expect(body).toStrictEqual({
          success: true,
          entries: whole.slice(offset, offset + limit),
          total: 9,
          limit,
          offset,
        });
      }
    },
  );

  it('list: contentType selects entries and total alike, and idx stays the place in the whole stack', async () => {
    const { call } = await tenantOf(server);
    await call('POST', `${path}/push`, { value: 'old', contentType: 'application/json' });
    await call('POST', `${path}/push`, { value: 'new' });
    await call('POST', path, { name: 'n', value: '1', contentType: 'application/json' });
    await call('POST', path, { name: 'm', value: '2', contentType: 'application/jsonp' });
    const { body } = await call('GET', `${path}?contentType=${encodeURIComponent('application/json')}`);
    expect(body).toMatchObject({ success: true, total: 2, offset: 0 });
    expect(body.entries.map((entry: { idx: number | null; name: string | null }) => [entry.idx, entry.name])).toEqual([
      [1, null],
      [null, 'n'],
    ]);
    expect((await call('GET', `${path}?contentType=none%2Fsuch`)).body).toMatchObject({ entries: [], total: 0 });
    expect((await call('GET', `${path}?contentType=application%2Fjson&limit=1&offset=1`)).body).toMatchObject({
      entries: [{ name: 'n' }],
      total: 2,
    });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1e3', 'limit'],
    ['limit=2147483648', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=NaN', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=abc', 'offset'],
    ['offset=0.5', 'offset'],
    ['offset=99999999999', 'offset'],
  ])('limit and offset: ?%s is 400 naming the field, never clamped', async (query, field) => {
    const { call } = await tenantOf(server);
    const { status, body } = await call('GET', `${path}?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual(invalid(field));
  });

  it('A25: the list is bounded: 1000 entries by default, 1000 at most', verifies('clipboard.list.page'), async () => {
    const { call, caller } = await tenantOf(server);
    await server.database.query({
      text: `INSERT INTO clipboard_entries (uuid, profile_uuid, name, value, content_type, encoding, size_bytes, visibility,
               source, created_at, updated_at, expires_at)
             SELECT gen_random_uuid(), $1, 'n' || i, 'v', 'text/plain', 'utf-8', 1, 'private', 'sdk', $2, $2, $2::timestamptz + interval '1 day'
             FROM generate_series(1, 1100) i`,
      values: [caller.principal?.profileUuid, server.clock.now()],
    });
    const first = (await call('GET', path)).body;
    expect(first).toMatchObject({ total: 1100, limit: 1000, offset: 0 });
    expect(first.entries).toHaveLength(1000);
    const second = (await call('GET', `${path}?offset=1000`)).body;
    expect(second.entries).toHaveLength(100);
    const names = new Set([...first.entries, ...second.entries].map((entry: { name: string }) => entry.name));
    expect(names.size).toBe(1100);
  });

  it('A25: a page of large values stays bounded, and paging by the returned entries still reaches every entry', async () => {
    const { call } = await tenantOf(server);
    const value = 'x'.repeat(2_097_152);
    for (let i = 0; i < 12; i++) await call('POST', path, { name: `big${i}`, value });
    const names: string[] = [];
    for (let offset = 0, total = Number.POSITIVE_INFINITY; offset < total; ) {
      const { status, body, text } = await call('GET', `${path}?offset=${offset}`);
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(64 * 1024 * 1024);
      expect(body.entries.length).toBeGreaterThan(0);
      total = body.total;
      offset += body.entries.length;
      names.push(...body.entries.map((entry: { name: string }) => entry.name));
    }
    expect(names.sort()).toEqual(Array.from({ length: 12 }, (_, i) => `big${i}`).sort());
  });
});
