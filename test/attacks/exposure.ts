import { type Check, outcomeOf, seen } from './check.ts';
import { ask, type Reply, send } from './target.ts';

const isPublic = 'docs/decisions/0005-the-graph-is-public.md: the graph is a documented product';
/** Stack traces, files, statements, tables and hosts (F02). */
const inside =
  /stacktrace|"exception"|"stack"|node_modules|\.ts:\d|\bat \w+ \(|SELECT |INSERT INTO|relation "|column "|PrismaClient|ECONNREFUSED|"originalError"/i;
const tellsOfTheInside = (reply: Reply) => outcomeOf(inside.test(reply.text) || reply.status >= 500, seen(reply));
const page = { Accept: 'text/html,application/xhtml+xml' };

/** What is told to whom it does not concern. */
export const exposure: readonly Check[] = [
  {
    name: 'introspection',
    severity: 'high',
    decided: isPublic,
    async attack(target) {
      const reply = await ask(target, '{ __schema { types { name } } }', { as: 'nobody' });
      return outcomeOf(Boolean(reply.json?.data), `${reply.json?.data?.__schema?.types?.length} types`);
    },
  },
  {
    name: 'field suggestions',
    severity: 'low',
    decided: isPublic,
    async attack(target) {
      const reply = await ask(target, 'query { __schema { directive } }', { as: 'nobody' });
      return outcomeOf(/did you mean/i.test(reply.text), seen(reply));
    },
  },
  {
    name: 'GraphiQL',
    severity: 'low',
    decided: isPublic,
    async attack(target) {
      const reply = await send(target, { method: 'GET', headers: page, as: 'nobody' });
      return outcomeOf(/graphiql/i.test(reply.text), `${reply.status}, ${reply.text.length} characters`);
    },
  },
  {
    name: 'GraphiQL in a frame of another site',
    severity: 'medium',
    async attack(target) {
      const { headers } = await send(target, { method: 'GET', headers: page, as: 'nobody' });
      const policy = headers.get('content-security-policy') ?? '';
      return outcomeOf(
        !/frame-ancestors 'none'/.test(policy) && !headers.get('x-frame-options'),
        policy || 'no policy',
      );
    },
  },
  {
    name: 'GraphiQL that loads scripts from elsewhere',
    severity: 'medium',
    async attack(target) {
      const { text } = await send(target, { method: 'GET', headers: page, as: 'nobody' });
      const [foreign] = /<(?:script|link)[^>]+(?:src|href)="(?:https?:)?\/\/[^"]+"/i.exec(text) ?? [];
      return outcomeOf(foreign !== undefined, foreign ?? 'all of it is in the page');
    },
  },
  {
    name: 'tracing in extensions',
    severity: 'low',
    async attack(target) {
      const reply = await send(target, {
        headers: {
          'Content-Type': 'application/json',
          'X-Apollo-Tracing': '1',
          'Apollo-Federation-Include-Trace': 'ftv1',
          'Apollo-Query-Plan-Experimental': '1',
        },
        body: JSON.stringify({ query: 'query { __typename }', extensions: { tracing: true } }),
      });
      return outcomeOf(
        /tracing|ftv1|stacktrace|queryPlan/i.test(JSON.stringify(reply.json?.extensions ?? '')),
        seen(reply),
      );
    },
  },
  ...(
    [
      ['an error that is not handled: no such operation', 'qwerty cop { abc }', {}],
      [
        'an error that is not handled: a name of no operation',
        'query A { __typename }',
        { operationName: '__proto__' },
      ],
      [
        'an error that is not handled: variables of another type',
        'query ($x: Int!) { clipboardEntries(first: $x) { totalCount } }',
        { variables: { x: { a: [1] } } },
      ],
      [
        'an error that is not handled: __proto__ as a variable',
        'query ($x: ID!) { node(id: $x) { id } }',
        { variables: JSON.parse('{"__proto__":{"x":"y"},"constructor":{"prototype":{}}}') },
      ],
      ['SQL in an id', `{ node(id: "' OR 1=1; --") { id } clipboardEntry(by: { name: "' OR 1=1" }) { value } }`, {}],
      [
        'SQL in an id of the right form',
        `{ node(id: "${Buffer.from("ClipboardEntry:' OR 1=1; --").toString('base64')}") { id } }`,
        {},
      ],
      [
        'SQL in a cursor',
        `{ clipboardEntries(first: 1, after: "${Buffer.from("' OR 1=1; --").toString('base64')}") { totalCount } }`,
        {},
      ],
      ['NUL and a lone surrogate', '{ clipboardEntry(by: { name: "\\u0000\\ud800" }) { value } }', {}],
    ] as const
  ).map(
    ([name, query, rest]): Check => ({
      name,
      severity: 'medium',
      attack: async (target) => tellsOfTheInside(await ask(target, query, rest)),
    }),
  ),
  {
    name: 'an unhandled error: a body that is not a request',
    severity: 'medium',
    async attack(target) {
      const bodies = [
        '',
        'null',
        '[]',
        '"x"',
        '{"query":1}',
        '{"query":null}',
        '{"query":"{__typename}","variables":[]}',
        '{"query":',
        '{}',
      ];
      const headers = { 'Content-Type': 'application/json' };
      const replies = await Promise.all(bodies.map((body) => send(target, { headers, body })));
      const bad = replies.find((reply) => tellsOfTheInside(reply).verdict === 'exposed');
      return outcomeOf(bad !== undefined, bad ? seen(bad) : replies.map(({ status }) => status).join(' '));
    },
  },
  {
    name: 'what the server is made of, in headers',
    severity: 'low',
    async attack(target) {
      const { headers } = await ask(target, '{ __typename }');
      const told = ['x-powered-by', 'server', 'x-graphql-yoga'].filter((name) => headers.has(name));
      return outcomeOf(told.length > 0, told.join(', ') || 'nothing');
    },
  },
  {
    name: 'answers that caches may keep',
    severity: 'medium',
    async attack(target) {
      const { headers } = await send(target, { method: 'GET', search: '?query={viewer{user{id}}}' });
      const control = headers.get('cache-control') ?? '';
      return outcomeOf(!/no-store|private/.test(control), control || 'no Cache-Control');
    },
  },
];
