import type { Socket } from 'node:net';
import { type ClientBase, Pool, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';
import { NamedQuery } from './named-query.ts';
import { sendInPieces } from './send-in-pieces.ts';

/** A statement; `query_timeout` in milliseconds where it may take longer than a response should. */
export type Statement = QueryConfig & { query_timeout?: number };

/**
 * Gives a connection's statements a time limit, after which they reject with `Query read timeout`. The connection goes on to wait for the
 * response before it sends its next statement: a transaction is rolled back, and its locks are free, before its caller goes on.
 *
 * pg could do the same by its own `query_timeout`, but with that, or when it makes the promise itself, it keeps each statement and its
 * rows reachable until the next full garbage collection: each young collection then stops the process for 10 ms instead of 1
 * (docs/areas/speed.md#memory-of-a-request).
 *
 * @param client A connection without a `query_timeout` of its own.
 * @param responseMs Time for the response in milliseconds, unless the statement says otherwise.
 * @param onLate Called when a response is late.
 */
export function limitTime(client: ClientBase, responseMs: number, onLate = () => {}): void {
  const query = client.query.bind(client) as (query: NamedQuery | QueryConfig, done: Done) => void;
  const timed = (statement: Statement): Promise<QueryResult> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error('Query read timeout'));
        onLate();
      }, statement.query_timeout ?? responseMs);
      query(queryOf(statement), (error, result) => {
        clearTimeout(late);
        if (error === null) return resolve(result);
        if (isOutdated(error)) endConnection(client);
        reject(error);
      });
    });
  client.query = timed as ClientBase['query'];
}

/**
 * A statement as pg sends it. A statement that pg is given it copies property by property, which takes longer than all else that it does with
 * it. Prisma's say how their rows are read, which only a statement can.
 */
function queryOf(given: Statement & { rowMode?: string; types?: unknown }): NamedQuery | QueryConfig {
  const { name, text, values } = given;
  if (name === undefined || given.rowMode !== undefined || given.types !== undefined) {
    const { query_timeout: _, ...statement } = given;
    return statement;
  }
  return new NamedQuery(name, text, values);
}

type Done = (error: Error | null, result: QueryResult) => void;

/** A pool whose connections limit the time of their statements, Prisma's too. */
export class TimedPool extends Pool {
  constructor(settings: PoolConfig, responseMs: number) {
    super(settings);
    this.on('connect', (client) => {
      // A connection may be lost between two statements. The next of them says so; without a listener the event would end the process.
      client.on('error', () => {});
      limitTime(client, responseMs);
      sendInPieces(socketOf(client));
    });
  }

  override query = (async (statement: Statement) => {
    const client = await this.connect();
    try {
      const result = await client.query(statement);
      client.release();
      return result;
    } catch (error) {
      // A statement that the server refuses leaves its connection as it was.
      client.release((error as ServerError).severity !== 'ERROR' || isOutdated(error));
      throw error;
    }
  }) as Pool['query'];
}

/** What an error of the server has, beside its message. */
interface ServerError {
  readonly severity?: string;
  readonly code?: string;
  readonly routine?: string;
}

/**
 * Whether a migration changed the columns of a prepared statement. The server refuses the statement from then on, until another connection
 * prepares it anew.
 */
const isOutdated = (error: unknown): boolean =>
  (error as ServerError).code === '0A000' && (error as ServerError).routine === 'RevalidateCachedQuery';

/** The socket of a connection. Over TLS it is another one once the connection is ready. */
export const socketOf = (client: ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Ends a connection at once: `end` would wait for the statement under way. */
export const endConnection = (client: ClientBase): void => void socketOf(client).destroy();
