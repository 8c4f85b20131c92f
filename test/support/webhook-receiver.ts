import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** A call that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into bodies of every shape
  readonly body: any;
}

export interface Receiver {
  /** http://127.0.0.1:port */
  readonly base: string;
  readonly received: Received[];
  /** How it answers from now on; 200 at first. */
  answerWith(answer: (call: Received, res: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** A receiver of webhooks over real HTTP, for the life of the test file. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: (call: Received, res: ServerResponse) => void = (_call, res) => res.end('ok');
  const listen: RequestListener = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const call = { path: req.url ?? '', headers: req.headers, raw, body: raw ? JSON.parse(raw) : null };
      received.push(call);
      answer(call, res);
    });
    req.on('error', () => undefined);
  };
  const server = createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  cleanUp(close);
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerWith(next) {
      answer = next;
    },
    close,
  };
}

export const status =
  (code: number, body = '') =>
  (_call: Received, res: ServerResponse) => {
    res.statusCode = code;
    res.end(body);
  };
