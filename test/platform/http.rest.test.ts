import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import type { Route } from '../../rest-adapter/route.ts';
import { addressOf } from '../../src/main/identify.ts';
import { verifies } from '../requirements.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually, within } from '../support/deadline.ts';
import { sessionOf } from '../support/people.ts';
import { type RawAnswer, rawRequest } from '../support/raw-http.ts';
import { exchange } from '../support/raw-socket.ts';
import { type Answer, type Call, callerOf, startTestServer, type TestServer, tenantOf } from '../support/server.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let server: TestServer;
let secret: string;
let call: Call;
let token: string;
let withCookie: Call;
/** Begun first, since it takes the server ten seconds to lose patience. */
let slowHeaders: ReturnType<typeof exchange>;

/** Every answer of this file, for what must never stand in one. */
const answers: string[] = [];

const recording =
  (inner: Call): Call =>
  async (...request) => {
    const answer = await inner(...request);
    answers.push([...answer.headers].join('\n') + answer.text);
    return answer;
  };

beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: 'trace' });
  slowHeaders = exchange(server.base, 'GET /api/clipboard HTTP/1.1\r\nHost: x\r\nX-Slow: ', { timeoutMs: 16_000 });
  const tenant = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
  secret = tenant.secret;
  call = recording(tenant.call);
  const session = await sessionOf(server);
  token = session.token;
  withCookie = recording(session.call);
});

const isClipboard = (path: string) => path === '/api/clipboard' || path.startsWith('/api/clipboard/');

/** The documented error of a path: one shape for the clipboard, one for everything else. */
function expectRefusal(answer: Pick<Answer, 'status' | 'body' | 'headers'>, status: number, path: string): void {
  const label = `${path}: ${JSON.stringify(answer.body)}`;
  expect(answer.status, label).toBe(status);
  expect(answer.headers.get('content-type'), label).toBe('application/json; charset=utf-8');
  if (isClipboard(path)) {
    expect(answer.body, label).toMatchObject({ success: false, error: expect.any(String) });
    for (const key of Object.keys(answer.body)) expect(['success', 'error', 'details', 'retryAfter']).toContain(key);
  } else {
    expect(Object.keys(answer.body), label).toEqual(['error']);
    expect(answer.body.error, label).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    for (const key of Object.keys(answer.body.error)) expect(['code', 'message', 'details']).toContain(key);
  }
}

const pathOf = ({ path }: Route) => path.replace(/:\w+/g, 'b0b0b0b0-0000-4000-8000-000000000000');
/** Routes by who may call them, each method and path once. */
const distinctRoutes = [...Map.groupBy(routes, ({ method, path }) => `${method} ${path}`).values()].map(
  ([first]) => first as Route,
);
const bodied = distinctRoutes.filter(({ method }) => method !== 'GET');
/** Calls a route with the credentials that it takes. */
const callRoute = (route: Route, ...rest: [body?: unknown, headers?: Record<string, string>]) =>
  (route.access === 'session' ? withCookie : call)(route.method, pathOf(route), ...rest);

const titled = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('a path that there is not', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/clipboard/nothing'],
    ['PATCH', '/api/clipboards'],
    ['GET', '/API/CLIPBOARD'],
    ['GET', '/graphql/nothing'],
    ['GET', '/docs/api/../../package.json'],
    ['GET', '/docs/api/%2e%2e/package.json'],
  ])(
    `%s %s is 404 in the general shape, as JSON ${verifies('everywhere.unknown-path', 'everywhere.never-html')}`,
    async (method, path) => {
      const answer = await call(method, path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String) } });
    },
  );
});

