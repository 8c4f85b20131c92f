import { gzipSync } from 'node:zlib';
import { type Check, outcomeOf, refusedOutright, seen, skipped, survived } from './check.ts';
import { ask, send } from './target.ts';

const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const json = { 'Content-Type': 'application/json' };

/** A document that must be refused before it runs. */
const document = (name: string, query: string, severity: Check['severity'] = 'high'): Check => ({
  name,
  severity,
  attack: async (target) => refusedOutright(await ask(target, query)),
});

const rounds = (count: number, inner: string) => `${'fields { type { '.repeat(count)}${inner}${' } }'.repeat(count)}`;

/** What costs more to answer than to send. */
export const overload: readonly Check[] = [
  document('alias overloading, 101 of __typename', `query { ${times(101, (i) => `alias${i}: __typename`)} }`),
  document(
    'alias overloading, 1 000 of a list',
    `{ ${times(1_000, (i) => `a${i}: clipboardEntries { totalCount }`)} }`,
  ),
  document(
    'alias overloading behind fragments',
    `{ ${times(20, (i) => `...F${i}`)} } ${times(20, (i) => `fragment F${i} on Query { ${times(20, (j) => `a${i}x${j}: __typename`)} }`)}`,
  ),
  document(
    'alias overloading of a mutation',
    `mutation { ${times(101, (i) => `a${i}: clipboardPush(input: { value: "x" }) { entry { uuid } }`)} }`,
  ),
  {
    name: 'guesses by aliases: 20 sign-ins in one request',
    severity: 'high',
    async attack(target) {
      if (!target.countsGuesses) return skipped('guesses are not limited here');
      const query = `mutation { ${times(20, (i) => `a${i}: userSignIn(input: { username: "nobody", password: "guess ${i} of many" }) { __typename }`)} }`;
      const reply = await ask({ ...target, waitForLimit: null }, query, { as: 'nobody' });
      return outcomeOf(!/RATE_LIMITED/.test(reply.text), seen(reply));
    },
  },
  {
    name: 'array batching, 10 operations',
    severity: 'high',
    async attack(target) {
      const body = JSON.stringify(Array.from({ length: 10 }, () => ({ query: '{ __typename }' })));
      return refusedOutright(await send(target, { headers: json, body }));
    },
  },
  {
    name: 'directive overloading, ten unknown',
    severity: 'high',
    async attack(target) {
      const reply = await ask(target, `query { __typename ${'@aa'.repeat(10)} }`);
      const errors = reply.json?.errors?.length;
      return outcomeOf(
        errors === 10 || refusedOutright(reply).verdict === 'exposed',
        `${errors} errors, ${seen(reply)}`,
      );
    },
  },
  document('directive overloading, 1 000 known', `{ __typename ${'@include(if: true)'.repeat(1_000)} }`),
  document('field duplication, 500 of __typename', `query { ${'__typename \n'.repeat(500)} }`),
  document('field duplication, 4 900 of __typename', `{ ${'__typename '.repeat(4_900)} }`, 'medium'),
  document('circular introspection', `query { __schema { types { ${rounds(4, 'name')} } } }`),
  document(
    'introspection by ofType, 60 deep',
    `{ __schema { types { ${rounds(1, `${'ofType { '.repeat(60)}name${' }'.repeat(60)}`)} } } }`,
  ),
  document('a depth of 50', `{ ${'node(id: "x") { ... on Project { '.repeat(25)} id ${'} }'.repeat(25)} }`),
  document(
    'a circle of fragments',
    'query { ...A } fragment A on Query { __typename ...B } fragment B on Query { __typename ...A }',
  ),
  document('a fragment that spreads itself', '{ ...A } fragment A on Query { ...A }'),
  document(
    '400 fragments, compared in pairs',
    `{ ${times(400, (i) => `...F${i}`)} } ${times(400, (i) => `fragment F${i} on Query { __typename }`)}`,
    'medium',
  ),
  document(
    '100 x 100 x 100 objects',
    '{ projects(first: 100) { nodes { profiles(first: 100) { nodes { apiKeys(first: 100) { nodes { uuid } } } } } } }',
  ),
  document('a list of 10^9', '{ clipboardEntries(first: 1000000000) { nodes { uuid } } }'),
  document('a list of -1', '{ clipboardEntries(first: -1) { nodes { uuid } } }'),
  document('a document of 1 MB of fields', `{ ${'__typename '.repeat(90_000)} }`),
  document('a document of 8 MB of comments', `${'#\n'.repeat(4_000_000)}{ __typename }`),
  document('a document of one string of 5 MB', `{ clipboardEntry(by: { name: "${'x'.repeat(5_000_000)}" }) { uuid } }`),
  document(
    'a block string of a million lines',
    `{ clipboardEntry(by: { name: """${'\n'.repeat(1_000_000)}""" }) { uuid } }`,
  ),
  document('1 000 variables', `query (${times(1_000, (i) => `$v${i}: Int`)}) { __typename }`),
  document(
    '1 000 operations',
    times(1_000, (i) => `query Q${i} { __typename }`),
  ),
  document(
    'brackets, 4 000 deep',
    `{ clipboardEntries(first: ${'['.repeat(2_000)}${']'.repeat(2_000)}) { totalCount } }`,
  ),
  document(
    'an input object in itself, 1 000 deep',
    `{ clipboardEntry(by: ${'{ name: '.repeat(1_000)}"x"${' }'.repeat(1_000)}) { uuid } }`,
  ),
  {
    name: 'variables, 100 000 deep',
    severity: 'high',
    async attack(target) {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const body = `{"query":"query ($ids: [ID!]!) { nodes(ids: $ids) { id } }","variables":{"ids":${deep}}}`;
      return refusedOutright(await send(target, { headers: json, body }));
    },
  },
  {
    name: 'a list of 200 000 ids',
    severity: 'high',
    async attack(target) {
      const ids = Array.from({ length: 200_000 }, () => 'UHJvamVjdDox');
      return refusedOutright(
        await ask(target, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids } }),
      );
    },
  },
  {
    name: 'a hundred errors with suggestions',
    severity: 'medium',
    async attack(target) {
      const reply = await ask(target, `{ ${times(2_400, (i) => `clipboardEntry${i}`)} }`);
      return outcomeOf(
        reply.text.length > 100_000 || refusedOutright(reply).verdict === 'exposed',
        `${seen(reply)} (${reply.text.length} characters)`,
      );
    },
  },
  {
    name: 'a packed body that unfolds to 100 MB',
    severity: 'high',
    async attack(target) {
      const body = gzipSync(Buffer.alloc(100_000_000, ' '));
      return refusedOutright(await send(target, { headers: { ...json, 'Content-Encoding': 'gzip' }, body }));
    },
  },
  {
    name: 'a body of 1 MB without a credential',
    severity: 'medium',
    async attack(target) {
      const body = JSON.stringify({ query: '{ __typename }', variables: { x: 'x'.repeat(1_000_000) } });
      const reply = await send(target, { headers: json, body, as: 'nobody' });
      // Who is refused before all was sent may not get to read it.
      return reply.status === 0 ? outcomeOf(false, `cut off: ${reply.text}`) : refusedOutright(reply);
    },
  },
  {
    name: '@defer and @stream',
    severity: 'low',
    attack: async (target) =>
      refusedOutright(await ask(target, '{ ... @defer { __typename } clipboardEntries { nodes @stream { uuid } } }')),
  },
  {
    name: 'after all of this the server still answers',
    severity: 'high',
    async attack(target) {
      const reply = await ask(target, '{ clipboardEntries(first: 1) { totalCount } }');
      const outcome = survived(reply);
      return outcomeOf(outcome.verdict === 'exposed' || reply.json?.errors !== undefined, outcome.evidence);
    },
  },
];
