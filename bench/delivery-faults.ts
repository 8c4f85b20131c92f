import { type DeliveryReport, runDeliveries } from '../test/faults/delivery-run.ts';
import { type Bench, printTable, shown } from './measure.ts';
import { startOnServerCore } from './server-process.ts';

/**
 * 10 000 events to three endpoints, of which three tenths fail at first, by two workers of which one is killed 20 times. The
 * workers' time passes twenty times as fast, so that the retries of 36 minutes take two: of the 20 seconds of a claim, one is
 * left, which is still many times what an attempt takes here.
 *
 * @returns Whether everything arrived, and no more than must be.
 */
export async function printDeliveryFaults(bench: Bench): Promise<boolean> {
  console.log('\nDeliveries of webhooks while workers are killed (at least once; six attempts)');
  const { url, isQuick, encryptionKeys } = bench;
  const report = await runDeliveries({
    url,
    encryptionKeys,
    events: isQuick ? 1_000 : 10_000,
    endpoints: 3,
    kills: isQuick ? 4 : 20,
    failingShare: 0.3,
    failuresMax: 3,
    clockFactor: 20,
    sampleOf: 20,
    withinMs: 600_000,
    launch: (file, environment) => startOnServerCore(file, [], environment),
  });
  printTable(rowsOf(report));
  for (const trouble of report.troubles) console.log(`  WRONG: ${trouble}`);
  return report.troubles.length === 0;
}

const rowsOf = (report: DeliveryReport): string[][] => [
  ['events committed', shown(report.events)],
  ['pairs of event and endpoint delivered', shown(report.delivered)],
  ['… never delivered', String(report.lost)],
  ['attempts', shown(report.attempts)],
  ['most attempts of one pair', String(report.attemptsMost)],
  ['workers killed', String(report.kills)],
  ['attempts lost with them', String(report.lostAttempts)],
  ['… that had been answered 2xx', String(report.lostAcknowledgements)],
  ['duplicates', String(report.duplicates)],
  ['signatures checked', shown(report.signatures)],
  ['seconds', shown(report.milliseconds / 1_000)],
];