describe('a wrong method', () => {
  const allowed = Map.groupBy(distinctRoutes, ({ path }) => path);
  const paths = [...allowed].map(([path, list]) => [path, list] as const);

  it.each(paths)(`on %s is 405 with Allow ${verifies('everywhere.method')}`, async (_path, list) => {
    const [first] = list as [Route, ...Route[]];
    const methods = new Set(list.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
    // A path with a parameter may be shadowed by a fixed one; then the union of both is allowed.
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (each) => !methods.has(each as Route['method']),
    )) {
      const answer = await call(method, pathOf(first), method === 'GET' ? undefined : {});
      expectRefusal(answer, 405, first.path);
      expect(answer.headers.get('allow')?.split(', ').sort(), method).toEqual([...methods].sort());
    }
  });

  it(`on /graphql is 405 with Allow ${verifies('everywhere.method')}`, async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await call(method, '/graphql', { query: '{ __typename }' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, POST');
      expect(answer.body.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
    }
  });

  it('TRACE and CONNECT are refused, never echoed', async () => {
    for (const method of ['TRACE', 'CONNECT']) {
      const {
        answers: [answer],
        text,
      } = await exchange(
        server.base,
        `${method} /api/clipboard HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
        { answersMax: 1 },
      );
      expect([undefined, 400, 404, 405, 501]).toContain(answer?.status);
      expect(text).not.toContain(secret);
    }
  });
});

describe('a body that is no JSON object (I09)', () => {
  it.each(titled(bodied))(
    `is 400 in the shape of %s ${verifies('everywhere.malformed-json')}`,
    async (_title, route) => {
      for (const body of [
        '{',
        '{"a":1}}',
        '[]',
        '[{"name":"a"}]',
        'null',
        '"text"',
        '42',
        'true',
        '\u0000',
        "{'a':1}",
      ]) {
        const answer = await callRoute(route, body);
        expectRefusal(answer, 400, route.path);
      }
    },
  );

  it.each(titled(bodied))(
    `of another media type is 415 in the shape of %s ${verifies('everywhere.media-type')}`,
    async (_title, route) => {
      const wrong: [contentType: string, body: string][] = [
        ['text/plain', '{}'],
        ['application/x-www-form-urlencoded', 'name=a'],
        ['multipart/form-data; boundary=x', '--x--'],
        ['application/xml', '<a/>'],
        ['application/json; charset=latin1', '{}'],
        ['application/json; charset=nonsense', '{}'],
        ['json', '{}'],
      ];
      for (const [contentType, body] of wrong)
        expectRefusal(await callRoute(route, body, { 'Content-Type': contentType }), 415, route.path);
      expectRefusal(await callRoute(route, '{}', { 'Content-Encoding': 'nonsense' }), 415, route.path);
    },
  );

  it(`without any content type is 415 ${verifies('everywhere.media-type')}`, async () => {
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: '/api/clipboard/push',
      headers: { Authorization: `Bearer ${secret}` },
      body: Buffer.from('{"value":"a"}'),
    });
    expect(answer.status).toBe(415);
    expect(JSON.parse(answer.text)).toMatchObject({ success: false });
  });

  it.each(titled(bodied))(
    `may be empty on %s, with the content type of JSON ${verifies('everywhere.empty-body')}`,
    async (_title, route) => {
      // What it means is the route's affair; the transport does not mind.
      const answer = await callRoute(route);
      expect([200, 400, 401, 403, 404, 409]).toContain(answer.status);
      expect(answer.body).not.toHaveProperty('details.body');
      expect(answer.body).not.toHaveProperty('error.details.body');
    },
  );

  it(`may be empty on GET too ${verifies('everywhere.empty-body', 'everywhere.success')}`, async () => {
    expect((await call('GET', '/api/clipboard')).status).toBe(200);
  });

  it('may be deep: ten thousand brackets are 400 or ignored, never 500', async () => {
    const answer = await call(
      'POST',
      '/api/clipboard/push',
      `{"value":"a","deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    );
    expect([200, 400]).toContain(answer.status);
  });

  it('may name __proto__ and constructor: nothing is polluted and nothing fails', async () => {
    const answer = await call(
      'POST',
      '/api/clipboard/push',
      '{"value":"a","__proto__":{"visibility":"public"},"constructor":{"prototype":{"x":1}}}',
    );
    expect(answer.status).toBe(200);
    expect(answer.body.entry.visibility).toBe('private');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('may begin with a byte order mark: answered, not failed', async () => {
    expect([200, 400]).toContain((await call('POST', '/api/clipboard/push', '\ufeff{"value":"a"}')).status);
  });

  it('in bytes that are no UTF-8 is 400, or is read without a fault', async () => {
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: '/api/clipboard/push',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0x76, 0xff, 0xfe, 0x22, 0x7d]),
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ success: false });
  });
});

describe('a body that is too large (A15)', () => {
  const large = bodied.filter(({ bodyBytesMax = 256 * 1024 }) => bodyBytesMax <= 256 * 1024);

  it.each(titled(large))(`is 413 in the shape of %s ${verifies('everywhere.too-large')}`, async (_title, route) => {
    expectRefusal(await callRoute(route, JSON.stringify({ pad: 'x'.repeat(300 * 1024) })), 413, route.path);
  });

  const chunk = Buffer.alloc(1024 * 1024, ' ');

  /**
   * Sends chunks without a length until the server has enough. Who sends on and on may lose the answer with the connection
   * (RFC 9112, 9.6), so a reset means another try; but most senders must hear it.
   */
  async function flood(path: string, megabytes: number): Promise<RawAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await rawRequest(server.base, {
          method: 'POST',
          path,
          headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
          body: Array.from({ length: megabytes }, () => chunk),
        });
      } catch (error) {
        if (attempt === 8 || !/EPIPE|ECONNRESET/.test(String(error))) throw error;
      }
    }
  }

  it(`without a length is read to the limit and no further ${verifies('everywhere.too-large')}`, async () => {
    const answer = await flood('/api/clipboard/push', 200);
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ success: false });
    expect(answer.bytesSent).toBeLessThan(60 * 1024 * 1024);
  });

  it(`after decompression is 413: a gzip bomb is not unpacked ${verifies('everywhere.too-large')}`, async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
    const before = process.memoryUsage().rss;
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: '/api/clipboard/push',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: bomb,
    });
    expect(answer.status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it(`over /graphql is 413 with and without a length ${verifies('everywhere.too-large')}`, async () => {
    const withLength = await rawRequest(server.base, {
      method: 'POST',
      path: '/graphql',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': String(20 * chunk.length),
      },
      body: Array.from({ length: 20 }, () => chunk),
    });
    expect(withLength.status).toBe(413);
    const chunked = await flood('/graphql', 60);
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.text).errors[0].extensions.code).toBe('TOO_LARGE');
    expect(chunked.bytesSent).toBeLessThan(40 * 1024 * 1024);
  });
});

