import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { endConnection, type Statement } from './statement.ts';
import { apiErrorOf } from './unavailable.ts';

/** Statements that may take minutes, such as the building of an index. */
export interface LongWork {
  /**
   * Runs work on a separate connection, without limits on the time of its statements, while no other process runs work
   * of this key.
   *
   * @param run Receives statements, each in its own transaction.
   * @returns null if another process runs it, or when this one closes. The server then ends the running statement
   * itself, and frees the key after it.
   * @throws The exceptions of `run`; `UNAVAILABLE` when the server cannot be reached.
   */
  run<Result>(key: string, run: (query: LongQuery) => Promise<Result>): Promise<Result | null>;
  close(): void;
}

export type LongQuery = <Row extends QueryResultRow>(statement: Statement) => Promise<Row[]>;

/** Nothing connects before the first work. */
export function createLongWork(settings: ClientConfig): LongWork {
  const open = new Set<Client>();
  let isClosing = false;

  return {
    async run(key, run) {
      if (isClosing) return null;
      const client = new Client({
        ...settings,
        application_name: 'patchbay-long-work',
        statement_timeout: 0,
        lock_timeout: 0,
      });
      // The statement under way says so; unheard, the event would end the process.
      client.on('error', () => {});
      open.add(client);
      try {
        await client.connect();
        const { rows } = await client.query<{ taken: boolean }>(
          'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
          [key],
        );
        if (!rows[0]?.taken) return null;
        return await run(
          async <Row extends QueryResultRow>(statement: Statement) => (await client.query<Row>(statement)).rows,
        );
      } catch (error) {
        if (isClosing) return null;
        throw apiErrorOf(error);
      } finally {
        open.delete(client);
        // A statement that is under way would be waited for.
        if (isClosing) endConnection(client);
        else await client.end().catch(() => {});
      }
    },
    close() {
      isClosing = true;
      for (const client of open) endConnection(client);
    },
  };
}
