import { connectedSocket, openSocket } from '../support/graphql-socket.ts';
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
  const connection = as === 'key' ? await connectedSocket(target.base, target.key) : await openSocket(target.base);
  try {
    connection.send(message);
    const closed = connection.closed.then(({ code, reason }) => reply(0, `closed with ${code} ${reason}`));
    const answered = connection.next(answerMsMax).then((answer) => reply(200, JSON.stringify(answer)));
    return await Promise.race([closed, answered.catch(() => closed)]);
  } catch (error) {
    return reply(0, String(error));
  } finally {
    connection.socket.terminate();
  }
}
