import { parseArgs } from 'node:util';
import { createCostMeter, measurable } from '../support/process-cost.ts';
import { newDataDir, removeDataDir, startProduct } from '../support/product.ts';
import { type Finding, runCampaign, type Summary } from './campaign.ts';
import { productSettings } from './world.ts';

/**
 * `npm run fuzz`: seeded inputs of every kind, against the product in a process of its own on an empty database.
 *
 *     npm run fuzz                                  50 000 inputs
 *     npm run fuzz -- --inputs 5000 --seed 7        fewer, and others
 *     npm run fuzz -- --seed 7 --only 3:1204        one input alone, as a finding names it
 *
 * It fails on any answer of 5xx, off its documented shape, later than 2 s, that is no JSON or tells what it must not; on no
 * answer; on an input that costs more than 250 ms of CPU or 64 MiB, or 50 ms and 16 MiB without a credential; and on the end
 * of a process.
 */
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '8' },
    only: { type: 'string' },
  },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const dataDir = await newDataDir();
try {
  const product = await startProduct(dataDir, { RATE_LIMITS: '{"*":"off"}', ...productSettings, ...measurable });
  const { child, base, lines } = product;
  const meter = await createCostMeter(Number(child.pid));
  const isAlive = () => child.exitCode === null && child.signalCode === null && meter.isWhole();
  try {
    const summary = await runCampaign({
      base,
      inputs: Number(values.inputs),
      seed: Number(values.seed),
      connections: Number(values.connections),
      ...(values.only && { only: values.only }),
      isAlive,
      meter,
      onProgress: (done) => done % 5_000 === 0 && say(`${done} inputs`),
    });
    print(summary, lines);
    const logged = lines.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
    say(`errors in the log: ${logged.length}`);
    for (const line of isAlive() ? logged.slice(0, 5) : [...logged, ...lines].slice(-12))
      say(`  ${line.slice(0, 1_000)}`);
    if (!isAlive()) say(`the process is dead: ${child.exitCode ?? child.signalCode}`);
    process.exitCode = summary.findings.length > 0 || !isAlive() ? 1 : 0;
  } finally {
    await product.terminate();
  }
} finally {
  await removeDataDir(dataDir);
}

function print(
  { inputs, replayed, milliseconds, statuses, slowestMs, findings }: Summary,
  log: readonly string[],
): void {
  say(
    `\nseed ${values.seed}: ${inputs} inputs in ${(milliseconds / 1000).toFixed(1)} s, slowest ${Math.round(slowestMs)} ms`,
  );
  for (const [status, times] of Object.entries(statuses).sort()) say(`  ${status.padEnd(20)} ${times}`);
  say(`sent again alone, to see what each costs: ${replayed}`);
  say(`findings: ${findings.length}`);
  for (const finding of findings) printFinding(finding, log);
}

function printFinding({ fault, at, times, place, request, smallest }: Finding, log: readonly string[]): void {
  const shown = smallest?.request ?? request;
  const body = shown.body?.toString() ?? '';
  say(`\n${fault.kind} at ${at}, ${times} times: ${(smallest?.fault ?? fault).text}`);
  say(
    `  again: npm run fuzz -- --seed ${values.seed} --connections ${values.connections} --only ${place}${smallest ? '' : ' (not alone: run the whole seed)'}`,
  );
  say(`  ${shown.method} ${shown.path.slice(0, 500)}`);
  for (const [name, value] of shown.headers) say(`  ${name}: ${value.slice(0, 200)}`);
  if (shown.body) say(`  ${body.length} characters: ${JSON.stringify(body.slice(0, 500))}`);
  const { requestId } = smallest?.fault ?? fault;
  const cause = requestId && log.find((line) => line.includes(requestId) && line.includes('"error"'));
  if (cause) say(`  logged: ${cause.slice(0, 1_000)}`);
}