describe('percent-encoding and query strings (I09)', () => {
  it.each([
    '/api/clipboard/entries/%',
    '/api/clipboard/entries/%zz',
    '/api/clipboard/entries/%c3%28',
    '/api/api-keys/%',
  ])(`the bad path %s is 400 in the shape of its group ${verifies('everywhere.percent-encoding')}`, async (path) => {
    const answer = await rawRequest(server.base, {
      method: path.includes('api-keys') ? 'DELETE' : 'GET',
      path,
      headers: { Authorization: `Bearer ${secret}` },
    });
    expectRefusal(
      {
        status: answer.status,
        body: JSON.parse(answer.text),
        headers: new Headers({ 'content-type': String(answer.headers['content-type']) }),
      },
      400,
      path,
    );
  });

  it.each(['?limit=%', '?limit=%zz', '?%=1', '?contentType=%c3%28', '?contentType=%00'])(
    `the bad query %s is 400 ${verifies('everywhere.percent-encoding', 'everywhere.nasty-values')}`,
    async (query) => expectRefusal(await call('GET', `/api/clipboard${query}`), 400, '/api/clipboard'),
  );

  it('a name that is given twice is 400 naming it', async () => {
    const answer = await call('GET', '/api/clipboard?limit=1&limit=2');
    expectRefusal(answer, 400, '/api/clipboard');
    expect(answer.body.details).toHaveProperty('limit');
  });

  it('brackets make no objects: a[__proto__], name[]= and name[x]= are names like others', async () => {
    for (const query of [
      '?a[__proto__][x]=1',
      '?name[]=a',
      '?name[x]=1',
      '?__proto__=1',
      '?constructor=1',
      '?toString=1',
    ])
      expect((await call('GET', `/api/clipboard${query}`)).status, query).toBe(200);
  });

  it(`a malformed uuid in a path is the same 404 as an unknown one ${verifies('everywhere.malformed-uuid')}`, async () => {
    const unknown = await call('GET', '/api/clipboard/entries/b0b0b0b0-0000-4000-8000-000000000000');
    expect(unknown.status).toBe(404);
    for (const id of [
      '1',
      'x'.repeat(500),
      'b0b0b0b0-0000-4000-8000-00000000000',
      '%00',
      '..%2f',
      "';--",
      '%F0%9F%92%A9',
      '{uuid}',
    ]) {
      const answer = await call('GET', `/api/clipboard/entries/${id}`);
      expect([answer.status, answer.text], id).toEqual([404, unknown.text]);
    }
  });

  it.each(['limit', 'offset'])(
    `%s out of range or not a number is 400 with details ${verifies('everywhere.pages')}`,
    async (field) => {
      for (const value of [
        '-1',
        '1.5',
        'ten',
        '',
        '1e3',
        '0x10',
        ' 1',
        '2147483648',
        '99999999999999999999',
        'NaN',
        '%2B1',
      ]) {
        const answer = await call('GET', `/api/clipboard?${field}=${value}`);
        expectRefusal(answer, 400, '/api/clipboard');
        expect(Object.keys(answer.body.details), `${field}=${value}`).toEqual([field]);
      }
    },
  );
});

