import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { sendInPieces } from '../../../src/platform/database/send-in-pieces.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { cleanUp } from '../../support/cleanup.ts';

interface Ends {
  readonly client: Socket;
  readonly server: Socket;
}

/** A connection, and its other end. Over TLS, as pg makes one: on a connection that has begun without. */
async function connected(isEncrypted = false): Promise<Ends> {
  const { cert, key } = selfSignedCertificate('localhost');
  const listener = (isEncrypted ? tls.createServer({ cert, key }) : createServer()).listen(0, '127.0.0.1');
  cleanUp(async () => void listener.close());
  await once(listener, 'listening');
  const accepted = once(listener, isEncrypted ? 'secureConnection' : 'connection');
  let client: Socket = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  if (isEncrypted) {
    await once(client, 'connect');
    client = tls.connect({ socket: client, servername: 'localhost', ca: cert });
  }
  const [server] = (await accepted) as [Socket];
  cleanUp(async () => {
    client.destroy();
    server.destroy();
  });
  sendInPieces(client);
  return { client, server };
}

describe.each([
  ['TCP', false],
  ['TLS', true],
])('a connection over %s', (_name, isEncrypted) => {
  it('sends small and large writes in their order, also those that are held back and leave together', async () => {
    const { client, server } = await connected(isEncrypted);
    const writes = [10, 3_000_000, 1, 131_072, 131_073, 0, 700_000, 5].map((length) => randomBytes(length));
    const received = createHash('sha256');
    server.on('data', (chunk) => received.update(chunk));
    const ended = once(server, 'end');
    for (const [index, bytes] of writes.entries()) {
      if (index === 2) client.cork();
      client.write(bytes);
    }
    client.uncork();
    client.end();
    await ended;
    expect(received.digest('hex')).toBe(createHash('sha256').update(Buffer.concat(writes)).digest('hex'));
  });

  it('others have turns of the event loop while a large write is under way', async () => {
    const { client, server } = await connected(isEncrypted);
    server.resume();
    let turns = 0;
    let isSent = false;
    const turn = () => {
      turns += 1;
      if (!isSent) setImmediate(turn);
    };
    setImmediate(turn);
    await new Promise((resolve) => client.write(Buffer.alloc(2_000_000), resolve));
    isSent = true;
    // 16 pieces.
    expect(turns).toBeGreaterThanOrEqual(15);
  });
});

it('a write fails with its connection, and nothing is left to wait for', async () => {
  const { client } = await connected();
  client.on('error', () => undefined);
  const failed = new Promise((resolve) => client.write(Buffer.alloc(50_000_000), resolve));
  client.destroy(new Error('lost'));
  expect(await failed).toBeInstanceOf(Error);
});
