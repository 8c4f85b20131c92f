import { requestOf } from './load.ts';
import { type Bench, type Measured, measure, medianOf, printTable, ratioOf, shown } from './measure.ts';
import { fill, type Tenant, value } from './seed.ts';

const connectionCount = 8;

/** The same operations on a stack of 10 and on one of 100 000 entries. */
export async function printDepths(bench: Bench): Promise<void> {
  const rounds = bench.isQuick ? 1 : 3;
  const slotMs = bench.isQuick ? 500 : 1_200;
  const [shallow, deep] = (await bench.newTenants(2)) as [Tenant, Tenant];
  await fill(bench.pool, 'stack', [shallow], 10);
  await fill(bench.pool, 'stack', [deep], 100_000);
  await bench.pool.query('VACUUM ANALYZE clipboard_entries');
  const server = await bench.startProduct();
  const operations = [
    {
      name: 'push, then pop',
      requests: ({ key }: Tenant) => [
        requestOf('POST', '/api/clipboard/push', key, { value }),
        requestOf('DELETE', '/api/clipboard/pop', key),
      ],
    },
    { name: 'get index 0', requests: ({ key }: Tenant) => [requestOf('GET', '/api/clipboard?idx=0', key)] },
  ];
  const rows = [
    ['operation', 'depth 10 req/s', 'p50 ms', 'depth 100 000 req/s', 'p50 ms', 'times slower', 'goal', 'SQL ms/op'],
  ];
  for (const { name, requests } of operations) {
    const results: { shallow: Measured[]; deep: Measured[] } = { shallow: [], deep: [] };
    for (let round = -1; round < rounds; round++) {
      for (const [depth, tenant] of [
        ['shallow', shallow],
        ['deep', deep],
      ] as const) {
        const cycle = requests(tenant);
        const connections = Array.from({ length: connectionCount }, () => ({
          port: server.port,
          next: (turn: number) => cycle[turn % cycle.length] as Buffer,
        }));
        const measured = await measure(bench, [server], connections, round < 0 ? slotMs / 2 : slotMs);
        if (round >= 0) results[depth].push(measured);
      }
    }
    rows.push([
      name,
      shown(medianOf(results.shallow, 'perSecond')),
      shown(medianOf(results.shallow, 'p50Ms')),
      shown(medianOf(results.deep, 'perSecond')),
      shown(medianOf(results.deep, 'p50Ms')),
      shown(ratioOf(results.shallow, results.deep, 'perSecond')),
      '<= 1.2',
      `${shown(medianOf(results.shallow, 'databaseMs'))} / ${shown(medianOf(results.deep, 'databaseMs'))}`,
    ]);
  }
  await server.stop();
  console.log(
    `\nStacks of 10 and of 100 000 entries; ${connectionCount} connections, medians of ${rounds} x ${slotMs / 1_000} s`,
  );
  printTable(rows);
}
