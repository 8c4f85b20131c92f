import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from '../cleanup.ts';

export interface LoopbackServer {
  /** http://127.0.0.1:port */
  readonly base: string;
  readonly server: Server;
  close(): Promise<void>;
}

/**
 * A server on a free port of 127.0.0.1, for the length of a test or file. It listens before it has a listener, because those who
 * answer here must know their own address first.
 *
 * @param listenerAt Makes the listener, given the address.
 */
export async function startLoopbackServer(listenerAt: (base: string) => RequestListener): Promise<LoopbackServer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', listenerAt(base));
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  cleanUp(close);
  return { base, server, close };
}

/** The whole body of a request, as text. */
export async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
