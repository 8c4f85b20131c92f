import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { socketLimits } from '../../../src/main/sockets/socket-limits.ts';
import { anonymous } from '../../../src/platform/caller.ts';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { connectedSocket, type GraphqlSocket, openSocket } from '../../support/graphql-socket.ts';
import { liveConnections } from '../../support/live-connections.ts';
import { sessionOf } from '../../support/people.ts';
import { startTestServer, tenantOf } from '../../support/server.ts';
import { keyOf } from '../../support/services.ts';

const server = await startTestServer();
const watch = 'subscription { clipboardChanged { kind } }';
const subscribe = (id: string, query = watch) => ({ type: 'subscribe', id, payload: { query } });
const codeOf = async ({ closed }: GraphqlSocket) => (await within('the end', patienceMs, closed)).code;
const times = <Made>(count: number, make: (index: number) => Made) => Array.from({ length: count }, (_, i) => make(i));

/** The status that an upgrade is answered with; 101 where it opens. */
async function statusOfUpgrade(base: string): Promise<number> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => undefined);
  const status = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, res]) => res.statusCode as number),
  ]);
  socket.terminate();
  return status;
}

describe('how many sockets there may be (E08)', () => {
  it(
    `of a key ${socketLimits.socketsPerCaller}: the next is closed with 4429, another key has its own, and one that leaves makes room`,
    verifies('graph.socket.limits'),
    async () => {
      const { secret, user } = await tenantOf(server);
      const open: GraphqlSocket[] = [];
      for (let i = 0; i < socketLimits.socketsPerCaller; i++) open.push(await connectedSocket(server.base, secret));
      const next = await openSocket(server.base);
      next.send({ type: 'connection_init', payload: { Authorization: `Bearer ${secret}` } });
      expect(await codeOf(next)).toBe(4429);
      expect(next.waiting).toEqual([]);
      const other = await connectedSocket(server.base, (await keyOf(server.services, user)).secret);
      other.socket.close();
      open[0]?.socket.close();
      await open[0]?.closed;
      const room = () => connectedSocket(server.base, secret).catch(() => null);
      (await eventually('there is room', room)).socket.close();
      for (const { socket } of open) socket.terminate();
      await eventually('all are gone', async () => (await liveConnections(server, 'socket')) === 0);
    },
  );

  it('of a user over all of its sessions together', async () => {
    const small = await startTestServer({}, undefined, { sockets: { socketsPerCaller: 2 } });
    const { token } = await sessionOf(small);
    const username = await usernameOf(small.base, token);
    const again = await small.services.auth.accounts.signIn(anonymous('192.0.2.1'), {
      username,
      password: 'correct horse battery',
    });
    const opened = await Promise.all(
      [token, token, again.token].map(async (session) => {
        const connection = await openSocket(small.base, { headers: { Cookie: `session_token=${session}` } });
        connection.send({ type: 'connection_init' });
        return Promise.race([connection.next().then(({ type }) => type), codeOf(connection)]).catch(() => 4429);
      }),
    );
    expect(opened.sort()).toEqual([4429, 'connection_ack', 'connection_ack']);
    await small.stop();
  });

  it('of an address with unauthenticated connections: the next upgrade is answered 429; authenticated ones do not count', async () => {
    const small = await startTestServer({}, undefined, { sockets: { unauthenticatedPerAddress: 3 } });
    const { secret } = await tenantOf(small);
    for (let i = 0; i < 5; i++) await connectedSocket(small.base, secret);
    const unauthenticated = await Promise.all(times(3, () => openSocket(small.base)));
    expect(await statusOfUpgrade(small.base)).toBe(429);
    unauthenticated[0]?.socket.close();
    await unauthenticated[0]?.closed;
    await eventually('there is room', async () => (await statusOfUpgrade(small.base)) === 101);
    await small.stop();
  });
});

