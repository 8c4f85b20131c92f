import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { blockade } from '../support/blockade.ts';
import { eventually } from '../support/deadline.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';

describe('A08: the connection to the database breaks in the middle of a write', () => {
  it.each([
    ['push', 'POST', `${path}/push`, { value: 'v' }],
    ['set', 'POST', path, { name: 'n', value: 'v' }],
    ['pop', 'DELETE', `${path}/pop`, undefined],
    ['delete', 'DELETE', path, { idx: 0 }],
    ['all', 'DELETE', `${path}/all`, undefined],
  ])(
    'A08: %s: 5xx in the clipboard’s shape, no retry of ours, and the next call works',
    async (_title, method, url, body) => {
      const { call } = await tenantOf(server);
      await call('POST', `${path}/push`, { value: 'before' });
      const { waits, kill, release } = await blockade(server.url);
      const writing = call(method, url, body);
      await kill(await waits());
      const answer = await writing;
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({ success: false, error: expect.any(String) });
      expect(answer.text).not.toMatch(/postgres|sql|relation|connection terminated|clipboard_entries/i);
      await release();
      const { entries } = (await call('GET', path)).body;
      expect(entries.map(({ value }: { value: string }) => value)).toEqual(['before']);
      expect((await call(method, url, body)).status).toBe(200);
    },
  );
});

describe('A07: a client that goes away', () => {
  it('A07: after its pop was sent: the entry is gone once, and the next pop gives the next one', async () => {
    const { call, secret } = await tenantOf(server);
    for (const value of ['a', 'b']) await call('POST', `${path}/push`, { value });
    const { waits, release } = await blockade(server.url);
    const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
    socket.write(`DELETE ${path}/pop HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
    await waits();
    socket.destroy();
    await release();
    await eventually('the entry is gone', async () => (await call('GET', path)).body.total === 1);
    expect((await call('DELETE', `${path}/pop`)).body.entry.value).toBe('a');
    expect((await call('DELETE', `${path}/pop`)).status).toBe(404);
  });
});

describe('A08: many writes wait on one broken connection', () => {
  it('A08: each gets its own response, and exactly the entries with a 200 are stored', async () => {
    const { call } = await tenantOf(server);
    const { waits, kill, release } = await blockade(server.url);
    const writing = Promise.all(
      Array.from({ length: 16 }, (_, i) => call('POST', `${path}/push`, { value: String(i) })),
    );
    await kill(await waits());
    await release();
    const answers = await writing;
    const stored = (await call('GET', path)).body.entries.map(({ uuid }: { uuid: string }) => uuid);
    const acknowledged = answers.filter(({ status }) => status === 200).map(({ body }) => body.entry.uuid);
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(stored.sort()).toEqual(acknowledged.sort());
    expect(acknowledged.length).toBeLessThan(16);
  });
});
