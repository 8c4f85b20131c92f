import { connect } from 'node:net';
import { patienceMs } from './deadline.ts';

/** One answer out of the bytes of a connection. */
export interface SocketResponse {
  readonly status: number;
  /** The status line and the headers as they came. */
  readonly head: string;
  readonly body: string;
}

/**
 * Sends bytes as they are and reads until the server ends the connection, `answersMax` answers are here, or time is up.
 *
 * @returns The answers, and whether the server ended the connection.
 */
export function exchange(
  base: string,
  bytes: string | Uint8Array,
  { answersMax = Number.POSITIVE_INFINITY, timeoutMs = patienceMs } = {},
): Promise<{ answers: SocketResponse[]; isClosed: boolean; text: string; milliseconds: number }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    let received = Buffer.alloc(0);
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = received.toString('latin1');
      resolve({ answers: responsesIn(received), isClosed, text, milliseconds: performance.now() - startedAt });
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (responsesIn(received).length >= answersMax) finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/**
 * Writes all pieces, and reads only when the last one is on its way: as clients do that know no other order.
 *
 * @returns The answers, and whether the connection ended in order; a reset may lose the answer.
 */
export async function writeThenRead(
  base: string,
  pieces: Iterable<string | Uint8Array>,
): Promise<{ answers: SocketResponse[]; wasReset: boolean }> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  let wasReset = false;
  socket.on('error', () => {
    wasReset = true;
  });
  for (const piece of pieces) {
    if (wasReset) break;
    await new Promise<void>((resolve) => {
      socket.write(piece, () => resolve());
      socket.once('close', () => resolve());
    });
    socket.removeAllListeners('close');
  }
  const received: Buffer[] = [];
  if (!socket.destroyed)
    await new Promise<void>((resolve) => {
      socket.on('data', (bytes) => received.push(bytes));
      socket.once('close', () => resolve());
    });
  return { answers: responsesIn(Buffer.concat(received)), wasReset };
}

/** Answers with a `Content-Length`, as all of ours have that are not streams. */
function responsesIn(bytes: Buffer): SocketResponse[] {
  const answers: SocketResponse[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const head = rest.subarray(0, end).toString('latin1');
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    answers.push({ status: Number(head.split(' ')[1]), head, body: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
}
