import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import type { Logger } from '../logger.ts';
import type { Statement } from './statement.ts';
import { refusalOf } from './unavailable.ts';

/**
 * Locks that are held for longer than a transaction, without holding a connection of the pool. All of them are on one
 * connection: when the process ends or the connection is lost, the server frees them, so they never outlive their process.
 * A lock may be lost while its work goes on. It saves work that would be done twice; it is not what makes that safe.
 */
export interface SessionLocks {
  /**
   * Tries to take a lock, and runs a statement that sees all that was committed before it was taken, in one round trip.
   *
   * @returns Whether the lock was taken; false while this process or another holds it. The rows are of the statement, and
   *   none where this process holds the lock.
   * @throws {Refusal} `UNAVAILABLE` when the server cannot be reached or does not answer in time.
   */
  take<Row extends QueryResultRow>(key: bigint, then: Statement): Promise<{ isTaken: boolean; rows: Row[] }>;
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
  log,
  onConnect,
}: {
  settings: ClientConfig;
  log: Logger;
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
      if (error && isOpen) log.warn({ error }, 'the database connection for locks was lost');
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
    async take<Row extends QueryResultRow>(key: bigint, then: Statement) {
      if (held.has(key)) return { isTaken: false, rows: [] };
      current ??= connect();
      const connection = current;
      held.set(key, connection);
      try {
        await connection.ready;
        // Both leave in one write. The second begins when the first has ended, so it sees what the holder before committed.
        const [lock, found] = await Promise.all([
          connection.client.query<{ taken: boolean }>(tryLock(key)),
          connection.client.query<Row>(then),
        ]);
        const isTaken = lock.rows[0]?.taken === true;
        if (!isTaken) held.delete(key);
        return { isTaken, rows: found.rows };
      } catch (error) {
        held.delete(key);
        // The lock may have been taken. It ends with the connection.
        connection.lose(error);
        throw refusalOf(error);
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

const tryLock = (key: bigint): Statement => ({
  name: 'session_lock_try',
  text: 'SELECT pg_try_advisory_lock($1) AS taken',
  values: [key],
});

const unlock = (key: bigint): Statement => ({
  name: 'session_lock_release',
  text: 'SELECT pg_advisory_unlock($1)',
  values: [key],
});
