import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { startOwnDatabase } from '../main/process/own-database.ts';
import { ConfigError, readConfig } from '../platform/config.ts';
import { EmbeddedPostgresError } from '../platform/embedded/embedded-postgres-error.ts';

// `npm run dev`: restarts the product whenever a source changes. The embedded PostgreSQL belongs to this process and keeps
// running across restarts, so that a restart takes about a second.

const watched = ['src', 'schema', 'rest-adapter'].map((folder) => `--watch-path=${folder}`);

async function run(): Promise<number> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const embedded = config.DATABASE_URL
    ? null
    : await startOwnDatabase(config, (_level, message) => console.log(`  ${message}`));
  try {
    const env = { ...process.env, ...(embedded && { DATABASE_URL: embedded.url }) };
    const product = spawn(process.execPath, [...watched, 'src/cli/start.ts'], { stdio: 'inherit', env });
    const exit = once(product, 'exit');
    // Ctrl-C reaches the product too: it ignores the second signal of the same moment.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => product.kill(signal));
    const [code] = (await exit) as [number | null];
    return code ?? 0;
  } finally {
    await embedded?.stop();
  }
}

try {
  process.exit(await run());
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  console.error(isPlain ? error.message : error);
  process.exit(1);
}
