import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../../requirements.ts';
import { blockade } from '../../support/blockade.ts';
import { eventually } from '../../support/deadline.ts';
import { heldCommit } from '../../support/held-commit.ts';
import { callerOf, startTestServer, tenantOf } from '../../support/server.ts';
import { createTcpProxy } from '../../support/tcp-proxy.ts';

const server = await startTestServer();
/** A second process over the same database. */
const other = await startTestServer({}, server.url);
const push = '/api/clipboard/push';
const keyed = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');
const rowsOf = async (text: string) => (await server.database.query({ text })) as Record<string, unknown>[];

describe('the same key again', verifies('everywhere.idempotency'), () => {
  it.each([
    ['push', 'POST', push, { value: 'v' }],
    ['set', 'POST', '/api/clipboard', { name: 'n', value: 'v' }],
    ['pop (A07)', 'DELETE', '/api/clipboard/pop', undefined],
    ['pop by POST (A07)', 'POST', '/api/clipboard/pop', undefined],
    ['an API key', 'POST', '/api/api-keys', { name: 'key' }],
    ['a profile', 'POST', '/api/profiles', { name: 'profile' }],
  ])('%s: gets the same answer, byte for byte, and nothing is done twice', async (_name, method, path, body) => {
    const { call, secret } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    for (const value of ['a', 'b']) await call('POST', push, { value });
    const headers = keyed();
    const first = await call(method, path, body, headers);
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const counts = () =>
      rowsOf(`SELECT (SELECT count(*) FROM clipboard_entries) AS entries, (SELECT count(*) FROM api_keys) AS keys,
        (SELECT count(*) FROM profiles) AS profiles`);
    const before = await counts();
    for (const again of [call, callerOf(other, secret)]) {
      const answer = await again(method, path, body, headers);
      expect([answer.status, replayed(answer), answer.text]).toEqual([200, 'true', first.text]);
    }
    expect(await counts()).toEqual(before);
    const unkeyed = await call(method, path, body);
    expect(replayed(unkeyed)).toBeNull();
  });

  it('a project, by a session', async () => {
    const email = `${randomUUID()}@example.test`;
    const account = { email, username: `u${randomUUID().slice(0, 8)}`, password: 'correct horse battery' };
    const signedUp = await callerOf(server, null)('POST', '/api/auth/sign-up', account);
    const cookie = String(signedUp.headers.get('set-cookie')?.split(';')[0]);
    const ask = () =>
      callerOf(server, null)('POST', '/api/projects', { name: 'p' }, { ...keyed('mine'), Cookie: cookie });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, replayed(first), replayed(again)]).toEqual([200, null, 'true']);
    expect(again.text).toBe(first.text);
  });

  it('lasts 24 hours', async () => {
    const { call } = await tenantOf(server);
    const headers = keyed();
    const first = await call('POST', push, { value: 'v', ttlSeconds: 2_592_000 }, headers);
    server.clock.advance(86_400_000 - 1);
    other.clock.set(server.clock.now());
    expect((await call('POST', push, { value: 'v', ttlSeconds: 2_592_000 }, headers)).text).toBe(first.text);
    server.clock.advance(1);
    other.clock.set(server.clock.now());
    const later = await call('POST', push, { value: 'v', ttlSeconds: 2_592_000 }, headers);
    expect([later.status, replayed(later)]).toEqual([200, null]);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(2);
  });

  it('counts within one credential and one route', async () => {
    const [mine, theirs] = [await tenantOf(server), await tenantOf(server)];
    const headers = keyed();
    const answers = [
      await mine.call('POST', push, { value: 'v' }, headers),
      await theirs.call('POST', push, { value: 'v' }, headers),
      await mine.call('POST', '/api/clipboard/pop', undefined, headers),
      await mine.call('DELETE', '/api/clipboard/pop', undefined, headers),
    ];
    expect(answers.map(replayed)).toEqual([null, null, null, null]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
  });

  it('means the same with members in another order, and without the ones that are ignored being added', async () => {
    const { call } = await tenantOf(server);
    const headers = keyed();
    await call('POST', push, '{"value":"v","contentType":"text/x"}', headers);
    expect(replayed(await call('POST', push, '{"contentType":"text/x","value":"v"}', headers))).toBe('true');
  });

  it('changes nothing on routes that create nothing', async () => {
    const { call } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'n', value: '1' });
    const headers = keyed();
    const get = () => call('POST', '/api/clipboard/get', { name: 'n' }, headers);
    await get();
    await call('POST', '/api/clipboard', { name: 'n', value: '2' });
    expect((await get()).body.entry.value).toBe('2');
  });
});

