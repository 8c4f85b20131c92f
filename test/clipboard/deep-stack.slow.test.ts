import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/deadline.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { keyOf, openTestInfrastructure, signUp } from '../support/services.ts';
import { storeStack } from './stored-stack.ts';

type Clipboard = ReturnType<typeof createServices>['clipboard'];

const depth = 100_000;
/** More often than the five times after which PostgreSQL may choose a generic plan. */
const times = 8;

const url = await createTestDatabase();
const clock = createManualClock();
let caller: Caller;
let uuid: string;

/** Works on the services by connections of its own, which are all gone afterwards. */
async function alone<Result>(work: (services: ReturnType<typeof createServices>) => Promise<Result>): Promise<Result> {
  const infrastructure = await openTestInfrastructure({ url, clock });
  try {
    return await work(createServices(infrastructure));
  } finally {
    await infrastructure.close();
  }
}

/** Works by one statement after the other on a connection of its own, which is gone afterwards. */
async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Touched {
  /** Rows and entries of indexes. */
  readonly read: number;
  readonly scans: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * What PostgreSQL has counted on the table so far. A connection reports what it did up to ten seconds later, and at its end;
 * so this waits until there is no other connection.
 */
const counted = (): Promise<Touched> =>
  withClient(async (client) => {
    await eventually('all other connections have ended', async () => {
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      return rows.length === 0;
    });
    const { rows } = await client.query<Touched>(
      `SELECT (t.seq_tup_read + t.idx_tup_fetch + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid))::int AS read,
         t.seq_scan::int AS scans, t.n_tup_ins::int AS inserted, t.n_tup_upd::int AS updated, t.n_tup_del::int AS deleted
       FROM pg_stat_user_tables t WHERE t.relname = 'clipboard_entries'`,
    );
    if (rows[0] === undefined) throw new Error('no counters');
    return rows[0];
  });

/** What one operation touches, done several times over: the sum. */
async function touchedBy(work: (clipboard: Clipboard) => Promise<unknown>): Promise<Touched> {
  // What other tests have deleted would be read again until its entries of indexes are gone.
  await withClient((client) => client.query('VACUUM (INDEX_CLEANUP ON) clipboard_entries'));
  const before = await counted();
  await alone(async ({ clipboard }) => {
    for (let i = 0; i < times; i++) await work(clipboard);
  });
  const after = await counted();
  return {
    read: after.read - before.read,
    scans: after.scans - before.scans,
    inserted: after.inserted - before.inserted,
    updated: after.updated - before.updated,
    deleted: after.deleted - before.deleted,
  };
}

beforeAll(async () => {
  caller = await alone(async (services) => (await keyOf(services, await signUp(services))).caller);
  await withClient(async (client) => {
    // PostgreSQL looks after the table only when it is told to here: what it reads for that would be counted too.
    await client.query('ALTER TABLE clipboard_entries SET (autovacuum_enabled = off)');
    await storeStack(client, {
      profileUuid: String(caller.principal?.profileUuid),
      count: depth,
      now: clock.now(),
    });
    await client.query('ANALYZE clipboard_entries');
  });
  ({ uuid } = await alone(({ clipboard }) => clipboard.set(caller, { name: 'n', value: 'v' })));
});

describe('A25: with a stack of 100 000 entries', () => {
  it('push writes one row, rewrites none and reads next to none', async () => {
    const touched = await touchedBy((clipboard) => clipboard.push(caller, { value: 'new' }));
    expect(touched).toMatchObject({ scans: 0, inserted: times, updated: 0, deleted: 0 });
    expect(touched.read).toBeLessThan(100);
  });

  it('pop deletes one row, rewrites none and reads next to none', async () => {
    const touched = await touchedBy((clipboard) => clipboard.pop(caller));
    expect(touched).toMatchObject({ scans: 0, inserted: 0, updated: 0, deleted: times });
    expect(touched.read).toBeLessThan(100);
  });

  it.each<[string, (clipboard: Clipboard) => Promise<unknown>]>([
    ['get of index 0', (clipboard) => clipboard.get(caller, { idx: 0 })],
    ['get by name', (clipboard) => clipboard.get(caller, { name: 'n' })],
    ['find by uuid', (clipboard) => clipboard.find(caller, [uuid])],
    ['delete of index 0', (clipboard) => clipboard.remove(caller, { idx: 0 })],
    ['set of a name that is there', (clipboard) => clipboard.set(caller, { name: 'n', value: 'w' })],
  ])('%s reads next to nothing', async (_title, work) => {
    const touched = await touchedBy(work);
    expect(touched.scans).toBe(0);
    expect(touched.read).toBeLessThan(100);
  });

  it('a page is bounded, and its places are right far down', () =>
    alone(async ({ clipboard }) => {
      const { entries: first, total } = await clipboard.page(caller, {});
      expect(first).toHaveLength(1000);
      const stack = total - ((await clipboard.get(caller, { name: 'n' })) ? 1 : 0);
      const deep = await clipboard.page(caller, { limit: 10, offset: 50_000 });
      expect(deep.entries.map(({ idx }) => idx)).toEqual(Array.from({ length: 10 }, (_, i) => 50_000 + i));
      const entry = await clipboard.get(caller, { idx: 50_000 });
      expect(entry).toEqual(deep.entries[0]);
      expect((await clipboard.get(caller, { idx: stack - 1 }))?.value).toBe('1');
      expect(await clipboard.get(caller, { idx: stack })).toBeNull();
    }));
});
