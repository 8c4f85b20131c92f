import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { type FoundRow, findByUuid } from '../../src/clipboard/statements.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { storeStack } from './stored-stack.ts';

const { services, database, clock, statements, url } = await createTestServices();
// What fills tables takes longer than the product lets any statement take.
const sql = new Client({ connectionString: url });
await sql.connect();
afterAll(() => sql.end());
const { clipboard } = services;

/** A new profile, as its key. */
const someone = async () => (await keyOf(services, await signUp(services))).caller;
const profileOf = (caller: Caller) => String(caller.principal?.profileUuid);
const apiError = (code: string) => expect.objectContaining({ name: 'ApiError', code });

/** Rows of the profile that are stored, expired or not. */
async function stored(caller: Caller): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    text: 'SELECT count(*)::int AS count FROM clipboard_entries WHERE profile_uuid = $1',
    values: [profileOf(caller)],
  });
  return row?.count ?? 0;
}

/** A stack written by SQL; entries numbered from `expiredFrom` on have expired. */
const fill = (caller: Caller, count: number, expiredFrom: number) =>
  storeStack(sql, { profileUuid: profileOf(caller), count, now: clock.now(), expiredFrom });

describe('who may', () => {
  /** Every function of the service, by the scope that it needs. */
  const reads: Record<string, (caller: Caller) => unknown> = {
    get: (caller) => clipboard.get(caller, { name: 'n' }),
    find: (caller) => clipboard.find(caller, [randomUUID()]),
    page: (caller) => clipboard.page(caller, {}),
    connection: (caller) => clipboard.connection(caller, {}),
    count: (caller) => clipboard.count(caller, {}),
    changed: async (caller) => (await clipboard.changed(caller)).return(),
  };
  const writes: Record<string, (caller: Caller) => unknown> = {
    set: (caller) => clipboard.set(caller, { name: 'n', value: 'v' }),
    push: (caller) => clipboard.push(caller, { value: 'v' }),
    pop: (caller) => clipboard.pop(caller),
    remove: (caller) => clipboard.remove(caller, { name: 'n' }),
    clear: (caller) => clipboard.clear(caller),
  };
  const all = { ...reads, ...writes };
  const attempt = async (work: (caller: Caller) => unknown, caller: Caller) => work(caller);

  it('covers every function that takes a caller', () => {
    expect(Object.keys(clipboard).sort()).toEqual([...Object.keys(all), 'purgeExpired', 'removeContents'].sort());
  });

  it.each(Object.entries(all))(
    '%s refuses an anonymous caller with UNAUTHORIZED, without a statement',
    async (_name, work) => {
      statements.length = 0;
      await expect(attempt(work, anonymous())).rejects.toEqual(apiError('UNAUTHORIZED'));
      expect(statements).toEqual([]);
    },
  );

  it.each([
    ...Object.entries(reads).map(([name, work]) => [name, 'read', 'write', work] as const),
    ...Object.entries(writes).map(([name, work]) => [name, 'write', 'read', work] as const),
  ])('%s needs the scope %s: a key with %s alone is FORBIDDEN', async (_name, _needed, held, work) => {
    const user = await signUp(services);
    const { caller } = await keyOf(services, user, { scopes: [held] });
    statements.length = 0;
    await expect(attempt(work, caller)).rejects.toEqual(apiError('FORBIDDEN'));
    expect(statements).toEqual([]);
  });

  it('a key with the scope admin alone is FORBIDDEN everywhere', async () => {
    const { caller } = await keyOf(services, await signUp(services), { scopes: ['admin'] });
    for (const work of Object.values(all)) await expect(attempt(work, caller)).rejects.toEqual(apiError('FORBIDDEN'));
  });
});

