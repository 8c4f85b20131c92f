import type { Statement } from '../database/database.ts';

/** A row's key and what its context is made of, as PostgreSQL writes them. */
export type SealedRow = Readonly<Record<string, string>>;

/** A column of secrets that `createSecrets` has sealed; null in rows without one. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key and their types, in the order of the key. */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'bytea'>>;
  /** The other columns that the context is made of. */
  readonly contextColumns: readonly string[];
  /** The context that a row's secret was sealed with. */
  context(row: SealedRow): string;
}

/**
 * Describes a column of secrets, for `npm run secrets:reencrypt`. Every column that holds sealed secrets must be described:
 * `src/main/sealed-columns.ts` lists them.
 */
export function sealedColumn<Key extends string, Other extends string = never>(column: {
  table: string;
  column: string;
  key: Readonly<Record<Key, 'uuid' | 'text' | 'bytea'>>;
  contextColumns?: readonly Other[];
  context(row: Readonly<Record<Key | Other, string>>): string;
}): SealedColumn {
  return { contextColumns: [], ...column } as SealedColumn;
}

/** What an operator reads: `webhooks.secret`. */
export const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

/** A row of `scan`: its key, and which encryption key its secret needs. */
export type ScannedRow = SealedRow & {
  /** Null for no secret; empty for text that is not a sealed secret. */
  readonly needs: string | null;
};

/**
 * The next rows in the order of the primary key, with or without a secret, so that a statement reads a bounded part of the table.
 * Only the beginning of a secret is read.
 */
export function scan({ table, column, key }: SealedColumn, after: SealedRow | null, limit: number): Statement {
  const names = Object.keys(key);
  const place = Object.entries(key).map(([, type], at) => `$${at + 2}::${type}`);
  return {
    text: `SELECT ${names.map((name) => `r.${name}::text AS ${name}`).join(', ')},
        CASE WHEN r.${column} LIKE '1.%' THEN split_part(left(r.${column}, 40), '.', 2) WHEN r.${column} IS NOT NULL THEN '' END AS needs
      FROM (SELECT ${names.join(', ')}, ${column} FROM ${table}
        ${after === null ? '' : `WHERE (${names.join(', ')}) > (${place.join(', ')})`}
        ORDER BY ${names.join(', ')} LIMIT $1) r
      ORDER BY ${names.map((name) => `r.${name}`).join(', ')}`,
    values: [limit, ...(after === null ? [] : names.map((name) => after[name]))],
    query_timeout: timeoutMs,
  };
}

export type FetchedRow = SealedRow & { readonly sealed: string };

/** The secrets of some rows. */
export function fetchSealed(
  { table, column, key, contextColumns }: SealedColumn,
  rows: readonly SealedRow[],
): Statement {
  const names = Object.keys(key);
  return {
    text: `SELECT ${[...names, ...contextColumns].map((name) => `t.${name}::text AS ${name}`).join(', ')}, t.${column} AS sealed
      FROM ${table} t JOIN ${unnested(key, 1)} AS c (${names.join(', ')}) USING (${names.join(', ')})
      WHERE t.${column} IS NOT NULL`,
    values: valuesOf(names, rows),
    query_timeout: timeoutMs,
  };
}

/**
 * Replaces sealed secrets by compare-and-set. A row that another transaction has locked is skipped, so the statement never waits for a
 * lock; its own locks last for this one statement.
 */
export function replaceSealed(
  { table, column, key }: SealedColumn,
  rows: readonly (FetchedRow & { readonly fresh: string })[],
): Statement {
  const names = Object.keys(key);
  const [old, fresh] = [names.length + 1, names.length + 2];
  const same = (a: string, b: string) => names.map((name) => `${a}.${name} = ${b}.${name}`).join(' AND ');
  return {
    text: `WITH c AS (SELECT * FROM unnest(${[...arraysOf(key, 1), `$${old}::text[]`, `$${fresh}::text[]`].join(', ')})
          AS c (${names.join(', ')}, old_sealed, fresh_sealed)),
        held AS (SELECT ${names.map((name) => `t.${name}`).join(', ')} FROM ${table} t JOIN c ON ${same('t', 'c')}
          FOR NO KEY UPDATE OF t SKIP LOCKED)
      UPDATE ${table} t SET ${column} = c.fresh_sealed FROM c JOIN held ON ${same('held', 'c')}
      WHERE ${same('t', 'c')} AND t.${column} = c.old_sealed RETURNING 1`,
    values: [...valuesOf(names, rows), rows.map(({ sealed }) => sealed), rows.map((row) => row.fresh)],
    query_timeout: timeoutMs,
  };
}

const timeoutMs = 9_000;

const arraysOf = (key: SealedColumn['key'], first: number) =>
  Object.values(key).map((type, at) => `$${at + first}::${type}[]`);

const unnested = (key: SealedColumn['key'], first: number) => `unnest(${arraysOf(key, first).join(', ')})`;

const valuesOf = (names: readonly string[], rows: readonly SealedRow[]) =>
  names.map((name) => rows.map((row) => row[name]));
