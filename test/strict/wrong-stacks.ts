import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Call, Perform } from './history.ts';

/**
 * Stacks that look right and are not, in the ways that are thought of first. They are here for the checker to convict.
 * Source: docs/decisions/0003-clipboard-stack.md.
 */
export interface WrongStack {
  /** The newest is the one with this the smallest. */
  readonly order: string;
  push(connection: PoolClient, uuid: string, value: string): Promise<unknown>;
  pop(connection: PoolClient): Promise<QueryResult<{ value: string }>>;
}

export const wrongStacks: Record<string, WrongStack> = {
  'idx = idx + 1 on every row': {
    order: 'idx',
    async push(connection, uuid, value) {
      await connection.query('UPDATE wrong SET idx = idx + 1');
      await connection.query('INSERT INTO wrong (uuid, value, idx) VALUES ($1, $2, 0)', [uuid, value]);
    },
    async pop(connection) {
      const popped = await connection.query<{ value: string }>('DELETE FROM wrong WHERE idx = 0 RETURNING value');
      await connection.query('UPDATE wrong SET idx = idx - 1');
      return popped;
    },
  },
  'a sequence, and DELETE of what a sub-select finds': {
    order: 'seq DESC',
    push: (connection, uuid, value) =>
      connection.query('INSERT INTO wrong (uuid, value) VALUES ($1, $2)', [uuid, value]),
    pop: (connection) =>
      connection.query(
        'DELETE FROM wrong WHERE seq = (SELECT seq FROM wrong ORDER BY seq DESC LIMIT 1) RETURNING value',
      ),
  },
  'a sequence, and FOR UPDATE SKIP LOCKED': {
    order: 'seq DESC',
    push: (connection, uuid, value) =>
      connection.query('INSERT INTO wrong (uuid, value) VALUES ($1, $2)', [uuid, value]),
    pop: (connection) =>
      connection.query(
        'DELETE FROM wrong WHERE seq = (SELECT seq FROM wrong ORDER BY seq DESC LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING value',
      ),
  },
};

export const makeScratchTable = (pool: Pool) =>
  pool.query('CREATE TABLE wrong (uuid uuid, value text, idx int, seq bigserial PRIMARY KEY)');

/** A writer that writes something else in the same transaction, such as an event. */
async function inTransaction<Result>(connection: PoolClient, work: () => Promise<Result>): Promise<Result> {
  await connection.query('BEGIN');
  const result = await work();
  await connection.query('COMMIT');
  return result;
}

/** A client of a wrong stack. An error of the database is an unknown outcome, as it would be for a client of ours. */
export function clientOf(pool: Pool, { order, push, pop }: WrongStack): Perform {
  async function answer(connection: PoolClient, call: Call): Promise<Call['result']> {
    switch (call.kind) {
      case 'push': {
        const uuid = randomUUID();
        await inTransaction(connection, () => push(connection, uuid, call.value));
        return { uuid, expiresAt: Number.POSITIVE_INFINITY };
      }
      case 'pop':
        return (await inTransaction(connection, () => pop(connection))).rows[0]?.value ?? null;
      case 'get': {
        const text = `SELECT value FROM wrong ORDER BY ${order} OFFSET $1 LIMIT 1`;
        return (await connection.query<{ value: string }>(text, [call.idx])).rows[0]?.value ?? null;
      }
      case 'list': {
        const { rows } = await connection.query<{ value: string }>(`SELECT value FROM wrong ORDER BY ${order}`);
        return { stack: rows.map(({ value }) => value), names: {} };
      }
      default:
        throw new Error(`a wrong stack has no ${call.kind}`);
    }
  }
  const perform = async (call: Call): Promise<Call['result']> => {
    const connection = await pool.connect();
    try {
      return await answer(connection, call);
    } catch {
      await connection.query('ROLLBACK');
      return undefined;
    } finally {
      connection.release();
    }
  };
  return perform as Perform;
}