describe('what one socket may ask (E08)', () => {
  it(
    `${socketLimits.operationsPerSocket} operations at a time: more are an error each, and the connection stays`,
    verifies('graph.socket.limits'),
    async () => {
      const connection = await connectedSocket(server.base, (await tenantOf(server)).secret);
      for (let i = 0; i < 150; i++) connection.send(subscribe(`s${i}`));
      await eventually('50 refusals', () => connection.waiting.length === 50);
      for (const { type, payload } of connection.waiting)
        expect([type, payload[0].extensions.code]).toEqual(['error', 'RATE_LIMITED']);
      expect(new Set(connection.waiting.map(({ id }) => id)).has('s99')).toBe(false);
      expect(await eventually('all run', async () => (await liveConnections(server, 'subscription')) === 100)).toBe(
        true,
      );
      connection.waiting.length = 0;
      connection.send({ type: 'complete', id: 's0' });
      await eventually('one is over', async () => (await liveConnections(server, 'subscription')) === 99);
      connection.send(subscribe('q', '{ __typename }'));
      expect(await connection.next()).toMatchObject({
        type: 'next',
        id: 'q',
        payload: { data: { __typename: 'Query' } },
      });
      connection.socket.close();
      await eventually('all are over', async () => (await liveConnections(server, 'subscription')) === 0);
    },
  );

  // A busy machine reads few messages a second, and still more of a thousand than this.
  const strict = () => startTestServer({}, undefined, { sockets: { messagesPerSecond: 20 } });

  it(
    '1 000 subscribe messages at once close it with 4429, and nothing of them runs on',
    verifies('graph.socket.limits'),
    async () => {
      const server = await strict();
      const connection = await connectedSocket(server.base, (await tenantOf(server)).secret);
      for (let i = 0; i < 1_000; i++) connection.send(subscribe(`s${i}`));
      expect(await codeOf(connection)).toBe(4429);
      await eventually('all are over', async () => (await liveConnections(server, 'subscription')) === 0);
    },
  );

  it.each([
    ['pings of the protocol', (connection: GraphqlSocket) => connection.send({ type: 'ping' })],
    ['pings of WebSocket', ({ socket }: GraphqlSocket) => socket.ping('x')],
    ['unsolicited pongs', ({ socket }: GraphqlSocket) => socket.pong('x')],
  ])('a flood of %s closes it with 4429 (F08)', verifies('graph.socket.limits'), async (_what, send) => {
    const server = await strict();
    const connection = await connectedSocket(server.base, (await tenantOf(server)).secret);
    for (let i = 0; i < 1_000; i++) send(connection);
    // More than 60 pongs that cannot be sent yet are too many for ws itself, which silently ends the connection.
    expect([4429, 1006]).toContain(await codeOf(connection));
  });

  it('nothing of what follows a message that closed it is done', async () => {
    const { secret, call } = await tenantOf(server);
    const connection = await connectedSocket(server.base, secret);
    connection.send('nonsense');
    connection.send(subscribe('m', 'mutation { clipboardPush(input: { value: "late" }) { entry { uuid } } }'));
    expect(await codeOf(connection)).toBe(4400);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
  });
});

describe('how much a socket may send (F08)', () => {
  const megabyte = 'x'.repeat(1_000_000);

  it.each([
    ['a frame of 1 MB', (connection: GraphqlSocket) => connection.send(megabyte)],
    [
      'a connection_init of 1 MB',
      (connection: GraphqlSocket) => connection.send({ type: 'connection_init', payload: { megabyte } }),
    ],
    [
      '1 MB in parts of a frame',
      ({ socket }: GraphqlSocket) => times(100, () => socket.send('x'.repeat(10_000), { fin: false })),
    ],
    [
      '1 MB in small frames',
      (connection: GraphqlSocket) =>
        times(100, () => connection.send({ type: 'ping', payload: { x: 'x'.repeat(900) } })),
    ],
  ])('%s before it has said who it is closes it with 1009', verifies('graph.socket.limits'), async (_what, send) => {
    const connection = await openSocket(server.base);
    send(connection);
    expect(await codeOf(connection)).toBe(1009);
  });

  it('a peer that goes on sending after the closing frame is disconnected, and little of it is read', async () => {
    const { hostname, port } = new URL(server.base);
    const wire = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    wire.on('error', () => undefined);
    wire.resume();
    wire.write(
      `GET /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    await once(wire, 'data');
    // The header of a frame of 100 MB, and then its bytes without an end.
    wire.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x05, 0xf5, 0xe1, 0, 0, 0, 0, 0]));
    const block = Buffer.alloc(64 * 1024);
    const closed = new Promise((resolve) => wire.on('close', resolve));
    const send = () => {
      if (!wire.destroyed) wire.write(block, () => setImmediate(send));
    };
    send();
    await within('the end of the connection', patienceMs, closed);
    expect(wire.bytesWritten).toBeLessThan(20_000_000);
  });

  it('who is known sends a value of 2 MB in which every character is escaped', async () => {
    const connection = await connectedSocket(server.base, (await tenantOf(server)).secret);
    const value = '\\u0001'.repeat(2_097_152);
    connection.send(
      `{"type":"subscribe","id":"big","payload":{"query":"mutation ($value: String!) { clipboardPush(input: { value: $value }) { entry { sizeBytes } } }","variables":{"value":"${value}"}}}`,
    );
    const { payload } = await connection.next();
    expect(payload).toEqual({ data: { clipboardPush: { entry: { sizeBytes: 2_097_152 } } } });
    connection.socket.close();
  });

  it('a frame over the limit ends with 1009, and nothing is printed past the log', async () => {
    const printed = vi.spyOn(console, 'error');
    const connection = await connectedSocket(server.base, (await tenantOf(server)).secret);
    connection.send('x'.repeat(14_000_000));
    expect(await codeOf(connection)).toBe(1009);
    const broken = await connectedSocket(server.base, (await tenantOf(server)).secret);
    (broken.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from([0xff, 0xff]));
    expect(await codeOf(broken)).toBe(1002);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});

async function usernameOf(base: string, token: string): Promise<string> {
  const answer = await fetch(`${base}/api/auth/session`, { headers: { Cookie: `session_token=${token}` } });
  return ((await answer.json()) as { user: { username: string } }).user.username;
}
