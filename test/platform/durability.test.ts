import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually, within } from '../support/deadline.ts';
import { connectedSocket } from '../support/graphql-socket.ts';
import {
  copyOfDataDir,
  newDataDir,
  type Product,
  postmasterOf,
  removeDataDir,
  startProduct,
} from '../support/product.ts';
import { type Call, callerOf } from '../support/server.ts';

/** A folder in which the product ran once and was stopped; each test has a copy. */
let prepared: string;
let key: string;

const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  prepared = await newDataDir();
  const product = await startProduct(prepared);
  key = product.demoKey();
  expect(await product.terminate()).toBe(0);
});

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

afterAll(() => removeDataDir(prepared));

async function dataDirOf(source = prepared): Promise<string> {
  const dataDir = await copyOfDataDir(source);
  undo.push(() => removeDataDir(dataDir));
  return dataDir;
}

async function start(dataDir: string, environment: Record<string, string> = {}): Promise<Product> {
  const product = await startProduct(dataDir, environment);
  undo.push(() => product.kill());
  return product;
}

/** Several clients that set one name after the other until they are stopped, and what they were told. */
function writing(call: Call, clients: number) {
  const acknowledged = new Map<string, string>();
  const refusals: { status: number; body: unknown; retryAfter: string | null }[] = [];
  const failures: string[] = [];
  let isOver = false;
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const name = `w${client}-${count}`;
      const value = `value ${count} of client ${client}`;
      try {
        const answer = await call('POST', '/api/clipboard', { name, value });
        if (answer.status === 200) acknowledged.set(name, value);
        else refusals.push({ status: answer.status, body: answer.body, retryAfter: answer.headers.get('retry-after') });
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
        // The process is gone; there is nothing to hammer on.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  });
  return {
    acknowledged,
    refusals,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

/** Which acknowledged writes are not there, or are there otherwise. */
async function lost(call: Call, acknowledged: ReadonlyMap<string, string>): Promise<string[]> {
  const stored = new Map<string, string>();
  for (let offset = 0, total = 1; offset < total; offset += 1_000) {
    const { body } = await call('GET', `/api/clipboard?limit=1000&offset=${offset}`);
    total = body.total;
    for (const { name, value } of body.entries) stored.set(name, value);
  }
  return [...acknowledged].filter(([name, value]) => stored.get(name) !== value).map(([name]) => name);
}

describe('kill -9', () => {
  it(`of the process under load loses no acknowledged write, and the next start adopts the database (I02) ${verifies('platform.kill.process')}`, async () => {
    const dataDir = await dataDirOf();
    const first = await start(dataDir);
    const load = writing(callerOf(first, key), 8);
    await eventually('a hundred writes', () => load.acknowledged.size > 100);
    const postmaster = postmasterOf(dataDir);
    await first.kill();
    await load.stop();
    expect(postmasterOf(dataDir)).toBe(postmaster);
    const startedAt = performance.now();
    const second = await start(dataDir);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(postmasterOf(dataDir)).toBe(postmaster);
    const call = callerOf(second, key);
    expect(await lost(call, load.acknowledged)).toEqual([]);
    expect((await call('POST', '/api/clipboard/push', { value: 'on it goes' })).status).toBe(200);
    expect(await second.terminate()).toBe(0);
    expect(postmasterOf(dataDir)).toBeNull();
  });

  it(`of the database under load is 503 in the clipboard's shape, then writes succeed again without a restart, and none that was acknowledged is lost (I01) ${verifies('platform.kill.database', 'everywhere.unavailable', 'platform.embedded')}`, async () => {
    const dataDir = await dataDirOf();
    const product = await start(dataDir);
    const call = callerOf(product, key);
    const load = writing(call, 8);
    await eventually('a hundred writes', () => load.acknowledged.size > 100);
    const postmaster = postmasterOf(dataDir);
    process.kill(postmaster as number, 'SIGKILL');
    const killedAt = performance.now();
    await eventually('a refusal', () => load.refusals.length > 0);
    const before = load.acknowledged.size;
    await eventually('writes succeed again', () => load.acknowledged.size > before + 50, { withinMs: 15_000 });
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    await load.stop();
    expect(postmasterOf(dataDir)).not.toBe(postmaster);
    expect(load.failures).toEqual([]);
    for (const refusal of load.refusals)
      expect(refusal).toEqual({
        status: 503,
        body: { success: false, error: expect.any(String), retryAfter: expect.any(Number) },
        retryAfter: expect.stringMatching(/^\d+$/),
      });
    expect(JSON.stringify(load.refusals)).not.toMatch(/ECONN|postgres|terminat/i);
    expect(await lost(call, load.acknowledged)).toEqual([]);
    expect(product.child.exitCode).toBeNull();
  });

  it(`of both at once loses no acknowledged write ${verifies('platform.kill.process', 'platform.kill.database', 'platform.embedded')}`, async () => {
    const dataDir = await dataDirOf();
    const first = await start(dataDir);
    const load = writing(callerOf(first, key), 8);
    await eventually('a hundred writes', () => load.acknowledged.size > 100);
    const postmaster = postmasterOf(dataDir) as number;
    await Promise.all([first.kill(), process.kill(postmaster, 'SIGKILL')]);
    await load.stop();
    const second = await start(dataDir);
    expect(await lost(callerOf(second, key), load.acknowledged)).toEqual([]);
  });
});

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
      `POST /api/clipboard/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    return {
      async finish(): Promise<string> {
        socket.write(body.slice(10));
        return within('the answer', 5_000, closed);
      },
    };
  }

  it(`lets a request in flight finish, closes sockets with 1001, and ends with exit code 0 (I03) ${verifies('platform.sigterm', 'graph.socket.stop')}`, async () => {
    const dataDir = await dataDirOf();
    const product = await start(dataDir);
    const call = callerOf(product, key);
    const inFlight = Array.from({ length: 5 }, () => halfSent(product.base));
    const live = await connectedSocket(product.base, key);
    // Each of them is known to be under way once a later request is answered.
    expect((await call('GET', '/api/clipboard')).status).toBe(200);
    const exit = product.terminate();
    await eventually('it says that it stops', () => product.lines.some((line) => line.includes('"msg":"stopping"')));
    expect((await within('the end of the socket', 3_000, live.closed)).code).toBe(1001);
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
    expect((await callerOf(again, key)('GET', '/api/clipboard')).body.total).toBe(5);
  });

  it(`under load resets no request: each is answered, or its connection was never accepted (I03) ${verifies('platform.sigterm')}`, async () => {
    const product = await start(await dataDirOf());
    const url = new URL(product.base);
    const troubles: string[] = [];
    let answered = 0;
    let isOver = false;

    /** One request on a kept connection; null for an answer that says the connection ends. */
    const once = (agent: Agent) =>
      new Promise<boolean>((resolve) => {
        const body = JSON.stringify({ value: 'x' });
        const headers = {
          Authorization: `Bearer ${key}`,
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
          if (res.statusCode !== 200) troubles.push(`status ${res.statusCode}`);
          res.resume().on('close', () => resolve(res.headers.connection !== 'close'));
        });
        req.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ECONNREFUSED')
            troubles.push(`${error.code} ${req.reusedSocket ? 'on a kept connection' : 'on a new connection'}`);
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
  });

  it(`with an event stream open ends within five seconds (I03) ${verifies('platform.sigterm')}`, async () => {
    const product = await start(await dataDirOf());
    const response = await fetch(`${product.base}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', Authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: 'subscription { clipboardChanged { kind } }' }),
    });
    expect(response.status).toBe(200);
    expect(await within('the end', 5_000, product.terminate())).toBe(0);
  });
});