describe('statements', () => {
  it('one statement per operation', async () => {
    const caller = await someone();
    await clipboard.set(caller, { name: 'n', value: 'v' });
    const { uuid } = await clipboard.push(caller, { value: 'v' });
    const operations: Record<string, () => Promise<unknown>> = {
      set: () => clipboard.set(caller, { name: 'n', value: 'v' }),
      push: () => clipboard.push(caller, { value: 'v' }),
      'get by name': () => clipboard.get(caller, { name: 'n' }),
      'get by index': () => clipboard.get(caller, { idx: 0 }),
      find: () => clipboard.find(caller, [uuid, randomUUID()]),
      page: () => clipboard.page(caller, {}),
      connection: () => clipboard.connection(caller, {}),
      count: () => clipboard.count(caller, {}),
      pop: () => clipboard.pop(caller),
      'remove by index': () => clipboard.remove(caller, { idx: 0 }),
      'remove by name': () => clipboard.remove(caller, { name: 'n' }),
      clear: () => clipboard.clear(caller),
    };
    for (const [name, work] of Object.entries(operations)) {
      statements.length = 0;
      await work();
      // The time of use of the caller's key is written behind the request, at any moment.
      const own = statements.filter((text) => !text.includes('last_used_at'));
      expect([name, own.length]).toEqual([name, 1]);
    }
  });
});

describe('purgeExpired', () => {
  it('deletes expired entries of every profile, and no live one', verifies('clipboard.expiry.purge'), async () => {
    const [a, b] = [await someone(), await someone()];
    for (const caller of [a, b]) {
      await clipboard.set(caller, { name: 'brief', value: 'v', ttlSeconds: 1 });
      await clipboard.set(caller, { name: 'long', value: 'v', ttlSeconds: 2 });
      await clipboard.push(caller, { value: 'brief', ttlSeconds: 1 });
      await clipboard.push(caller, { value: 'long', ttlSeconds: 2 });
    }
    clock.advance(999);
    expect(await clipboard.purgeExpired()).toBe(0);
    clock.advance(1);
    expect(await clipboard.purgeExpired()).toBe(4);
    expect(await clipboard.purgeExpired()).toBe(0);
    for (const caller of [a, b]) {
      expect(await stored(caller)).toBe(2);
      const { entries } = await clipboard.page(caller, {});
      expect(entries.map(({ name, idx, value }) => [name, idx, value])).toEqual([
        [null, 0, 'long'],
        ['long', null, 'v'],
      ]);
    }
  });

  it('takes more than one batch, and two at once take each row once', async () => {
    const caller = await someone();
    await fill(caller, 3_500, 501);
    const purged = await Promise.all([clipboard.purgeExpired(), clipboard.purgeExpired()]);
    expect(purged[0] + purged[1]).toBe(3_000);
    expect(await stored(caller)).toBe(500);
  });

  it('never takes an entry that was set again meanwhile', async () => {
    const caller = await someone();
    for (let round = 0; round < 10; round++) {
      await clipboard.set(caller, { name: 'n', value: 'old', ttlSeconds: 1 });
      clock.advance(1000);
      await Promise.all([
        clipboard.purgeExpired(),
        clipboard.set(caller, { name: 'n', value: 'new', ttlSeconds: 10 }),
        clipboard.purgeExpired(),
      ]);
      expect((await clipboard.get(caller, { name: 'n' }))?.value).toBe('new');
      await clipboard.clear(caller);
    }
  });
});

describe('A09: expired entries on top of the stack', () => {
  it('A09: a thousand of them hide nothing: the next live entry is at 0, before and after the purge', async () => {
    const caller = await someone();
    await fill(caller, 1_010, 11);
    expect(await clipboard.get(caller, { idx: 0 })).toMatchObject({ idx: 0, value: '10' });
    expect((await clipboard.page(caller, {})).total).toBe(10);
    expect((await clipboard.pop(caller)).value).toBe('10');
    await clipboard.purgeExpired();
    expect(await stored(caller)).toBe(9);
    expect(await clipboard.get(caller, { idx: 0 })).toMatchObject({ idx: 0, value: '9' });
    expect(await clipboard.get(caller, { idx: 8 })).toMatchObject({ idx: 8, value: '1' });
    expect(await clipboard.get(caller, { idx: 9 })).toBeNull();
  });

  it('A06, A12: clear counts the live ones and leaves no row of either kind', async () => {
    const caller = await someone();
    await fill(caller, 20, 11);
    expect(await clipboard.clear(caller)).toBe(10);
    expect(await stored(caller)).toBe(0);
  });

  it('A10: setting an expired name again leaves one row', async () => {
    const caller = await someone();
    const old = await clipboard.set(caller, { name: 'n', value: 'old', createdByTool: 't', ttlSeconds: 1 });
    clock.advance(1000);
    const entry = await clipboard.set(caller, { name: 'n', value: 'new' });
    expect(entry).toMatchObject({ value: 'new', createdByTool: null });
    expect(entry.uuid).not.toBe(old.uuid);
    expect(entry.createdAt).toEqual(clock.now());
    expect(await stored(caller)).toBe(1);
    expect(await clipboard.find(caller, [old.uuid, entry.uuid])).toEqual([null, entry]);
  });
});

