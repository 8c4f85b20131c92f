import { setTimeout as delay } from 'node:timers/promises';
import { connectedSocket, type GraphqlSocket, openSocket } from '../support/graphql-socket.ts';
import type { Reply, Target } from './target.ts';

/** The server may look for what is held open every so often; an answer to a message comes sooner. */
const answerMsMax = 10_000;

/** Sends one message over a socket, and waits for the answer or the end. With the key it is acknowledged first. */
export async function overSocket(target: Target, message: string, as: 'key' | 'nobody' = 'key'): Promise<Reply> {
  const startedAt = performance.now();
  const reply = (status: number, text: string): Reply => ({
    status,
    text,
    headers: new Headers(),
    json: undefined,
    milliseconds: performance.now() - startedAt,
  });
  let connection: GraphqlSocket | null = null;
  try {
    connection = as === 'key' ? await connectedSocket(target.base, target.key) : await openSocket(target.base);
    connection.send(message);
    const closed = connection.closed.then(({ code, reason }) => reply(0, `closed with ${code} ${reason}`));
    const answered = connection.next(answerMsMax).then((answer) => reply(200, JSON.stringify(answer)));
    // The wait for a message fails when the connection is closed, too: the end says more.
    const late = delay(answerMsMax, undefined, { ref: false }).then(() => reply(0, 'neither answered nor closed'));
    return await Promise.race([closed, answered.catch(() => Promise.race([closed, late])), late]);
  } catch (error) {
    return reply(0, String(error));
  } finally {
    connection?.socket.terminate();
  }
}
