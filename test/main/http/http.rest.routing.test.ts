import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../rest-adapter/route.ts';
import { verifies } from '../../requirements.ts';
import {
  distinctRoutes,
  expectApiError,
  type HttpStage,
  itAnswersWithoutSecrets,
  pathOf,
  startHttpStage,
} from '../../support/http-stage.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { exchange } from '../../support/raw-socket.ts';
import { type Call, callerOf, type TestServer } from '../../support/server.ts';

let http: HttpStage;
let server: TestServer;
let secret: string;
let call: Call;

beforeAll(async () => {
  http = await startHttpStage();
  ({ server, secret, call } = http);
});

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
    '%s %s is 404 in the general shape, as JSON',
    verifies('everywhere.unknown-path', 'everywhere.never-html'),
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

  it.each(paths)('on %s is 405 with Allow', verifies('everywhere.method'), async (_path, list) => {
    const [first] = list as [Route, ...Route[]];
    const methods = new Set(list.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
    // A path with a parameter may be shadowed by a fixed one; then the union of both is allowed.
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (each) => !methods.has(each as Route['method']),
    )) {
      const answer = await call(method, pathOf(first), method === 'GET' ? undefined : {});
      expectApiError(answer, 405, first.path);
      expect(answer.headers.get('allow')?.split(', ').sort(), method).toEqual([...methods].sort());
    }
  });

  it('on /graphql is 405 with Allow', verifies('everywhere.method'), async () => {
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

describe('percent-encoding and query strings (I09)', () => {
  it.each([
    '/api/clipboard/entries/%',
    '/api/clipboard/entries/%zz',
    '/api/clipboard/entries/%c3%28',
    '/api/api-keys/%',
  ])('the bad path %s is 400 in the shape of its group', verifies('everywhere.percent-encoding'), async (path) => {
    const answer = await rawRequest(server.base, {
      method: path.includes('api-keys') ? 'DELETE' : 'GET',
      path,
      headers: { Authorization: `Bearer ${secret}` },
    });
    expectApiError(
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
    'the bad query %s is 400',
    verifies('everywhere.percent-encoding', 'everywhere.nasty-values'),
    async (query) => expectApiError(await call('GET', `/api/clipboard${query}`), 400, '/api/clipboard'),
  );

  it('a name that is given twice is 400 naming it', async () => {
    const answer = await call('GET', '/api/clipboard?limit=1&limit=2');
    expectApiError(answer, 400, '/api/clipboard');
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

  it(
    'a malformed uuid in a path is the same 404 as an unknown one',
    verifies('everywhere.malformed-uuid'),
    async () => {
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
    },
  );

  it.each(['limit', 'offset'])(
    '%s out of range or not a number is 400 with details',
    verifies('everywhere.pages'),
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
        expectApiError(answer, 400, '/api/clipboard');
        expect(Object.keys(answer.body.details), `${field}=${value}`).toEqual([field]);
      }
    },
  );
});

describe('health', () => {
  it('is served without credentials and never cached', verifies('platform.health'), async () => {
    const anonymous = callerOf(server, null);
    expect((await anonymous('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await anonymous('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });
});

itAnswersWithoutSecrets(() => http);
