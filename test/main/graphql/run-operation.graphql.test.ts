import { describe, expect, it } from 'vitest';
import { openEventStream } from '../../support/event-stream.ts';
import { connectedSocket } from '../../support/graphql-socket.ts';
import { callerOf, startTestServer, type TestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
const limited = await startTestServer({ RATE_LIMITS: '{"general":"2/1h","*":"off"}' });

interface Request {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests look into results of every shape
type Result = any;

/** Every entry point that takes a document from a client. Each gives the result of one operation. */
const entryPoints: [string, (server: TestServer, secret: string, request: Request) => Promise<Result>][] = [
  ['a plain POST', async (at, secret, request) => (await callerOf(at, secret)('POST', '/graphql', request)).body],
  [
    'a POST by Yoga',
    async (at, secret, request) =>
      (await callerOf(at, secret)('POST', '/graphql', { ...request, extensions: {} })).body,
  ],
  [
    'a GET',
    async (at, secret, { query, variables = {} }) => {
      const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
      return (await callerOf(at, secret)('GET', `/graphql?${parameters}`)).body;
    },
  ],
  [
    'an event stream',
    async (at, secret, { query, variables }) => {
      const stream = await openEventStream(at.base, query, { Authorization: `Bearer ${secret}` }, variables);
      if (stream.status === 429) return { errors: [{ extensions: { code: 'RATE_LIMITED' } }] };
      const event = await stream.next();
      stream.close();
      return event?.data;
    },
  ],
  [
    'a socket',
    async (at, secret, request) => {
      const connection = await connectedSocket(at.base, secret);
      connection.send({ id: '1', type: 'subscribe', payload: request });
      const { type, payload } = await connection.next();
      connection.socket.terminate();
      return type === 'error' ? { errors: payload } : payload;
    },
  ],
];

const codeOf = ({ errors }: Result) => errors?.[0]?.extensions.code;
const byName = 'query ($name: String!) { clipboardEntry(by: { name: $name }) { name } }';

describe.each(entryPoints)('an operation over %s', (_name, ask) => {
  it('runs, and is masked and limited like over all others', async () => {
    const { secret, call } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'known', value: 'v' });
    expect(await ask(server, secret, { query: byName, variables: { name: 'known' } })).toEqual({
      data: { clipboardEntry: { name: 'known' } },
    });
    const refused = await ask(server, secret, { query: byName, variables: { name: 'not a name' } });
    expect(refused.data).toEqual({ clipboardEntry: null });
    expect(refused.errors[0].extensions).toEqual({
      code: 'VALIDATION_ERROR',
      details: expect.objectContaining({ name: expect.any(String) }),
    });
    const wide =
      '{ projects(first: 100) { nodes { profiles(first: 100) { nodes { apiKeys(first: 100) { nodes { uuid } } } } } } }';
    expect(codeOf(await ask(server, secret, { query: wide }))).toBe('VALIDATION_ERROR');
  });

  it('is counted before its variables are coerced, and when its document is invalid', async () => {
    for (const wrong of [
      { query: 'query ($first: Int) { projects(first: $first) { totalCount } }', variables: { first: 'no' } },
      { query: '{ nothing }' },
      { query: '{' },
    ]) {
      const { secret } = await tenantOf(limited);
      expect(codeOf(await ask(limited, secret, wrong)), wrong.query).toBe('VALIDATION_ERROR');
      expect(codeOf(await ask(limited, secret, wrong)), wrong.query).toBe('VALIDATION_ERROR');
      expect(codeOf(await ask(limited, secret, wrong)), wrong.query).toBe('RATE_LIMITED');
    }
  });

  it('J01: names the first error of its variables alone, for whose many errors the process would block', async () => {
    const { secret } = await tenantOf(server);
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`unknown${i}`, null]));
    const { errors } = await ask(server, secret, {
      query: 'query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { name } }',
      variables: { by: unknown },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0].message).toBe(
      'Variable "$by" got invalid value; Field "unknown0" is not defined by type "ClipboardEntrySelector".',
    );
  });
});

