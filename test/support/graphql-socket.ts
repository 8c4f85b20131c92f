import { once } from 'node:events';
import { WebSocket } from 'ws';
import { patienceMs, within } from './deadline.ts';

/** A message of the protocol graphql-transport-ws. */
export interface Message {
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into payloads of every shape
  readonly payload?: any;
}

export interface GraphqlSocket {
  readonly socket: WebSocket;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Sends a message; a string goes as it is. */
  send(message: Message | string | Uint8Array): void;
  /** The next message that has not been asked for yet. */
  next(withinMs?: number): Promise<Message>;
  /** Messages that were not read yet. */
  readonly waiting: Message[];
}

/** Opens a WebSocket at /graphql and says nothing yet. */
export async function openSocket(
  base: string,
  {
    protocol = 'graphql-transport-ws',
    headers = {},
  }: { protocol?: string | null; headers?: Record<string, string> } = {},
): Promise<GraphqlSocket> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, protocol ?? [], { headers });
  const waiting: Message[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    waiting.push(JSON.parse(String(data)) as Message);
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      wake();
    }),
  );
  // A handshake that fails is an end too: `closed` tells, with 1006.
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'open').catch(() => undefined), closed]);

  async function taken(): Promise<Message> {
    while (waiting.length === 0) {
      if (socket.readyState === WebSocket.CLOSED) throw new Error('the connection is closed');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return waiting.shift() as Message;
  }

  return {
    socket,
    closed,
    waiting,
    send: (message) =>
      socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message)),
    next: (withinMs = patienceMs) => within('a message', withinMs, taken()),
  };
}

/** A connection that has said who it is, and was acknowledged. */
export async function connectedSocket(base: string, secret: string): Promise<GraphqlSocket> {
  const connection = await openSocket(base);
  connection.send({ type: 'connection_init', payload: { Authorization: `Bearer ${secret}` } });
  const ack = await connection.next();
  if (ack.type !== 'connection_ack') throw new Error(`not acknowledged: ${JSON.stringify(ack)}`);
  return connection;
}
