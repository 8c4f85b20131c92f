import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import {
  byUuid,
  clear,
  connection,
  errorOf,
  get,
  node,
  nodes,
  page,
  pop,
  push,
  remove,
  set,
} from '../support/clipboard-documents.ts';
import { entryBody, givenFields } from '../support/clipboard-entry.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf, graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

const server = await startTestServer();
const { clock } = server;
const path = '/api/clipboard';

describe('mutations and queries', () => {
  it(
    'clipboardSet answers the whole entry, with defaults and nulls',
    verifies('clipboard.graph', 'clipboard.entry.defaults'),
    async () => {
      const { graphql } = await tenantOf(server);
      const { data, errors } = await graphql(set, { input: { name: 'n', value: 'é' } });
      expect(errors).toBeUndefined();
      expect(data.clipboardSet.entry).toStrictEqual({
        ...entryBody(clock.now(), { name: 'n', idx: null, value: 'e' }),
        id: expect.any(String),
        value: 'é',
        sizeBytes: 2,
        encoding: 'UTF_8',
        visibility: 'PRIVATE',
        source: 'SDK',
      });
      expect((await graphql(get, { by: { name: 'n' } })).data.clipboardEntry).toStrictEqual(data.clipboardSet.entry);
      expect((await graphql(byUuid, { uuid: data.clipboardSet.entry.uuid })).data.clipboardEntryByUuid).toStrictEqual(
        data.clipboardSet.entry,
      );
    },
  );

  it('clipboardSet on an existing name keeps uuid and createdAt and replaces the rest', async () => {
    const { graphql } = await tenantOf(server);
    const given = { ...givenFields, encoding: 'BASE64', visibility: 'WORKSPACE' };
    const input = { name: 'n', value: 'aGk=', ...given, ttlSeconds: 9 };
    const first = (await graphql(set, { input })).data.clipboardSet.entry;
    expect(first).toMatchObject(given);
    clock.advance(1);
    const second = (await graphql(set, { input: { name: 'n', value: 'w' } })).data.clipboardSet.entry;
    expect(second).toMatchObject({
      id: first.id,
      uuid: first.uuid,
      createdAt: first.createdAt,
      updatedAt: clock.now().toISOString(),
    });
    expect(second).toMatchObject({
      encoding: 'UTF_8',
      visibility: 'PRIVATE',
      contentType: 'text/plain',
      createdByTool: null,
      createdByModel: null,
    });
  });

  it('clipboardPush gives idx 0; clipboardPop takes it off again, last in first out; then NOT_FOUND', async () => {
    const { graphql } = await tenantOf(server);
    for (const value of ['a', 'b'])
      expect((await graphql(push, { input: { value } })).data.clipboardPush.entry).toMatchObject({
        idx: 0,
        name: null,
        value,
      });
    expect((await graphql(get, { by: { idx: 1 } })).data.clipboardEntry).toMatchObject({ idx: 1, value: 'a' });
    expect((await graphql(pop)).data.clipboardPop.entry).toMatchObject({ idx: 0, value: 'b' });
    expect((await graphql(pop)).data.clipboardPop.entry).toMatchObject({ idx: 0, value: 'a' });
    const answer = await graphql(pop);
    expect(errorOf(answer)).toMatchObject({ message: 'Entry not found', extensions: { code: 'NOT_FOUND' } });
    expect(answer.data ?? null).toBeNull();
  });

  it('clipboardEntry of a missing entry is null without an error', async () => {
    const { graphql } = await tenantOf(server);
    for (const by of [{ name: 'none' }, { idx: 0 }, { idx: 2 ** 31 - 1 }])
      expect(await graphql(get, { by })).toEqual({ data: { clipboardEntry: null } });
  });

  it('clipboardDelete shows whether the entry existed, and its id', async () => {
    const { graphql } = await tenantOf(server);
    const { entry } = (await graphql(set, { input: { name: 'n', value: 'v' } })).data.clipboardSet;
    expect((await graphql(remove, { input: { name: 'n' } })).data.clipboardDelete).toEqual({
      deleted: true,
      deletedUuid: entry.uuid,
    });
    expect((await graphql(remove, { input: { name: 'n' } })).data.clipboardDelete).toEqual({
      deleted: false,
      deletedUuid: null,
    });
    const pushed = (await graphql(push, { input: { value: 'v' } })).data.clipboardPush.entry;
    expect((await graphql(remove, { input: { idx: 0 } })).data.clipboardDelete).toEqual({
      deleted: true,
      deletedUuid: pushed.uuid,
    });
    expect((await graphql(remove, { input: { idx: 0 } })).data.clipboardDelete.deleted).toBe(false);
  });

  it('clipboardClear counts what went', async () => {
    const { graphql } = await tenantOf(server);
    await graphql(set, { input: { name: 'n', value: 'v' } });
    await graphql(push, { input: { value: 'v' } });
    expect((await graphql(clear)).data.clipboardClear).toEqual({ deletedCount: 2 });
    expect((await graphql(clear)).data.clipboardClear).toEqual({ deletedCount: 0 });
  });

  it('both APIs share one clipboard', verifies('clipboard.graph'), async () => {
    const { call, graphql } = await tenantOf(server);
    const written = (await call('POST', path, { name: 'n', value: 'v', encoding: 'utf-8', visibility: 'workspace' }))
      .body.entry;
    expect((await graphql(get, { by: { name: 'n' } })).data.clipboardEntry).toMatchObject({
      uuid: written.uuid,
      visibility: 'WORKSPACE',
    });
    await graphql(push, { input: { value: 'AA==', encoding: 'BASE64' } });
    expect((await call('DELETE', `${path}/pop`)).body.entry).toMatchObject({ value: 'AA==', encoding: 'base64' });
  });

  it('source is UI for a session, MCP and SDK by the key’s channel', verifies('clipboard.source'), async () => {
    const { user, token } = await sessionOf(server);
    const browser = async (query: string, variables: unknown) =>
      (await callerOf(server, null)('POST', '/graphql', { query, variables }, { Cookie: `session_token=${token}` }))
        .body;
    expect((await browser(set, { input: { name: 'n', value: 'v' } })).data.clipboardSet.entry.source).toBe('UI');
    for (const channel of ['mcp', 'sdk'] as const) {
      const { secret } = await keyOf(server.services, user, { channel });
      expect((await graphqlOf(server, secret)(push, { input: { value: 'v' } })).data.clipboardPush.entry.source).toBe(
        channel.toUpperCase(),
      );
    }
  });

  it('A12, A09: an entry is absent at the instant it expires, on every query and mutation', async () => {
    const { graphql } = await tenantOf(server);
    const named = (await graphql(set, { input: { name: 'n', value: 'v', ttlSeconds: 1 } })).data.clipboardSet.entry;
    await graphql(push, { input: { value: 'below' } });
    const top = (await graphql(push, { input: { value: 'top', ttlSeconds: 1 } })).data.clipboardPush.entry;
    clock.advance(999);
    expect((await graphql(connection)).data.clipboardEntries.totalCount).toBe(3);
    expect((await graphql(nodes, { ids: [named.id, top.id] })).data.nodes).toMatchObject([
      { value: 'v' },
      { value: 'top' },
    ]);
    clock.advance(1);
    expect((await graphql(connection)).data.clipboardEntries).toMatchObject({
      totalCount: 1,
      nodes: [{ idx: 0, value: 'below' }],
    });
    expect((await graphql(page, {})).data.clipboardEntryPage).toMatchObject({
      total: 1,
      entries: [{ idx: 0, value: 'below' }],
    });
    expect((await graphql(get, { by: { name: 'n' } })).data.clipboardEntry).toBeNull();
    expect((await graphql(get, { by: { idx: 0 } })).data.clipboardEntry).toMatchObject({ value: 'below' });
    for (const entry of [named, top]) {
      expect((await graphql(byUuid, { uuid: entry.uuid })).data.clipboardEntryByUuid).toBeNull();
      expect((await graphql(node, { id: entry.id })).data.node).toBeNull();
    }
    expect((await graphql(remove, { input: { name: 'n' } })).data.clipboardDelete).toEqual({
      deleted: false,
      deletedUuid: null,
    });
    expect((await graphql(pop)).data.clipboardPop.entry.value).toBe('below');
  });
});

