import { beforeAll, describe, expect, it } from 'vitest';
import * as statements from '../../src/collections/statements.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp } from '../support/services.ts';

const { services, database, url } = await createTestServices();
const owner = await signUp(services);
const profile = String(owner.principal?.profileUuid);
let collections: string[] = [];
const servers: string[] = [];

beforeAll(async () => {
  const uuidsOf = (rows: { uuid: string }[]) => rows.map(({ uuid }) => uuid);
  // Each is made findable, too: all of them in one statement would take longer than a statement may.
  for (let from = 1; from <= 20_000; from += 1_000)
    servers.push(
      ...uuidsOf(
        await database.query({
          text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, transports, is_public, created_at, updated_at)
            SELECT gen_random_uuid(), $1, 'planned-' || i, 'x', 'stdio', '{stdio}', true, now(), now()
            FROM generate_series($2::int, $2::int + 999) i RETURNING uuid`,
          query_timeout: 9_000,
          values: [profile, from],
        }),
      ),
    );
  collections = uuidsOf(
    await database.query({
      text: `INSERT INTO collections (uuid, profile_uuid, name, is_public, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'x', true, now(), now() FROM generate_series(1, 30000) RETURNING uuid`,
      query_timeout: 30_000,
      values: [profile],
    }),
  ).slice(0, 70);
  await database.query({
    text: `INSERT INTO collection_servers (collection_uuid, position, server_uuid)
      SELECT c.uuid, s.place, s.uuid FROM unnest($1::uuid[]) AS c (uuid) CROSS JOIN LATERAL (
        SELECT uuid, row_number() OVER ()::int - 1 AS place FROM mcp_servers LIMIT 300) s`,
    values: [collections],
    query_timeout: 30_000,
  });
  await database.query({ text: 'ANALYZE collections, collection_servers, mcp_servers' });
});

describe.each(['force_generic_plan', 'force_custom_plan'])(
  'with 300 servers of 20 000 in each of 70 collections, by a plan of %s',
  (mode) => {
    const page = { first: 20, afters: Array.from({ length: 70 }, () => -1), isWhole: true, rowsMax: 10_001 };
    it.each<[string, number, () => ReturnType<typeof statements.counts>]>([
      // Of each server: its place and itself, twice; and the collection.
      [
        'a page of a collection',
        3 * 21 + 2,
        () => statements.places(null, collections.slice(0, 1), { ...page, afters: [-1] }),
      ],
      [
        'a page far behind',
        3 * 21 + 2,
        () => statements.places(null, collections.slice(0, 1), { ...page, afters: [200] }),
      ],
      [
        'pages of ten',
        10 * (3 * 21 + 2),
        () => statements.places(profile, collections.slice(0, 10), { ...page, afters: page.afters.slice(0, 10) }),
      ],
      ['how many there are', 3 * 300 + 2, () => statements.counts(null, collections.slice(0, 1))],
      ['what an import installs', 3 * 300, () => statements.serversOf(collections[0] as string, null)],
      ['what a list names', 2 * 20, () => statements.holdServers(profile, servers.slice(0, 20))],
    ])('%s reads at most %i rows', async (_what, rows, statementOf) => {
      const client = await connectExplaining(url, mode);
      try {
        expect((await explainAgain(client, statementOf)).rowsRead).toBeLessThanOrEqual(rows);
      } finally {
        await client.end();
      }
    });
  },
);
