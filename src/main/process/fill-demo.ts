import type { Config } from '../../platform/config.ts';
import { patientTimeouts } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { demoProfileOf } from '../../sample-data/demo.ts';
import { addSampleData } from '../../sample-data/sample-data.ts';
import { openInfrastructure } from '../infrastructure.ts';
import { createServices } from '../services.ts';

/**
 * Fills the demo account with sample data on the run that created it, or continues an interrupted run. An error is
 * logged and does not stop the platform.
 *
 * @param options.isTerminal Whether to print on the terminal when the sample data is complete.
 * @param options.signal Stops it soon; the next run continues.
 */
export async function fillDemo(options: {
  config: Config;
  url: string;
  log: Logger;
  isFirstRun: boolean;
  isTerminal: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const { log, isFirstRun, isTerminal, signal } = options;
  const startedAt = performance.now();
  try {
    const infrastructure = await openInfrastructure({ ...options, isWorker: false, databaseTimeouts: patientTimeouts });
    try {
      const profileUuid = await demoProfileOf(infrastructure.database);
      if (profileUuid === null) return;
      const { isAdded } = await addSampleData({ infrastructure, profileUuid, isResumedOnly: !isFirstRun, signal });
      const milliseconds = Math.round(performance.now() - startedAt);
      // Its documents were not queued, because the sample data queues nothing.
      if (isAdded) await createServices(infrastructure).documents.ingestion.sendOverdue();
      if (isAdded) log.info({ milliseconds }, 'the demo account has sample data');
      if (isAdded && isTerminal) process.stdout.write('  The sample data is there now.\n\n');
    } finally {
      await infrastructure.close();
    }
  } catch (error) {
    if (!signal.aborted) log.error({ error }, 'the demo account could not be filled; npm run seed goes on with it');
  }
}
