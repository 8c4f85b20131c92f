import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { callerOf, startTestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
const types = ['application/json', 'application/graphql-response+json', '*/*'];

/** A set that is refused for a reason that each test gives it. */
const set = 'mutation Set($input: ClipboardSetInput!) { clipboardSet(input: $input) { entry { name value } } }';
const byName = 'query ($name: String!) { clipboardEntry(by: { name: $name }) { name value } }';

/** Requests as clients send them, right and wrong. */
const requests: [string, Record<string, unknown>][] = [
  ['a query', { query: '{ __typename }' }],
  ['a query with variables', { query: byName, variables: { name: 'known' } }],
  ['null for variables and operation', { query: '{ __typename }', variables: null, operationName: null }],
  ['what does not exist', { query: byName, variables: { name: 'unknown' } }],
  [
    'aliases and fragments',
    { query: `{ a: clipboardEntry(by: { name: "known" }) { ...F } b: __typename } ${fragment()}` },
  ],
  [
    'a field left out by a variable',
    { query: 'query ($no: Boolean!) { __typename @skip(if: $no) a: __typename }', variables: { no: true } },
  ],
  ['an operation by its name', { query: 'query A { __typename }', operationName: 'A' }],
  ['an operation by another name', { query: 'query A { __typename }', operationName: 'B' }],
  ['two operations', { query: 'query A { __typename } query B { a: __typename }', operationName: 'B' }],
  ['two operations and no name', { query: 'query A { __typename } query B { a: __typename }' }],
  ['introspection', { query: getIntrospectionQuery() }],
  ['text that is not a document', { query: '{' }],
  ['an empty document', { query: '' }],
  ['an unknown field', { query: '{ nothing }' }],
  ['a missing variable', { query: byName }],
  ['a variable of another type', { query: byName, variables: { name: { no: 1 } } }],
  ['a variable that the document does not name', { query: '{ __typename }', variables: { more: 1 } }],
  ['variables that are no object', { query: '{ __typename }', variables: [1] }],
  ['an unknown parameter', { query: '{ __typename }', more: 1 }],
  ['a mutation', { query: set, variables: { input: { name: 'other', value: 'v' } } }],
  ['a refusal by the service', { query: set, variables: { input: { name: 'not a name', value: 'v' } } }],
  ['a refusal of a field that may be null', { query: byName, variables: { name: 'not a name' } }],
  ['a refusal beside an answer', { query: '{ a: __typename clipboardEntry(by: { name: "not a name" }) { name } }' }],
  ['what needs a session', { query: 'mutation { projectCreate(input: { name: "x" }) { project { uuid } } }' }],
  ['a global id that is none', { query: '{ node(id: "no") { id } }' }],
  [
    'too much at once',
    {
      query:
        '{ projects(first: 100) { nodes { profiles(first: 100) { nodes { apiKeys(first: 100) { nodes { uuid } } } } } } }',
    },
  ],
  ['too deep a document', { query: `{ ${'node(id: "x") { ... on Project { '.repeat(25)} id ${'} }'.repeat(25)} }` }],
  ['a subscription', { query: 'subscription { nothing }' }],
];

function fragment(): string {
  return 'fragment F on ClipboardEntry { uuid createdAt sizeBytes value encoding }';
}

describe('a plain POST is answered beside Yoga, and alike', () => {
  it.each(requests)('%s', async (_name, body) => {
    const { call, secret } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'known', value: 'v' });
    for (const caller of [callerOf(server, secret), callerOf(server, null)]) {
      for (const accept of types) {
        const ask = async (more: object) => {
          const { status, headers, text } = await caller('POST', '/graphql', { ...body, ...more }, { Accept: accept });
          const told = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
          return { status, text, headers: Object.fromEntries(told.filter(([name]) => !hopByHop.has(name))) };
        };
        // Yoga validates extensions.
        expect(await ask({})).toEqual(await ask({ extensions: {} }));
      }
    }
  });
});

/** How an answer is framed, which is between two ends of a connection. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding']);
