import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as statements from '../../src/clipboard/statements.ts';
import { type Asked, connectExplaining, type Explained, explain, explainAgain, type Plan } from '../support/explain.ts';
import { newEntry } from '../support/new-clipboard-entry.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';

/** How deep the stack is, and how many names the profile has; as many entries again are others'. */
const depth = 100_000;
const names = 2_000;
const pinned = null;

const { services, database, url, statements: heard } = await createTestServices();
const user = await signUp(services);
const { secret, caller } = await keyOf(services, user);
const profile = String(caller.principal?.profileUuid);
const project = String(caller.principal?.projectUuid);

/** Adds entries as the product would have stored them. */
const fill = `
  INSERT INTO clipboard_entries (uuid, profile_uuid, name, seq, value, content_type, encoding, size_bytes, visibility, source,
      created_at, updated_at, expires_at)
    SELECT gen_random_uuid(), owner, CASE WHEN n > $2 THEN 'n' || n END, CASE WHEN n <= $2 THEN nextval('clipboard_seq') END, 'value', 'text/plain',
      'utf-8', 5, 'private', 'sdk', now(), now(), now() + interval '1 day' FROM unnest($1::uuid[]) owner, generate_series(1, $2::int + $3::int) n`;

const eightEntries = () => Array.from({ length: 8 }, () => newEntry());
const oldName = `n${depth + 7}`;
const wanted = {
  limit: 20,
  offset: 0,
  filter: {},
  after: null,
  withTotal: false,
  withValues: true,
  bytesMax: 2 ** 24,
};

let newest: string[] = [];
let keyVerification: Asked;

const byName = ['clipboard_entries_profile_uuid_name_key'];
const byPlace = ['clipboard_entries_profile_uuid_seq_expires_at_idx'];
const byUuid = ['clipboard_entries_pkey'];

interface Hot {
  readonly asked: () => Asked;
  /** The indexes of the entries that it reads, and no others. */
  readonly indexes: readonly string[];
  /** What it may read whatever lies below, in rows of all tables: a push reads its profile to refer to it. */
  readonly rowsMax: number;
  readonly isStack?: true;
}

/** The hot statements as the product words them. (A rate limit without Redis asks the database nothing.) */
const hot: Record<string, Hot> = {
  'get by name': { asked: () => statements.getByName(profile, pinned, oldName), indexes: byName, rowsMax: 1 },
  'get by index 0': {
    asked: () => statements.getByIndex(profile, pinned, 0),
    indexes: byPlace,
    rowsMax: 2,
    isStack: true,
  },
  'get by index 10': {
    asked: () => statements.getByIndex(profile, pinned, 10),
    indexes: byPlace,
    rowsMax: 12,
    isStack: true,
  },
  'set of a new name': { asked: () => statements.set(profile, pinned, 'new', newEntry()), indexes: [], rowsMax: 1 },
  'set of an old name': { asked: () => statements.set(profile, pinned, oldName, newEntry()), indexes: [], rowsMax: 1 },
  push: { asked: () => statements.pushOne(profile, pinned, newEntry()), indexes: [], rowsMax: 1, isStack: true },
  pop: { asked: () => statements.pop(profile, pinned, 1), indexes: byPlace, rowsMax: 2, isStack: true },
  '8 pops and 8 pushes in one call': {
    asked: () => statements.changeStack(profile, pinned, 8, eightEntries()),
    indexes: byPlace,
    rowsMax: 24,
    isStack: true,
  },
  'delete by name': { asked: () => statements.removeByName(profile, pinned, oldName), indexes: byName, rowsMax: 1 },
  'delete by index 10': {
    asked: () => statements.removeByIndex(profile, pinned, 10),
    indexes: byPlace,
    rowsMax: 12,
    isStack: true,
  },
  'find by uuid': {
    asked: () => statements.findByUuid(profile, pinned, project, newest, 1_000_000),
    indexes: [...byUuid, ...byPlace],
    rowsMax: 15,
  },
  'the first page': {
    asked: () => statements.page(profile, pinned, wanted),
    indexes: byPlace,
    rowsMax: 21,
  },
  'key verification': { asked: () => keyVerification, indexes: [], rowsMax: 4 },
};

/** A row is a few pages of an index and one of the table, and a write some of every index. */
const pagesMaxOf = ({ rowsMax }: Hot) => 60 + 6 * rowsMax;

