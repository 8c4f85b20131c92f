import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded.ts';
import { installQueues } from '../src/platform/messaging/queue.ts';
import { printAgents } from './agents.ts';
import { printDeliveryFaults } from './delivery-faults.ts';
import { printDepths } from './depths.ts';
import { printDocuments } from './documents.ts';
import { printGrowth } from './growth.ts';
import { printHotProfile } from './hot-profile.ts';
import { printIdle } from './idle.ts';
import { printMixedLoad } from './mixed-load.ts';
import { printNotificationFanOut } from './notification-fan-out.ts';
import { printOauth } from './oauth.ts';
import { printOperations } from './operations.ts';
import { printSearch } from './search.ts';
import { createTenants } from './seed.ts';
import { canPin, pinSelf, type ServerProcess, startServerProcess } from './server-process.ts';
import { printTrending } from './trending.ts';
import { printWebhookDeliveries } from './webhook-deliveries.ts';

/*
 * `npm run bench [-- --quick] [--only=get,set,idle,trending,oauth,agents,documents,delivery-faults,growth,load] [--area=clipboard] [--minutes=10] [--beir folder] [--pgvector] [--profile=folder]`: what the product costs beside what one would write by hand. The servers have one core, the
 * load and PostgreSQL (fsync on) the other. Figures of one run compare with each other, not with those of other machines.
 */

const isQuick = process.argv.includes('--quick');
const agents = 'agents';
const deliveryFaults = 'delivery-faults';
const growth = 'growth';
const idle = 'idle';
const load = 'load';
const oauth = 'oauth';
const trending = 'trending';
/** Parts of the names of operations, or of these two; everything else is left out then. */
const only = listOf('--only=');
/** Tables that have a name of their own. */
const areas = [
  agents,
  'documents',
  'fan-out',
  'webhooks',
  trending,
  'search',
  oauth,
  deliveryFaults,
  growth,
  load,
  idle,
];
const start = performance.now();

pinSelf();
const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
// The database's own user passes through.
await chmod(dataDir, 0o711);
const servers: ServerProcess[] = [];
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: { shared_preload_libraries: 'pg_stat_statements', max_wal_size: '4GB' },
});
const pool = new Pool({ connectionString: postgres.url, max: 2 });
let exitCode = 0;
try {
  await migrate({ url: postgres.url, directory: path.resolve(import.meta.dirname, '../prisma/migrations') });
  await installQueues(postgres.url);
  await pool.query('CREATE EXTENSION pg_stat_statements');
  const newTenants = await createTenants(pool);

  const started = async (server: Promise<ServerProcess>) => {
    const running = await server;
    servers.push(running);
    return running;
  };
  const encryptionKeys = `bench:${randomBytes(32).toString('base64')}`;
  const bench = {
    pool,
    encryptionKeys,
    url: postgres.url,
    isQuick,
    newTenants,
    startProduct: (environment: Record<string, string> = {}) =>
      started(
        startServerProcess('src/cli/start.ts', {
          DATABASE_URL: postgres.url,
          DATA_DIR: dataDir,
          RATE_LIMITS: '{"*":"off"}',
          LOG_LEVEL: 'warn',
          SAMPLE_DATA: 'off',
          APP_URL: 'http://127.0.0.1',
          CRON_SECRET: randomBytes(32).toString('base64'),
          ENCRYPTION_KEYS: encryptionKeys,
          ...environment,
        }),
      ),
    startBaseline: (file: string) => started(startServerProcess(`bench/${file}`, { DATABASE_URL: postgres.url })),
  };
  console.log(`Node ${process.version}, PostgreSQL ${postgres.version} (fsync on), ${cpus()[0]?.model.trim()}`);
  console.log(
    canPin
      ? 'Servers on core 1; load and PostgreSQL on core 0.'
      : 'Without taskset or a second core nothing is pinned: read the ratios only.',
  );
  if (!only?.some((name) => areas.includes(name))) await printOperations(bench, only);
  if (!only) {
    await printDepths(bench);
    await printHotProfile(bench);
  }
  if (!only || only.includes('fan-out')) await printNotificationFanOut(bench);
  if (!only || only.includes('webhooks')) await printWebhookDeliveries(bench);
  if (!only || only.includes(trending)) await printTrending(bench);
  if (!only || only.includes('search')) await printSearch(bench);
  if (!only || only.includes('documents')) await printDocuments(bench);
  if (!only || only.includes(oauth)) await printOauth(bench);
  if (!only || only.includes(agents)) await printAgents(bench);
  if (!only || only.includes(idle)) await printIdle(bench);
  if (!only || only.includes(deliveryFaults)) exitCode = (await printDeliveryFaults(bench)) ? 0 : 1;
  // By itself alone: it takes a quarter of an hour, and fails where an area grows without a reason.
  if (only?.includes(growth)) exitCode = (await printGrowth(bench, listOf('--area='))) ? exitCode : 1;
  if (only?.includes(load))
    exitCode = (await printMixedLoad(bench, Number(listOf('--minutes=')?.[0] ?? 10))) ? exitCode : 1;
  console.log(`\n${Math.round((performance.now() - start) / 1_000)} s`);
} catch (error) {
  console.error(error);
  exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await pool.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);

/** The texts after a flag, apart by commas. */
function listOf(flag: string): string[] | undefined {
  return process.argv
    .find((argument) => argument.startsWith(flag))
    ?.slice(flag.length)
    .split(',');
}
