import type { Pool } from 'pg';
import { type LoadConnection, load } from './load.ts';
import type { Tenant } from './seed.ts';
import type { ServerProcess } from './server-process.ts';

/** What every part of the bench is given. */
export interface Bench {
  readonly pool: Pool;
  readonly url: string;
  readonly isQuick: boolean;
  /** ENCRYPTION_KEYS of every process over the database. */
  readonly encryptionKeys: string;
  newTenants(count: number): Promise<Tenant[]>;
  startProduct(environment?: Record<string, string>): Promise<ServerProcess>;
  startBaseline(file: string): Promise<ServerProcess>;
}

export interface Measured {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** SQL statements per request, as the database counted them. */
  readonly statements: number;
  /** Milliseconds that the database took for them, per request. */
  readonly databaseMs: number;
  /** Pages of 8 kB that they read, from memory or the disk, per request. */
  readonly buffers: number;
}

/**
 * Loads servers for a while, from idle to idle.
 *
 * @throws {Error} when anything was answered with another status than 2xx: a refusal is fast, and no figure.
 */
export async function measure(
  { pool }: Pick<Bench, 'pool'>,
  servers: readonly ServerProcess[],
  connections: readonly LoadConnection[],
  milliseconds: number,
): Promise<Measured> {
  const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0);
  const before = await statementsOf(pool);
  const cpuBefore = cpu();
  const { requests, failed, firstFailure, seconds, p50Ms, p99Ms } = await load(connections, milliseconds);
  const cpuSeconds = cpu() - cpuBefore;
  const after = await statementsOf(pool);
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed, the first with ${firstFailure}`);
  return {
    perSecond: requests / seconds,
    perCpuSecond: requests / cpuSeconds,
    p50Ms,
    p99Ms,
    statements: (after.calls - before.calls) / requests,
    databaseMs: (after.milliseconds - before.milliseconds) / requests,
    buffers: (after.buffers - before.buffers) / requests,
  };
}

/** Of the pool's own database. */
async function statementsOf(pool: Pool): Promise<{ calls: number; milliseconds: number; buffers: number }> {
  const { rows } = await pool.query(
    `SELECT sum(calls)::float AS calls, sum(total_exec_time) AS milliseconds,
        sum(shared_blks_hit + shared_blks_read)::float AS buffers
      FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid AND d.datname = current_database()
      WHERE query NOT LIKE '%pg_stat_statements%'`,
  );
  return rows[0];
}

/** The middle of several rounds, figure by figure. */
export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

export const medianOf = (rounds: readonly Measured[], figure: keyof Measured): number =>
  median(rounds.map((round) => round[figure]));

/** The ratio of two figures within each round, then the middle: what else the machine does hits both. */
export const ratioOf = (ours: readonly Measured[], theirs: readonly Measured[], figure: keyof Measured): number =>
  median(ours.map((round, index) => round[figure] / (theirs[index] as Measured)[figure]));

/** Columns as wide as they need be, the first to the left and the others to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ')}`);
  }
}

/** A figure to three digits or so. */
export const shown = (number: number): string =>
  Number.isNaN(number)
    ? '-'
    : number >= 100
      ? Math.round(number).toLocaleString('en').replaceAll(',', ' ')
      : number.toFixed(number >= 10 ? 1 : 2);
