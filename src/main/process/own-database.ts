import type { Config } from '../../platform/config.ts';
import { connectionsOf } from '../../platform/database/connection-counts.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/embedded/embedded.ts';
import type { EmbeddedLog } from '../../platform/embedded/postgres-binaries.ts';

/** Starts the embedded PostgreSQL of DATA_DIR, with room for the connections of all processes. */
export function startOwnDatabase({ DATA_DIR, PROCESSES }: Config, log: EmbeddedLog): Promise<EmbeddedPostgres> {
  const connections = Math.max(100, PROCESSES * connectionsOf(PROCESSES) + 20);
  return startEmbeddedPostgres({ dataDir: DATA_DIR, settings: { max_connections: String(connections) }, log });
}
