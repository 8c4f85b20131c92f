import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolClient, type QueryConfig, type QueryResultRow } from 'pg';
import { PrismaClient } from '../../../prisma/generated/client/client.ts';
import { Refusal } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { createPipeline } from './pipeline.ts';

/** A statement; `query_timeout` in milliseconds where it may take longer than an answer should. */
export type Statement = QueryConfig & { query_timeout?: number };

/** The database as the areas see it: Prisma's client for what is read by shape, statements for what is hot. */
export interface Database {
  readonly prisma: PrismaClient;
  /**
   * Runs one statement. With a `name` it is prepared once per connection.
   *
   * @throws {Refusal} `UNAVAILABLE` when the server cannot be reached or does not answer in time.
   */
  query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]>;
  /**
   * Runs one short statement that changes nothing, among others on the same connection (see `createPipeline`).
   *
   * @throws {Refusal} like `query`.
   */
  read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]>;
  /** How the pool of statements stands: its connections, those idle, and who waits for one. */
  pool(): { total: number; idle: number; waiting: number };
  /** Resolves when the server answers; throws like `query`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  log: Logger;
  /** Connections of the statements' pool and of Prisma's, each. */
  connectionsMax?: number;
  /** Called with the text of every statement; tests count them. */
  onStatement?: (text: string) => void;
}

/** What takes longer is answered with 503, so that an answer is out within the two seconds of acceptance.md. */
const connectTimeoutMs = 1_500;
const answerTimeoutMs = 1_700;
/** With less time than this left a read is not tried again. */
const leastTimeMs = 300;
/** The server ends by itself what nobody waits for any more. A statement that may take long says so (`query_timeout`). */
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 5_000;

/**
 * Opens two pools on one server, Prisma's and that of the named statements. Nothing connects before it is asked.
 *
 * @param options.connectionsMax Connections of each pool; 10 if left out.
 */
export function createDatabase({ url, log, connectionsMax = 10, onStatement }: DatabaseOptions): Database {
  const settings = {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    query_timeout: answerTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'patchbay',
    keepAlive: true,
  };
  const pool = new Pool(settings);
  const prismaPool = new Pool({ ...settings, application_name: 'patchbay-prisma' });
  for (const each of [pool, prismaPool]) {
    // An idle connection that the server ends emits here; the pool makes a new one when it is next needed.
    each.on('error', (error) => log.warn({ error }, 'an idle database connection was lost'));
    if (onStatement) each.on('connect', (client) => tap(client, onStatement));
  }
  const prisma = new PrismaClient({ adapter: new PrismaPg(prismaPool), errorFormat: 'minimal' });
  const pipeline = createPipeline({
    settings,
    log,
    ...(onStatement && { onConnect: (client) => tap(client, onStatement) }),
  });

  async function query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      return (await pool.query<Row>(statement)).rows;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  return {
    prisma,
    query,
    async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
      const asked = performance.now();
      try {
        const rows = pipeline.query<Row>(statement);
        if (rows) return await rows;
      } catch (error) {
        const refusal = refusalOf(error);
        const left = answerTimeoutMs - (performance.now() - asked);
        if (refusal === error || left < leastTimeMs) throw refusal;
        // A connection that is lost takes down all that is on it. A read may be tried again, in the time that is left.
        return query({ ...statement, query_timeout: left });
      }
      return query(statement);
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async ping() {
      await this.query({ text: 'SELECT 1' });
    },
    async close() {
      await pipeline.close();
      await prisma.$disconnect();
      await Promise.all([pool.end(), prismaPool.end()]);
    },
  };
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

/** The classes and codes of PostgreSQL that mean "not now": lost connections, shutting down, too many, out of time or room. */
const unavailableStates = /^(08...|53...|57P0[1-5]|57014|55P03|25006|58...)$/;
const unavailableCauses =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Can't reach database server|Server has closed the connection|Connection ended|Query read timeout|not currently accepting connections/i;
const unavailablePrismaCodes = new Set(['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);

/** A refusal in place of an error that only says that the database is away; every other error as it is. */
export function refusalOf(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new Refusal('UNAVAILABLE', 'The database is not available; try again', { retryAfter: 1, cause: error });
}

/** Whether an error of pg or Prisma says that the server is away, starting, stopping, full, or too slow. */
export function isUnavailable(error: unknown): boolean {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Object && depth < 5; depth++) {
    const { code, originalCode, message, cause: next, errors, meta } = cause as Record<string, unknown>;
    const state = typeof originalCode === 'string' ? originalCode : code;
    if (typeof state === 'string') {
      if (unavailableStates.test(state) || unavailablePrismaCodes.has(state) || unavailableCauses.test(state))
        return true;
    }
    if (typeof message === 'string' && unavailableCauses.test(message)) return true;
    // Prisma hands down what it has no code of its own for, such as a server that only reads.
    const { driverAdapterError } = (meta ?? {}) as { driverAdapterError?: unknown };
    cause = next ?? driverAdapterError ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return false;
}
