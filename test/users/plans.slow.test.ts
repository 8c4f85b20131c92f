import { beforeAll, describe, expect, it } from 'vitest';
import * as statements from '../../src/users/statements.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createUserServices } from './user-services.ts';

const { sql, someone, url } = await createUserServices();
const count = 20_000;
const star = await someone();
/** Followed by hidden users alone, and before them by two that are shown. */
const shunned = await someone();

beforeAll(async () => {
  await sql.query(
    `WITH made AS (
        INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
        SELECT gen_random_uuid(), n, n, n, n, '', now(), now() FROM (SELECT 'fan-' || i AS n FROM generate_series(1, $1::int) i) names
        RETURNING uuid)
      INSERT INTO user_profiles (user_uuid, is_public) SELECT uuid, true FROM made`,
    [count],
  );
  await sql.query(
    `INSERT INTO user_follows SELECT uuid, $1, now() - random() * interval '1 year' FROM users WHERE uuid <> $1
      UNION ALL SELECT $1, uuid, now() - random() * interval '1 year' FROM users WHERE uuid <> $1`,
    [star.uuid],
  );
  const shown = [await someone(), await someone()];
  for (const { uuid } of shown)
    await sql.query(`INSERT INTO user_follows VALUES ($1, $2, now() - interval '2 years')`, [uuid, shunned.uuid]);
  await sql.query(
    `WITH made AS (
        INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
        SELECT gen_random_uuid(), n, n, n, n, '', now(), now() FROM (SELECT 'ghost-' || i AS n FROM generate_series(1, $1::int) i) names
        RETURNING uuid)
      INSERT INTO user_follows SELECT uuid, $2, now() FROM made`,
    [count, shunned.uuid],
  );
  await sql.query('VACUUM ANALYZE users, user_profiles, user_follows');
});

describe.each(['force_generic_plan', 'force_custom_plan'])(`with ${count} followers, by a plan of %s`, (mode) => {
  const last = { createdAt: new Date('2020-01-01'), uuid: star.uuid };
  it.each<[string, number, () => ReturnType<typeof statements.byName>]>([
    // Of each the follow; and the owner's three.
    ['a page of followers', 21 + 5, () => statements.pages('followers', null, [star.uuid], { first: 20, after: null })],
    ['a page of following', 21 + 5, () => statements.pages('following', null, [star.uuid], { first: 20, after: null })],
    [
      'a page of followers of whom all but two are hidden',
      2 + 5,
      () => statements.pages('followers', null, [shunned.uuid], { first: 20, after: null }),
    ],
    [
      'the number of followers of whom all but two are hidden',
      2 + 5,
      () => statements.counts('followers', null, [shunned.uuid]),
    ],
    ['a page far behind', 5, () => statements.pages('followers', null, [star.uuid], { first: 20, after: last })],
    ['a profile', 3, () => statements.byName(star.uuid, 'fan-77')],
    ['a profile by its id', 3, () => statements.find(star.uuid, [star.uuid], true)],
  ])('%s reads at most %i rows', async (_what, rows, statementOf) => {
    const client = await connectExplaining(url, mode);
    try {
      expect((await explainAgain(client, statementOf)).rowsRead).toBeLessThanOrEqual(rows);
    } finally {
      await client.end();
    }
  });
});
