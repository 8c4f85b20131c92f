import { connect, type Socket } from 'node:net';
import { connectedSocket } from '../support/graphql-socket.ts';
import type { CostMeter } from '../support/process-cost.ts';
import { type Check, type Outcome, outcomeOf, skipped } from './check.ts';
import { emptyObjects, packed, text } from './payloads.ts';
import { ask, type Target } from './target.ts';

/** How many connections are held at a time, and how far the product's memory may rise for all of them. */
const connectionsHeld = 150;
const heldBytesMax = 256 * 1_024 * 1_024;
/** A minute for a body and for a message, and what a busy machine adds. */
const endedWithinMs = 90_000;

/** Bodies and messages that never end. Source: docs/hazards.md#j03 and docs/hazards.md#j04. */
export const held: readonly Check[] = [
  holding('150 bodies that unpack a thousandfold, each without its last byte', (target) =>
    bodies(target, packed(`{"value":"x","ignored":${emptyObjects(4_400_000)}}`, 'gzip'), 'key'),
  ),
  holding('150 bodies of 12 MB, each without its last byte', (target) =>
    bodies(target, packed(`{"value":${text('x', 12_000_000)}}`, 'plain'), 'key'),
  ),
  holding('150 bodies without a credential, each without its last byte', (target) =>
    bodies(target, packed(`{"value":${text('x', 12_000_000)}}`, 'plain'), 'nobody'),
  ),
  holding('sockets with a message of 13 MB that never ends', messages),
];

/** Holds connections open, looks at the memory of the product, and waits until the product ends them. */
function holding(name: string, open: (target: Target) => Promise<Socket[]>): Check {
  return {
    name,
    severity: 'high',
    async attack(target): Promise<Outcome> {
      if (target.meter === null) return skipped('memory cannot be measured from here');
      const seen = await rise(target.meter, target, () => open(target));
      const bytes = `${(seen.bytes / 1_024 / 1_024).toFixed(0)} MiB for ${seen.opened} connections`;
      const evidence = `${bytes}; another request took ${seen.otherMs.toFixed(0)} ms; ended after ${(seen.endedMs / 1_000).toFixed(0)} s`;
      const isExposed = seen.bytes > heldBytesMax || seen.otherMs > 3_000 || seen.endedMs > endedWithinMs;
      return outcomeOf(isExposed || !target.meter.isWhole(), evidence);
    },
  };
}

async function rise(meter: CostMeter, target: Target, open: () => Promise<Socket[]>) {
  let sockets: Socket[] = [];
  const { result: otherMs, cost } = await meter.measure(async () => {
    sockets = await open();
    const { milliseconds } = await ask(target, '{ __typename }', { as: 'nobody' });
    return milliseconds;
  });
  const begun = performance.now();
  try {
    const late = new Promise((resolve) => setTimeout(resolve, endedWithinMs + 1_000).unref());
    await Promise.race([Promise.all(sockets.map(ended)), late]);
    return { bytes: cost.bytes, otherMs, opened: sockets.length, endedMs: performance.now() - begun };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

const ended = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

/** Requests whose last byte is not sent. What the product answers meanwhile is read and ignored. */
async function bodies(
  { base, key }: Target,
  { headers, body }: ReturnType<typeof packed>,
  as: 'key' | 'nobody',
): Promise<Socket[]> {
  const { hostname, port } = new URL(base);
  const lines = [
    'POST /api/clipboard/push HTTP/1.1',
    `Host: ${hostname}:${port}`,
    ...(as === 'key' ? [`Authorization: Bearer ${key}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    '',
    '',
  ];
  const head = Buffer.from(lines.join('\r\n'));
  return Promise.all(
    Array.from({ length: connectionsHeld }, () => heldSocket(base, [head, body.subarray(0, body.length - 1)])),
  );
}

/** Writes what the other end takes within some seconds. */
function heldSocket(base: string, pieces: readonly Uint8Array[]): Promise<Socket> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const taken = () => resolve(socket);
    const late = setTimeout(taken, 5_000);
    socket.resume();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(late);
      taken();
    });
    socket.once('connect', () => {
      for (const piece of pieces.slice(0, -1)) socket.write(piece);
      socket.write(pieces.at(-1) as Uint8Array, () => {
        clearTimeout(late);
        taken();
      });
    });
  });
}

/** As many sockets as a key may have, each with a frame that announces 13 MB and holds back the last byte. */
async function messages({ base, key }: Target): Promise<Socket[]> {
  const size = 13_000_000;
  const frame = Buffer.alloc(14 + size - 1, 0x20);
  // A text in one frame, masked with zeros, whose length takes eight bytes (RFC 6455, 5.2).
  frame.set([0x81, 0xff], 0);
  frame.writeBigUInt64BE(BigInt(size), 2);
  frame.writeUInt32BE(0, 10);
  const sockets: Socket[] = [];
  for (let count = 0; count < 90; count++) {
    const { socket } = await connectedSocket(base, key);
    const raw = (socket as unknown as { _socket: Socket })._socket;
    sockets.push(raw);
  }
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          const late = setTimeout(resolve, 5_000);
          socket.write(frame, () => {
            clearTimeout(late);
            resolve();
          });
        }),
    ),
  );
  return sockets;
}