describe('a key that is in use', verifies('everywhere.idempotency.conflicts'), () => {
  it('is 422 for another request', async () => {
    const { call } = await tenantOf(server);
    const headers = keyed();
    await call('POST', push, { value: 'v' }, headers);
    const answer = await call('POST', push, { value: 'w' }, headers);
    expect([answer.status, answer.body]).toEqual([
      422,
      { success: false, error: expect.stringContaining('Idempotency-Key') },
    ]);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(1);
  });

  it('is 409 with Retry-After while the first is under way, in every process, and the answer afterwards', async () => {
    const { call, secret } = await tenantOf(server);
    const headers = keyed();
    const { waits, release } = await blockade(server.url);
    const first = call('POST', push, { value: 'v' }, headers);
    await waits();
    for (const again of [call, callerOf(other, secret)]) {
      const answer = await again('POST', push, { value: 'v' }, headers);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1']);
      expect(answer.body).toMatchObject({ success: false, retryAfter: 1 });
    }
    await release();
    const { text } = await first;
    expect((await call('POST', push, { value: 'v' }, headers)).text).toBe(text);
  });

  it('does its work once for 16 at once over two processes', async () => {
    const { call, secret } = await tenantOf(server);
    const headers = keyed();
    const calls = [call, callerOf(other, secret)];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => calls[i % 2]?.('POST', push, { value: 'v' }, headers)),
    );
    const done = answers.filter((answer) => answer?.status === 200);
    expect(new Set(done.map((answer) => answer?.text)).size).toBe(1);
    expect(done.filter((answer) => answer && replayed(answer) === null)).toHaveLength(1);
    expect(answers.every((answer) => answer?.status === 200 || answer?.status === 409)).toBe(true);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(1);
  });

  it.each([
    ['', 'an empty one'],
    ['x'.repeat(256), 'one of 256 characters'],
    ['a b', 'one with a space'],
    ['\u00e9', 'one beyond ASCII'],
  ])('is 400 naming the header when it is malformed: %#', async (key) => {
    const { call } = await tenantOf(server);
    const answer = await call('POST', push, { value: 'v' }, keyed(key));
    expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, ['Idempotency-Key']]);
  });

  it('is free again after a refusal, which leaves nothing behind', async () => {
    const { call } = await tenantOf(server);
    const headers = keyed();
    expect((await call('POST', push, { value: 1 }, headers)).status).toBe(400);
    expect((await call('DELETE', '/api/clipboard/pop', undefined, headers)).status).toBe(404);
    const answer = await call('POST', push, { value: 'v' }, headers);
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
    expect((await call('DELETE', '/api/clipboard/pop', undefined, headers)).status).toBe(200);
  });
});

describe('when something breaks', verifies('everywhere.idempotency.atomic'), () => {
  it('A07: a client that lost the answer to its pop gets the same entry again', async () => {
    const { call, secret } = await tenantOf(server);
    for (const value of ['a', 'b']) await call('POST', push, { value });
    const { waits, release } = await blockade(server.url);
    const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
    socket.write(
      `DELETE /api/clipboard/pop HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nIdempotency-Key: once\r\n\r\n`,
    );
    await waits();
    socket.destroy();
    await release();
    await eventually('the entry is gone', async () => (await call('GET', '/api/clipboard')).body.total === 1);
    const again = await call('DELETE', '/api/clipboard/pop', undefined, keyed('once'));
    expect([again.body.entry.value, replayed(again)]).toEqual(['b', 'true']);
    expect((await call('DELETE', '/api/clipboard/pop')).body.entry.value).toBe('a');
  });

  it('A08: nothing is done before the commit, and the retry does it', async () => {
    const { call } = await tenantOf(server);
    const commit = await heldCommit(server.url);
    const first = call('POST', push, { value: 'v' }, keyed('a08'));
    await commit.kill(await commit.waits());
    expect((await first).status).toBe(503);
    await commit.release();
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
    const again = await call('POST', push, { value: 'v' }, keyed('a08'));
    expect([again.status, replayed(again)]).toEqual([200, null]);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(1);
  });

  it('A08: the retry finds a commit whose outcome was lost, and duplicates nothing', async () => {
    const proxy = await createTcpProxy(server.url);
    onTestFinished(() => proxy.close());
    const away = await startTestServer({}, proxy.url);
    const { secret } = await tenantOf(server);
    const call = callerOf(away, secret);
    const commit = await heldCommit(server.url);
    const first = call('POST', push, { value: 'v' }, keyed('a08'));
    await commit.waits();
    await proxy.cut();
    expect((await first).status).toBe(503);
    await commit.release();
    await proxy.restore();
    const again = await eventually('the database is back', async () => {
      const answer = await call('POST', push, { value: 'v' }, keyed('a08'));
      return answer.status === 200 ? answer : null;
    });
    expect(replayed(again)).toBe('true');
    expect((await call('GET', '/api/clipboard')).body.total).toBe(1);
  });

  it('live news of it come once, after the commit', async () => {
    const { call, caller } = await tenantOf(server);
    const news = server.services.clipboard.changed(caller);
    const kinds: string[] = [];
    const listening = (async () => {
      for await (const { kind } of await news) kinds.push(kind);
    })();
    const headers = keyed();
    expect((await call('POST', push, { value: 1 }, headers)).status).toBe(400);
    for (let i = 0; i < 3; i++) await call('POST', push, { value: 'v' }, headers);
    await call('DELETE', '/api/clipboard/all');
    await eventually('the last is heard', async () => kinds.at(-1) === 'CLEARED');
    await (await news).return();
    await listening;
    expect(kinds).toEqual(['PUSHED', 'CLEARED']);
  });

  it('B06: a recorded response cannot be read from the database, and is deleted after its time', async () => {
    const { call } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    const made = await call('POST', '/api/api-keys', { name: 'key' }, keyed('canary-key'));
    const rows = await rowsOf(
      `SELECT encode(answer, 'escape') AS answer, encode(scope_hash, 'escape') AS scope FROM idempotent_answers`,
    );
    const text = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(text).not.toContain(made.body.secret);
    expect(text).not.toContain('canary-key');
    expect(text).not.toContain('"apiKey"');
  });
});
