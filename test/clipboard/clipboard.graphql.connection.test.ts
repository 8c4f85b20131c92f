import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import {
  byUuid,
  clear,
  connection,
  errorOf,
  type GraphqlError,
  node,
  nodes,
  page,
  push,
  remove,
  set,
} from '../support/clipboard-documents.ts';
import { secondProfileOf } from '../support/people.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const { clock } = server;
const path = '/api/clipboard';
interface Connection {
  edges: { cursor: string; node: { value: string } }[];
  nodes: { value: string; idx: number | null; name: string | null }[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; startCursor: string | null; endCursor: string | null };
}

const values = (entries: { value: string }[]) => entries.map(({ value }) => value);

describe('clipboardEntries', () => {
  async function filled(names: number, pushes: number) {
    const tenant = await tenantOf(server);
    for (let i = 0; i < names; i++) {
      await tenant.call('POST', path, { name: `n${i}`, value: `n${i}`, contentType: i % 2 ? 'a/odd' : 'a/even' });
      clock.advance(1);
    }
    for (let i = 0; i < pushes; i++)
      await tenant.call('POST', `${path}/push`, { value: `p${i}`, contentType: i % 2 ? 'a/odd' : 'a/even' });
    return tenant;
  }

  it(
    'pages by cursor: the stack by index, then the names, newest first; nothing twice, nothing left out',
    verifies('clipboard.graph', 'graph.connections'),
    async () => {
      const { graphql } = await filled(5, 5);
      const expected = ['p4', 'p3', 'p2', 'p1', 'p0', 'n4', 'n3', 'n2', 'n1', 'n0'];
      for (const first of [1, 3, 5, 9, 10, 100]) {
        const seen: string[] = [];
        for (let after: string | null = null, more = true; more; ) {
          const { clipboardEntries }: { clipboardEntries: Connection } = (await graphql(connection, { first, after }))
            .data;
          expect(clipboardEntries.totalCount).toBe(10);
          expect(clipboardEntries.nodes.length).toBeLessThanOrEqual(first);
          expect(values(clipboardEntries.edges.map((edge: { node: { value: string } }) => edge.node))).toEqual(
            values(clipboardEntries.nodes),
          );
          expect(clipboardEntries.pageInfo.startCursor).toBe(clipboardEntries.edges.at(0)?.cursor);
          expect(clipboardEntries.pageInfo.endCursor).toBe(clipboardEntries.edges.at(-1)?.cursor);
          seen.push(...values(clipboardEntries.nodes));
          expect(clipboardEntries.pageInfo.hasNextPage).toBe(seen.length < 10);
          after = clipboardEntries.pageInfo.endCursor;
          more = clipboardEntries.pageInfo.hasNextPage;
        }
        expect(seen).toEqual(expected);
      }
    },
  );

  it('the index of an entry is its place in the whole stack on any page', async () => {
    const { graphql } = await filled(0, 5);
    const first = (await graphql(connection, { first: 2 })).data.clipboardEntries;
    const second = (await graphql(connection, { first: 2, after: first.pageInfo.endCursor })).data.clipboardEntries;
    expect([...first.nodes, ...second.nodes].map(({ idx }: { idx: number }) => idx)).toEqual([0, 1, 2, 3]);
  });

  it('a cursor stays good when entries come and go before it, and when its own entry is gone', async () => {
    const { graphql, call } = await filled(3, 3);
    const first = (await graphql(connection, { first: 2 })).data.clipboardEntries;
    expect(values(first.nodes)).toEqual(['p2', 'p1']);
    await call('POST', `${path}/push`, { value: 'late' });
    await call('DELETE', path, { idx: 2 });
    const second = (await graphql(connection, { first: 2, after: first.pageInfo.endCursor })).data.clipboardEntries;
    expect(values(second.nodes)).toEqual(['p0', 'n2']);
    await call('DELETE', path, { name: 'n2' });
    const third = (await graphql(connection, { first: 9, after: second.pageInfo.endCursor })).data.clipboardEntries;
    expect(values(third.nodes)).toEqual(['n1', 'n0']);
  });

  it('contentType selects; totalCount counts the selected entries', async () => {
    const { graphql } = await filled(4, 4);
    const { clipboardEntries } = (await graphql(connection, { contentType: 'a/odd', first: 3 })).data;
    expect(clipboardEntries).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
    expect(clipboardEntries.nodes.map(({ value, idx }: { value: string; idx: number | null }) => [value, idx])).toEqual(
      [
        ['p3', 0],
        ['p1', 2],
        ['n3', null],
      ],
    );
    const rest = (
      await graphql(connection, { contentType: 'a/odd', first: 3, after: clipboardEntries.pageInfo.endCursor })
    ).data.clipboardEntries;
    expect(values(rest.nodes)).toEqual(['n1']);
  });

  it('first is 20 by default; an empty page has no cursors', verifies('graph.connections'), async () => {
    const { graphql } = await filled(0, 21);
    const { clipboardEntries } = (await graphql(connection)).data;
    expect(clipboardEntries.nodes).toHaveLength(20);
    expect(clipboardEntries.pageInfo.hasNextPage).toBe(true);
    const empty = (await (await tenantOf(server)).graphql(connection)).data.clipboardEntries;
    expect(empty).toEqual({
      edges: [],
      nodes: [],
      totalCount: 0,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  it.each([-1, 101, 2 ** 31 - 1])('F04: first: %s is VALIDATION_ERROR naming first', async (first) => {
    const { graphql } = await tenantOf(server);
    const answer = await graphql(connection, { first });
    expect(errorOf(answer).extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { first: expect.any(String) },
    });
  });

  it.each([
    '',
    'nonsense',
    'e30=',
    Buffer.from('{"seq":"1; DROP TABLE users"}').toString('base64'),
    Buffer.from('null').toString('base64url'),
    '\u0000',
    'A'.repeat(10_000),
  ])('F05: the cursor %j is VALIDATION_ERROR naming after, never an error of ours', async (after) => {
    const { graphql } = await tenantOf(server);
    expect(errorOf(await graphql(connection, { after })).extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { after: expect.any(String) },
    });
  });

  it('F05: another tenant’s cursor shows nothing of that tenant', async () => {
    const { graphql } = await filled(2, 2);
    const cursor = (await graphql(connection, { first: 1 })).data.clipboardEntries.pageInfo.endCursor;
    const otherTenant = await filled(1, 0);
    const answer = await otherTenant.graphql(connection, { after: cursor });
    for (const entry of answer.data?.clipboardEntries.nodes ?? []) expect(entry.value).toBe('n0');
  });
});

describe('clipboardEntryPage', () => {
  it('cuts pages by offset as GET /api/clipboard does', async () => {
    const { graphql, call } = await tenantOf(server);
    for (const value of ['a', 'b', 'c']) await call('POST', `${path}/push`, { value });
    expect((await graphql(page, { limit: 2, offset: 1 })).data.clipboardEntryPage).toEqual({
      entries: [
        { value: 'b', idx: 1, name: null },
        { value: 'a', idx: 2, name: null },
      ],
      total: 3,
      limit: 2,
      offset: 1,
    });
    expect((await graphql('{ clipboardEntryPage { limit offset total } }')).data.clipboardEntryPage).toEqual({
      limit: 1000,
      offset: 0,
      total: 3,
    });
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ offset: -1 }, 'offset'],
  ])('%j is VALIDATION_ERROR', async (variables, field) => {
    const { graphql } = await tenantOf(server);
    expect(errorOf(await graphql(page, variables)).extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { [field]: expect.any(String) },
    });
  });
});

