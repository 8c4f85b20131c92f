import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { invalid } from '../support/clipboard-responses.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';

describe('DELETE /api/clipboard and DELETE /api/clipboard/all', () => {
  it(
    'delete: {success, deleted: true} and the entry is gone; the others stay',
    verifies('clipboard.delete'),
    async () => {
      const { call } = await tenantOf(server);
      await call('POST', path, { name: 'n', value: 'v' });
      await call('POST', path, { name: 'stays', value: 'v' });
      const { status, body } = await call('DELETE', path, { name: 'n' });
      expect(status).toBe(200);
      expect(body).toStrictEqual({ success: true, deleted: true });
      expect((await call('GET', `${path}?name=n`)).status).toBe(404);
      expect((await call('GET', `${path}?name=stays`)).status).toBe(200);
    },
  );

  it('delete of a missing entry: 200 {success: true, deleted: false}', verifies('clipboard.delete'), async () => {
    const { call } = await tenantOf(server);
    for (const selector of [{ name: 'n' }, { idx: 0 }, { idx: 2 ** 31 - 1 }]) {
      const { status, body } = await call('DELETE', path, selector);
      expect(status).toBe(200);
      expect(body).toStrictEqual({ success: true, deleted: false });
    }
  });

  it(
    'delete with both or neither: 400, and nothing is deleted (A24: also when the client drops the body)',
    verifies('clipboard.delete.selector'),
    async () => {
      const { call, secret } = await tenantOf(server);
      await call('POST', path, { name: 'n', value: 'v' });
      await call('POST', `${path}/push`, { value: 'v' });
      const bodies = [
        undefined,
        {},
        { name: null, idx: null },
        { name: 'n', idx: 0 },
        { clearAll: false },
        { clearAll: 'true' },
        { clearAll: 1 },
        { clearAll: null },
      ];
      for (const body of bodies) {
        const answer = await call('DELETE', path, body);
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject(invalid());
      }
      const bare = await rawRequest(server.base, {
        method: 'DELETE',
        path,
        headers: { Authorization: `Bearer ${secret}` },
      });
      expect(bare.status).toBe(400);
      expect((await call('GET', path)).body.total).toBe(2);
    },
  );

  it('delete: clearAll beside a selector is a contradiction and never clears', async () => {
    const { call } = await tenantOf(server);
    await call('POST', path, { name: 'n', value: 'v' });
    await call('POST', path, { name: 'm', value: 'v' });
    for (const body of [
      { clearAll: true, name: 'n' },
      { clearAll: true, idx: 0 },
    ])
      expect((await call('DELETE', path, body)).status).toBe(400);
    expect((await call('GET', path)).body.total).toBe(2);
  });

  it(
    '{clearAll: true}: deletes all and answers {success, deleted, deletedCount}',
    verifies('clipboard.delete.clear-all'),
    async () => {
      const { call } = await tenantOf(server);
      await call('POST', path, { name: 'n', value: 'v' });
      await call('POST', `${path}/push`, { value: 'v' });
      const { status, body } = await call('DELETE', path, { clearAll: true });
      expect(status).toBe(200);
      expect(body).toStrictEqual({ success: true, deleted: 2, deletedCount: 2 });
      expect((await call('GET', path)).body.total).toBe(0);
      expect((await call('DELETE', path, { clearAll: true })).body).toEqual({
        success: true,
        deleted: 0,
        deletedCount: 0,
      });
    },
  );

  it(
    'all: {success, deletedCount} counts named and stack entries, of this profile alone (A23)',
    verifies('clipboard.clear'),
    async () => {
      const { call } = await tenantOf(server);
      const other = await tenantOf(server);
      await other.call('POST', path, { name: 'n', value: 'v' });
      await other.call('POST', `${path}/push`, { value: 'v' });
      await call('POST', path, { name: 'n', value: 'v' });
      await call('POST', `${path}/push`, { value: 'v' });
      await call('POST', `${path}/push`, { value: 'v' });
      const { status, body } = await call('DELETE', `${path}/all`);
      expect(status).toBe(200);
      expect(body).toStrictEqual({ success: true, deletedCount: 3 });
      expect((await call('DELETE', `${path}/all`)).body).toStrictEqual({ success: true, deletedCount: 0 });
      expect((await other.call('GET', path)).body.total).toBe(2);
    },
  );
});
