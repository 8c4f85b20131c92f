import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../platform/config.ts';
import { isUnavailable } from '../platform/database/database.ts';
import { runningPostgresUrl, startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { EmbeddedPostgresError } from '../platform/database/embedded-postgres-error.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/logger.ts';
import { openPlatform } from './platform.ts';
import { createProgress } from './progress.ts';
import { createServices } from './services.ts';

// `npm run registry:import -- file`: takes up a dump of a registry. Also while the product runs.
// Ends with 0 when all was taken up, with 2 when something was refused, and with 1 when the file could not be read to its end.

/** Refused elements that are told one by one. */
const toldMax = 100;

async function run(file: string): Promise<number> {
  const { size } = await stat(file);
  const config = readConfig(process.env);
  const running = config.DATABASE_URL ?? (await runningPostgresUrl(config.DATA_DIR));
  const embedded = running === null ? await startEmbeddedPostgres({ dataDir: config.DATA_DIR }) : null;
  const url = running ?? (embedded?.url as string);
  try {
    await migrate({ url, directory: fileURLToPath(new URL('../../prisma/migrations', import.meta.url)) });
    const platform = await openPlatform({ config, url, log: createLogger('warn'), isWorker: false });
    try {
      return await report(createServices(platform).registry.imports.run, file, size);
    } finally {
      await platform.close();
    }
  } finally {
    await embedded?.stop();
  }
}

async function report(
  importDump: ReturnType<typeof createServices>['registry']['imports']['run'],
  file: string,
  size: number,
): Promise<number> {
  const progress = createProgress(process.stderr, size, () => performance.now());
  const source = createReadStream(file);
  let told = 0;
  const summary = await importDump(source, {
    onProgress: ({ imported, unchanged, refused }) =>
      progress.show(source.bytesRead, `${imported} imported, ${unchanged} unchanged, ${refused} refused`),
    onRefused({ line, reason }) {
      if (++told <= toldMax) progress.say(`line ${line}: ${reason}`);
      else if (told === toldMax + 1) progress.say('… the rest is only counted');
    },
  });
  progress.end();
  process.stdout.write(`${summary.imported} imported, ${summary.unchanged} unchanged, ${summary.refused} refused\n`);
  return summary.refused > 0 ? 2 : 0;
}

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || rest.length > 0) {
  console.error('Usage: npm run registry:import -- <file>');
  process.exit(1);
}
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  process.exitCode = await run(file);
} catch (error) {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) console.error(message);
  else if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? '')) console.error(`${file} cannot be read (${code})`);
  else if (isUnavailable(error)) console.error(`The database cannot be used: ${message || code}`);
  else console.error(error);
  process.exitCode = 1;
}