describe('request ids', () => {
  it.each(['/api/clipboard', '/nothing', '/healthz', '/graphql?query={__typename}', '/openapi.json'])(
    `that are fit are echoed and others replaced on %s ${verifies('everywhere.request-id')}`,
    async (path) => {
      for (const id of ['a', 'A-Z.0_9', 'x'.repeat(128)])
        expect((await call('GET', path, undefined, { 'X-Request-Id': id })).headers.get('x-request-id')).toBe(id);
      for (const id of ['x'.repeat(129), 'a b', 'a/b', '<script>', 'a,b', 'é'])
        expect((await call('GET', path, undefined, { 'X-Request-Id': id })).headers.get('x-request-id')).toMatch(
          /^[0-9a-f-]{36}$/,
        );
      expect((await call('GET', path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it(`given twice are replaced ${verifies('everywhere.request-id')}`, async () => {
    const answer = await rawRequest(server.base, {
      method: 'GET',
      path: '/healthz',
      headers: { 'X-Request-Id': ['one', 'two'] },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it(`stand in the log line of the request ${verifies('everywhere.request-id', 'platform.logs')}`, async () => {
    await call('GET', '/api/clipboard', undefined, { 'X-Request-Id': 'in-the-log' });
    const line = await eventually('the log line', () => server.logged.find((text) => text.includes('in-the-log')));
    expect(JSON.parse(line)).toMatchObject({
      requestId: 'in-the-log',
      method: 'GET',
      path: '/api/clipboard',
      status: 200,
    });
  });
});

describe('an API key (B07)', () => {
  const bearer = (headers: Record<string, string | string[]>, path = '/api/clipboard') =>
    rawRequest(server.base, { method: 'GET', path, headers });

  it(`is read whatever the case of \`Bearer\` ${verifies('identity.key.header')}`, async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await bearer({ Authorization: `${scheme} ${secret}` })).status, scheme).toBe(200);
  });

  it(`in two Authorization headers is 401, whichever is good ${verifies('identity.key.header')}`, async () => {
    for (const second of [`Bearer ${secret}`, 'Bearer x', 'Basic eDp5'])
      for (const headers of [
        [`Bearer ${secret}`, second],
        [second, `Bearer ${secret}`],
      ])
        expect((await bearer({ Authorization: headers })).status).toBe(401);
    expect((await bearer({ Authorization: `Bearer ${secret}, Bearer ${secret}` })).status).toBe(401);
  });

  it(`in the query, a cookie, a body or another header is nothing ${verifies('identity.key.header')}`, async () => {
    for (const query of ['api_key', 'apiKey', 'key', 'token', 'access_token', 'authorization'])
      expect((await bearer({}, `/api/clipboard?${query}=${secret}`)).status, query).toBe(401);
    const elsewhere: Record<string, string>[] = [
      { 'X-Api-Key': secret },
      { Cookie: `session_token=${secret}` },
      { 'Proxy-Authorization': `Bearer ${secret}` },
    ];
    for (const headers of elsewhere) expect((await bearer(headers)).status).toBe(401);
    expect((await callerOf(server, null)('POST', '/api/clipboard/get', { idx: 0, access_token: secret })).status).toBe(
      401,
    );
  });

  it(`with another scheme, no scheme or nothing after it is 401 ${verifies('identity.key.header')}`, async () => {
    const basic = Buffer.from(`${secret}:`).toString('base64');
    for (const header of [
      secret,
      `Token ${secret}`,
      `Basic ${basic}`,
      'Bearer',
      'Bearer ',
      `Bearer ${secret} x`,
      `Bearer\t${secret}`,
      `Bearer ${secret}x`,
      '',
    ])
      expect((await bearer({ Authorization: header })).status, JSON.stringify(header)).toBe(401);
  });

  it(`of the wrong form or checksum is 401 without asking the database ${verifies('identity.key.form')}`, async () => {
    const flipped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    const wrong = [
      flipped,
      secret.replace('pbk_', 'pbx_'),
      secret.toLowerCase(),
      `pbk_${'0'.repeat(49)}`,
      'x',
      'x'.repeat(10_240),
      `${secret}%00`,
      'ключ',
      '\u00e9',
    ];
    await call('GET', '/api/clipboard');
    server.statements.length = 0;
    for (const key of wrong) {
      const bytes = Buffer.from(`Bearer ${key}`).toString('latin1');
      const answer = await bearer({ Authorization: bytes });
      expect(answer.status, key.slice(0, 60)).toBe(401);
      expect(JSON.parse(answer.text)).toEqual({ success: false, error: 'Unauthorized' });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect(server.statements).toEqual([]);
  });

  it('that is good costs one statement more than none', async () => {
    await call('POST', '/api/clipboard/get', { name: 'nothing' });
    server.statements.length = 0;
    await call('POST', '/api/clipboard/get', { name: 'nothing' });
    expect(server.statements.filter((text) => text.includes('api_keys'))).toHaveLength(1);
    expect(server.statements).toHaveLength(2);
  });

  it('that is not good wins over a good cookie: nobody is taken for somebody else', async () => {
    expect((await bearer({ Authorization: 'Bearer x', Cookie: `session_token=${token}` })).status).toBe(401);
  });
});

describe('the session cookie on a request that another site made (B11)', () => {
  const port = () => new URL(server.base).port;
  const foreign = (): [what: string, headers: Record<string, string>][] => [
    ['another site', { Origin: 'https://evil.example' }],
    ['null', { Origin: 'null' }],
    ['a suffix', { Origin: `http://127.0.0.1:${port()}.evil.example` }],
    ['a prefix', { Origin: `http://evil127.0.0.1:${port()}` }],
    ['user information', { Origin: `http://127.0.0.1:${port()}@evil.example` }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['nothing at all', { Origin: '' }],
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['cross-site with a forged origin', { 'Sec-Fetch-Site': 'cross-site', Origin: server.base }],
  ];

  it(`is refused over REST, and changes nothing ${verifies('identity.session.csrf', 'everywhere.cors')}`, async () => {
    for (const [what, headers] of foreign()) {
      const answer = await withCookie('POST', '/api/clipboard/push', { value: 'forged' }, headers);
      expect(answer.status, what).toBe(403);
      expectRefusal(answer, 403, '/api/clipboard/push');
    }
    expect((await withCookie('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it(`is refused over GraphQL, and changes nothing ${verifies('identity.session.csrf')}`, async () => {
    for (const [what, headers] of foreign()) {
      const query = 'mutation { clipboardPush(input: { value: "forged" }) { entry { uuid } } }';
      const answer = await withCookie('POST', '/graphql', { query }, headers);
      expect(answer.status, what).toBe(403);
      expect(answer.body.errors[0].extensions.code, what).toBe('FORBIDDEN');
    }
    expect((await withCookie('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it(`is fine from this site and from programs ${verifies('identity.session.csrf')}`, async () => {
    const native: Record<string, string>[] = [
      {},
      { Origin: server.base },
      { 'Sec-Fetch-Site': 'same-origin', Origin: server.base },
      { 'Sec-Fetch-Site': 'none' },
    ];
    for (const headers of native) {
      const answer = await withCookie('POST', '/api/clipboard/push', { value: 'own' }, headers);
      expect(answer.status).toBe(200);
      expect(answer.body.entry.source).toBe('ui');
    }
    expect((await withCookie('DELETE', '/api/clipboard/all')).body.deletedCount).toBe(4);
  });

  it('counts once: a second cookie of the same name is not a second chance', async () => {
    const answer = await call('GET', '/api/clipboard', undefined, {
      Authorization: '',
      Cookie: `session_token=x; session_token=${token}`,
    });
    expect(answer.status).toBe(401);
  });
});

describe('CORS (B12)', () => {
  const origins = ['https://evil.example', 'null', 'http://localhost:3000', 'https://patchbay.example.evil.example'];

  it(`never allows credentials, and never repeats an origin ${verifies('everywhere.cors')}`, async () => {
    for (const origin of origins)
      for (const [method, path] of [
        ['GET', '/api/clipboard'],
        ['POST', '/graphql'],
        ['GET', '/nothing'],
        ['OPTIONS', '/api/clipboard'],
        ['OPTIONS', '/graphql'],
        ['OPTIONS', '/api/auth/sign-in'],
        ['GET', '/api/auth/session'],
        ['GET', '/openapi.json'],
      ] as const) {
        const { headers } = await call(method, path, method === 'POST' ? { query: '{__typename}' } : undefined, {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
        });
        expect(headers.get('access-control-allow-credentials'), `${method} ${path}`).toBeNull();
        expect(['*', null], `${method} ${path}`).toContain(headers.get('access-control-allow-origin'));
      }
  });

  it(`lets any origin call with a key, and read the headers about rates ${verifies('everywhere.cors')}`, async () => {
    const answer = await call('GET', '/api/clipboard', undefined, { Origin: 'https://app.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    for (const name of [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ])
      expect(exposed).toContain(name);
  });

  it(`answers a preflight without a body and without asking who it is ${verifies('everywhere.cors')}`, async () => {
    const preflight = {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization,content-type',
    };
    const answer = await callerOf(server, null)('OPTIONS', '/api/clipboard', undefined, preflight);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization, Content-Type/);
  });

  it(`is not there for the routes of the cookie ${verifies('everywhere.cors')}`, async () => {
    for (const [method, path] of [
      ['OPTIONS', '/api/auth/sign-in'],
      ['POST', '/api/auth/sign-in'],
      ['GET', '/api/auth/session'],
      ['OPTIONS', '/api/oauth/initiate'],
    ] as const) {
      const { headers } = await call(method, path, method === 'POST' ? {} : undefined, {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
      });
      for (const name of headers.keys()) expect(name, `${method} ${path}`).not.toMatch(/^access-control-/);
    }
  });
});

describe('GraphQL over HTTP (F03)', () => {
  const mutation = 'mutation { clipboardSet(input: { name: "by-get", value: "x" }) { entry { uuid } } }';

  it(`a mutation over GET is 405 and changes nothing, with a key or a cookie ${verifies('graph.no-get-mutation')}`, async () => {
    for (const each of [call, withCookie]) {
      const answer = await each('GET', `/graphql?query=${encodeURIComponent(mutation)}`);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toContain('POST');
      expect(answer.body.errors[0].message).toEqual(expect.any(String));
      expect((await each('POST', '/api/clipboard/get', { name: 'by-get' })).status).toBe(404);
    }
  });

  it(`a POST of a form, of parts, of text or of nothing known is 415 and changes nothing ${verifies('graph.no-forms')}`, async () => {
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
  });

  it('a list of operations is refused: no batches', async () => {
    const answer = await call('POST', '/graphql', [{ query: '{__typename}' }, { query: '{__typename}' }]);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(expect.any(Array));
  });

  it(`what cannot be read is 4xx with a code, as JSON ${verifies('everywhere.malformed-json', 'everywhere.never-html')}`, async () => {
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
  });

  it('an unknown operation name, and a document without an operation, are 4xx', async () => {
    for (const body of [
      { query: 'query A { __typename }', operationName: 'B' },
      { query: 'fragment F on Query { __typename }' },
      { query: 'query A { __typename } query B { __typename }' },
    ])
      expect((await call('POST', '/graphql', body, { Accept: 'application/graphql-response+json' })).status).toBe(400);
  });

  it(`a bad key is 401 in GraphQL's shape ${verifies('identity.key.header')}`, async () => {
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

describe('bytes on the wire (I08)', () => {
  const head = (more: string, path = '/api/clipboard', method = 'GET') =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${more}\r\n`;

  /** A refusal of the transport: an answer in our shape, and the end of the connection. */
  async function expectEnd(bytes: string, status: number) {
    const { answers: found, isClosed, text } = await exchange(server.base, bytes);
    expect(
      found.map((answer) => answer.status),
      text.slice(0, 400),
    ).toEqual([status]);
    expect(isClosed).toBe(true);
    expect(found[0]?.head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(found[0]?.body ?? '')).toMatchObject({
      error: { code: expect.any(String), message: expect.any(String) },
    });
  }

  it(`100 KB of headers are 431 ${verifies('platform.http.limits')}`, async () => {
    await expectEnd(head(`X-Large: ${'x'.repeat(100 * 1024)}\r\n`), 431);
    await expectEnd(
      head(Array.from({ length: 2_000 }, (_, index) => `X-${index}: ${'x'.repeat(50)}\r\n`).join('')),
      431,
    );
  });

  it('a path of 100 KB is refused', async () => {
    const {
      answers: [answer],
    } = await exchange(server.base, head('', `/api/clipboard/${'x'.repeat(100 * 1024)}`), { answersMax: 1 });
    expect([404, 414, 431]).toContain(answer?.status);
  });

  it.each([
    ['words', 'hello\r\n\r\n'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a wrong version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /api/clipboard HTTP/1.1\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n'],
  ])(`garbage (%s) is 400 as JSON ${verifies('platform.http.limits')}`, async (_what, bytes) => {
    await expectEnd(bytes, 400);
  });

  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n';
  it.each([
    ['both a length and chunks', `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    [
      'both the other way round',
      `Transfer-Encoding: chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', `Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}${smuggled}`],
    ['a length of +2', `Content-Length: +2\r\n\r\n{}${smuggled}`],
    ['a length of 0x2', `Content-Length: 0x2\r\n\r\n{}${smuggled}`],
    ['a length below nought', `Content-Length: -2\r\n\r\n{}${smuggled}`],
    ['another coding than chunked', `Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a wrong size of a chunk', `Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n${smuggled}`],
  ])(
    `ambiguous framing (%s) is 400 and nothing behind it is heard ${verifies('platform.http.limits')}`,
    async (_what, rest) => {
      const {
        answers: found,
        isClosed,
        text,
      } = await exchange(server.base, head(rest, '/api/clipboard/get', 'POST').replace(/\r\n$/, ''), {
        timeoutMs: 3_000,
      });
      expect(
        found.map(({ status }) => status),
        text.slice(0, 400),
      ).toEqual([400]);
      expect(isClosed).toBe(true);
      expect(text).not.toContain('"status":"ok"');
    },
  );

  it('two requests in one packet are answered in order', async () => {
    const push = (value: string) => {
      const body = JSON.stringify({ value });
      return `${head(`Content-Length: ${body.length}\r\n`, '/api/clipboard/push', 'POST')}${body}`;
    };
    const { answers: found } = await exchange(server.base, push('first') + push('second') + head('', '/healthz'), {
      answersMax: 3,
    });
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(found.slice(0, 2).map(({ body }) => JSON.parse(body).entry.value)).toEqual(['first', 'second']);
    await call('DELETE', '/api/clipboard/all');
  });

  it('what follows a body that nobody read is not taken for a request', async () => {
    // The refusal comes before the body: its bytes must not be read as the next request.
    const inner = `POST /api/clipboard/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n{"value":"smuggled!"}`;
    for (const path of ['/api/clipboard', '/graphql', '/nothing']) {
      const outer = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Type: text/plain\r\nContent-Length: ${inner.length}\r\n\r\n`;
      const { answers: found } = await exchange(server.base, outer + inner, { timeoutMs: 1_000 });
      expect(found, path).toHaveLength(1);
      expect(found[0]?.status, path).toBeGreaterThanOrEqual(400);
    }
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('a client that goes away in the middle of a body leaves nothing behind', async () => {
    await exchange(server.base, `${head('Content-Length: 100\r\n', '/api/clipboard/push', 'POST')}{"value":`, {
      timeoutMs: 200,
    });
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('Expect: 100-continue is answered', async () => {
    const { text } = await exchange(
      server.base,
      head('Content-Length: 13\r\nExpect: 100-continue\r\n', '/api/clipboard/push', 'POST'),
      { timeoutMs: 500 },
    );
    expect(text).toContain('100 Continue');
  });
});

describe('TRUST_PROXY', () => {
  /** The address that a request with these headers is taken to come from. */
  async function seen(trustedProxies: number, forwarded: string | string[] | undefined): Promise<string> {
    const probe = createServer((req, res) => res.end(addressOf(req, trustedProxies))).listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    const headers: Record<string, string | string[]> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    const { text } = await rawRequest(`http://127.0.0.1:${port}`, { method: 'GET', path: '/', headers });
    probe.close();
    return text;
  }

  it(`of 0 believes nobody ${verifies('everywhere.proxies')}`, async () => {
    expect(await seen(0, '203.0.113.9')).toBe('127.0.0.1');
    expect(await seen(0, undefined)).toBe('127.0.0.1');
  });

  it(`of n takes the n-th address from the right, so that nobody chooses their own ${verifies('everywhere.proxies')}`, async () => {
    expect(await seen(1, '198.51.100.7')).toBe('198.51.100.7');
    expect(await seen(1, '1.1.1.1, 198.51.100.7')).toBe('198.51.100.7');
    expect(await seen(2, '1.1.1.1, 198.51.100.7, 10.0.0.1')).toBe('198.51.100.7');
    expect(await seen(2, ['1.1.1.1', '198.51.100.7, 10.0.0.1'])).toBe('198.51.100.7');
  });

  it(`of more than there are takes the furthest that there is ${verifies('everywhere.proxies')}`, async () => {
    expect(await seen(5, '198.51.100.7')).toBe('198.51.100.7');
    expect(await seen(1, undefined)).toBe('127.0.0.1');
  });
});

describe('health', () => {
  it(`is told without credentials and never cached ${verifies('platform.health')}`, async () => {
    const anonymous = callerOf(server, null);
    expect((await anonymous('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await anonymous('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });
});

describe('a database that is away (I01), or breaks', () => {
  let broken: TestServer;
  let proxy: TcpProxy;
  let databaseUrl: string;
  let shared: Call;

  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    proxy = await createTcpProxy(databaseUrl);
    broken = await startTestServer({}, proxy.url);
    shared = recording((await tenantOf(broken, { scopes: ['read', 'write', 'admin'] })).call);
  });

  afterAll(() => proxy.close());

  /** What each face says while the database is away, and how long the slowest took. */
  async function expectUnavailable(): Promise<number> {
    const startedAt = performance.now();
    const [clipboard, general, graph, ready, alive] = await Promise.all([
      shared('GET', '/api/clipboard'),
      shared('GET', '/api/projects'),
      shared('POST', '/graphql', { query: '{ clipboardEntries { totalCount } }' }),
      shared('GET', '/readyz'),
      shared('GET', '/healthz'),
    ]);
    const milliseconds = performance.now() - startedAt;
    expectRefusal(clipboard, 503, '/api/clipboard');
    expect(clipboard.body.retryAfter).toBeGreaterThan(0);
    expect(clipboard.headers.get('retry-after')).toBe(String(clipboard.body.retryAfter));
    expectRefusal(general, 503, '/api/projects');
    expect(general.body.error.code).toBe('UNAVAILABLE');
    expect(graph.status).toBe(503);
    expect(graph.body.errors[0].extensions.code).toBe('UNAVAILABLE');
    expect([ready.status, alive.status]).toEqual([503, 200]);
    return milliseconds;
  }

  const expectHealed = () =>
    eventually('it serves again', async () => (await shared('GET', '/api/clipboard')).status === 200);

  it(`is 503 in every shape within two seconds, and heals by itself ${verifies('everywhere.unavailable', 'platform.health')}`, async () => {
    await proxy.cut();
    try {
      expect(await expectUnavailable()).toBeLessThan(2_000);
      expect(await expectUnavailable()).toBeLessThan(2_000);
    } finally {
      await proxy.restore();
    }
    await expectHealed();
  });

  it(`and says nothing at all is 503 within two seconds too ${verifies('everywhere.unavailable')}`, async () => {
    proxy.stall();
    let milliseconds = Number.POSITIVE_INFINITY;
    try {
      milliseconds = await within('an answer while the database is silent', 6_000, expectUnavailable());
    } finally {
      await proxy.restore();
    }
    expect(milliseconds).toBeLessThan(2_000);
    await expectHealed();
  });

  it(`and takes no connections, by order of its administrator, is 503 ${verifies('everywhere.unavailable')}`, async () => {
    const database = new URL(databaseUrl).pathname.slice(1);
    const admin = new Client({ connectionString: inject('postgresUrl') });
    await admin.connect();
    try {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
      expect(await expectUnavailable()).toBeLessThan(2_000);
    } finally {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
    await expectHealed();
  });

  it(`that fails in the middle of an operation is 500 with an id, and not a word of its text ${verifies('graph.masked-errors', 'everywhere.never-html')}`, async () => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('ALTER TABLE clipboard_entries RENAME TO hidden_canary');
    await client.end();
    const rest = await shared('POST', '/api/clipboard/get', { name: 'canary-name' });
    expectRefusal(rest, 500, '/api/clipboard/get');
    expect(rest.body).toEqual({ success: false, error: 'Internal server error' });
    const graph = await shared(
      'POST',
      '/graphql',
      { query: '{ clipboardEntry(by: { name: "canary-name" }) { uuid } }' },
      { 'X-Request-Id': 'fault-1' },
    );
    expect(graph.body.errors).toEqual([
      {
        message: 'Internal server error',
        path: ['clipboardEntry'],
        locations: expect.anything(),
        extensions: { code: 'SERVER_ERROR', requestId: 'fault-1' },
      },
    ]);
    const text = rest.text + graph.text;
    for (const word of ['clipboard_entries', 'relation', 'SELECT', '42P01', 'postgres', ' at '])
      expect(text).not.toContain(word);
    // The log tells what it was, by the id, without what was asked.
    const line = await eventually('the log line', () =>
      broken.logged.find((each) => each.includes('fault-1') && each.includes('clipboard_entries')),
    );
    expect(line).not.toContain('canary-name');
  });
});

describe('secrets', () => {
  it(`stand in no answer and no log line, nor do values and queries (B06, I06) ${verifies('platform.logs', 'identity.key.at-rest')}`, async () => {
    const canary = 'canary-5b1d2f';
    await call('POST', '/api/clipboard', { name: canary, value: `value-${canary}` });
    await call('GET', `/api/clipboard?name=${canary}`);
    await call('GET', `/api/clipboard?key=${secret}&contentType=${canary}`);
    await call('POST', '/graphql', {
      query: `query ${canary.replace('-', '_')} { clipboardEntry(by: { name: "${canary}" }) { value } }`,
    });
    await call(
      'GET',
      `/graphql?query=${encodeURIComponent(`{ clipboardEntry(by: { name: "${canary}" }) { value } }`)}`,
    );
    await call('POST', '/graphql', { query: '{ clipboardEntry(by: { name: "x" }) { value ', variables: { canary } });
    await call('POST', '/api/clipboard', `{"value": "${canary}`);
    await withCookie('GET', '/api/clipboard');
    const log = await eventually('the log', () => (server.logged.length > 100 ? server.logged.join('') : null));
    for (const word of [canary, secret, secret.slice(12), token, 'Bearer', 'session_token', 'correct horse'])
      expect(log.includes(word), word).toBe(false);
    expect(log).toContain('/api/clipboard');
  });

  it(`no answer holds a stack trace, a path of ours, a key or a cookie ${verifies('everywhere.never-html')}`, () => {
    expect(answers.length).toBeGreaterThan(200);
    for (const answer of answers) {
      for (const word of [
        secret,
        token,
        'node_modules',
        '/work/',
        'file://',
        'node:internal',
        'postgres://',
        '    at ',
        '.ts:',
      ])
        expect(answer.includes(word), `${word} in ${answer.slice(0, 500)}`).toBe(false);
    }
  });

  it('every answer says what it is and may not be sniffed, and none names the software', () => {
    for (const answer of answers) {
      expect(answer).toContain('x-content-type-options,nosniff');
      expect(answer).not.toMatch(/^x-powered-by/m);
      expect(answer).not.toContain('<!DOCTYPE');
    }
  });
});

describe('a sender of headers that never end (I08)', () => {
  it(`is told 408 after ten seconds, give or take five ${verifies('platform.http.limits')}`, async () => {
    const {
      answers: [answer],
      isClosed,
      milliseconds,
    } = await slowHeaders;
    expect(milliseconds).toBeGreaterThan(8_000);
    expect(milliseconds).toBeLessThan(15_000);
    expect(answer?.status).toBe(408);
    expect(isClosed).toBe(true);
    expect(JSON.parse(answer?.body ?? '')).toHaveProperty('error.message', 'Request Timeout');
  }, 25_000);
});
