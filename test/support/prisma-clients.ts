import { Pool, type PoolClient, type QueryConfig } from 'pg';
import { type OpenPrisma, openPrisma } from '../../src/platform/database/prisma-client.ts';

/** Clients of databases that are closed, for the next ones. */
const free: LentClient[] = [];

/**
 * Prisma's client over a pool, as `openPrisma` gives it, but one that served databases before: making one takes more CPU than all else
 * that a server does to start, and its first queries are compiled anew. Nothing of a database stays in it: it holds the schema and the
 * compiled queries, which all databases of the tests share.
 */
export function lentPrisma(pool: Pool): OpenPrisma {
  // The one that was given back first: what a closed database still runs on its client fails, as it does on a client that is closed.
  const lent = free.shift() ?? new LentClient();
  lent.pool.target = pool;
  let isOpen = true;
  return {
    client: lent.prisma.client,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      if (lent.pool.connections > 0) {
        // Its transactions are rolled back.
        await lent.prisma.close();
        return;
      }
      lent.pool.target = null;
      free.push(lent);
    },
  };
}

class LentClient {
  readonly pool = new TargetedPool();
  readonly prisma = openPrisma(this.pool);
}

/** A pool that is another one: Prisma's client keeps the pool that it is made with. */
class TargetedPool extends Pool {
  target: Pool | null = null;
  /** Those that transactions hold. */
  connections = 0;

  #current(): Pool {
    if (!this.target) throw new Error('The database is closed');
    return this.target;
  }

  override query = (async (statement: QueryConfig) => this.#current().query(statement)) as unknown as Pool['query'];

  override connect = (async () => {
    const connection: PoolClient = await this.#current().connect();
    const { release } = connection;
    this.connections += 1;
    connection.release = (error) => {
      this.connections -= 1;
      release.call(connection, error);
    };
    return connection;
  }) as unknown as Pool['connect'];
}