function expectFrugal(hottest: Hot, { nodes, rowsRead, pages }: Explained): void {
  const done = nodes.filter((node) => (node['Actual Loops'] ?? 0) > 0);
  const isLarge = (node: Plan) => /^(clipboard_entries|api_keys)$/.test(node['Relation Name'] ?? '');
  expect(done.filter((node) => node['Node Type'] === 'Seq Scan' && isLarge(node))).toEqual([]);
  const indexes = done
    .flatMap((node) => node['Index Name'] ?? [])
    .filter((name) => name.startsWith('clipboard_entries'));
  expect([...new Set(indexes)].sort()).toEqual([...hottest.indexes].sort());
  expect(rowsRead).toBeLessThanOrEqual(hottest.rowsMax);
  expect(pages).toBeLessThanOrEqual(pagesMaxOf(hottest));
}

const clients = new Map<string, Client>();
const clientOf = (title: string) => clients.get(title) as Client;

beforeAll(async () => {
  await services.auth.apiKeys.verify(secret);
  const text = heard.findLast((each) => each.includes('FROM api_keys k')) as string;
  const [key] = await database.query<{ key_hash: Buffer }>({ text: 'SELECT key_hash FROM api_keys' });
  keyVerification = { name: 'key_verification', text, values: [key?.key_hash, null] };
  const filler = await connectExplaining(url, 'auto');
  clients.set('filler', filler);
  // No other session updates statistics here.
  await filler.query('ALTER TABLE clipboard_entries SET (autovacuum_enabled = off)');
  clients.set('planned while empty', await connectExplaining(url, 'force_generic_plan'));
  for (const { asked } of Object.values(hot)) await explain(clientOf('planned while empty'), asked());
  await filler.query('RESET auto_explain.log_min_duration');
  // The profiles are there; to look up each for each of its entries would take most of the time.
  await filler.query('SET session_replication_role = replica');
  const others = await filler.query<{ uuid: string }>(
    `INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'other', now(), now() FROM generate_series(1, 50) RETURNING uuid`,
    [project],
  );
  await filler.query(
    `INSERT INTO api_keys (uuid, profile_uuid, name, prefix, key_hash, scopes, created_at)
      SELECT gen_random_uuid(), $1, 'k', 'pbk_', sha256(n::text::bytea), '{read}', now() FROM generate_series(1, 10000) n`,
    [profile],
  );
  await filler.query(fill, [[profile], depth, names]);
  await filler.query(fill, [others.rows.map(({ uuid }) => uuid), 200, 200]);
  const top = await filler.query<{ uuid: string }>(
    'SELECT uuid FROM clipboard_entries WHERE profile_uuid = $1 AND seq IS NOT NULL ORDER BY seq DESC LIMIT 3',
    [profile],
  );
  newest = top.rows.map(({ uuid }) => uuid);
});

afterAll(async () => {
  for (const client of clients.values()) await client.end();
});

describe('with a plan made while the table was empty', () => {
  it.each(Object.entries(hot).filter(([, { isStack }]) => isStack))(
    '%s still walks the index (A25)',
    async (_title, hottest) => {
      expectFrugal(hottest, await explainAgain(clientOf('planned while empty'), hottest.asked));
    },
  );
});

describe.each(['force_generic_plan', 'force_custom_plan'])('with %s, 100 000 entries deep', (mode) => {
  beforeAll(async () => {
    if (!clients.has('force_generic_plan'))
      await clientOf('filler').query('VACUUM ANALYZE clipboard_entries, api_keys');
    clients.set(mode, await connectExplaining(url, mode));
  });

  it.each(Object.entries(hot))('%s reads only the rows that it needs, by index (A25)', async (_title, hottest) => {
    expectFrugal(hottest, await explainAgain(clientOf(mode), hottest.asked));
  });
});

it('a push writes one row and a pop takes one, however deep the stack is (A25)', async () => {
  const client = clientOf('filler');
  // The figures are those of the connection, what it took back earlier too.
  const rowsWritten = async () => {
    const { rows } = await client.query<{ inserted: number; changed: number }>(
      `SELECT n_tup_ins::int AS inserted, (n_tup_upd + n_tup_del)::int AS changed
        FROM pg_stat_xact_user_tables WHERE relname = 'clipboard_entries'`,
    );
    return rows[0] ?? { inserted: 0, changed: 0 };
  };
  const written = async (asked: Asked) => {
    await client.query('BEGIN');
    const before = await rowsWritten();
    await client.query({ text: asked.text, values: [...(asked.values ?? [])] });
    const after = await rowsWritten();
    await client.query('ROLLBACK');
    return { inserted: after.inserted - before.inserted, changed: after.changed - before.changed };
  };
  expect(await written(statements.pushOne(profile, pinned, newEntry()))).toEqual({ inserted: 1, changed: 0 });
  expect(await written(statements.pop(profile, pinned, 1))).toEqual({ inserted: 0, changed: 1 });
});
