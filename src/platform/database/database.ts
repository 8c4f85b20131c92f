import type { Client, PoolClient, QueryResultRow } from 'pg';
import type { PrismaClient } from '../../../prisma/generated/client/client.ts';
import { createSlots } from '../limits/slots.ts';
import type { Logger } from '../logger.ts';
import { poolConnections } from './connection-counts.ts';
import { createLongWork, type LongWork } from './long-work.ts';
import { createOutages, type ReportFailure } from './outages.ts';
import { createPipeline } from './pipeline.ts';
import { type OpenPrisma, openPrisma, type PrismaOver } from './prisma-client.ts';
import { createSessionLocks, type SessionLocks } from './session-locks.ts';
import { type Statement, TimedPool } from './statement.ts';
import { begin, closePrismaOf, type TransactionParts, transaction } from './transaction.ts';
import { apiErrorOf } from './unavailable.ts';
import { type Unit, Units } from './unit.ts';
import { prismaOfUnits } from './unit-prisma.ts';

export type { Statement } from './statement.ts';
export { apiErrorOf, isDeadlock, isUnavailable, isUniqueViolation } from './unavailable.ts';

/** The database as the areas see it: Prisma's client for reads by selection, statements for frequent queries. */
export interface Database {
  readonly prisma: PrismaClient;
  /**
   * Runs one statement. With a `name` it is prepared once per connection.
   *
   * @throws {ApiError} `UNAVAILABLE` when the server cannot be reached or does not answer in time.
   */
  query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]>;
  /**
   * Runs one short statement that changes nothing, among others on the same connection (see `createPipeline`).
   *
   * @throws {ApiError} like `query`.
   */
  read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]>;
  /**
   * Runs work in one transaction: all of it or nothing.
   *
   * @param run Is given a database whose statements, Prisma's too, are part of the transaction.
   * @throws What `run` throws, after everything was undone.
   */
  transaction<Result>(run: (tx: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs work as one transaction, wherever in it statements are run: `query`, `transaction` and Prisma's client begin the
   * transaction, and from then on all of them and `read` are part of it. Until then the work holds no connection, so it may
   * wait for a network.
   *
   * @param caller Whose work it is. Few transactions of units run at once, and callers take turns.
   * @throws What `work` throws, after everything was undone. After a statement that failed the unit cannot be committed.
   */
  runUnit<Result>(caller: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs work outside of the unit that runs here: it is committed by itself, also when the unit is undone later, and does not begin
   * the unit's transaction, so that the unit may wait for a network afterwards.
   */
  outsideUnit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The unit that runs here; null outside of one. */
  readonly unit: Unit | null;
  readonly locks: SessionLocks;
  readonly longWork: Pick<LongWork, 'run'>;
  /** The state of the pool: its connections, the idle ones, and the number of waiting callers. */
  pool(): { total: number; idle: number; waiting: number };
  /** Resolves when the server answers; throws like `query`. */
  ping(): Promise<void>;
  /** Logs that background work failed; an outage of the database is logged once. */
  report: ReportFailure;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  log: Logger;
  /** How many processes share the server, this one counted. */
  processes?: number;
  /** Called with the text of every statement; tests count them. */
  onStatement?: (text: string) => void;
  /** `databaseTimeouts` if left out. */
  timeouts?: DatabaseTimeouts;
  /** `openPrisma` if left out. Tests lend the same clients to one database after another. */
  prismaOver?: PrismaOver;
}

/** Units leave two connections to everything else. With fewer slots, units of many callers would wait for round trips of others. */
const unitSlots = (processes: number) => Math.max(1, poolConnections(processes) - 2);
/** One caller has a quarter of them, so that some are free for the others. */
const slotsPerCaller = (slots: number) => Math.max(1, Math.floor(slots / 4));
/** How long a unit waits for its turn. Its own caller's other units may keep it waiting, so it is longer than for a connection. */
const unitWaitMs = 5_000;

/** How long the product waits for its database. */
export interface DatabaseTimeouts {
  /** For a connection. */
  readonly connectMs: number;
  /** For the response to a statement that does not say otherwise (`query_timeout`). */
  readonly responseMs: number;
}

/** Slower statements fail with 503, so that every response is sent within two seconds. Source: docs/specification/operations.md#while-a-part-is-down. */
export const databaseTimeouts: DatabaseTimeouts = { connectMs: 1_500, responseMs: 1_700 };
/** For programs in which no request waits, such as the seed: a busy machine is no outage. */
export const patientTimeouts: DatabaseTimeouts = { connectMs: 10_000, responseMs: 10_000 };
/** With less time than this left a read is not tried again. */
const leastTimeMs = 300;
/**
 * The server itself ends statements whose client has given up. A statement that may take long declares it
 * (`query_timeout`).
 */
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 5_000;

/**
 * Opens two pools on one server, Prisma's and that of the named statements. Nothing connects before it is asked.
 *
 * @param options.processes One if left out; with more of them each holds fewer connections.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { url, log, processes = 1, onStatement, timeouts = databaseTimeouts, prismaOver = openPrisma } = options;
  const { connectMs, responseMs } = timeouts;
  const settings = {
    connectionString: url,
    max: poolConnections(processes),
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'patchbay',
    keepAlive: true,
  };
  // A pool reports its end before the server has processed it; the server could be stopped in between.
  let isClosing = false;
  const outages = createOutages({ log, ping: () => queryPool({ text: 'SELECT 1' }) });
  const pool = new TimedPool(settings, responseMs);
  const prismaPool = new TimedPool({ ...settings, application_name: 'patchbay-prisma' }, responseMs);
  for (const each of [pool, prismaPool]) {
    // An idle connection that the server ends emits here; the pool makes a new one when it is next needed.
    each.on('error', (error) => {
      if (!isClosing) outages.report(error, 'an idle database connection was lost');
    });
    if (onStatement) each.on('connect', (client) => tap(client, onStatement));
  }
  pool.on('remove', closePrismaOf);
  let prisma: OpenPrisma | null = null;
  const prismaClient = () => {
    prisma ??= prismaOver(prismaPool);
    return prisma.client;
  };
  const beginOnPool = () => begin(pool, prismaOver);
  const single = {
    report: outages.report,
    ...(onStatement && { onConnect: (client: Client) => tap(client, onStatement) }),
  };
  const pipeline = createPipeline({ ...single, settings, responseMs });
  const locks = createSessionLocks({ ...single, settings: { ...settings, query_timeout: responseMs } });
  const longWork = createLongWork(settings);
  const slots = unitSlots(processes);
  const units = new Units(
    beginOnPool,
    createSlots({
      slots,
      perCaller: slotsPerCaller(slots),
      waitMs: unitWaitMs,
      message: 'Too many requests with an Idempotency-Key at once; try again',
    }),
  );

  // Not async: for most statements a promise more would be all that it does.
  function query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    const unit = units.current();
    return unit === null ? queryPool(statement) : unit.transaction().then((part) => part.query<Row>(statement));
  }

  async function queryPool<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      return (await pool.query<Row>(statement)).rows;
    } catch (error) {
      // pg's error was made where the response arrived: this stack leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error, queryPool);
      throw apiErrorOf(error);
    }
  }

  const database: Database = {
    prisma: prismaOfUnits(prismaClient, () => units.current()),
    query,
    async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
      // What a unit has written is seen by itself alone.
      if (units.current()?.isInTransaction) return query(statement);
      const asked = performance.now();
      try {
        const rows = pipeline.query<Row>(statement);
        if (rows) return await rows;
      } catch (error) {
        const apiError = apiErrorOf(error);
        const left = responseMs - (performance.now() - asked);
        if (apiError === error || left < leastTimeMs) throw apiError;
        // A connection that is lost takes down all that is on it. A read may be tried again, in the time that is left.
        return queryPool({ ...statement, query_timeout: left });
      }
      return queryPool(statement);
    },
    async transaction(run) {
      const unit = units.current();
      if (unit === null) return transaction(beginOnPool, (parts) => run(partOf(parts)));
      try {
        return await run(partOf(await unit.transaction()));
      } catch (error) {
        throw apiErrorOf(error);
      }
    },
    runUnit: (caller, work) => units.run(caller, work),
    outsideUnit: (work) => units.outside(work),
    get unit() {
      return units.current();
    },
    locks,
    longWork,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async ping() {
      await query({ text: 'SELECT 1' });
    },
    report: outages.report,
    async close() {
      isClosing = true;
      outages.close();
      longWork.close();
      await Promise.all([pipeline.close(), locks.close()]);
      await prisma?.close();
      await Promise.all([pool.end(), prismaPool.end()]);
    },
  };

  /** The database as the work of a transaction sees it. */
  function partOf(parts: TransactionParts): Database {
    const { query } = parts;
    const tx: Database = {
      ...database,
      get prisma() {
        return parts.prisma;
      },
      query,
      read: query,
      transaction: (run) => run(tx),
      close: async () => {},
    };
    return tx;
  }

  return database;
}

/** Hears every statement of a connection, Prisma's too. */
function tap(client: Pick<PoolClient, 'query'>, onStatement: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const [first] = args;
    onStatement(typeof first === 'string' ? first : String((first as { text?: string }).text ?? ''));
    return query(...args);
  }) as PoolClient['query'];
}
