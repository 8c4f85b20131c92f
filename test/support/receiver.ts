import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface ReceivedRequest {
  /** The request line and the headers, as they came. */
  readonly head: string;
  readonly body: string;
  /** Which one it is on its connection, from 1. */
  readonly number: number;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** How many connections there have been. */
  connections(): number;
  /** How many there are. */
  open(): number;
  /** Ends all connections, and stays. */
  drop(): void;
}

/** What a receiver does with a request. */
export type Answer = (socket: Socket, request: ReceivedRequest) => void;

/** An answer of its text, with a length. */
export const answering =
  (body: string, status = '200 OK', headers = ''): Answer =>
  (socket) =>
    socket.write(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

/** A server of HTTP/1.1 that writes what a test tells it to, also what is no HTTP. */
export async function createReceiver(
  answer: Answer,
  options: { host?: string; port?: number; tls?: { cert: string; key: string } } = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const requests: ReceivedRequest[] = [];
  let connections = 0;
  const serve = (socket: Socket) => {
    let text = '';
    let number = 0;
    socket.on('error', () => undefined).setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
      if (end < 0 || Buffer.byteLength(text.slice(end + 4)) < length) return;
      number += 1;
      const request = { head: text.slice(0, end), body: text.slice(end + 4), number };
      text = '';
      requests.push(request);
      answer(socket, request);
    });
  };
  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    drop,
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
    },
  };
}
