import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';

const { services, infrastructure, database } = await createTestServices();
const { collections, mcpServers } = services;

/** So many servers of a new profile, made by SQL: a profile has at most 200 by any other way. */
async function manyServers(owner: Caller, count: number, description = 'd'): Promise<string[]> {
  const rows = await database.query<{ uuid: string }>({
    text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, description, transport, transports, is_public, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'many-' || gen_random_uuid(), 'Server ' || i, $3, 'stdio', '{stdio}', true, now(), now()
      FROM generate_series(1, $2) i RETURNING uuid`,
    values: [owner.principal?.profileUuid, count, description],
  });
  return rows.map(({ uuid }) => uuid);
}

const placesOf = async (caller: Caller, uuid: string) =>
  (await collections.servers.places(caller, [uuid], { first: 500 }))[0]?.places.map(({ serverUuid }) => serverUuid);

/** Does something twice, the second while the first is not committed. */
async function sideBySide(work: (of: typeof collections, time: 0 | 1) => Promise<unknown>): Promise<unknown> {
  let second: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    await work(createServices({ ...infrastructure, database: tx }).collections, 0);
    second = work(collections, 1).catch((error: unknown) => error);
    await delay(150);
  });
  return second;
}

describe('two at once', () => {
  it('leave the list of the later one, never a mixture', verifies('collections.concurrency'), async () => {
    const owner = await signUp(services);
    const uuids = await manyServers(owner, 6);
    const { uuid } = await collections.create(owner, { name: 'x', serverUuids: uuids });
    const lists = [uuids.slice(0, 3), uuids.slice(2).reverse()] as const;
    await sideBySide((of, time) => of.update(owner, uuid, { serverUuids: lists[time] }));
    expect(await placesOf(owner, uuid)).toEqual(lists[1]);
    const all = Array.from({ length: 16 }, (_, each) => [...uuids.slice(each % 6), ...uuids.slice(0, each % 6)]);
    await Promise.all(all.map((serverUuids) => collections.update(owner, uuid, { serverUuids })));
    expect(all).toContainEqual(await placesOf(owner, uuid));
  });

  it(
    'a change that waited for a deletion finds nothing',
    verifies('collections.concurrency', 'collections.delete'),
    async () => {
      const owner = await signUp(services);
      const { uuid } = await collections.create(owner, { name: 'x' });
      const late = await sideBySide((of, time) =>
        time === 0 ? of.remove(owner, uuid) : of.update(owner, uuid, { name: 'y' }),
      );
      expect(late).toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  it('a server that is being deleted is refused like one that never was', verifies('collections.servers'), async () => {
    const owner = await signUp(services);
    const [gone = ''] = await manyServers(owner, 1);
    const { uuid } = await collections.create(owner, { name: 'x' });
    let late: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await createServices({ ...infrastructure, database: tx }).mcpServers.configurations.remove(owner, gone);
      late = collections.update(owner, uuid, { serverUuids: [gone] }).catch((error: unknown) => error);
      await delay(150);
    });
    expect(await late).toMatchObject({ code: 'VALIDATION_ERROR', details: { 'serverUuids.0': expect.any(String) } });
  });

  it(
    'imports of the same servers in opposite orders both end, and count once',
    verifies('collections.import'),
    async () => {
      const owner = await signUp(services);
      const uuids = await manyServers(owner, 40);
      const made = async (serverUuids: string[]) =>
        (await collections.create(owner, { name: 'x', isPublic: true, serverUuids })).uuid;
      const both = [await made(uuids), await made([...uuids].reverse())];
      const importers = [await signUp(services), await signUp(services), await signUp(services)];
      const done = await Promise.all(
        importers.flatMap((importer) => both.map((uuid) => collections.importServers(importer, uuid))),
      );
      expect(done.reduce((sum, { installed }) => sum + installed, 0)).toBe(3 * 40);
      const [row] = await database.query<{ sum: string }>({
        text: 'SELECT sum(installations) FROM mcp_servers WHERE uuid = ANY ($1)',
        values: [uuids],
      });
      expect(Number(row?.sum)).toBe(3 * 40);
      const [{ count } = { count: 0 }] = await database.query<{ count: number }>({
        text: "SELECT count(*)::int FROM notifications WHERE profile_uuid = $1 AND type = 'server_installed'",
        values: [owner.principal?.profileUuid],
      });
      expect(count).toBe(importers.length);
    },
  );

  it(
    'events belong to the transaction of the change: a rolled back change publishes none',
    verifies('collections.events'),
    async () => {
      const owner = await signUp(services);
      const before = await database.query({ text: 'SELECT 1 FROM outbox_events' });
      const undone = database.transaction(async (tx) => {
        await createServices({ ...infrastructure, database: tx }).collections.create(owner, {
          name: 'x',
          isPublic: true,
        });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await database.query({ text: 'SELECT 1 FROM outbox_events' })).toHaveLength(before.length);
    },
  );
});

describe('bounds', () => {
  it('a profile has at most 200 collections, also when two come at once', verifies('collections.create'), async () => {
    const owner = await signUp(services);
    await database.query({
      text: `INSERT INTO collections (uuid, profile_uuid, name, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'x', now(), now() FROM generate_series(1, 199)`,
      values: [owner.principal?.profileUuid],
    });
    const made = await Promise.allSettled([1, 2, 3].map(() => collections.create(owner, { name: 'x' })));
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
  });

  it(
    '500 servers are taken, and an answer has at most 10 000',
    verifies('collections.fields', 'collections.statements'),
    async () => {
      const owner = await signUp(services);
      const uuids = await manyServers(owner, 500);
      const made: string[] = [];
      for (let each = 0; each < 21; each++)
        made.push((await collections.create(owner, { name: 'x', serverUuids: uuids })).uuid);
      const pages = await collections.servers.places(owner, made.slice(0, 20), { first: 500 });
      expect(pages.map(({ places, hasNextPage }) => [places.length, hasNextPage])).toEqual(
        Array.from({ length: 20 }, () => [500, false]),
      );
      await expect(collections.servers.places(owner, made, { first: 500 })).rejects.toMatchObject({
        code: 'TOO_LARGE',
      });
    },
  );

  it('an import takes 500 servers of one owner', verifies('collections.import'), async () => {
    const [owner, other] = [await signUp(services), await signUp(services)];
    const serverUuids = await manyServers(owner, 500);
    const { uuid } = await collections.create(owner, { name: 'x', serverUuids, isPublic: true });
    expect(await collections.importServers(other, uuid)).toEqual({ installed: 500, alreadyInstalled: 0 });
    expect(await collections.importServers(other, uuid)).toEqual({ installed: 0, alreadyInstalled: 500 });
    const [notice] = await database.query<{ message: string }>({
      text: "SELECT message FROM notifications WHERE profile_uuid = $1 AND type = 'server_installed'",
      values: [owner.principal?.profileUuid],
    });
    expect(notice?.message).toContain('and 499 more of your servers.');
  });

  it('the text of servers is counted before it is read', verifies('collections.statements'), async () => {
    const owner = await signUp(services);
    const uuids = await manyServers(owner, 10, 'é'.repeat(1_000));
    const { uuid } = await collections.create(owner, { name: 'x', serverUuids: uuids });
    const [page] = await collections.servers.places(owner, [uuid], { first: 5 });
    expect(page?.bytes).toBe(5 * (512 + 2_000));
    expect(page?.hasNextPage).toBe(true);
  });
});

it(
  'what a list names is gone for its owner, too, when it is not shown any more, and replaced as a whole',
  verifies('collections.private', 'collections.update'),
  async () => {
    const [owner, other] = [await signUp(services), await signUp(services)];
    const [lent = '', kept = ''] = await manyServers(other, 2);
    const { uuid } = await collections.create(owner, { name: 'x', serverUuids: [lent, kept] });
    await mcpServers.configurations.setVisibility(other, lent, { isPublic: false });
    expect(await placesOf(owner, uuid)).toEqual([kept]);
    await collections.update(owner, uuid, { serverUuids: [kept] });
    await mcpServers.configurations.setVisibility(other, lent, { isPublic: true });
    expect(await placesOf(owner, uuid)).toEqual([lent, kept]);
    await mcpServers.configurations.setVisibility(other, lent, { isPublic: false });
    await collections.update(owner, uuid, { serverUuids: [] });
    await mcpServers.configurations.setVisibility(other, lent, { isPublic: true });
    expect(await placesOf(owner, uuid)).toEqual([]);
  },
);
