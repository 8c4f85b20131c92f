import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as statements from '../../src/notifications/statements.ts';
import { createTestServices, signUp } from '../support/services.ts';

const { services, url } = await createTestServices();
const sql = new Client({ connectionString: url });
const count = 20_000;
let profile: string;
let newest: string;
/** When everything is old. */
const later = new Date('2100-01-01');

beforeAll(async () => {
  await sql.connect();
  for (const owner of [await signUp(services), await signUp(services)]) {
    profile = String(owner.principal?.profileUuid);
    // One in a hundred is unread.
    await sql.query(
      `INSERT INTO notifications (uuid, profile_uuid, seq, type, message, metadata, created_at, read_at)
        SELECT gen_random_uuid(), $1, i, 'SYSTEM', repeat('x', 200), '{}', now(), CASE WHEN i % 100 = 0 THEN NULL ELSE now() END
        FROM generate_series(1, $2::int) i`,
      [profile, count],
    );
  }
  await sql.query('VACUUM ANALYZE notifications');
  const { rows } = await sql.query('SELECT uuid FROM notifications WHERE profile_uuid = $1 AND seq = $2', [
    profile,
    count - 3,
  ]);
  newest = rows[0].uuid;
});

afterAll(() => sql.end());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows that were read from tables and indexes, those among them that a filter refused too. */
const rowsRead = (plan: Plan): number =>
  (plan['Node Type'].includes('Scan') && !/CTE|Subquery|Function/.test(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);

describe(`of ${count} notifications, and as many of another profile`, () => {
  it.each<[string, number, () => { text: string; values?: unknown[] }]>([
    ['a page of the graph', 21, () => statements.before(profile, false, null, 21)],
    ['a page far behind', 21, () => statements.before(profile, false, 100, 21)],
    ['what is new', 3, () => statements.after(profile, count - 3, 100)],
    ['the place of one of the newest', 1 + 3, () => statements.placeOf(profile, newest, 1_001)],
    ['one by its id', 1, () => statements.find(profile, [newest])],
    // Of each: the entry of the index by age, that of the primary key, and the row.
    ['a purge of what was read', 3 * 10, () => statements.purgeRead(later, 90, 10)],
    ['a purge of what is unread', 3 * 10, () => statements.purgeUnread(later, 180, 10)],
    ['a purge of nothing', 0, () => statements.purgeRead(null, 90, 1_000)],
    ['one to mark', 1, () => statements.markRead(profile, null, newest)],
    ['one to delete', 1, () => statements.remove(profile, newest)],
    ['the number of all', 1, () => statements.count(profile, false)],
    ['the number of the unread', 1, () => statements.count(profile, true)],
    ['the numbers of the unread', 1, () => statements.unreadCounts([profile])],
    // The rows, and the counter of the profile.
    ['a page by offset with its totals', 20 + 1, () => statements.page(profile, false, 20, 0)],
  ])('%s reads at most %i rows', async (_what, rows, statementOf) => {
    const { text, values } = statementOf();
    await sql.query('BEGIN');
    const explained = await sql.query({
      text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      ...(values && { values }),
    });
    await sql.query('ROLLBACK');
    expect(rowsRead(explained.rows[0]['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(rows);
  });
});
