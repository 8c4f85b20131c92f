import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { entryBody, givenFields } from '../support/clipboard-entry.ts';
import { notFound } from '../support/clipboard-responses.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';
const instant = (ms = 0) => new Date(server.clock.now().getTime() + ms).toISOString();

/** A tenant whose stack holds the values, the last on top. */
async function stackOf(...values: string[]) {
  const tenant = await tenantOf(server);
  const stack = async () =>
    (await tenant.call('GET', path)).body.entries.map((entry: { idx: number; value: string }) => [
      entry.idx,
      entry.value,
    ]);
  for (const value of values) await tenant.call('POST', `${path}/push`, { value });
  return { ...tenant, stack };
}

describe('POST /api/clipboard/push', () => {
  it(
    'push: answers {success, entry} with idx 0, no name, and the same defaults as set',
    verifies('clipboard.push'),
    async () => {
      const { call } = await tenantOf(server);
      const { status, body } = await call('POST', `${path}/push`, { value: 'top' });
      expect(status).toBe(200);
      expect(body).toStrictEqual({
        success: true,
        entry: entryBody(server.clock.now(), { name: null, idx: 0, value: 'top' }),
      });
    },
  );

  it('push: keeps what the client says about the value', async () => {
    const { call } = await tenantOf(server);
    const given = { value: 'aGk=', ...givenFields };
    const { status, body } = await call('POST', `${path}/push`, { ...given, ttlSeconds: 2_592_000 });
    expect(status).toBe(200);
    expect(body.entry).toMatchObject({ ...given, idx: 0, name: null, sizeBytes: 4, expiresAt: instant(2_592_000_000) });
  });

  it('the new entry gets index 0 and every other index grows by one', verifies('clipboard.push'), async () => {
    const { call, stack } = await stackOf('a', 'b');
    expect(await stack()).toEqual([
      [0, 'b'],
      [1, 'a'],
    ]);
    expect((await call('POST', `${path}/push`, { value: 'c' })).body.entry.idx).toBe(0);
    expect(await stack()).toEqual([
      [0, 'c'],
      [1, 'b'],
      [2, 'a'],
    ]);
    for (const [idx, value] of ['c', 'b', 'a'].entries()) {
      expect((await call('POST', `${path}/get`, { idx })).body.entry).toMatchObject({ idx, value });
    }
  });

  it('index: a push changes no other entry’s updatedAt', async () => {
    const { call } = await stackOf('a');
    const before = (await call('POST', `${path}/get`, { idx: 0 })).body.entry;
    server.clock.advance(5_000);
    await call('POST', `${path}/push`, { value: 'b' });
    expect((await call('POST', `${path}/get`, { idx: 1 })).body.entry).toStrictEqual({ ...before, idx: 1 });
  });

  it('push: a name in the body is ignored', async () => {
    const { call } = await tenantOf(server);
    const { body } = await call('POST', `${path}/push`, { value: 'v', name: 'n' });
    expect(body.entry).toMatchObject({ name: null, idx: 0 });
    expect((await call('POST', `${path}/get`, { name: 'n' })).status).toBe(404);
  });
});

describe.each([['DELETE'], ['POST']])('%s /api/clipboard/pop', (method) => {
  it(
    'pop: answers {success, entry} of index 0 and removes it; the entry has no expiresAt',
    verifies('clipboard.pop', 'clipboard.pop.post'),
    async () => {
      const { call, stack } = await stackOf('a', 'b');
      const { entry } = (await call('POST', `${path}/get`, { idx: 0 })).body;
      const { status, body } = await call(method, `${path}/pop`);
      expect(status).toBe(200);
      const { expiresAt, ...rest } = entry;
      expect(expiresAt).toBeDefined();
      expect(body).toStrictEqual({ success: true, entry: rest });
      expect(await stack()).toEqual([[0, 'a']]);
      expect((await call('GET', `${path}/entries/${entry.uuid}`)).body).toStrictEqual(notFound);
    },
  );

  it('pops come last in, first out', async () => {
    const { call } = await stackOf('a', 'b', 'c');
    const popped: string[] = [];
    for (let i = 0; i < 3; i++) popped.push((await call(method, `${path}/pop`)).body.entry.value);
    expect(popped).toEqual(['c', 'b', 'a']);
    expect((await call(method, `${path}/pop`)).body).toStrictEqual(notFound);
  });

  it(
    'pop on an empty stack: 404 Entry not found, also beside named entries',
    verifies('clipboard.pop.empty'),
    async () => {
      const { call } = await tenantOf(server);
      await call('POST', path, { name: 'n', value: 'v' });
      const { status, body } = await call(method, `${path}/pop`);
      expect(status).toBe(404);
      expect(body).toStrictEqual(notFound);
      expect((await call('GET', path)).body.total).toBe(1);
    },
  );

  it('A23: pops one’s own stack alone', async () => {
    const other = await stackOf('theirs');
    const { call } = await tenantOf(server);
    expect((await call(method, `${path}/pop`)).status).toBe(404);
    expect((await call(method, `${path}/pop`, { profileUuid: other.caller.principal?.profileUuid })).status).toBe(404);
    expect(await other.stack()).toEqual([[0, 'theirs']]);
  });
});

describe('DELETE /api/clipboard {idx}', () => {
  it('delete: removes the entry at that place; those below move up', async () => {
    const { call, stack } = await stackOf('a', 'b', 'c', 'd');
    expect((await call('DELETE', path, { idx: 1 })).body).toStrictEqual({ success: true, deleted: true });
    expect(await stack()).toEqual([
      [0, 'd'],
      [1, 'b'],
      [2, 'a'],
    ]);
    expect((await call('DELETE', path, { idx: 2 })).body.deleted).toBe(true);
    expect((await call('DELETE', path, { idx: 2 })).body.deleted).toBe(false);
    expect(await stack()).toEqual([
      [0, 'd'],
      [1, 'b'],
    ]);
  });
});
