import { type DeliveryReport, runDeliveries } from '../test/faults/delivery-run.ts';
import { type Bench, printTable, shown } from './measure.ts';
import { startOnServerCore } from './server-process.ts';

/** What another profile may wait at most for 95 of 100 events. Source: docs/hazards.md#j08. */
const neighbourP95MsMax = 2_000;

/**
 * 10 000 events to three endpoints, of which three tenths fail at first, by two workers of which one is killed 20 times. The
 * workers' time passes twenty times as fast, so that the retries of 36 minutes take two: of the 20 seconds of a claim, one is
 * left, which is still many times what an attempt takes here. Then 400 events of 100 kB to 50 webhooks of one profile. Each time
 * another profile's events are told as well.
 *
 * @returns Whether everything arrived, no more than must be, and in time at the other profile.
 */
export async function printDeliveryFaults(bench: Bench): Promise<boolean> {
  console.log('\nDeliveries of webhooks while workers are killed (at least once; six attempts)');
  const { url, isQuick, encryptionKeys } = bench;
  const common = {
    url,
    encryptionKeys,
    clockFactor: 20,
    sampleOf: 20,
    withinMs: 600_000,
    launch: (file: string, environment: Record<string, string>) => startOnServerCore(file, [], environment),
  };
  const many = await runDeliveries({
    ...common,
    events: isQuick ? 1_000 : 10_000,
    endpoints: 3,
    kills: isQuick ? 4 : 20,
    failingShare: 0.3,
    failuresMax: 3,
  });
  const areManyWell = print(many);
  console.log('\nThe same with events of 100 kB to 50 webhooks of one profile');
  const large = await runDeliveries({
    ...common,
    events: isQuick ? 40 : 400,
    eventBytes: 100_000,
    endpoints: 50,
    kills: isQuick ? 1 : 4,
    // Of the 20 seconds of a claim four are left: 256 attempts with 100 kB each may take one.
    clockFactor: 5,
    failingShare: 0.1,
    failuresMax: 1,
  });
  return print(large) && areManyWell;
}

/** @returns Whether all is well. */
function print(report: DeliveryReport): boolean {
  printTable(rowsOf(report));
  const troubles = [...report.troubles];
  const { p95Ms } = report.neighbour;
  if (p95Ms >= neighbourP95MsMax) troubles.push(`the other profile waited ${shown(p95Ms)} ms (p95)`);
  for (const trouble of troubles) console.log(`  WRONG: ${trouble}`);
  return troubles.length === 0;
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
  ['events of another profile meanwhile', shown(report.neighbour.events)],
  ['… milliseconds to their arrival, p50', shown(report.neighbour.p50Ms)],
  ['… p95', shown(report.neighbour.p95Ms)],
  ['… the longest', shown(report.neighbour.mostMs)],
  ['seconds', shown(report.milliseconds / 1_000)],
];
