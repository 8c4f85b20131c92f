import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { databaseName } from '../main/process/database-name.ts';
import { sealedColumns } from '../main/sealed-columns.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { createDatabase, patientTimeouts } from '../platform/database/database.ts';
import { createLogger } from '../platform/logger.ts';
import { checkEncryptionKeys, forgetKeys } from '../platform/security/encryption-check.ts';
import { encryptionKeysOf } from '../platform/security/encryption-keys.ts';
import { createReencryption, type ReencryptionOutcome } from '../platform/security/reencryption.ts';
import { sentenceOf, withDatabase } from './operator-database.ts';
import { createProgress } from './progress.ts';
import { digits, reencryptionReport } from './reencryption-report.ts';

// `npm run secrets:reencrypt`: seals every secret by the first of ENCRYPTION_KEYS, while the product runs, and says which keys are
// still needed; with `-- --count` it only says that. Ends with 0 when the first key seals everything, with 1 otherwise.

/** Ends the run after the statement that is under way. */
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => stopping.abort(new StoppedError('Stopped. npm run secrets:reencrypt goes on with it.')));

class StoppedError extends Error {
  override name = 'StoppedError';
}

/** @returns The exit code. */
async function reencrypt(config: Config, url: string, isCountOnly: boolean): Promise<number> {
  const log = createLogger('warn');
  const keys = await encryptionKeysOf(config);
  const database = createDatabase({ url, log, timeouts: patientTimeouts });
  try {
    await checkEncryptionKeys({ database, clock: systemClock, log, keys });
    const { run, survey } = createReencryption({ database, keys, columns: sealedColumns });
    const { signal } = stopping;
    process.stderr.write(`${isCountOnly ? 'Counting' : 'Re-encrypting'} the secrets of ${databaseName(config)}\n`);
    const outcome = isCountOnly
      ? { reencrypted: 0, unopened: new Map<string, number>(), uses: await survey(signal) }
      : await shown((onProgress) => run({ onProgress, signal }));
    const { lines, isComplete } = reencryptionReport(
      outcome,
      keys.map(({ id }) => id),
    );
    for (const line of lines) console.log(line);
    if (isComplete && !isCountOnly) await forgetKeys({ database, keys });
    return isComplete ? 0 : 1;
  } finally {
    await database.close();
  }
}

/** Runs it with a bar for each column. */
async function shown(
  run: (
    onProgress: (progress: { column: string; done: number; total: number }) => void,
  ) => Promise<ReencryptionOutcome>,
): Promise<ReencryptionOutcome> {
  let bar: ReturnType<typeof createProgress> | undefined;
  let shownColumn = '';
  const outcome = await run(({ column, done, total }) => {
    if (column !== shownColumn) bar?.end();
    if (!bar || column !== shownColumn) bar = createProgress(process.stderr, total, () => performance.now());
    shownColumn = column;
    const text = `${column}: ${digits(done)} of ${digits(total)}`;
    if (done < total) bar.show(done, text);
    else bar.say(text);
  });
  bar?.end();
  return outcome;
}

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { values } = parseArgs({ options: { count: { type: 'boolean', default: false } } });
  const config = readConfig(process.env);
  process.exitCode = await withDatabase(config, (url) => reencrypt(config, url, values.count));
} catch (error) {
  const isPlain = error instanceof StoppedError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isPlain ? (error as Error).message : (sentenceOf(error, () => readConfig(process.env)) ?? error));
  process.exitCode = 1;
}
