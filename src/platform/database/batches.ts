import type { QueryResultRow } from 'pg';
import type { Database, Statement } from './database.ts';

/**
 * Repeats a statement that changes a bounded number of rows until it finds fewer.
 *
 * @param statement Makes the statement, from the most rows that it may change.
 * @param each Receives the returned rows of each statement.
 * @returns The number of changed rows.
 */
export async function inBatches<Row extends QueryResultRow>(
  database: Pick<Database, 'query'>,
  batchRows: number,
  statement: (batchRows: number) => Statement,
  each: (rows: readonly Row[]) => unknown = () => undefined,
): Promise<number> {
  for (let total = 0; ; ) {
    const rows = await database.query<Row>(statement(batchRows));
    await each(rows);
    total += rows.length;
    if (rows.length < batchRows) return total;
  }
}
