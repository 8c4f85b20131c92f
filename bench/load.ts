import { connect, type Socket } from 'node:net';

/** One connection of a load: where it goes, and what it sends next. */
export interface LoadConnection {
  readonly port: number;
  /** A whole request as it goes over the wire (`requestOf`); `turn` counts this connection's requests from 0. */
  next(turn: number): Buffer;
}

/** A connection that ends when `next` has no request, and that may wait for one. */
interface Conversation {
  readonly port: number;
  next(turn: number): Buffer | null | Promise<Buffer | null>;
}

export interface LoadResult {
  readonly requests: number;
  /** Answers of another status than 2xx. */
  readonly failed: number;
  /** The first of them, for the message. */
  readonly firstFailure: string | null;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A request with everything that a client sends, made once and sent often. */
export function requestOf(method: string, path: string, key: string | null, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/**
 * Sends on kept connections, one request after the other on each, and waits for the last answers. On bare sockets: an HTTP
 * client of Node's costs more than the servers that it would measure, and shares its core with PostgreSQL.
 */
export async function load(connections: readonly LoadConnection[], milliseconds: number): Promise<LoadResult> {
  const latencies: number[] = [];
  const failures: string[] = [];
  let failed = 0;
  const start = performance.now();
  const deadline = start + milliseconds;
  await Promise.all(
    connections.map(({ port, next }) =>
      converse(
        { port, next: (turn) => (performance.now() < deadline ? next(turn) : null) },
        {
          answered(milliseconds, status, text) {
            latencies.push(milliseconds);
            if (status[0] === '2') return;
            failed += 1;
            if (failures.length === 0) failures.push(`${status} ${text()}`);
          },
        },
      ),
    ),
  );
  const seconds = (performance.now() - start) / 1_000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return {
    requests: latencies.length,
    failed,
    firstFailure: failures[0] ?? null,
    seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

/** Sends one request. @returns The body of its answer. */
export async function responseTo(request: Buffer, port: number): Promise<unknown> {
  let text = '';
  let failure = '';
  await converse(
    { port, next: (turn) => (turn === 0 ? request : null) },
    {
      answered(_milliseconds, status, received) {
        text = received();
        if (status[0] !== '2') failure = `${status} ${text}`;
      },
    },
  );
  if (failure) throw new Error(failure);
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
}

/** Sends on a connection, one request after the other. */
export async function converse({ port, next }: Conversation, listener: Listener): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  try {
    await exchange(socket, next, listener);
  } finally {
    socket.destroy();
  }
}

interface Listener {
  answered(milliseconds: number, status: string, text: () => string): void;
}

function exchange(socket: Socket, next: Conversation['next'], { answered }: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn = 0;
    let sentAt = 0;
    let received: Buffer | null = null;
    const write = (request: Buffer | null) => {
      if (request === null) return resolve();
      sentAt = performance.now();
      socket.write(request);
    };
    const send = () => {
      const request = next(turn++);
      if (request instanceof Promise) request.then(write, reject);
      else write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      received = received === null ? chunk : Buffer.concat([received, chunk]);
      const head = wholeAnswer(received);
      if (head === null) return;
      const milliseconds = performance.now() - sentAt;
      const answer = received;
      received = null;
      answered(milliseconds, head.slice(9, 12), () => answer.toString());
      send();
    });
  });
}

/** @returns The head of an answer once its body is there too; null before. */
function wholeAnswer(received: Buffer): string | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = received.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? received.toString('latin1', received.length - 5) === '0\r\n\r\n' || / 204 /.test(head)
      : received.length >= end + 4 + Number(length);
  return isWhole ? head : null;
}
