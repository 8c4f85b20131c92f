import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { connectedSocket } from '../../support/graphql-socket.ts';
import { keptClients } from '../../support/kept-clients.ts';
import { lost } from '../../support/lost.ts';
import { prepareProduct } from '../../support/prepared-product.ts';
import { postmasterOf } from '../../support/product.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { callerOf } from '../../support/server.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

const stage = prepareProduct();
const { dataDirOf, start } = stage;

/** What new connections are told, one after the other: a status, or `refused`. */
function probes(url: string) {
  const seen: (number | string)[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const headers = { Connection: 'close' };
      const status = await rawRequest(url, { method: 'GET', path: '/readyz', headers }).then(
        (answer) => answer.status,
        (error) => (error.code === 'ECONNREFUSED' ? 'refused' : error.code),
      );
      seen.push(status);
      await delay(10);
    }
  })();
  return {
    seen,
    async stop() {
      isOver = true;
      await loop;
    },
  };
}

/**
 * What was seen, each run of the same once. A connection that is made in the moment in which the port closes may be reset: no
 * system closes a port to new connections and keeps those that it has completed (connections.ts).
 */
function phasesOf(seen: readonly (number | string)[]): (number | string)[] {
  const phases = seen.filter((each, index) => each !== seen[index - 1]);
  const isReset = phases.at(-2) === 'ECONNRESET' && seen.filter((each) => each === 'ECONNRESET').length === 1;
  return isReset ? phases.toSpliced(-2, 1) : phases;
}

