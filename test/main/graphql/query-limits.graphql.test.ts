import { describe, expect, it } from 'vitest';
import { startTestServer, tenantOf } from '../../support/server.ts';
import { unhandledIn } from '../../support/unhandled-rejections.ts';

const server = await startTestServer();
const codeOf = (answer: { errors?: { extensions: { code: string } }[] }) => answer.errors?.[0]?.extensions.code;
/** The global id of no project. */
const nobody = Buffer.from('Project:b0b0b0b0-0000-4000-8000-000000000000').toString('base64');
const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

describe('what a document may hold (F01, F04)', () => {
  it.each([
    ['1 000 aliases of a field', `{ ${times(1_000, (i) => `a${i}: clipboardEntries { totalCount }`)} }`],
    ['1 000 aliases of __typename', `{ ${times(1_000, (i) => `a${i}: __typename`)} }`],
    ['1 000 directives', `{ __typename ${times(1_000, () => '@include(if: true)')} }`],
    ['a depth of 50', `{ ${'node(id: "x") { ... on Project { '.repeat(25)} id ${'} }'.repeat(25)} }`],
    ['a fragment that spreads itself', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['a document of 100 KB', `{ ${'__typename '.repeat(9_000)} }`],
    ['a document of 100 KB, all of it comments', `${'#\n'.repeat(50_000)}{ __typename }`],
    ['a field 500 times over', `{ ${'__typename '.repeat(500)} }`],
    ['ten directives in one place, known or not', '{ __typename @aa@aa@aa@aa@aa@aa@aa@aa@aa@aa }'],
    [
      '200 fragments',
      `{ ${times(200, (i) => `...F${i}`)} } ${times(200, (i) => `fragment F${i} on Query { __typename }`)}`,
    ],
    [
      'introspection that goes round',
      `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`,
    ],
    ['a subscription to nothing', 'subscription { clipboardChanged @skip(if: true) { uuid } }'],
    [
      'the same in a fragment',
      'subscription { ...F } fragment F on Subscription { clipboardChanged @skip(if: true) { uuid } }',
    ],
    [
      'a subscription with 2^45 ways through its fragments',
      `subscription { ...A0 ...B0 } ${times(45, (i) =>
        ['A', 'B'].map((name) => `fragment ${name}${i} on Subscription { ...A${i + 1} ...B${i + 1} }`).join(' '),
      )} ${['A45', 'B45'].map((name) => `fragment ${name} on Subscription { nothing }`).join(' ')}`,
    ],
    ['1 000 variables', `query (${times(1_000, (i) => `$v${i}: Int`)}) { __typename }`],
    [
      'nested lists of 100',
      '{ projects(first: 100) { nodes { profiles(first: 100) { nodes { apiKeys(first: 100) { nodes { uuid } } } } } } }',
    ],
    [
      'lists in a list without a length',
      `{ webhooks { nodes { ${times(20, (i) => `a${i}: deliveries(first: 100) { nodes { uuid } }`)} } } }`,
    ],
    [
      'lists in a page of all',
      `{ webhookPage { webhooks { ${times(10, (i) => `a${i}: deliveries(first: 100) { nodes { uuid } }`)} } } }`,
    ],
    [
      'lists as long as a variable without a value',
      'query ($n: Int = 100) { projects(first: $n) { nodes { profiles(first: $n) { nodes { a: name b: name c: name } } } } }',
    ],
    [
      'a hundred ids without values',
      `query ($ids: [ID!]! = [${times(100, () => `"${nobody}"`)}]) { nodes(ids: $ids) { ... on Project { profiles(first: 100) { nodes { a: name b: name c: name } } } } }`,
    ],
    ['a hundred lists of 200', `{ ${times(100, (i) => `a${i}: proxiedServers { uuid }`)} }`],
    ['a hundred lists of 250', `{ ${times(100, (i) => `a${i}: registryServerVersions(name: "x") { name }`)} }`],
    ['names of 20 kB on a hundred objects', `{ webhooks(first: 100) { nodes { ${'a'.repeat(20_001)}: uuid } } }`],
  ])('%s is refused as VALIDATION_ERROR before anything runs', async (_name, query) => {
    const { graphql } = await tenantOf(server);
    server.statements.length = 0;
    const answer = await graphql(query);
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    // The key is looked up, and its use noted; nothing else is asked of the database.
    expect(server.statements.filter((text) => !text.includes('api_keys'))).toEqual([]);
  });

  it('what tools ask for still works: full introspection, and a page of entries with all of its fields', async () => {
    const { graphql } = await tenantOf(server);
    const { getIntrospectionQuery } = await import('graphql');
    expect((await graphql(getIntrospectionQuery())).errors).toBeUndefined();
    const page = await graphql(
      '{ clipboardEntries(first: 100) { totalCount edges { cursor node { uuid name idx value contentType encoding sizeBytes visibility source createdAt updatedAt expiresAt } } } }',
    );
    expect(page.errors).toBeUndefined();
  });

  it('F04: an answer holds at most 16 MB of content, however often it asks for the same', async () => {
    const { graphql, call } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'big', value: 'x'.repeat(2_097_152) });
    const ask = (count: number) =>
      graphql(`{ ${times(count, (i) => `a${i}: clipboardEntry(by: { name: "big" }) { value }`)} }`);
    expect((await ask(8)).errors).toBeUndefined();
    expect(codeOf(await ask(9))).toBe('TOO_LARGE');
  });

  it('F04: lists side by side are refused before what they would hold is read; without values they are read in full', async () => {
    const { graphql, call } = await tenantOf(server);
    for (let i = 0; i < 5; i++) await call('POST', '/api/clipboard/push', { value: 'x'.repeat(2_097_152) });
    const lists = (count: number, fields: string) =>
      graphql(`{ ${times(count, (i) => `a${i}: clipboardEntries { nodes { ${fields} } }`)} }`);
    const named = await lists(50, 'uuid');
    expect(named.errors).toBeUndefined();
    expect(named.data.a0.nodes).toHaveLength(5);
    server.statements.length = 0;
    expect(codeOf(await lists(50, 'value'))).toBe('TOO_LARGE');
    expect(server.statements.filter((text) => text.includes('WITH clock')).length).toBeLessThanOrEqual(2);
  });

  it('F04: a list that becomes too large while its items still load rejects no promise that nothing handles', async () => {
    const { graphql } = await tenantOf(server);
    const create = 'mutation ($input: ServerCreateInput!) { serverCreate(input: $input) { server { uuid } } }';
    const args = ['x'.repeat(8_000), 'x'.repeat(8_000)];
    for (let i = 0; i < 20; i++)
      await graphql(create, { input: { name: `s${i}`, transport: 'STDIO', command: 'x', args } });
    const query = `{ ownServers { nodes { ${times(90, (i) => `a${i}: args`)} tools { name } } } }`;
    // The first runs by graphql, the others by their plan.
    for (let run = 0; run < 3; run++) {
      const unhandled = await unhandledIn(async () => {
        expect(codeOf(await graphql(query))).toBe('TOO_LARGE');
      });
      expect(unhandled).toEqual([]);
    }
  });

  it('F04: by their ids at most 16 MB of entries are read at once', async () => {
    const { graphql, call } = await tenantOf(server);
    const ids: string[] = [];
    for (let i = 0; i < 9; i++) {
      const { uuid } = (await call('POST', '/api/clipboard/push', { value: 'x'.repeat(2_097_152) })).body.entry;
      ids.push(Buffer.from(`ClipboardEntry:${uuid}`).toString('base64'));
    }
    const nodes = (given: string[]) => graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: given });
    expect((await nodes(ids.slice(0, 8))).errors).toBeUndefined();
    expect(codeOf(await nodes(ids))).toBe('TOO_LARGE');
  });

  it('I09: variables in the address that are no JSON are 400 naming them, and nothing of them is logged', async () => {
    const { call } = await tenantOf(server);
    for (const name of ['variables', 'extensions']) {
      const { status, body } = await call('GET', `/graphql?query={__typename}&${name}=canary-zzz`);
      expect(status).toBe(400);
      expect(body.errors[0].extensions).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { [name]: expect.any(String) },
      });
    }
    expect(server.logged.join('')).not.toContain('canary-zzz');
  });
});
