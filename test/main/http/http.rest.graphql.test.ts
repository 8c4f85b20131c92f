import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { type HttpStage, itAnswersWithoutSecrets, startHttpStage } from '../../support/http-stage.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Call, callerOf, type TestServer } from '../../support/server.ts';

let http: HttpStage;
let server: TestServer;
let secret: string;
let call: Call;
let withCookie: Call;

beforeAll(async () => {
  http = await startHttpStage();
  ({ server, secret, call, withCookie } = http);
});

describe('GraphQL over HTTP (F03)', () => {
  const mutation = 'mutation { clipboardSet(input: { name: "by-get", value: "x" }) { entry { uuid } } }';

  it(
    'a mutation over GET is 405 and changes nothing, with a key or a cookie',
    verifies('graph.no-get-mutation'),
    async () => {
      for (const each of [call, withCookie]) {
        const answer = await each('GET', `/graphql?query=${encodeURIComponent(mutation)}`);
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toContain('POST');
        expect(answer.body.errors[0].message).toEqual(expect.any(String));
        expect((await each('POST', '/api/clipboard/get', { name: 'by-get' })).status).toBe(404);
      }
    },
  );

  it('a subscription for who accepts no stream is a 406 that says so', async () => {
    const query = 'subscription { clipboardChanged { uuid } }';
    for (const type of ['application/json', 'application/graphql-response+json', 'x/y']) {
      const answer = await call('POST', '/graphql', { query }, { Accept: type });
      expect(answer.status).toBe(406);
      expect(answer.body.errors[0].message).toContain('text/event-stream');
    }
  });

  it('a subscription that is refused says so to who accepts nothing that answers subscriptions', async () => {
    const query = 'subscription { webhookDelivered(webhookUuid: "nothing") { uuid } }';
    const answer = await call('POST', '/graphql', { query }, { Accept: 'multipart/mixed' });
    expect(answer.body.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  it(
    'a POST of a form, of parts, of text or of nothing known is 415 and changes nothing',
    verifies('graph.no-forms'),
    async () => {
      const boundary = '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n';
      const posts: [type: string, body: string][] = [
        ['application/x-www-form-urlencoded', `query=${encodeURIComponent(mutation)}`],
        ['multipart/form-data; boundary=x', `${boundary}${JSON.stringify({ query: mutation })}\r\n--x--\r\n`],
        ['text/plain', JSON.stringify({ query: mutation })],
        ['application/graphql', mutation],
        ['text/plain; application/json', JSON.stringify({ query: mutation })],
        ['application/jsonx', JSON.stringify({ query: mutation })],
      ];
      for (const [type, body] of posts)
        for (const each of [call, withCookie]) {
          const answer = await each('POST', '/graphql', body, { 'Content-Type': type });
          expect(answer.status, type).toBe(415);
          expect(answer.body.errors[0].extensions.code, type).toBe('UNSUPPORTED_MEDIA_TYPE');
        }
      const without = await rawRequest(server.base, {
        method: 'POST',
        path: '/graphql',
        headers: { Authorization: `Bearer ${secret}` },
        body: Buffer.from(JSON.stringify({ query: mutation })),
      });
      expect(without.status).toBe(415);
      expect((await call('POST', '/api/clipboard/get', { name: 'by-get' })).status).toBe(404);
    },
  );

  it('a list of operations is refused: no batches', async () => {
    const answer = await call('POST', '/graphql', [{ query: '{__typename}' }, { query: '{__typename}' }]);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(expect.any(Array));
  });

  it(
    'what cannot be read is 4xx with a code, as JSON',
    verifies('everywhere.malformed-json', 'everywhere.never-html'),
    async () => {
      for (const body of [
        '{',
        '[]',
        'null',
        '42',
        '{"query":1}',
        '{"query":"{"}',
        '{"query":"{ nothing }"}',
        '{"query":"{__typename}","variables":[]}',
        '{"query":"{__typename}","variables":"x"}',
        '{"query":"{__typename}","operationName":1}',
      ]) {
        const answer = await call('POST', '/graphql', body, { Accept: 'application/graphql-response+json' });
        expect(answer.status, body).toBe(400);
        expect(answer.body.errors[0].message, body).toEqual(expect.any(String));
        expect(answer.body.errors[0].extensions.code, body).toBe('VALIDATION_ERROR');
      }
    },
  );

  it(
    'a wrong type is reported by its place and the expected type, and not repeated (I06)',
    verifies('graph.masked-errors'),
    async () => {
      const set = 'mutation ($input: ClipboardSetInput!) { clipboardSet(input: $input) { entry { uuid } } }';
      const canary = 'canary"; cannot represent value: at "x"; Expected';
      const cases: [query: string, variables: unknown, message: string][] = [
        [
          set,
          { input: { name: 'a', value: [canary] } },
          'Variable "$input" got invalid value at "input.value"; String cannot represent a non string value',
        ],
        [
          set,
          { input: { name: 'a', value: 'x', ttlSeconds: canary } },
          'Variable "$input" got invalid value at "input.ttlSeconds"; Int cannot represent non-integer value',
        ],
        [
          set,
          { input: canary },
          'Variable "$input" got invalid value; Expected type "ClipboardSetInput" to be an object.',
        ],
        [
          set,
          { input: { valve: canary } },
          'Variable "$input" got invalid value; Field "name" of required type "String!" was not provided.',
        ],
        [
          'query ($id: ID!) { node(id: $id) { id } }',
          { id: { canary } },
          'Variable "$id" got invalid value; ID cannot represent value',
        ],
        [
          'mutation ($at: DateTime) { apiKeyCreate(input: { name: "x", expiresAt: $at }) { secret } }',
          { at: canary },
          'Variable "$at" got invalid value; DateTime cannot represent an invalid date-time-string',
        ],
        [
          'mutation { clipboardSet(input: { name: ["canary"], value: "x" }) { entry { uuid } } }',
          {},
          'String cannot represent a non string value',
        ],
        [
          'mutation { clipboardPush(input: { value: "x", encoding: "HEX" }) { entry { uuid } } }',
          {},
          'Enum "ClipboardEncoding" cannot represent non-enum value. Did you mean the enum value "HEX"?',
        ],
        ['{ clipboardEntry(by: "canary") { uuid } }', {}, 'Expected value of type "ClipboardEntrySelector!".'],
        ['{ clipboardEntry(by: { name "canary" }) { uuid } }', {}, 'Syntax Error: Expected ":", found String.'],
        ['{ "canary" }', {}, 'Syntax Error: Expected Name, found String.'],
        ['{ nothing }', {}, 'Cannot query field "nothing" on type "Query".'],
      ];
      for (const [query, variables, message] of cases) {
        const answer = await call('POST', '/graphql', { query, variables });
        expect(answer.body.errors.map((error: { message: string }) => error.message)).toContain(message);
        expect(answer.text, message).not.toContain('canary');
      }
    },
  );

  it('twelve megabytes that have the wrong type are not sent back', async () => {
    const query = 'mutation ($input: ClipboardPushInput!) { clipboardPush(input: $input) { entry { uuid } } }';
    const answer = await call('POST', '/graphql', { query, variables: { input: { value: ['x'.repeat(12_000_000)] } } });
    expect(answer.body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
    expect(answer.text.length).toBeLessThan(1_000);
  });

  it('an unknown operation name, and a document without an operation, are 4xx', async () => {
    for (const body of [
      { query: 'query A { __typename }', operationName: 'B' },
      { query: 'fragment F on Query { __typename }' },
      { query: 'query A { __typename } query B { __typename }' },
    ])
      expect((await call('POST', '/graphql', body, { Accept: 'application/graphql-response+json' })).status).toBe(400);
  });

  it("a bad key is 401 in GraphQL's shape", verifies('identity.key.header'), async () => {
    const answer = await callerOf(server, 'pbk_x')('POST', '/graphql', { query: '{__typename}' });
    expect(answer.status).toBe(401);
    expect(answer.body.errors[0].extensions.code).toBe('UNAUTHORIZED');
  });

  it('GraphiQL is a page of our own: it names no other host', async () => {
    const answer = await callerOf(server, null)('GET', '/graphql', undefined, { Accept: 'text/html' });
    expect(answer.status).toBe(200);
    const sources = [...answer.text.slice(0, 20_000).matchAll(/(?:src|href)=["']?(https?:)?\/\/([^"'\s>]+)/g)];
    expect(sources.map(([all]) => all)).toEqual([]);
  });
});

itAnswersWithoutSecrets(() => http);
