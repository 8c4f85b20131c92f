import type { Platform } from '../platform/platform.ts';

const dayMs = 86_400_000;

/** The tables of telemetry, each partitioned by the days of `at`, in UTC from the Unix epoch. */
const tables = [
  { name: 'agent_heartbeats', days: 1, kept: 'telemetry' },
  { name: 'agent_metrics', days: 1, kept: 'telemetry' },
  { name: 'agent_metric_buckets', days: 30, kept: 'series' },
] as const;
type Table = (typeof tables)[number];

/** Partitions beyond the current one that are made ahead: work of some days that the job may miss. */
const aheadDays = 3;
/** Reads and writes wait behind a change of partitions that waits for its lock. */
const lockTimeoutMs = 1_000;
/** Rows of one statement that clears a default partition. */
const clearedRows = 5_000;

export type Partitions = ReturnType<typeof createPartitions>;

/**
 * Makes the partitions of telemetry ahead, and drops them when their time is over. Each table has a default partition, so that an
 * insert never needs this.
 *
 * @param days.telemetry Days that heartbeats and metric reports are kept.
 * @param days.series Days that the series of metrics are kept.
 */
export function createPartitions({
  database,
  clock,
  days,
}: Pick<Platform, 'database' | 'clock'> & {
  readonly days: { readonly telemetry: number; readonly series: number };
}) {
  let madeOn = Number.NaN;
  let making: Promise<unknown> = Promise.resolve();

  /**
   * Resolves when this process has checked the partitions of today: once a day it creates the missing ones. It never
   * rejects, because the default partition accepts all other rows.
   */
  async function ready(): Promise<void> {
    const today = Math.floor(clock.now().getTime() / dayMs);
    if (today !== madeOn) {
      madeOn = today;
      making = make().catch((error: unknown) => database.report(error, 'partitions of telemetry could not be made'));
    }
    await making;
  }

  /**
   * By the clock that stamps the rows: a process whose clock is ahead must not drop new rows. @returns Milliseconds.
   */
  async function databaseNow(): Promise<number> {
    const [row] = await database.query<{ now: Date }>({
      name: 'agent_telemetry_now',
      text: 'SELECT coalesce($1::timestamptz, clock_timestamp()) AS now',
      values: [clock.pinned()],
    });
    return (row?.now ?? clock.now()).getTime();
  }

  /** Makes the partitions of today and the next days that are missing. @returns How many. */
  async function make(): Promise<number> {
    const now = await databaseNow();
    let made = 0;
    for (const table of tables) {
      const existing = new Set((await partitionsOf(table)).map(({ start }) => start));
      const span = table.days * dayMs;
      for (let start = Math.floor(now / span) * span; start <= now + aheadDays * dayMs; start += span)
        if (!existing.has(start) && (await makeOne(table, start))) made += 1;
    }
    return made;
  }

  /** @returns false where the partition exists by now, or the default partition holds rows of its days: they stay there. */
  async function makeOne(table: Table, start: number): Promise<boolean> {
    const name = `${table.name}_${dayOf(start)}`;
    const end = start + table.days * dayMs;
    return database.transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
      await tx.query({ text: `SELECT pg_advisory_xact_lock(hashtext('telemetry partitions'))` });
      // Inserts of these days have no other place than the default partition: they wait, and find the new one.
      await tx.query({ text: `LOCK TABLE ${table.name}_default IN SHARE ROW EXCLUSIVE MODE` });
      const [found] = await tx.query<{ exists: boolean }>({
        text: `SELECT to_regclass($1) IS NOT NULL OR EXISTS (SELECT FROM ${table.name}_default WHERE at >= $2 AND at < $3) AS exists`,
        values: [name, new Date(start), new Date(end)],
      });
      if (found?.exists) return false;
      // Attaching, unlike creating in place, lets the inserts into other partitions go on.
      await tx.query({ text: `CREATE TABLE ${name} (LIKE ${table.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)` });
      await tx.query({
        text: `ALTER TABLE ${table.name} ATTACH PARTITION ${name} FOR VALUES FROM ('${instantOf(start)}') TO ('${instantOf(end)}')`,
      });
      return true;
    });
  }

  /** Drops the partitions all of whose rows are older than they are kept, and such rows of the default partitions. @returns How many partitions. */
  async function drop(): Promise<number> {
    const now = await databaseNow();
    let dropped = 0;
    for (const table of tables) {
      const oldest = now - days[table.kept] * dayMs;
      for (const { name, start } of await partitionsOf(table)) {
        if (start + table.days * dayMs > oldest) continue;
        await database.transaction(async (tx) => {
          await tx.query({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
          await tx.query({ text: `DROP TABLE IF EXISTS ${name}` });
        });
        dropped += 1;
      }
      await clearDefault(table, new Date(oldest));
    }
    return dropped;
  }

  async function clearDefault({ name }: Table, oldest: Date): Promise<void> {
    for (;;) {
      const rows = await database.query({
        query_timeout: 9_000,
        text: `DELETE FROM ${name}_default WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${name}_default WHERE at < $1 LIMIT $2)) RETURNING 1`,
        values: [oldest, clearedRows],
      });
      if (rows.length < clearedRows) return;
    }
  }

  /** The partitions of a table except for the default one. Their names hold their first day. */
  async function partitionsOf(table: Table): Promise<{ name: string; start: number }[]> {
    const rows = await database.query<{ name: string }>({
      name: 'agent_telemetry_partitions',
      text: `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = $1::regclass ORDER BY c.relname`,
      values: [table.name],
    });
    return rows.flatMap(({ name }) => {
      const [, year, month, day] = /_(\d{4,})(\d\d)(\d\d)$/.exec(name) ?? [];
      return day === undefined ? [] : [{ name, start: Date.UTC(Number(year), Number(month) - 1, Number(day)) }];
    });
  }

  return { ready, make, drop };
}

const instantOf = (milliseconds: number) => new Date(milliseconds).toISOString();

const dayOf = (milliseconds: number) => instantOf(milliseconds).slice(0, 10).replaceAll('-', '');
