import { EventEmitter } from 'node:events';
import { Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import type { PrismaClient } from '../../../prisma/generated/client/client.ts';
import type { OpenPrisma, PrismaOver } from './prisma-client.ts';
import type { Statement } from './statement.ts';
import { apiErrorOf } from './unavailable.ts';

/** Created once for each connection and reused by its transactions. */
const serialClients = new WeakMap<PoolClient, SerialClient>();

/** The parts of a transaction. */
export interface TransactionParts {
  readonly prisma: PrismaClient;
  query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]>;
}

/** A transaction that holds a connection until it is committed or rolled back. */
export interface OpenTransaction extends TransactionParts {
  /** @throws If the transaction was not committed, or if the outcome is unknown. Call `rollback` then. */
  commit(): Promise<void>;
  /** Never throws: the server rolls back by itself when the connection ends. */
  rollback(): Promise<void>;
}

/**
 * Runs work on one connection, all of it or none.
 *
 * @param run Receives statements and Prisma's client, whose own transactions become savepoints.
 * @throws The exceptions of `run`, after a rollback; `UNAVAILABLE` when the connection is lost. If that happens during
 * the commit, the work may have been done.
 */
export async function transaction<Result>(
  beginTransaction: () => Promise<OpenTransaction>,
  run: (parts: TransactionParts) => Promise<Result>,
): Promise<Result> {
  const open = await beginTransaction();
  try {
    const result = await run(open);
    await open.commit();
    return result;
  } catch (error) {
    await open.rollback();
    throw apiErrorOf(error);
  }
}

/** Begins a transaction on a connection of the pool. @throws {ApiError} `UNAVAILABLE` if there is no connection. */
export async function begin(pool: Pool, prismaOver: PrismaOver): Promise<OpenTransaction> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw apiErrorOf(error);
  }
  const serial = serialClients.get(client) ?? new SerialClient(client, prismaOver);
  serialClients.set(client, serial);
  let isOpen = true;
  const end = (text: 'COMMIT' | 'ROLLBACK') => {
    isOpen = false;
    return serial.end(text);
  };
  const open: OpenTransaction = {
    get prisma() {
      return serial.prisma;
    },
    async query<Row extends QueryResultRow>(statement: Statement) {
      // Its connection may run the transaction of another caller by now.
      if (!isOpen) throw new Error(afterTheEnd);
      try {
        return (await serial.query<Row>(statement)).rows;
      } catch (error) {
        throw apiErrorOf(error);
      }
    },
    async commit() {
      // After a failed statement whose error was caught, COMMIT rolls back and says so.
      const { command } = await end('COMMIT');
      if (command !== 'COMMIT')
        throw new Error('a transaction could not be committed: one of its statements had failed');
      client.release();
    },
    rollback: () =>
      end('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      ),
  };
  try {
    await serial.begin();
  } catch (error) {
    await open.rollback();
    throw error;
  }
  return open;
}

/** Closes the client that ran on a connection which its pool has ended. */
export function closePrismaOf(client: PoolClient): void {
  serialClients.get(client)?.close();
}

const afterTheEnd = 'A statement was run after the end of its transaction';

/** One connection that runs its statements one after the other, and Prisma's client over it. */
class SerialClient {
  readonly #client: PoolClient;
  readonly #prismaOver: PrismaOver;
  #prisma: OpenPrisma | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #savepoints = 0;
  /** Whether a transaction has begun and its end has not. */
  #isOpen = false;

  constructor(client: PoolClient, prismaOver: PrismaOver) {
    this.#client = client;
    this.#prismaOver = prismaOver;
  }

  /** Opened when it is first asked for: many transactions have named statements alone. */
  get prisma(): PrismaClient {
    this.#prisma ??= this.#prismaOver(new SerialClientPool(this));
    return this.#prisma.client;
  }

  /** Its open transactions cannot be rolled back: their connection has ended. */
  close(): void {
    this.#prisma?.close().catch(() => {});
    this.#prisma = null;
  }

  query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
    const result = this.#last.then(() => this.#client.query<Row>(statement));
    this.#last = result.catch(() => {});
    return result;
  }

  async begin(): Promise<void> {
    this.#isOpen = true;
    this.#savepoints = 0;
    await this.query({ text: 'BEGIN' }).catch((error: unknown) => {
      throw apiErrorOf(error);
    });
  }

  end(text: 'COMMIT' | 'ROLLBACK'): Promise<QueryResult> {
    this.#isOpen = false;
    return this.query({ text });
  }

  /** A statement of Prisma, whose transactions are parts of ours. @throws After the end of the transaction. */
  async inner(statement: Statement): Promise<QueryResult> {
    if (!this.#isOpen) throw new Error(afterTheEnd);
    if (statement.text === 'BEGIN') return this.query({ text: `SAVEPOINT inner_${++this.#savepoints}` });
    if (statement.text === 'COMMIT') return this.query({ text: `RELEASE SAVEPOINT inner_${this.#savepoints--}` });
    if (statement.text === 'ROLLBACK') return this.query({ text: `ROLLBACK TO SAVEPOINT inner_${this.#savepoints--}` });
    return this.query(statement);
  }
}

/** A stand-in for the pool of Prisma's adapter. It never opens a connection. */
class SerialClientPool extends Pool {
  readonly #serial: SerialClient;

  constructor(serial: SerialClient) {
    super({ max: 1 });
    this.#serial = serial;
  }

  override query = ((statement: Statement) => this.#serial.inner(statement)) as Pool['query'];

  override connect = (async () => {
    const connection = new EventEmitter();
    return Object.assign(connection, { query: this.query, release: () => {} });
  }) as unknown as Pool['connect'];
}
