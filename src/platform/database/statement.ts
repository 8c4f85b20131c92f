import { type ClientBase, Pool, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';

/** A statement; `query_timeout` in milliseconds where it may take longer than an answer should. */
export type Statement = QueryConfig & { query_timeout?: number };

/**
 * Gives a connection's statements a time limit. A connection whose response is late is ended: what the server sends after that belongs to
 * no statement. The statement then rejects with `Query read timeout`.
 *
 * pg could do the same by its own `query_timeout`, but with that, or when it makes the promise itself, it keeps each statement and its
 * rows reachable until the next full garbage collection: each young collection then stops the process for 10 ms instead of 1
 * (docs/areas/speed.md#memory-of-a-request).
 *
 * @param client A connection without a `query_timeout` of its own.
 * @param answerMs Time for the response in milliseconds, unless the statement says otherwise.
 */
export function limitTime(client: ClientBase, answerMs: number): void {
  const query = client.query.bind(client) as (statement: QueryConfig, done: Done) => void;
  const timed = ({ query_timeout = answerMs, ...statement }: Statement): Promise<QueryResult> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error('Query read timeout'));
        endConnection(client);
      }, query_timeout);
      query(statement, (error, result) => {
        clearTimeout(late);
        if (error) reject(error);
        else resolve(result);
      });
    });
  client.query = timed as ClientBase['query'];
}

type Done = (error: Error | null, result: QueryResult) => void;

/** A pool whose connections limit the time of their statements, Prisma's too. */
export class TimedPool extends Pool {
  constructor(settings: PoolConfig, answerMs: number) {
    super(settings);
    this.on('connect', (client) => {
      // A connection may be lost between two statements. The next of them says so; without a listener the event would end the process.
      client.on('error', () => {});
      limitTime(client, answerMs);
    });
  }

  override query = (async (statement: Statement) => {
    const client = await this.connect();
    try {
      const result = await client.query(statement);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }) as Pool['query'];
}

/** Ends a connection at once: `end` would wait for the statement under way. */
export function endConnection(client: ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
