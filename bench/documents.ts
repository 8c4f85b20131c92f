import path from 'node:path';
import { Pool } from 'pg';
import { createEmbeddingProviders } from '../src/documents/embedding/provider.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { noAllowances } from '../src/platform/egress/allowances.ts';
import { createEgress } from '../src/platform/egress/egress.ts';
import { createLogger } from '../src/platform/logger.ts';
import { printQuality } from './documents-quality.ts';
import { printSpeed } from './documents-speed.ts';
import type { Bench } from './measure.ts';
import { createTenants } from './seed.ts';

/** How good and how fast the search of documents is. `--beir PATH` adds a set in the format of BEIR. */
export async function printDocuments(bench: Bench): Promise<void> {
  await bench.pool.query('CREATE DATABASE bench_documents');
  const url = new URL(bench.url);
  url.pathname = '/bench_documents';
  await migrate({ url: url.href, directory: path.resolve(import.meta.dirname, '../prisma/migrations') });
  const pool = new Pool({ connectionString: url.href, max: 2 });
  await pool.query('CREATE EXTENSION pg_stat_statements');
  const log = createLogger('silent');
  const database = createDatabase({ url: url.href, log });
  const egress = createEgress({ isProduction: true, allow: noAllowances });
  const providers = createEmbeddingProviders({ egress, clock: systemClock, log, endpoint: null });
  const newTenants = await createTenants(pool);
  const newProfile = async () => (await newTenants(1))[0]?.profileUuid as string;
  try {
    await printQuality({ database, log, providers, newProfile }, beirPaths());
    await printSpeed({ database, pool, log, providers, newProfile, isQuick: bench.isQuick });
  } finally {
    await providers.close();
    egress.close();
    await database.close();
    await pool.end();
  }
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
