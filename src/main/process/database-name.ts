import { Client } from 'pg';
import type { Config } from '../../platform/config.ts';

/** What a sentence for the operator calls the database: where it is and which setting says so. Never its user or password. */
export function databaseName({ DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): string {
  if (DATABASE_URL === undefined) return `the embedded database in ${DATA_DIR}`;
  // As the driver understands the address, which may leave parts out or have them in its query.
  const { host, port, database } = new Client({ connectionString: DATABASE_URL });
  return `the database "${database}" on ${host}:${port} (DATABASE_URL)`;
}
