import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameCounter } from '../../../src/main/sockets/socket-frames.ts';
import { socketLimits } from '../../../src/main/sockets/socket-limits.ts';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { connectedSocket, type GraphqlSocket, openSocket } from '../../support/graphql-socket.ts';
import { startTestServer, type TestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
const connected = async (to: TestServer = server) => connectedSocket(to.base, (await tenantOf(to)).secret);
const endOf = ({ closed }: GraphqlSocket) => within('the end', patienceMs, closed);
const heldBy = async ({ base }: TestServer) =>
  Number(/^patchbay_body_bytes_in_flight (\d+)$/m.exec(await (await fetch(`${base}/metrics`)).text())?.[1]);
const ask = (variables: string, id = 'q') =>
  `{"type":"subscribe","id":"${id}","payload":{"query":"{ __typename }","variables":${variables}}}`;
const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const wide = (elements: number) => `{"a":[${'1,'.repeat(elements)}1]}`;
const large = (bytes: number) => ask(`{"a":"${'x'.repeat(bytes)}"}`);

describe('the structure of a message (J01, J04)', () => {
  it(
    'of an authenticated caller is bounded like a body: 4400 beyond it',
    verifies('platform.bodies.structure'),
    async () => {
      const fine = await connected();
      fine.send(ask(deep(62)));
      expect(await fine.next()).toMatchObject({ type: 'next', payload: { data: { __typename: 'Query' } } });
      fine.socket.close();
      for (const [variables, reason] of [
        [deep(63), 'The message is nested more than 64 levels deep'],
        [wide(100_000), 'The message has more than 100000 elements'],
      ] as const) {
        const connection = await connected();
        connection.send(ask(variables));
        expect(await endOf(connection)).toEqual({ code: 4400, reason });
      }
    },
  );

  it('is bounded more before connection_init', verifies('platform.bodies.structure'), async () => {
    const connection = await openSocket(server.base);
    connection.send(`{"type":"connection_init","payload":${wide(10_000)}}`);
    expect(await endOf(connection)).toEqual({ code: 4400, reason: 'The message has more than 10000 elements' });
  });

  it(
    'a ping, a pong and an id have bounds of their own: 4400 beyond them',
    verifies('graph.socket.limits'),
    async () => {
      const text = 'x'.repeat(900);
      const fine = await connected();
      fine.send({ type: 'ping', payload: { text } });
      expect(await fine.next()).toEqual({ type: 'pong', payload: { text } });
      fine.socket.close();
      for (const message of [
        `{"type":"ping","payload":{"text":"${'x'.repeat(3_000_000)}"}}`,
        `{"type":"pong","payload":{"text":"${'x'.repeat(2_000)}"}}`,
        ask('{}', 'i'.repeat(socketLimits.idCharacters + 1)),
      ]) {
        const connection = await connected();
        connection.send(message);
        expect((await endOf(connection)).code).toBe(4400);
        expect(connection.waiting).toEqual([]);
      }
    },
  );
});

describe('bytes of messages in flight (J04)', () => {
  it(
    "count with the caller's bodies, in unfinished frames too: 4429 beyond its own",
    verifies('platform.bodies.in-flight'),
    async () => {
      const small = await startTestServer({}, undefined, {
        bytesInFlight: { caller: 1_000_000, process: 100_000_000 },
      });
      const { secret, call } = await tenantOf(small);
      const holder = await connectedSocket(small.base, secret);
      holder.socket.send('x'.repeat(500_000), { fin: false });
      holder.socket.send('x'.repeat(300_000), { fin: false });
      await eventually('the parts are counted', async () => (await heldBy(small)) > 800_000);
      const next = await connectedSocket(small.base, secret);
      next.send(large(300_000));
      expect(await endOf(next)).toEqual({ code: 4429, reason: 'Too many bytes of your requests are in flight' });
      expect((await call('POST', '/api/clipboard/push', { value: 'x'.repeat(300_000) })).status).toBe(429);
      const other = await connected(small);
      other.send(large(300_000));
      expect(await other.next()).toMatchObject({ type: 'next' });
      other.socket.close();
      holder.socket.terminate();
      await eventually('all bytes are given back', async () => (await heldBy(small)) === 0);
    },
  );

  it('over those of the process close with 1013', verifies('platform.bodies.in-flight'), async () => {
    const small = await startTestServer({}, undefined, { bytesInFlight: { caller: 1_000_000, process: 500_000 } });
    const connection = await connected(small);
    connection.send(large(300_000));
    expect((await endOf(connection)).code).toBe(1013);
  });

  it('a subscription holds those of its message until it is over', verifies('platform.bodies.in-flight'), async () => {
    const quiet = await startTestServer();
    const connection = await connected(quiet);
    const query = 'subscription { clipboardChanged { kind } }';
    connection.send({ type: 'subscribe', id: 's', payload: { query, variables: { x: 'x'.repeat(10_000) } } });
    await eventually('they are counted', async () => (await heldBy(quiet)) > 10_000);
    connection.send({ type: 'complete', id: 's' });
    await eventually('they are given back', async () => (await heldBy(quiet)) === 0);
    connection.socket.close();
  });

  it('large messages cost their megabytes: 4429 when they are spent', verifies('platform.bodies.budget'), async () => {
    const limited = await startTestServer({ RATE_LIMITS: JSON.stringify({ '*': 'off', bodies: '2/1m' }) });
    const { secret, call } = await tenantOf(limited);
    const connection = await connectedSocket(limited.base, secret);
    const push = (id: string, bytes: number) => {
      const query = 'mutation ($value: String!) { clipboardPush(input: { value: $value }) { entry { idx } } }';
      connection.send({ type: 'subscribe', id, payload: { query, variables: { value: 'x'.repeat(bytes) } } });
    };
    for (const [id, bytes] of [
      ['small', 10_000],
      ['another', 10_000],
      ['large', 1_500_000],
    ] as const) {
      push(id, bytes);
      expect(await connection.next()).toMatchObject({ type: 'next', id });
      expect(await connection.next()).toMatchObject({ type: 'complete', id });
    }
    push('too large', 1_500_000);
    expect(await endOf(connection)).toEqual({ code: 4429, reason: 'Rate limit exceeded' });
    expect((await call('GET', '/api/clipboard')).body.total).toBe(3);
  });
});

describe('a message that never ends (J04)', async () => {
  const hasty = await startTestServer({}, undefined, {
    sockets: { pace: { graceMs: 300, bytesPerSecond: 10_000_000 }, initTimeoutMs: 60_000 },
  });
  /** The header of a frame of 13 MB, masked with zeros. */
  const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0xc6, 0x5d, 0x40, 0, 0, 0, 0]);
  const wireOf = ({ socket }: GraphqlSocket) =>
    (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket;

  it.each([
    [
      'a frame',
      async (connection: GraphqlSocket) => wireOf(connection).write(Buffer.concat([header, Buffer.alloc(1_000)])),
    ],
    ['the header of a frame', async (connection: GraphqlSocket) => wireOf(connection).write(header.subarray(0, 1))],
    [
      'a message in parts',
      async ({ socket }: GraphqlSocket) => {
        socket.send('{"type":', { fin: false });
        socket.ping();
      },
    ],
  ])('%s closes with 4408, before and after connection_init', verifies('graph.socket.limits'), async (_what, send) => {
    for (const connection of [await openSocket(hasty.base), await connected(hasty)]) {
      await send(connection);
      expect(await endOf(connection)).toEqual({ code: 4408, reason: 'The message comes too slowly' });
    }
    await eventually('all bytes are given back', async () => (await heldBy(hasty)) === 0);
  });
});

