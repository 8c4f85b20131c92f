import { beforeAll, describe, expect, it } from 'vitest';
import * as statements from '../../src/mcp-servers/statements.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp } from '../support/services.ts';

const { database, services, clock, url } = await createTestServices();
const { principal } = await signUp(services);
const stored = 20_000;
const counted = 40;
const old = 30;
const dayMs = 86_400_000;

beforeAll(async () => {
  for (let from = 1; from <= stored; from += 5_000)
    await database.query({
      text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, installations, ratings_count, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 's' || n, 's', 'stdio', CASE WHEN n <= $4 / 2 THEN 1 ELSE 0 END,
          CASE WHEN n BETWEEN $4 / 2 + 1 AND $4 THEN 1 ELSE 0 END, $2, $2
        FROM generate_series($3::int, $3::int + 4999) n`,
      values: [principal?.profileUuid, clock.now(), from, counted],
      query_timeout: 9_000,
    });
  await database.query({
    text: `INSERT INTO mcp_server_days (server_uuid, day)
      SELECT uuid, ($1::timestamptz AT TIME ZONE 'UTC')::date - CASE WHEN slug IN (SELECT 's' || generate_series(1, $2::int)) THEN 40 ELSE 5 END
      FROM mcp_servers`,
    values: [clock.now(), old],
    query_timeout: 9_000,
  });
  await database.query({ text: 'ANALYZE' });
});

describe.each(['force_generic_plan', 'force_custom_plan'])(`with ${stored} servers, by a plan of %s`, (mode) => {
  const first = '00000000-0000-0000-0000-000000000000';
  it.each<[string, number, () => ReturnType<typeof statements.holdCounted>]>([
    ['what is to be counted anew', counted, () => statements.holdCounted(first, 100)],
    ['a page of that', 10, () => statements.holdCounted(first, 10)],
    // Each where its day stands, and where it goes.
    ['a purge of days', 2 * old, () => statements.purgeDays(new Date(clock.now().getTime() - 31 * dayMs), 5_000)],
  ])('%s reads at most %i rows', async (_what, rows, statementOf) => {
    const client = await connectExplaining(url, mode);
    try {
      expect((await explainAgain(client, statementOf)).rowsRead).toBeLessThanOrEqual(rows);
    } finally {
      await client.end();
    }
  });
});
