import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../support/clipboard-responses.ts';
import { rawRequest } from '../support/raw-http.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';
const { secret, call } = await tenantOf(server);
const bearer = { Authorization: `Bearer ${secret}` };
const json = { ...bearer, 'Content-Type': 'application/json' };

describe('methods', () => {
  const cases: [string, string[], string[]][] = [
    [path, ['PUT', 'PATCH'], ['GET', 'POST', 'DELETE']],
    [`${path}/get`, ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'], ['POST']],
    [`${path}/push`, ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'], ['POST']],
    [`${path}/pop`, ['GET', 'PUT', 'PATCH', 'HEAD'], ['POST', 'DELETE']],
    [`${path}/all`, ['GET', 'PUT', 'PATCH', 'POST', 'HEAD'], ['DELETE']],
    [`${path}/entries/8f0e2a53-7d55-4a4f-9f0e-3b8d3f3f0001`, ['PUT', 'PATCH', 'POST', 'DELETE'], ['GET']],
  ];
  it.each(cases)('a wrong method on %s is 405 with Allow, and does nothing', async (url, wrong, right) => {
    await call('DELETE', `${path}/all`);
    await call('POST', path, { name: 'n', value: 'v' });
    for (const method of wrong) {
      const body = Buffer.from('{"name":"n","value":"v"}');
      const answer = await rawRequest(server.base, {
        method,
        path: url,
        headers: json,
        ...(!['GET', 'HEAD'].includes(method) && { body }),
      });
      expect([method, answer.status]).toEqual([method, 405]);
      const allowed = String(answer.headers.allow).split(/, */);
      expect(allowed).toEqual(expect.arrayContaining(right));
      expect(allowed).not.toContain(method);
      if (method === 'HEAD') expect(answer.text).toBe('');
      else bodyOf(answer);
    }
    expect((await call('GET', path)).body.total).toBe(1);
  });

  it('HEAD answers what GET would, without the body', async () => {
    await call('POST', path, { name: 'head', value: 'v' });
    for (const url of [path, `${path}?name=head`, `${path}?name=none`, `${path}?limit=0`]) {
      const head = await rawRequest(server.base, { method: 'HEAD', path: url, headers: bearer });
      const get = await rawRequest(server.base, { method: 'GET', path: url, headers: bearer });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
    }
    expect((await rawRequest(server.base, { method: 'HEAD', path })).status).toBe(401);
  });

  it.each(['TRACE', 'PROPFIND'])('an exotic method (%s) is 405 too', async (method) => {
    const answer = await rawRequest(server.base, { method, path, headers: bearer });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain('GET');
    bodyOf(answer);
  });
});

describe('paths', () => {
  it.each([
    '/api/clipboard/nonsense',
    '/api/clipboard/pop/more',
    '/api/clipboard/entries',
    '/api/clipboards',
    '/api/nonsense',
    '/api',
  ])('the unknown path %s is 404 in the general shape', async (url) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await call(method, url);
      expect(status).toBe(404);
      expect(body).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String) } });
    }
  });

  it.each(['/entries/%zz', '/entries/%', '/entries/%c3%28', '?name=%zz', '?contentType=%zz', '?contentType=%ff'])(
    'I09: bad percent-encoding in %s is 400 in the clipboard’s shape',
    async (rest) => {
      const answer = await rawRequest(server.base, { method: 'GET', path: path + rest, headers: bearer });
      expect(answer.status).toBe(400);
      bodyOf(answer);
    },
  );

  it('I09: names of Object’s prototype in the query are not parameters', async () => {
    for (const query of [
      '__proto__=1',
      'a[__proto__]=1',
      'constructor=1',
      'constructor[prototype][x]=1',
      'hasOwnProperty=1',
    ]) {
      expect((await call('GET', `${path}?${query}`)).status).toBe(200);
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('I08: headers over any size are 431, and a request with two lengths is 400', async () => {
    const large = await rawRequest(server.base, {
      method: 'GET',
      path,
      headers: { ...bearer, 'X-Large': 'x'.repeat(100_000) },
    });
    expect(large.status).toBe(431);
    expect(large.text).not.toContain('<');
    const { port } = new URL(server.base);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
      socket.write(
        `POST ${path}/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe('request ids', () => {
  it('X-Request-Id is echoed when it is 1 to 128 of [A-Za-z0-9._-], on success and on failure', async () => {
    for (const id of ['a', 'Trace-1.2_3', 'x'.repeat(128)]) {
      for (const url of [path, `${path}?name=none`, `${path}?limit=0`, '/api/nonsense']) {
        expect((await call('GET', url, undefined, { 'X-Request-Id': id })).headers.get('x-request-id')).toBe(id);
      }
      expect((await call('POST', path, '{', { 'X-Request-Id': id })).headers.get('x-request-id')).toBe(id);
      expect(
        (await callerOf(server, null)('GET', path, undefined, { 'X-Request-Id': id })).headers.get('x-request-id'),
      ).toBe(id);
    }
  });

  it('otherwise a new one is made, another for each request', async () => {
    const made = new Set<string | null>();
    for (const id of [undefined, '', 'x'.repeat(129), 'a b', 'a/b', '<script>', 'a,b', 'é']) {
      const { headers } = await call('GET', path, undefined, id === undefined ? {} : { 'X-Request-Id': id });
      const answered = headers.get('x-request-id');
      expect(answered).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(answered).not.toBe(id);
      made.add(answered);
    }
    expect(made.size).toBe(8);
  });
});

describe('CORS', () => {
  const origins = ['https://app.example', 'http://localhost:5173', 'null', 'https://evil.example'];

  it('B12: any origin may call with a key, never with credentials, and reads the exposed headers', async () => {
    for (const Origin of origins) {
      for (const answer of [
        await call('GET', path, undefined, { Origin }),
        await call('GET', `${path}?name=none`, undefined, { Origin }),
        await call('POST', path, '{', { Origin }),
        await callerOf(server, null)('GET', path, undefined, { Origin }),
        await call('PUT', path, undefined, { Origin }),
      ]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, */);
        expect(exposed).toEqual(
          expect.arrayContaining([
            'x-ratelimit-limit',
            'x-ratelimit-remaining',
            'x-ratelimit-reset',
            'retry-after',
            'x-request-id',
          ]),
        );
      }
    }
  });

  it.each([
    [path, 'POST'],
    [path, 'DELETE'],
    [`${path}/pop`, 'DELETE'],
    [`${path}/push`, 'POST'],
    [`${path}/all`, 'DELETE'],
  ])('the preflight of %s %s needs no key and allows method and headers', async (url, method) => {
    const { status, headers, text } = await callerOf(server, null)('OPTIONS', url, undefined, {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type,x-request-id,idempotency-key',
    });
    expect([200, 204]).toContain(status);
    expect(text).toBe('');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect((headers.get('access-control-allow-methods') ?? '').split(/, */)).toContain(method);
    const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */);
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-request-id', 'idempotency-key']),
    );
  });
});

it('I06: neither keys nor values appear in the log', async () => {
  const canary = 'canary-5f1c0b7e';
  await call('POST', path, { name: 'n', value: canary });
  await call('POST', path, `{"name":"n","value":"${canary}`);
  await call('POST', path, { name: canary, value: `${canary}\u0000`, ttlSeconds: 0 });
  await call('DELETE', `${path}/all`, undefined, { 'X-Request-Id': 'the-last-request' });
  const logged = server.logged.join('');
  expect(logged).toContain('the-last-request');
  expect(logged).not.toContain(secret);
  expect(logged).not.toContain(canary);
});