describe('J02: text of the client in the words of an error', () => {
  const large = 'cannot represent value: " at "'.repeat(30_000);
  const set = 'mutation ($input: ClipboardSetInput!) { clipboardSet(input: $input) { entry { uuid } } }';

  it.each<[string, Request, string | RegExp]>([
    [
      'the name of a field is cut',
      { query: set, variables: { input: { name: 'a', value: 'v', ['a'.repeat(900_000)]: 1 } } },
      /^Variable "\$input" got invalid value; Field "a{900,}…$/,
    ],
    [
      'a value in the place of a number is left out',
      { query: set, variables: { input: { name: 'a', value: 'v', ttlSeconds: large } } },
      'Variable "$input" got invalid value at "input.ttlSeconds"; Int cannot represent non-integer value',
    ],
    [
      'a value that an enum lacks is left out',
      { query: set, variables: { input: { name: 'a', value: 'v', encoding: large } } },
      'Variable "$input" got invalid value at "input.encoding"; Value does not exist in "ClipboardEncoding" enum.',
    ],
    [
      'the suggestions of an enum stay',
      { query: set, variables: { input: { name: 'a', value: 'v', encoding: 'HEXX' } } },
      'Variable "$input" got invalid value at "input.encoding"; Value does not exist in "ClipboardEncoding" enum. Did you mean the enum value "HEX"?',
    ],
    ['the name of an operation is cut', { query: `{ ${'b'.repeat(60_000)} }` }, /^Cannot query field "b{900,}…$/],
  ])('%s', async (_name, request, message) => {
    const { secret } = await tenantOf(server);
    const { body } = await callerOf(server, secret)('POST', '/graphql', request);
    const [error] = body.errors;
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
    expect(error.message.length).toBeLessThanOrEqual(1_001);
  });
});

it('fragments that spread two others each are counted in one walk, and refused for what they come to', async () => {
  const { secret } = await tenantOf(server);
  const levels = Array.from({ length: 45 }, (_, i) => i);
  const query = `{ ...A0 ...B0 } ${levels
    .map((i) => ['A', 'B'].map((name) => `fragment ${name}${i} on Query { ...A${i + 1} ...B${i + 1} }`).join(' '))
    .join(' ')} fragment A45 on Query { __typename } fragment B45 on Query { __typename }`;
  const { body } = await callerOf(server, secret)('POST', '/graphql', { query });
  expect(body.errors[0].extensions.details).toEqual({ cost: 'at most 20000 fields' });
});

it('an error of a document over a socket has its place', async () => {
  const { secret } = await tenantOf(server);
  const connection = await connectedSocket(server.base, secret);
  connection.send({ id: '1', type: 'subscribe', payload: { query: '{ nothing }' } });
  connection.send({ id: '2', type: 'subscribe', payload: { query: '{' } });
  const messages = [await connection.next(), await connection.next()];
  for (const { payload } of messages) expect(payload[0].locations).toHaveLength(1);
  connection.socket.terminate();
});

it.each([
  ['no credential', null],
  ['another profile', 'key'],
])(
  'a subscription that is refused to %s is an error of the client, also for a client that takes no stream',
  async (_name, who) => {
    const { secret } = await tenantOf(server);
    for (const accept of ['application/json', 'application/graphql-response+json', '*/*']) {
      const { status, body } = await callerOf(server, who && secret)(
        'POST',
        '/graphql',
        { query: 'subscription { webhookDelivered(webhookUuid: "b0b0b0b0-0000-4000-8000-000000000000") { uuid } }' },
        { Accept: accept },
      );
      expect(status, accept).toBeLessThan(500);
      expect(['UNAUTHORIZED', 'NOT_FOUND']).toContain(codeOf(body));
    }
  },
);