describe('node and nodes', () => {
  it(
    'finds own entries by global id, in the requested order, null for missing ones',
    verifies('graph.node'),
    async () => {
      const { graphql } = await tenantOf(server);
      const a = (await graphql(set, { input: { name: 'a', value: 'a' } })).data.clipboardSet.entry;
      const b = (await graphql(push, { input: { value: 'b' } })).data.clipboardPush.entry;
      expect((await graphql(node, { id: a.id })).data.node).toEqual({
        __typename: 'ClipboardEntry',
        id: a.id,
        value: 'a',
      });
      await graphql(remove, { input: { name: 'a' } });
      const { data, errors } = await graphql(nodes, { ids: [b.id, a.id, b.id] });
      expect(errors).toBeUndefined();
      expect(data.nodes).toEqual([{ id: b.id, value: 'b' }, null, { id: b.id, value: 'b' }]);
    },
  );

  it(
    'A23, B02: others see workspace and public entries by node and by uuid, and private ones exactly as unknown ones',
    verifies('clipboard.visibility', 'graph.node'),
    async () => {
      const owner = await tenantOf(server);
      const sibling = await secondProfileOf(server, owner.user, 'same project');
      const otherTenant = await tenantOf(server);
      const entries: Record<string, { id: string; uuid: string }> = {};
      for (const visibility of ['PRIVATE', 'WORKSPACE', 'PUBLIC']) {
        entries[visibility] = (
          await owner.graphql(push, { input: { value: visibility, visibility } })
        ).data.clipboardPush.entry;
      }
      const ids = Object.values(entries).map(({ id }) => id);
      const seen = async (graphql: typeof owner.graphql) => {
        const answer = await graphql(nodes, { ids });
        expect(answer.errors).toBeUndefined();
        const byId = answer.data.nodes.map((found: { value: string } | null) => found?.value ?? null);
        const single = await Promise.all(
          Object.values(entries).map(
            async (entry) => (await graphql(byUuid, { uuid: entry.uuid })).data.clipboardEntryByUuid?.value ?? null,
          ),
        );
        expect(single).toEqual(byId);
        return byId;
      };
      expect(await seen(owner.graphql)).toEqual(['PRIVATE', 'WORKSPACE', 'PUBLIC']);
      expect(await seen(graphqlOf(server, sibling.secret))).toEqual([null, 'WORKSPACE', 'PUBLIC']);
      expect(await seen(otherTenant.graphql)).toEqual([null, null, 'PUBLIC']);
      const foreign = await otherTenant.graphql(node, { id: entries.PRIVATE?.id });
      await owner.graphql(clear);
      expect(await otherTenant.graphql(node, { id: entries.PRIVATE?.id })).toEqual(foreign);
      expect((await otherTenant.graphql(connection)).data.clipboardEntries.totalCount).toBe(0);
    },
  );

  it.each([
    '',
    'nonsense',
    '%%%',
    Buffer.from('ClipboardEntry:').toString('base64'),
    Buffer.from('ClipboardEntry:1').toString('base64'),
    Buffer.from(`User:${randomUUID()}`).toString('base64'),
    Buffer.from("ClipboardEntry:' OR 1=1 --").toString('base64'),
    Buffer.from('__proto__:1').toString('base64'),
    'A'.repeat(100_000),
  ])('F05: the id %.40j is null or VALIDATION_ERROR, never an error of ours', async (id) => {
    const { graphql } = await tenantOf(server);
    for (const answer of [await graphql(node, { id }), await graphql(nodes, { ids: [id] })]) {
      const codes = (answer.errors ?? []).map(({ extensions }: GraphqlError) => extensions.code);
      for (const code of codes) expect(code).toBe('VALIDATION_ERROR');
      expect(answer.data?.node ?? answer.data?.nodes?.[0] ?? null).toBeNull();
    }
  });

  it('clipboardEntryByUuid of a malformed uuid is null, as of an unknown one', async () => {
    const { graphql } = await tenantOf(server);
    for (const given of [randomUUID(), 'nonsense', '', "' OR 1=1", 'A'.repeat(10_000)])
      expect(await graphql(byUuid, { uuid: given })).toEqual({ data: { clipboardEntryByUuid: null } });
  });
});
