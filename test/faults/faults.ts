import { parseArgs } from 'node:util';
import { has } from '../services/programs.ts';
import { startRedisServer } from '../services/redis-server.ts';
import { type FaultReport, faultKinds, type Recovery, redisFaultKind, runControl, runFaults } from './fault-run.ts';

/**
 * `npm run faults`: the database, the API and connections are killed in turn while 16 clients write, and every write that
 * was acknowledged must be there in the end; no entry may have been popped twice. Where redis-server is installed, the
 * product counts and tells with Redis, and Redis is killed too.
 *
 *     npm run faults                                  200 faults, 100 000 acknowledged writes
 *     npm run faults -- --faults 20 --writes 5000     a short form
 *
 * A control run at the end has PostgreSQL acknowledge before it has written (synchronous_commit off): that must lose some,
 * or the count could not see a loss.
 */
const { values } = parseArgs({
  options: { faults: { type: 'string', default: '200' }, writes: { type: 'string', default: '100000' } },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const redis = has('redis-server') ? await startRedisServer() : undefined;
if (!redis) say('without Redis: there is no redis-server here (Debian package redis-server)');
let count = 0;
const report = await runFaults({
  faults: Number(values.faults),
  writes: Number(values.writes),
  ...(redis && { redis }),
  onFault: (_, acknowledged) => {
    count += 1;
    if (count % 20 === 0) say(`${count} faults, ${acknowledged} acknowledged writes`);
  },
});
await redis?.close();
print(report);
const control = await runControl();
say(
  `control with synchronous_commit off: ${control.lost} of ${control.acknowledged} acknowledged writes lost after ${control.rounds} kill(s)`,
);
const { lost, twice, foreign, strange } = report;
const troubles = [...lost, ...twice, ...foreign, ...strange];
process.exitCode = troubles.length === 0 && control.lost > 0 ? 0 : 1;

function print({ recoveries, acknowledged, lost, twice, foreign, strange, milliseconds }: FaultReport): void {
  say(`\n${recoveries.length} faults, ${acknowledged} acknowledged writes, ${(milliseconds / 1000).toFixed(0)} s`);
  say(`${'fault'.padEnd(20)} ${columns(['count', 'first median', 'first max', 'all median', 'all max'])}`);
  for (const kind of [...faultKinds, redisFaultKind]) {
    const ofKind = recoveries.filter((recovery) => recovery.kind === kind);
    if (ofKind.length > 0) say(`${kind.padEnd(20)} ${row(ofKind)}`);
  }
  say('(milliseconds to the first success after the fault, and until all clients had one)');
  say(
    `lost: ${lost.length}, popped or stored twice: ${twice.length}, written by no client: ${foreign.length}, unexpected answers: ${strange.length}`,
  );
  for (const trouble of [...lost, ...twice, ...foreign, ...strange].slice(0, 20)) say(`  ${trouble}`);
}

function row(recoveries: readonly Recovery[]): string {
  const first = recoveries.map(({ firstMs }) => firstMs);
  const all = recoveries.map(({ allMs }) => allMs);
  return columns([recoveries.length, median(first), Math.max(...first), median(all), Math.max(...all)]);
}

function columns(cells: readonly (string | number)[]): string {
  return cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell).padStart(12)).join(' ');
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
