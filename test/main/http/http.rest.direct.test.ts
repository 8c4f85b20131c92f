import { beforeAll, describe, expect, it } from 'vitest';
import { distinctRoutes, type HttpStage, startHttpStage } from '../../support/http-stage.ts';
import { exchange } from '../../support/raw-socket.ts';

/* Requests to paths without parameters do not pass Express. A target in absolute form does, and is to be answered the same. */

let http: HttpStage;
beforeAll(async () => {
  http = await startHttpStage();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  /** Lines of the head, beside `Host`. */
  readonly headers?: readonly string[];
  readonly hosts?: readonly string[];
  readonly version?: string;
  readonly body?: string;
}

/** What may differ between two answers to the same request. */
const varying = /^(date|x-request-id|x-ratelimit-(remaining|reset)|set-cookie):/i;

/** The answer until the server closes, as it asks in all requests that do not say otherwise. */
async function answerTo({ method, path, headers = [], hosts = ['x'], version = '1.1', body }: Sent, origin: string) {
  const lines = [
    `${method} ${origin}${path} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    ...(headers.some((line) => line.startsWith('Connection:')) ? [] : ['Connection: close']),
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const { isClosed, text } = await exchange(http.server.base, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, {
    timeoutMs: 5_000,
  });
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    isClosed,
    head: head.split('\r\n').filter((line) => !varying.test(line)),
    names: head.split('\r\n').map((line) => line.split(':')[0]),
    body: rest.join().replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'uuid'),
  };
}

async function expectSame(sent: Sent) {
  const direct = await answerTo(sent, '');
  expect(direct, JSON.stringify(sent)).toEqual(await answerTo(sent, 'http://x'));
  expect([direct.isClosed, direct.head[0]?.slice(0, 9)], JSON.stringify(sent)).toEqual([true, 'HTTP/1.1 ']);
}

const json = 'Content-Type: application/json';
const query = JSON.stringify({ query: '{ clipboardEntries { totalCount } }' });
const requests: readonly Sent[] = [
  { method: 'GET', path: '/api/clipboard' },
  { method: 'POST', path: '/api/clipboard/get', headers: [json], body: '{"name":"nothing"}' },
  { method: 'DELETE', path: '/api/clipboard/all' },
  { method: 'POST', path: '/graphql', headers: [json], body: query },
  { method: 'GET', path: '/api/auth/session' },
];

/** Everything in a head and body on which the answer depends before the call itself. */
function variantsOf(sent: Sent): Sent[] {
  const { headers = [] } = sent;
  const { secret, token } = http;
  const key = `Authorization: Bearer ${secret}`;
  const cookie = `Cookie: session_token=${token}`;
  const having = (...more: string[]): Sent => ({ ...sent, headers: [...headers, ...more] });
  const heads = [
    [key],
    [],
    ['Authorization: Bearer pbk_wrong'],
    ['Authorization: Basic eDp4'],
    [key, key],
    [cookie],
    [cookie, 'Origin: http://x'],
    [cookie, 'Origin: https://elsewhere.test'],
    [cookie, 'Sec-Fetch-Site: cross-site'],
    [key, 'Origin: https://elsewhere.test'],
    [key, 'X-Request-Id: mine'],
    [key, 'Connection: close, Upgrade', 'Upgrade: h2c'],
    [key, 'Accept: text/html', 'Accept-Encoding: gzip, br'],
    [key, 'Expect: something'],
    [key, 'X-HTTP-Method-Override: DELETE', 'X-Forwarded-For: 1.2.3.4', 'X-Forwarded-Host: elsewhere.test'],
  ];
  const withKey = { ...sent, headers: [...headers, key] };
  const wrongBodies: Sent[] = [
    { ...withKey, body: '{"name":' },
    { ...withKey, body: '[]' },
    { ...withKey, body: '{"__proto__":{"name":"x"}}' },
    { ...withKey, headers: [key, 'Content-Type: text/plain'] },
    { ...withKey, headers: [key] },
    { ...having(key, 'Content-Encoding: gzip') },
    { ...having(key, 'Content-Encoding: nothing') },
    // Only announced.
    { method: sent.method, path: sent.path, headers: [...headers, key, 'Content-Length: 99000000'] },
    {
      method: sent.method,
      path: sent.path,
      headers: [...headers, key, 'Transfer-Encoding: chunked', '', '2', '{}', '0'],
    },
  ];
  return [
    ...heads.map((more) => having(...more)),
    ...(sent.method === 'POST' ? wrongBodies : []),
    { ...withKey, hosts: [] },
    { ...withKey, hosts: [], version: '1.0' },
    { ...withKey, hosts: ['x', 'x'] },
    ...[
      '?limit=1&limit=2',
      '?limit=%zz',
      '?__proto__=1&constructor=1',
      '?limit[]=1',
      '?limit=2#there',
      '?',
      '?name=a%00',
    ].map((search) => ({ ...withKey, path: sent.path + search })),
    ...['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'TRACE'].map((method) => ({ method, path: sent.path, headers: [key] })),
    ...['/', '%2f', '/.', ';x', '#x', '%00', '/../clipboard'].map((more) => ({ ...withKey, path: sent.path + more })),
    ...[`/${sent.path}`, sent.path.toUpperCase(), sent.path.replace('/a', '/./a'), sent.path.replace('/a', '/%61')].map(
      (path) => ({ ...withKey, path }),
    ),
  ];
}

describe('a path without parameters, past Express', () => {
  it.each(requests)('$method $path is answered as by Express, whatever its head and body', async (sent) => {
    for (const variant of variantsOf(sent)) await expectSame(variant);
  });

  it('is answered as by Express without a credential, on each route', async () => {
    const direct = distinctRoutes.filter(({ path }) => !path.includes(':'));
    expect(direct.length).toBeGreaterThan(50);
    for (const { method, path } of direct)
      await expectSame({ method, path, headers: [json], ...(method !== 'GET' && { body: '{}' }) });
  });

  it('asks for a body that the client holds back, and refuses it before if it may', async () => {
    for (const origin of ['', 'http://x'])
      for (const [credential, statuses] of [
        [http.secret, [100, 404]],
        ['pbk_wrong', [401]],
      ] as const) {
        const head = `POST ${origin}/api/clipboard/get HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${credential}\r\n${json}\r\n`;
        const body = '{"name":"nothing"}';
        const { answers } = await exchange(
          http.server.base,
          `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          { answersMax: statuses.length },
        );
        expect(answers.map(({ status }) => status)).toEqual(statuses);
      }
  });

  it('is logged and counted as by Express', async () => {
    const { server, secret } = http;
    const counted = async () => {
      const text = await (await fetch(`${server.base}/metrics`)).text();
      const [, count] =
        /^patchbay_http_requests_total\{method="GET",route="\/api\/clipboard",status="2xx"\} (\d+)$/m.exec(text) ?? [];
      return Number(count);
    };
    const facts: object[] = [];
    const counts: number[] = [await counted()];
    for (const origin of ['', 'http://x']) {
      server.logged.length = 0;
      await answerTo(
        { method: 'GET', path: '/api/clipboard?limit=1', headers: [`Authorization: Bearer ${secret}`] },
        origin,
      );
      counts.push(await counted());
      const lines = server.logged.map((line) => JSON.parse(line)).filter(({ path }) => path === '/api/clipboard');
      facts.push(lines.map(({ requestId: _id, ms: _ms, time: _time, ...rest }) => rest));
    }
    expect(counts[1]).toBe((counts[0] as number) + 1);
    expect(counts[2]).toBe((counts[1] as number) + 1);
    expect(facts[0]).toEqual(facts[1]);
    expect(facts[0]).toHaveLength(1);
  });
});