describe('the count of unfinished bytes', () => {
  /** A frame of a client, with a mask of zeros. */
  function frame({ size, isLast, isControl }: { size: number; isLast: boolean; isControl: boolean }): Buffer {
    const first = (isLast || isControl ? 0x80 : 0) | (isControl ? 0x09 : 0x01);
    const payload = Buffer.alloc(isControl ? size % 126 : size);
    const { length } = payload;
    const wide = Buffer.alloc(length > 65_535 ? 8 : length > 125 ? 2 : 0);
    if (wide.length > 0) wide.writeUIntBE(length, wide.length - Math.min(6, wide.length), Math.min(6, wide.length));
    const code = length > 65_535 ? 127 : length > 125 ? 126 : length;
    return Buffer.concat([Buffer.from([first, 0x80 | code]), wide, Buffer.alloc(4), payload]);
  }

  it('is all that came since the last complete message, however the bytes are cut, without complete control frames', () => {
    const frames = fc.array(
      fc.record({ size: fc.integer({ min: 0, max: 70_000 }), isLast: fc.boolean(), isControl: fc.boolean() }),
      { minLength: 1, maxLength: 8 },
    );
    void fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1 }), (shapes, cuts) => {
        const bytes = Buffer.concat(shapes.map(frame));
        const count = createFrameCounter();
        let unfinished = 0;
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const end = at + (cuts[cut % cuts.length] as number);
          unfinished = count(bytes.subarray(at, end));
          at = end;
        }
        const data = shapes.filter(({ isControl }) => !isControl);
        const open = data.slice(data.findLastIndex(({ isLast }) => isLast) + 1);
        expect(unfinished).toBe(open.reduce((sum, shape) => sum + frame(shape).length, 0));
        expect(count(frame({ size: 3, isLast: true, isControl: false }))).toBe(0);
      }),
    );
  });
});
