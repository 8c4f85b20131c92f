import { once } from 'node:events';
import { requestOf } from './load.ts';
import { type Bench, type Measured, measure, median, medianOf, printTable, ratioOf, shown } from './measure.ts';
import { fill, type Tenant, value } from './seed.ts';
import { type ServerProcess, startOnServerCore } from './server-process.ts';

const clientsPerProcess = 8;

/**
 * One profile that 16 clients push to and pop from over two processes: our strict stack beside the unordered SKIP LOCKED one.
 * First over HTTP, each with its own server; then both statements alone, where no web server stands in front.
 */
export async function printHotProfile(bench: Bench): Promise<void> {
  const rounds = bench.isQuick ? 1 : 3;
  const slotMs = bench.isQuick ? 500 : 1_000;
  const [tenant] = (await bench.newTenants(1)) as [Tenant];
  const strict = [await bench.startProduct(), await bench.startProduct()];
  const unordered = [await bench.startBaseline('express-pg.ts'), await bench.startBaseline('express-pg.ts')];
  const push = requestOf('POST', '/api/clipboard/push', tenant.key, { value });
  const pop = requestOf('DELETE', '/api/clipboard/pop', tenant.key);

  const rows = [
    ['over', 'operations', 'strict op/s', 'p99 ms', 'SQL/op', 'unordered op/s', 'p99 ms', 'SQL/op', 'ratio', 'goal'],
  ];
  for (const [name, cycle] of [
    ['push', [push]],
    ['pop', [pop]],
    ['push, then pop', [push, pop]],
  ] as const) {
    const over = async (servers: readonly ServerProcess[], milliseconds: number) => {
      await fill(bench.pool, 'stack', [tenant], milliseconds * 15);
      const connections = servers.flatMap(({ port }) =>
        Array.from({ length: clientsPerProcess }, () => ({
          port,
          next: (turn: number) => cycle[turn % cycle.length] as Buffer,
        })),
      );
      return measure(bench, servers, connections, milliseconds);
    };
    const results: { strict: Measured[]; unordered: Measured[] } = { strict: [], unordered: [] };
    for (let round = -1; round < rounds; round++) {
      const roundMs = round < 0 ? slotMs / 2 : slotMs;
      const measured = { strict: await over(strict, roundMs), unordered: await over(unordered, roundMs) };
      if (round < 0) continue;
      results.strict.push(measured.strict);
      results.unordered.push(measured.unordered);
    }
    rows.push([
      'HTTP',
      name,
      ...(['strict', 'unordered'] as const).flatMap((kind) => [
        shown(medianOf(results[kind], 'perSecond')),
        shown(medianOf(results[kind], 'p99Ms')),
        shown(medianOf(results[kind], 'statements')),
      ]),
      shown(ratioOf(results.strict, results.unordered, 'perSecond')),
      '>= 1',
    ]);
  }
  for (const server of [...strict, ...unordered]) await server.stop();

  for (const operations of ['push', 'pop', 'mix'] as const) {
    const results: { strict: number[]; unordered: number[] } = { strict: [], unordered: [] };
    for (let round = 0; round < rounds; round++) {
      for (const kind of ['strict', 'unordered'] as const) {
        await fill(bench.pool, 'stack', [tenant], slotMs * 35);
        results[kind].push(await statementsAlone(bench.url, tenant, kind, operations, slotMs));
      }
    }
    const ratios = results.strict.map((perSecond, round) => perSecond / (results.unordered[round] as number));
    rows.push([
      'SQL',
      operations === 'mix' ? 'push, then pop' : operations,
      shown(median(results.strict)),
      '',
      '',
      shown(median(results.unordered)),
      '',
      '',
      shown(median(ratios)),
      '>= 1',
    ]);
  }
  console.log(
    `\nOne profile, ${2 * clientsPerProcess} clients over two processes; medians of ${rounds} x ${slotMs / 1_000} s`,
  );
  printTable(rows);
}

/** @returns Operations per second of two processes together. */
async function statementsAlone(
  url: string,
  { profileUuid }: Tenant,
  kind: 'strict' | 'unordered',
  operations: 'push' | 'pop' | 'mix',
  milliseconds: number,
): Promise<number> {
  const ended = [0, 1].map(async () => {
    const settings = [kind, operations, profileUuid, String(clientsPerProcess), String(milliseconds)];
    const child = startOnServerCore('bench/stack-client.ts', settings, { DATABASE_URL: url });
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    child.stderr?.pipe(process.stderr);
    await once(child, 'close');
    return Number(text);
  });
  const counts = await Promise.all(ended);
  return counts.reduce((sum, perSecond) => sum + perSecond, 0);
}