describe('statements', () => {
  it('every operation costs one statement, beside at most one for authentication', async () => {
    const { graphql } = await tenantOf(server);
    const first = (await graphql(set, { input: { name: 'n', value: 'v' } })).data.clipboardSet.entry;
    const second = (await graphql(push, { input: { value: 'v' } })).data.clipboardPush.entry;
    const operations: Record<string, [string, Record<string, unknown>]> = {
      set: [set, { input: { name: 'n', value: 'w' } }],
      'set a new name': [set, { input: { name: 'o', value: 'w' } }],
      push: [push, { input: { value: 'w' } }],
      'get by name': [get, { by: { name: 'n' } }],
      'get by index': [get, { by: { idx: 1 } }],
      'get by uuid': [byUuid, { uuid: first.uuid }],
      page: [page, {}],
      'connection without totalCount': [
        '{ clipboardEntries(first: 100) { nodes { idx value source } pageInfo { hasNextPage } } }',
        {},
      ],
      node: [node, { id: first.id }],
      nodes: [nodes, { ids: [first.id, second.id] }],
      pop: [pop, {}],
      delete: [remove, { input: { name: 'n' } }],
      clear: [clear, {}],
      'pop of nothing': [pop, {}],
    };
    for (const [title, [query, variables]] of Object.entries(operations)) {
      server.statements.length = 0;
      await graphql(query, variables);
      const ours = server.statements.filter((text) => /clipboard/.test(text));
      expect([title, ours.length]).toEqual([title, 1]);
      expect([title, server.statements.length <= 2]).toEqual([title, true]);
    }
  });

  it('totalCount is counted only when asked for, with one more statement', async () => {
    const { graphql } = await tenantOf(server);
    await graphql(push, { input: { value: 'v' } });
    server.statements.length = 0;
    await graphql(connection);
    expect(server.statements.filter((text) => /clipboard/.test(text)).length).toBeLessThanOrEqual(2);
  });

  it('a refusal of bad input asks the database nothing but who it is', async () => {
    const { graphql } = await tenantOf(server);
    await graphql(clear);
    server.statements.length = 0;
    await graphql(push, { input: { value: 'x'.repeat(2_097_153) } });
    await graphql(set, { input: { name: '', value: 'v' } });
    expect(server.statements.filter((text) => /clipboard/.test(text))).toEqual([]);
  });
});