describe('SIGTERM', () => {
  /** A push of which half the body is sent; `finish` sends the rest and answers with the status line. */
  function halfSent(base: string) {
    const body = JSON.stringify({ value: 'sent in two halves' });
    const { port } = new URL(base);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    const closed = new Promise<string>((resolve) => {
      socket.on('error', (error) => resolve(`${text}${error.message}`));
      socket.on('close', () => resolve(text));
    });
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(
      `POST /api/clipboard/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stage.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    return {
      async finish(): Promise<string> {
        socket.write(body.slice(10));
        return within('the answer', patienceMs, closed);
      },
    };
  }

  it(
    'lets a request in flight finish, closes sockets with 1001, and ends with exit code 0 (I03)',
    verifies('platform.sigterm', 'graph.socket.stop'),
    async () => {
      const dataDir = await dataDirOf();
      const product = await start(dataDir);
      const call = callerOf(product, stage.key);
      const inFlight = Array.from({ length: 5 }, () => halfSent(product.base));
      const live = await connectedSocket(product.base, stage.key);
      // Each of them is known to be under way once a later request is answered.
      expect((await call('GET', '/api/clipboard')).status).toBe(200);
      const exit = product.terminate();
      await eventually('it says that it stops', () => product.lines.some((line) => line.includes('"msg":"stopping"')));
      expect((await within('the end of the socket', patienceMs, live.closed)).code).toBe(1001);
      // Not ready any more: refused, or told so.
      const ready = await fetch(`${product.base}/readyz`).catch(() => null);
      expect([undefined, 503]).toContain(ready?.status);
      for (const text of await Promise.all(inFlight.map((each) => each.finish()))) {
        expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
        expect(text).toContain('sent in two halves');
      }
      expect(await exit).toBe(0);
      expect(postmasterOf(dataDir)).toBeNull();
      // What was answered in the last moment is stored like the rest.
      const again = await start(dataDir);
      expect((await callerOf(again, stage.key)('GET', '/api/clipboard')).body.total).toBe(5);
    },
  );

  it('under load answers each request, or never ran it (I03)', verifies('platform.sigterm'), async () => {
    const dataDir = await dataDirOf();
    const product = await start(dataDir);
    const url = new URL(product.base);
    const troubles: string[] = [];
    let answered = 0;
    let acknowledged = 0;
    let isOver = false;

    /** One request on a kept connection; null for an answer that says the connection ends. */
    const once = (agent: Agent) =>
      new Promise<boolean>((resolve) => {
        const body = JSON.stringify({ value: 'x' });
        const headers = {
          Authorization: `Bearer ${stage.key}`,
          'Content-Type': 'application/json',
          'Content-Length': body.length,
        };
        const req = request({
          host: '127.0.0.1',
          port: url.port,
          method: 'POST',
          path: '/api/clipboard/push',
          headers,
          agent,
        });
        req.on('response', (res) => {
          answered++;
          if (res.statusCode === 200) acknowledged++;
          res.resume().on('close', () => resolve(res.headers.connection !== 'close'));
        });
        req.on('error', (error: NodeJS.ErrnoException) => {
          // A kept connection may end as idle while the next request is on its way (RFC 9112, 9.5).
          if (error.code !== 'ECONNREFUSED' && !req.reusedSocket) troubles.push(`${error.code} on a new connection`);
          resolve(false);
        });
        req.end(body);
      });

    const clients = Array.from({ length: 8 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver && (await once(agent)));
      agent.destroy();
    });
    await eventually('a hundred answers', () => answered > 100);
    const code = await product.terminate();
    isOver = true;
    await Promise.all(clients);
    expect(troubles).toEqual([]);
    expect(code).toBe(0);
    const again = await start(dataDir);
    const { total } = (await callerOf(again, stage.key)('GET', '/api/clipboard?limit=1')).body;
    expect(total).toBeGreaterThanOrEqual(acknowledged);
    expect(total).toBeLessThanOrEqual(answered);
  });

  it(
    'under the load of 32 clients of three kinds changes readiness first, answers every running request, ends streams cleanly, and loses no acknowledged write (I03)',
    verifies('platform.sigterm', 'graph.socket.stop', 'platform.health'),
    async () => {
      const dataDir = await dataDirOf();
      const product = await start(dataDir);
      const load = keptClients(product.base, stage.key, 32);
      const watch = 'subscription { clipboardChanged { kind } }';
      const stream = await openEventStream(product.base, watch, { Authorization: `Bearer ${stage.key}` });
      const streamed = (async () => {
        for (let event = await stream.next(); event !== null; event = await stream.next());
        return 'its end';
      })();
      const sockets = await Promise.all(Array.from({ length: 8 }, () => connectedSocket(product.base, stage.key)));
      for (const socket of sockets) socket.send({ type: 'subscribe', id: '1', payload: { query: watch } });
      await eventually('three hundred writes', () => load.acknowledged.size > 300);
      const readiness = probes(`${product.base}/readyz`);
      await eventually('it is ready', () => readiness.seen.includes(200));
      // A machine under load may have been too slow for some before.
      const refusedBefore = load.failures.length;
      const loggedBefore = product.lines.length;

      expect(await product.terminate()).toBe(0);

      await load.stop();
      await readiness.stop();
      expect(load.troubles).toEqual([]);
      expect(load.failures.slice(refusedBefore)).toEqual([]);
      // Ready, then told not to be, and only then refused; never in another order.
      expect(phasesOf(readiness.seen)).toEqual([200, 503, 'refused']);
      expect((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code)).toEqual(
        Array(8).fill(1001),
      );
      expect(await streamed).toBe('its end');
      expect(product.stderr()).toBe('');
      expect(product.lines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
      expect(product.lines.slice(loggedBefore).filter((line) => line.includes('"level":40'))).toEqual([]);
      const call = callerOf(await start(dataDir), stage.key);
      expect(await lost(call, load.acknowledged)).toEqual([]);
      for (const name of load.unanswered) expect((await call('GET', `/api/clipboard?name=${name}`)).status).toBe(404);
    },
  );

  it(
    'with an event stream open ends before requests under way would have to (I03)',
    verifies('platform.sigterm'),
    async () => {
      const product = await start(await dataDirOf());
      const response = await fetch(`${product.base}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'text/event-stream',
          Authorization: `Bearer ${stage.key}`,
        },
        body: JSON.stringify({ query: 'subscription { clipboardChanged { kind } }' }),
      });
      expect(response.status).toBe(200);
      const elapsedMs = startStopwatch();
      expect(await product.terminate()).toBe(0);
      expect(elapsedMs()).toBeLessThan(20_000);
    },
  );
});