describe('F04: what one call reads', () => {
  it('is at most 100 entries by their ids', async () => {
    const caller = await someone();
    const { uuid } = await clipboard.push(caller, { value: 'v' });
    statements.length = 0;
    await expect(clipboard.find(caller, Array(101).fill(uuid))).rejects.toEqual(apiError('VALIDATION_ERROR'));
    expect(statements.filter((text) => text.includes('clipboard_entries'))).toEqual([]);
    expect(await clipboard.find(caller, Array(100).fill(uuid))).toHaveLength(100);
  });

  it('reads no value of entries that are too large together', async () => {
    const caller = await someone();
    const uuids: string[] = [];
    for (const value of ['first', 'other']) uuids.push((await clipboard.push(caller, { value })).uuid);
    const { profileUuid = '', projectUuid = '' } = caller.principal ?? {};
    const read = async (bytesMax: number) => {
      const rows = await database.query<FoundRow>(
        findByUuid(profileUuid, clock.pinned(), projectUuid, uuids, bytesMax),
      );
      return rows.map(({ value, bytes }) => [value, Number(bytes)]).sort();
    };
    expect(await read(9)).toEqual([
      ['', 10],
      ['', 10],
    ]);
    expect(await read(10)).toEqual([
      ['first', 10],
      ['other', 10],
    ]);
  });

  it('is a page of at most 8 MB of values', async () => {
    const caller = await someone();
    const value = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 9; n++) await clipboard.push(caller, { value });
    expect((await clipboard.page(caller, {})).entries).toHaveLength(8);
  });
});

describe('changed', () => {
  it(
    'publishes every kind of change of the profile, in order, and of no other profile',
    verifies('clipboard.changed'),
    async () => {
      const caller = await someone();
      const otherTenant = await someone();
      const changes = await clipboard.changed(caller);
      const first = changes.next();
      await clipboard.push(otherTenant, { value: 'not yours' });
      const pushed = await clipboard.push(caller, { value: 'a' });
      expect((await first).value).toMatchObject({ kind: 'PUSHED', uuid: pushed.uuid, name: null, count: 1 });
      const named = await clipboard.set(caller, { name: 'n', value: 'v' });
      await clipboard.set(otherTenant, { name: 'n', value: 'v' });
      await clipboard.pop(caller);
      await clipboard.remove(caller, { name: 'n' });
      await clipboard.remove(caller, { name: 'n' });
      const brief = await clipboard.set(caller, { name: 'brief', value: 'v', ttlSeconds: 1 });
      clock.advance(1000);
      await clipboard.purgeExpired();
      await clipboard.push(caller, { value: 'b' });
      await clipboard.push(caller, { value: 'c' });
      await clipboard.clear(caller);
      const heard: unknown[] = [];
      for (let i = 0; i < 8; i++) {
        const { kind, uuid, name, count } = (await changes.next()).value as {
          kind: string;
          uuid: string | null;
          name: string | null;
          count: number;
        };
        heard.push(kind === 'PUSHED' ? [kind] : [kind, uuid, name, count]);
      }
      expect(heard).toEqual([
        ['SET', named.uuid, 'n', 1],
        ['POPPED', pushed.uuid, null, 1],
        ['DELETED', named.uuid, 'n', 1],
        ['SET', brief.uuid, 'brief', 1],
        ['EXPIRED', brief.uuid, 'brief', 1],
        ['PUSHED'],
        ['PUSHED'],
        ['CLEARED', null, null, 2],
      ]);
      await changes.return();
    },
  );
});
