import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { openInfrastructure } from '../main/infrastructure.ts';
import { databaseName } from '../main/process/database-name.ts';
import { createServices } from '../main/services.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { patientTimeouts } from '../platform/database/database.ts';
import { createLogger } from '../platform/logger.ts';
import { sentenceOf, withDatabase } from './operator-database.ts';
import { createProgress } from './progress.ts';

// `npm run registry:import -- file`: takes up a dump of a registry. Also while the product runs.
// Ends with 0 when all was taken up, with 2 when something was refused, and with 1 when the file could not be read to its end.

/** Rejected elements that are reported individually. */
const reportedMax = 100;

async function takeUp(config: Config, url: string, file: string, size: number): Promise<number> {
  const log = createLogger('warn');
  const infrastructure = await openInfrastructure({
    config,
    url,
    log,
    isWorker: false,
    databaseTimeouts: patientTimeouts,
  });
  try {
    process.stderr.write(`Importing into ${databaseName(config)}\n`);
    return await report(createServices(infrastructure).registry.imports.run, file, size);
  } finally {
    await infrastructure.close();
  }
}

async function report(
  importDump: ReturnType<typeof createServices>['registry']['imports']['run'],
  file: string,
  size: number,
): Promise<number> {
  const progress = createProgress(process.stderr, size, () => performance.now());
  const source = createReadStream(file);
  let reported = 0;
  const summary = await importDump(source, {
    onProgress: ({ imported, unchanged, refused }) =>
      progress.show(source.bytesRead, `${imported} imported, ${unchanged} unchanged, ${refused} refused`),
    onRefused({ line, reason }) {
      if (++reported <= reportedMax) progress.say(`line ${line}: ${reason}`);
      else if (reported === reportedMax + 1) progress.say('… the rest is only counted');
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
  const { size } = await stat(file);
  const config = readConfig(process.env);
  process.exitCode = await withDatabase(config, (url) => takeUp(config, url, file, size));
} catch (error) {
  const { code } = error as { code?: string };
  if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? '')) console.error(`${file} cannot be read (${code})`);
  else console.error(sentenceOf(error, () => readConfig(process.env)) ?? error);
  process.exitCode = 1;
}
