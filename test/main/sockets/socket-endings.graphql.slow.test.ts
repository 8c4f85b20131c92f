import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { verifies } from '../../requirements.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { connectedSocket, openSocket } from '../../support/graphql-socket.ts';
import { liveConnections } from '../../support/live-connections.ts';
import { startTestServer, type TestServer, tenantOf } from '../../support/server.ts';
import { createTcpProxy } from '../../support/tcp-proxy.ts';

const server = await startTestServer();
const watch = 'subscription { clipboardChanged { kind entry { value } } }';
const subscribe = (id: string, query = watch) => ({ type: 'subscribe', id, payload: { query } });
/** What Node finds at twice the time that is set for it. */
const slowly = { everyMs: 50 };
const big = 'x'.repeat(2_000_000);
const nobodyIsLeft = (on: TestServer) =>
  eventually(
    'all connections are gone',
    async () => (await liveConnections(on, 'socket')) + (await liveConnections(on, 'subscription')) === 0,
  );

/** Sends a request and reads nothing of its answer. */
function unread({ base }: TestServer, secret: string, body: object, accept: string): Socket {
  const text = JSON.stringify(body);
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe('a client that goes (F06)', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /** Comes, listens, and goes in one of the ways that there are. */
  async function visit(secret: string, round: number): Promise<void> {
    const connection = await openSocket(server.base);
    const { socket } = connection;
    connection.send({ type: 'connection_init', payload: { Authorization: `Bearer ${secret}` } });
    // Before it is known who it is.
    if (round % 4 === 0) return socket.terminate();
    await connection.next();
    connection.send(subscribe('a'));
    // While the subscription begins.
    if (round % 4 === 1) return socket.terminate();
    // With an id that is given back and taken again before its first use has begun.
    if (round % 4 === 2)
      for (const message of [{ type: 'complete', id: 'a' }, subscribe('a')]) connection.send(message);
    connection.send(subscribe('q', '{ __typename }'));
    await connection.next();
    socket.close();
    await connection.closed;
  }

  async function visits(secret: string, count: number): Promise<void> {
    for (let round = 0; round < count; round += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => visit(secret, round + i)));
    await nobodyIsLeft(server);
  }

  function inUse(): { descriptors: number; heapBytes: number } {
    server.statements.length = 0;
    server.logged.length = 0;
    collect();
    return { descriptors: readdirSync('/dev/fd').length, heapBytes: process.memoryUsage().heapUsed };
  }

  it('a thousand times leaves listeners, descriptors and heap as they were', verifies('graph.no-trace'), async () => {
    const { secret } = await tenantOf(server);
    await visits(secret, 100);
    const before = inUse();
    await visits(secret, 1_000);
    const after = inUse();
    expect(Math.abs(after.descriptors - before.descriptors)).toBeLessThanOrEqual(3);
    expect(after.heapBytes / before.heapBytes).toBeLessThan(1.05);
    // The one statement a second about all connected callers is not sent without connections.
    await delay(1_200);
    expect(server.statements).toEqual([]);
  });

  it('from an event stream returns its iterator too', verifies('graph.no-trace'), async () => {
    const { secret } = await tenantOf(server);
    for (let round = 0; round < 20; round++) {
      const stream = unread(server, secret, { query: watch }, 'text/event-stream');
      await once(stream, 'data');
      stream.destroy();
    }
    await nobodyIsLeft(server);
  });
});

describe('a client that stops reading (F09)', () => {
  const megabytesHeld = () => process.memoryUsage().rss / 1e6;

  it(
    'and lets more than the limit wait is closed with 1013, which it sees when it reads on',
    verifies('graph.slow-reader'),
    async () => {
      const server = await startTestServer({}, undefined, {
        sockets: { waitingBytes: 4_000_000, lingerMs: patienceMs },
      });
      const { secret, call } = await tenantOf(server);
      const connection = await connectedSocket(server.base, secret);
      for (let i = 0; i < 20; i++) connection.send(subscribe(`s${i}`));
      await eventually('all listen', async () => (await liveConnections(server, 'subscription')) === 20);
      connection.socket.pause();
      await call('POST', '/api/clipboard', { name: 'n', value: big });
      await delay(300);
      connection.socket.resume();
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(1013);
      await nobodyIsLeft(server);
      await server.stop();
    },
  );

  it(
    'permanently is closed, and the memory of the server does not grow with the data',
    verifies('graph.slow-reader'),
    async () => {
      const server = await startTestServer({}, undefined, {
        sockets: { waitingBytes: 4_000_000, stalledMs: 200, lingerMs: 100, heartbeatMs: 500 },
      });
      const { secret, call } = await tenantOf(server);
      await call('POST', '/api/clipboard', { name: 'n', value: big });
      const held: number[] = [];
      for (let round = 0; round < 6; round++) {
        const connection = await connectedSocket(server.base, secret);
        // Many at once go over what may wait; one alone stands still below it.
        for (let i = 0; i < (round % 2 ? 1 : 20); i++) connection.send(subscribe(`s${i}`));
        await eventually('it listens', async () => (await liveConnections(server, 'subscription')) > 0);
        connection.socket.pause();
        for (let i = 0; i < (round % 2 ? 6 : 2); i++) await call('POST', '/api/clipboard', { name: 'n', value: big });
        await nobodyIsLeft(server);
        connection.socket.terminate();
        held.push(megabytesHeld());
      }
      // Some 60 MB went out in these rounds, and most of it was not read.
      expect((held.at(-1) as number) - (held[2] as number)).toBeLessThan(60);
      await server.stop();
    },
  );

  it(
    'of an event stream or of an ordinary answer is let go, and the subscription ends',
    verifies('graph.slow-reader', 'graph.sse'),
    async () => {
      const server = await startTestServer({}, undefined, { stalledMs: 5_000 });
      const { secret, call } = await tenantOf(server);
      for (let i = 0; i < 8; i++) await call('POST', '/api/clipboard/push', { value: big });
      const kinds = 'subscription { clipboardChanged { kind } }';
      const idle = await openEventStream(server.base, kinds, { Authorization: `Bearer ${secret}` });
      const stream = unread(server, secret, { query: watch }, 'text/event-stream');
      await eventually('both listen', async () => (await liveConnections(server, 'subscription')) === 2);
      stream.pause();
      const query = '{ clipboardEntries(first: 8) { nodes { value } } }';
      const ordinary = unread(server, secret, { query }, 'application/json').pause();
      for (let i = 0; i < 10; i++) await call('POST', '/api/clipboard', { name: 'n', value: big });
      // Who reads goes on, also when there is nothing to read for longer than that.
      const reading = (async () => {
        for (;;) if ((await idle.next())?.data.data.clipboardChanged.kind === 'DELETED') return true;
      })();
      reading.catch(() => undefined);
      await eventually('one is let go', async () => (await liveConnections(server, 'subscription')) === 1, slowly);
      await eventually('so is the other', async () => (await requestsOver(server)) === 2, slowly);
      await call('DELETE', '/api/clipboard', { name: 'n' });
      expect(await within('the news', patienceMs, reading)).toBe(true);
      let bytes = 0;
      ordinary.on('data', (chunk) => {
        bytes += chunk.length;
      });
      const closed = once(ordinary, 'close');
      ordinary.resume();
      await within('the end', patienceMs, closed);
      expect(bytes).toBeLessThan(16_000_000);
      idle.close();
      await nobodyIsLeft(server);
      await server.stop();
    },
  );
});

