import type { Database } from '../database/database.ts';
import type { EncryptionKey } from './encryption-keys.ts';
import {
  type FetchedRow,
  fetchSealed,
  nameOf,
  replaceSealed,
  type ScannedRow,
  type SealedColumn,
  type SealedRow,
  scan,
} from './sealed-columns.ts';
import { createSecrets, SealError } from './secrets.ts';

/** Rows that one statement looks through, and secrets that one statement replaces. */
const [scannedAtOnce, replacedAtOnce] = [1_000, 100];
/** A secret that another transaction held is tried again this often. */
const roundsMax = 3;

/** How many secrets of a column need a key. */
export interface KeyUse {
  /** `webhooks.secret`. */
  readonly column: string;
  /** Empty for texts that are no sealed secrets. */
  readonly keyId: string;
  readonly count: number;
}

/** How far a column is: `done` of the `total` secrets that were sealed by older keys. */
export interface ReencryptionProgress {
  readonly column: string;
  readonly done: number;
  readonly total: number;
}

export interface ReencryptionOutcome {
  readonly reencrypted: number;
  /** Secrets of a key that is there which it does not open, by column; they stay as they are. */
  readonly unopened: ReadonlyMap<string, number>;
  /** As it stands afterwards. */
  readonly uses: readonly KeyUse[];
}

/**
 * Seals every secret again that is not sealed by the first key. Other processes may read and write in the meantime: a
 * secret is replaced only if it is still the one that was read, and each statement is its own transaction. An
 * interrupted run can be repeated, because secrets that are sealed by the first key are skipped.
 *
 * @param options.keys As `encryptionKeysOf` returns them.
 * @param options.columns All columns with sealed secrets. A column from which secrets are copied comes before the one
 * that they are copied to.
 */
export function createReencryption(options: {
  database: Pick<Database, 'query'>;
  keys: readonly EncryptionKey[];
  columns: readonly SealedColumn[];
}) {
  const { database, keys, columns } = options;
  const secrets = createSecrets({ keys });
  const current = keys[0]?.id ?? '';
  const older = new Set(keys.slice(1).map(({ id }) => id));

  /** The rows of a column in portions. */
  async function* portions(column: SealedColumn): AsyncGenerator<ScannedRow[]> {
    let after: SealedRow | null = null;
    for (;;) {
      const rows: ScannedRow[] = await database.query<ScannedRow>(scan(column, after, scannedAtOnce));
      yield rows;
      if (rows.length < scannedAtOnce) return;
      after = rows.at(-1) ?? null;
    }
  }

  /** Counts which keys the secrets need. */
  async function survey(signal?: AbortSignal): Promise<KeyUse[]> {
    const uses: KeyUse[] = [];
    for (const column of columns) {
      const counts = new Map<string, number>();
      for await (const rows of portions(column)) {
        signal?.throwIfAborted();
        for (const { needs } of rows) if (needs !== null) counts.set(needs, (counts.get(needs) ?? 0) + 1);
      }
      for (const [keyId, count] of counts) uses.push({ column: nameOf(column), keyId, count });
    }
    return uses;
  }

  /** @returns The secret sealed by the first key; null where it cannot be opened. */
  function resealed(column: SealedColumn, row: FetchedRow): string | null {
    const context = column.context(row);
    try {
      return secrets.seal(secrets.open(row.sealed, context), context);
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }

  /** @returns How many were replaced, and how many could not be opened. */
  async function replace(column: SealedColumn, rows: readonly SealedRow[]) {
    const fetched = await database.query<FetchedRow>(fetchSealed(column, rows));
    const opened: (FetchedRow & { fresh: string })[] = [];
    let unopened = 0;
    // Another process may have sealed one of them by the first key since.
    for (const row of fetched.filter(({ sealed }) => !sealed.startsWith(`1.${current}.`))) {
      const fresh = resealed(column, row);
      if (fresh === null) unopened++;
      else opened.push({ ...row, fresh } as FetchedRow & { fresh: string });
    }
    const replaced = opened.length === 0 ? [] : await database.query(replaceSealed(column, opened));
    return { replaced: replaced.length, unopened };
  }

  /** Goes once through a column. @returns As `replace`. */
  async function runColumn(column: SealedColumn, total: number, { onProgress, signal }: RunOptions) {
    let [done, replaced, unopened] = [0, 0, 0];
    for await (const rows of portions(column)) {
      const due = rows.filter(({ needs }) => needs !== null && older.has(needs));
      for (let at = 0; at < due.length; at += replacedAtOnce) {
        signal?.throwIfAborted();
        const portion = due.slice(at, at + replacedAtOnce);
        const result = await replace(column, portion);
        replaced += result.replaced;
        unopened += result.unopened;
        done += portion.length;
        onProgress?.({ column: nameOf(column), done, total: Math.max(total, done) });
      }
    }
    return { replaced, unopened };
  }

  /** @throws The reason of the signal, after the statement that was under way. */
  async function run(runOptions: RunOptions = {}): Promise<ReencryptionOutcome> {
    const unopened = new Map<string, number>();
    let uses = await survey(runOptions.signal);
    let reencrypted = 0;
    const dueOf = (column: string) =>
      uses.filter((use) => use.column === column && older.has(use.keyId)).reduce((sum, { count }) => sum + count, 0);
    const isDue = (column: SealedColumn) => dueOf(nameOf(column)) > (unopened.get(nameOf(column)) ?? 0);
    for (let round = 0; round < roundsMax && columns.some(isDue); round++) {
      for (const column of columns.filter(isDue)) {
        const result = await runColumn(column, dueOf(nameOf(column)), runOptions);
        reencrypted += result.replaced;
        unopened.set(nameOf(column), result.unopened);
      }
      uses = await survey(runOptions.signal);
    }
    return { reencrypted, unopened: new Map([...unopened].filter(([, count]) => count > 0)), uses };
  }

  return { survey, run };
}

interface RunOptions {
  readonly onProgress?: (progress: ReencryptionProgress) => void;
  readonly signal?: AbortSignal;
}
