import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, printTable, shown } from './measure.ts';

/** The statements and the CPU of an idle product. */
export async function printIdle(bench: Pick<Bench, 'pool' | 'isQuick' | 'startProduct'>): Promise<void> {
  const product = await bench.startProduct();
  // What is done once after the start is over then.
  await delay(5_000);
  const seconds = bench.isQuick ? 15 : 60;
  await bench.pool.query('SELECT pg_stat_statements_reset()');
  const cpuBefore = product.cpuSeconds();
  await delay(seconds * 1_000);
  const cpuSeconds = product.cpuSeconds() - cpuBefore;
  const { rows } = await bench.pool.query<{ whose: string; calls: number; milliseconds: number }>(
    `SELECT CASE WHEN query LIKE '%pgboss%' THEN 'queues (pg-boss)' WHEN query LIKE '%webhook_deliveries%' THEN 'due deliveries'
        WHEN query IN ('BEGIN', 'COMMIT') THEN 'begin and commit' ELSE 'other' END AS whose,
        sum(calls)::float AS calls, sum(total_exec_time) AS milliseconds
      FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' GROUP BY 1 ORDER BY 2 DESC`,
  );
  await product.stop();
  const perMinute = (number: number) => shown((number * 60) / seconds);
  console.log(`\nAn idle product (${perMinute(cpuSeconds * 1_000)} ms of CPU a minute)`);
  printTable([
    ['', 'statements a minute', 'ms a minute in the database'],
    ...rows.map(({ whose, calls, milliseconds }) => [whose, perMinute(calls), perMinute(milliseconds)]),
  ]);
}
