import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import {
  byUuid,
  clear,
  connection,
  errorOf,
  type GraphqlError,
  get,
  page,
  pop,
  push,
  remove,
  set,
} from '../support/clipboard-documents.ts';
import { rawRequest } from '../support/raw-http.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

const server = await startTestServer();
describe('errors', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['name', { name: '' }, 'name'],
    ['name', { name: 'a\n' }, 'name'],
    ['ttlSeconds', { ttlSeconds: 0 }, 'ttlSeconds'],
    ['ttlSeconds', { ttlSeconds: 2_592_001 }, 'ttlSeconds'],
    ['value', { value: 'abc', encoding: 'HEX' }, 'value'],
    ['value', { value: 'AA', encoding: 'BASE64' }, 'value'],
    ['value', { value: 'a\u0000' }, 'value'],
    ['value', { value: '\ud800' }, 'value'],
    ['contentType', { contentType: 'a\r\nb' }, 'contentType'],
    ['createdByTool', { createdByTool: 'x'.repeat(256) }, 'createdByTool'],
    ['createdByModel', { createdByModel: '\u0001' }, 'createdByModel'],
  ])('a bad %s (%.60j) is VALIDATION_ERROR with details naming the field', async (_title, input, field) => {
    const { graphql } = await tenantOf(server);
    const error = errorOf(await graphql(set, { input: { name: 'n', value: 'v', ...input } }));
    expect(error.extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: { [field]: expect.any(String) } });
  });

  it(
    'A13: a value over 2 MB is TOO_LARGE, and at the limit it is stored',
    verifies('clipboard.value.limit', 'clipboard.graph'),
    async () => {
      const { graphql } = await tenantOf(server);
      const error = errorOf(await graphql(push, { input: { value: 'x'.repeat(2_097_153) } }));
      expect(error).toMatchObject({ message: 'Value exceeds maximum size of 2MB', extensions: { code: 'TOO_LARGE' } });
      const value = '😀'.repeat(524_288);
      expect((await graphql(push, { input: { value } })).data.clipboardPush.entry.value === value).toBe(true);
    },
  );

  it('A20: a selector of both or neither, or out of range, is refused before anything happens', async () => {
    const { graphql } = await tenantOf(server);
    await graphql(push, { input: { value: 'v' } });
    for (const by of [
      {},
      { name: 'n', idx: 0 },
      { name: null },
      { name: 'n', idx: null },
      { idx: -1 },
      { idx: 2 ** 31 },
      { idx: 1.5 },
      { idx: '0' },
    ]) {
      for (const answer of [await graphql(get, { by }), await graphql(remove, { input: by })]) {
        expect(answer.data?.clipboardEntry ?? answer.data?.clipboardDelete ?? null).toBeNull();
        expect(answer.errors?.map(({ extensions }: GraphqlError) => extensions.code)).toContain('VALIDATION_ERROR');
      }
    }
    expect((await graphql(connection)).data.clipboardEntries.totalCount).toBe(1);
  });

  it('without a key every operation is UNAUTHORIZED', async () => {
    const nobody = graphqlOf(server, null);
    const operations: [string, Record<string, unknown>][] = [
      [set, { input: { name: 'n', value: 'v' } }],
      [push, { input: { value: 'v' } }],
      [pop, {}],
      [remove, { input: { name: 'n' } }],
      [clear, {}],
      [get, { by: { name: 'n' } }],
      [byUuid, { uuid: randomUUID() }],
      [page, {}],
      [connection, {}],
    ];
    for (const [query, variables] of operations) {
      const answer = await nobody(query, variables);
      expect(errorOf(answer).extensions.code).toBe('UNAUTHORIZED');
    }
  });

  it('scopes: a key without the scope is FORBIDDEN', async () => {
    const { user, graphql } = await tenantOf(server);
    await graphql(set, { input: { name: 'n', value: 'v' } });
    const reader = graphqlOf(server, (await keyOf(server.services, user, { scopes: ['read'] })).secret);
    const writer = graphqlOf(server, (await keyOf(server.services, user, { scopes: ['write'] })).secret);
    for (const [query, variables] of [
      [set, { input: { name: 'n', value: 'v' } }],
      [push, { input: { value: 'v' } }],
      [pop, {}],
      [remove, { input: { name: 'n' } }],
      [clear, {}],
    ] as const) {
      expect(errorOf(await reader(query, variables)).extensions.code).toBe('FORBIDDEN');
    }
    for (const [query, variables] of [
      [get, { by: { name: 'n' } }],
      [page, {}],
      [connection, {}],
    ] as const) {
      expect(errorOf(await writer(query, variables)).extensions.code).toBe('FORBIDDEN');
    }
    expect((await reader(get, { by: { name: 'n' } })).data.clipboardEntry.value).toBe('v');
  });
});

describe('bodies of /graphql that carry values', () => {
  /** A mutation that pushes the bytes, as they are, between the quotes of a JSON string. */
  const pushing = (...bytes: Uint8Array[]) => [
    Buffer.from(`{"query":${JSON.stringify(push.replace(/\s+/g, ' '))},"variables":{"input":{"value":"`),
    ...bytes,
    Buffer.from('"}}}'),
  ];

  it('A16: bytes that are no UTF-8 are refused, never stored as U+FFFD', async () => {
    const { secret, call } = await tenantOf(server);
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80]]) {
      const body = Buffer.concat(pushing(Buffer.from(bytes)));
      const answer = await rawRequest(server.base, { method: 'POST', path: '/graphql', headers, body });
      expect(JSON.parse(answer.text).errors?.length).toBeGreaterThan(0);
    }
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('A14: 2 MB of U+0001, 12.6 MB as JSON, is stored here too', async () => {
    const { graphql } = await tenantOf(server);
    const value = '\u0001'.repeat(2_097_152);
    const { data, errors } = await graphql(
      'mutation ($value: String!) { clipboardPush(input: { value: $value }) { entry { sizeBytes } } }',
      { value },
    );
    expect(errors).toBeUndefined();
    expect(data.clipboardPush.entry.sizeBytes).toBe(2_097_152);
  });

  it('A15: a body far over every limit is refused with 413 without being read to the end', async () => {
    const { secret } = await tenantOf(server);
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const endless = (function* () {
      for (let i = 0; i < 3_000; i++) yield Buffer.alloc(65_536, 0x20);
    })();
    const answer = await rawRequest(server.base, { method: 'POST', path: '/graphql', headers, body: endless });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ extensions: { code: 'TOO_LARGE' } }] });
    expect(answer.bytesSent).toBeLessThan(64_000_000);
  });
});
