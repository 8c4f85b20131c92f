import { Client, type ClientConfig } from 'pg';
import type { ReportFailure } from './outages.ts';
import type { Statement } from './statement.ts';
import { apiErrorOf } from './unavailable.ts';

/**
 * Locks that are held for longer than a transaction, without holding a connection of the pool. All of them are on one
 * connection: when the process ends or the connection is lost, the server frees them, so they never outlive their process.
 * A lock may be lost while its work goes on. It saves work that would be done twice; it is not what makes that safe.
 */
export interface SessionLocks {
  /**
   * Tries to take a lock by a statement that may look for something in the same round trip.
   *
   * @param statement Calls `pg_try_advisory_lock` for the key, and says in its one row whether the lock was `taken`.
   * @returns The row. Null where this process holds the lock already.
   * @throws {ApiError} `UNAVAILABLE` when the server cannot be reached or does not answer in time.
   */
  take<Row extends { taken: boolean }>(key: bigint, statement: Statement): Promise<Row | null>;
  /** Frees a lock that was taken. */
  release(key: bigint): void;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Client;
  readonly ready: Promise<unknown>;
  /** Ends it, and all locks on it. */
  lose(error?: unknown): void;
}

/** Nothing connects before the first lock. */
export function createSessionLocks({
  settings,
  report,
  onConnect,
}: {
  settings: ClientConfig;
  report: ReportFailure;
  onConnect?: (client: Client) => void;
}): SessionLocks {
  /** By key. Within one session the server gives a lock again to those who have it. */
  const held = new Map<bigint, Connection>();
  let current: Connection | null = null;
  let isOpen = true;

  function connect(): Connection {
    const client = new Client({ ...settings, application_name: 'patchbay-locks', pipeline: true } as ClientConfig);
    const lose = (error?: unknown) => {
      if (current?.client !== client) return;
      current = null;
      if (error && isOpen) report(error, 'the database connection for locks was lost');
      client.end().catch(() => {});
    };
    client.on('error', lose);
    client.on('end', () => lose());
    onConnect?.(client);
    const ready = client.connect();
    ready.catch(lose);
    return { client, ready, lose };
  }

  return {
    async take<Row extends { taken: boolean }>(key: bigint, statement: Statement) {
      if (held.has(key)) return null;
      current ??= connect();
      const connection = current;
      held.set(key, connection);
      try {
        await connection.ready;
        const { rows } = await connection.client.query<Row>(statement);
        const [row] = rows as [Row];
        if (!row.taken) held.delete(key);
        return row;
      } catch (error) {
        held.delete(key);
        // The lock may have been taken. It ends with the connection.
        connection.lose(error);
        throw apiErrorOf(error);
      }
    },
    release(key) {
      const connection = held.get(key);
      held.delete(key);
      if (connection && connection === current) connection.client.query(unlock(key)).catch(connection.lose);
    },
    async close() {
      isOpen = false;
      await current?.client.end().catch(() => {});
    },
  };
}

const unlock = (key: bigint): Statement => ({
  name: 'session_lock_release',
  text: 'SELECT pg_advisory_unlock($1)',
  values: [key],
});
