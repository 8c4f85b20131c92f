import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'pg';
import { createEmbeddingProviders } from '../src/documents/embedding/provider.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { noAllowances } from '../src/platform/egress/allowances.ts';
import { createEgress } from '../src/platform/egress/egress.ts';
import { createLogger } from '../src/platform/logger.ts';
import { postgresPrograms } from '../test/services/postgres-programs.ts';
import { startPostgresServer } from '../test/services/postgres-server.ts';
import { quickFolder } from '../test/support/quick-folder.ts';
import { printQuality } from './documents-quality.ts';
import { printSpeed } from './documents-speed.ts';
import type { Bench } from './measure.ts';
import { createTenants } from './seed.ts';

/**
 * How good and how fast the search of documents is. `--beir PATH` adds a set in the format of BEIR. `--pgvector` measures only the
 * searches by vectors and words, with and without HNSW indexes, on Debian's PostgreSQL 15 with pgvector; it needs what
 * `npm run test:services` needs.
 */
export async function printDocuments(bench: Bench): Promise<void> {
  const isPgvector = process.argv.includes('--pgvector');
  const { url, close } = isPgvector ? await databaseWithVectors() : await databaseOf(bench);
  await migrate({ url, directory: path.resolve(import.meta.dirname, '../prisma/migrations') });
  const pool = new Pool({ connectionString: url, max: 2 });
  await pool.query('CREATE EXTENSION pg_stat_statements');
  const log = createLogger('silent');
  const database = createDatabase({ url, log });
  const egress = createEgress({ isProduction: true, allow: noAllowances });
  const providers = createEmbeddingProviders({ egress, clock: systemClock, log, endpoint: null });
  const newTenants = await createTenants(pool);
  const newProfile = async () => (await newTenants(1))[0]?.profileUuid as string;
  try {
    if (!isPgvector) await printQuality({ database, log, providers, newProfile }, beirPaths());
    await printSpeed({ database, pool, log, providers, newProfile, isQuick: bench.isQuick, isPgvector });
  } finally {
    await providers.close();
    egress.close();
    await database.close();
    await pool.end();
    await close();
  }
}

interface BenchDatabase {
  /** Of a superuser, who copies documents without their foreign keys. */
  readonly url: string;
  close(): Promise<void>;
}

async function databaseOf(bench: Bench): Promise<BenchDatabase> {
  await bench.pool.query('CREATE DATABASE bench_documents');
  const url = new URL(bench.url);
  url.pathname = '/bench_documents';
  return { url: url.href, close: async () => {} };
}

async function databaseWithVectors(): Promise<BenchDatabase> {
  const programs = postgresPrograms();
  programs.addVector();
  const settings = {
    fsync: 'on',
    max_wal_size: '4GB',
    shared_buffers: '512MB',
    shared_preload_libraries: 'pg_stat_statements',
  };
  const server = await startPostgresServer({ bin: programs.bin, settings });
  const url = new URL(await server.createDatabase('bench_documents'));
  url.username = 'postgres';
  console.log(`\nDocuments on PostgreSQL ${server.version} with pgvector, in ${quickFolder()}`);
  return {
    url: url.href,
    async close() {
      await server.close();
      await rm(programs.folder, { recursive: true, force: true });
    },
  };
}

/** Of `--beir PATH` and `--beir=PATH`, any number of them. */
const beirPaths = (): string[] =>
  process.argv.flatMap((argument, index) =>
    argument === '--beir'
      ? (process.argv[index + 1] ?? [])
      : argument.startsWith('--beir=')
        ? argument.slice('--beir='.length)
        : [],
  );