/** Requests to /graphql whose answers are out, or whose connections are gone. */
async function requestsOver({ base }: TestServer): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const lines = text.matchAll(/^patchbay_http_requests_total\{[^}]*route="\/graphql"[^}]*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('a client that has silently gone', () => {
  it('is found by its silence and let go; who answers pings stays', async () => {
    const server = await startTestServer({}, undefined, { sockets: { heartbeatMs: 60 } });
    const { secret } = await tenantOf(server);
    const alive = await connectedSocket(server.base, secret);
    const dead = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      autoPong: false,
    });
    const closed = new Promise<number>((resolve) => dead.on('close', resolve));
    dead.on('open', () =>
      dead.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${secret}` } })),
    );
    expect(await within('the end', patienceMs, closed)).toBe(1006);
    await delay(300);
    expect(alive.socket.readyState).toBe(WebSocket.OPEN);
    expect(await liveConnections(server, 'socket')).toBe(1);
    await server.stop();
  });
});

describe('a server whose database is away', () => {
  it('closes who connects with 1013, after which a client tries again', async () => {
    const proxy = await createTcpProxy(await createTestDatabase());
    const cutOff = await startTestServer({}, proxy.url);
    const { secret } = await tenantOf(cutOff);
    await proxy.cut();
    const connection = await openSocket(cutOff.base);
    connection.send({ type: 'connection_init', payload: { Authorization: `Bearer ${secret}` } });
    expect((await within('the end', patienceMs, connection.closed)).code).toBe(1013);
    await cutOff.stop();
    await proxy.close();
  });
});

describe('a server that stops (I03)', () => {
  it('closes all with 1001, and does not wait for who does not answer', verifies('graph.socket.stop'), async () => {
    const server = await startTestServer({}, undefined, { sockets: { lingerMs: 300 } });
    const { secret } = await tenantOf(server);
    const connections = await Promise.all(Array.from({ length: 10 }, () => connectedSocket(server.base, secret)));
    const [unsubscribe, ...others] = connections;
    unsubscribe?.socket.pause();
    const unauthenticated = await openSocket(server.base);
    const stopped = server.stop();
    for (const { closed } of [...others, unauthenticated])
      expect((await within('the end', patienceMs, closed)).code).toBe(1001);
    await within('the stop', patienceMs, stopped);
  });
});

describe('errors of a socket or stream (F10)', () => {
  it('is SERVER_ERROR with an id, and nothing of the database', verifies('graph.masked-errors'), async () => {
    const { secret, call, graphql } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'n', value: 'v' });
    const connection = await connectedSocket(server.base, secret);
    connection.send(subscribe('w'));
    const stream = await openEventStream(server.base, watch, { Authorization: `Bearer ${secret}` });
    await eventually('both listen', async () => (await liveConnections(server, 'subscription')) === 2);
    const rename = (from: string, to: string) =>
      server.database.query({ text: `ALTER TABLE clipboard_entries RENAME COLUMN ${from} TO ${to}` });
    await rename('created_by_model', 'lost_column');
    onTestFinished(async () => void (await rename('lost_column', 'created_by_model')));
    await call('DELETE', '/api/clipboard', { name: 'n' });
    const query = '{ clipboardEntry(by: { name: "n" }) { value } }';
    const told: unknown[] = [await connection.next(), await stream.next(), await graphql(query)];
    connection.send(subscribe('q', query));
    told.push(await connection.next());
    for (const answer of told) {
      const text = JSON.stringify(answer);
      expect(text).toMatch(/"message":"Internal server error".*"code":"SERVER_ERROR","requestId":"[^"]+"/);
      expect(text).not.toMatch(
        /lost_|created_by|relation|clipboard_entries|SELECT|postgres|127\.0\.0\.1|test_|42703|\.ts/i,
      );
    }
    connection.socket.close();
    stream.close();
  });
});
