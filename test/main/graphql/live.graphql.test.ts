import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { type EventStream, openEventStream, type StreamEvent } from '../../support/event-stream.ts';
import { connectedSocket, openSocket } from '../../support/graphql-socket.ts';
import { sessionOf } from '../../support/people.ts';
import { startTestServer, type TestServer, tenantOf } from '../../support/server.ts';
import { keyOf } from '../../support/services.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

let server: TestServer;
let secret: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ secret } = await tenantOf(server));
});

const watch = 'subscription { clipboardChanged { kind name count entry { value } } }';
const init = (key = secret) => ({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } });
const subscribe = (id: string, query = watch, variables = {}) => ({
  type: 'subscribe',
  id,
  payload: { query, variables },
});

/** Subscriptions begin a moment after the message; a push every moment makes sure that one is heard. */
async function heardBy(next: () => Promise<unknown>, push: () => Promise<unknown>): Promise<unknown> {
  let isHeard = false;
  const message = next().finally(() => {
    isHeard = true;
  });
  const pushed = async () => {
    if (!isHeard) await push();
    return isHeard;
  };
  await Promise.all([message, eventually('the change is heard', pushed, { everyMs: 50 })]);
  return message;
}

describe.concurrent('the protocol graphql-transport-ws (F08)', () => {
  it('closes a connection that does not say who it is with 4408', verifies('graph.socket.protocol'), async () => {
    const connection = await openSocket(server.base);
    const elapsedMs = startStopwatch();
    const { code } = await within('the end', patienceMs, connection.closed);
    expect(code).toBe(4408);
    expect(elapsedMs()).toBeLessThan(11_000);
  });

  it.each([
    ['another', 'graphql-ws'],
    ['no', null],
  ])(
    'closes a connection of %s subprotocol with 4406, or refuses it',
    verifies('graph.socket.protocol'),
    async (_what, protocol) => {
      const connection = await openSocket(server.base, { protocol });
      expect([4406, 1006]).toContain((await within('the end', patienceMs, connection.closed)).code);
    },
  );

  it('closes after a second connection_init with 4429', verifies('graph.socket.protocol'), async () => {
    const connection = await connectedSocket(server.base, secret);
    connection.send(init());
    expect((await within('the end', patienceMs, connection.closed)).code).toBe(4429);
  });

  it('closes after an id that is in use with 4409', verifies('graph.socket.protocol'), async () => {
    const connection = await connectedSocket(server.base, secret);
    connection.send(subscribe('same'));
    connection.send(subscribe('same'));
    expect((await within('the end', patienceMs, connection.closed)).code).toBe(4409);
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['half of it', '{"type":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '42'],
    ['no type', '{}'],
    ['an unknown type', '{"type":"nonsense"}'],
    ['an operation without an id', '{"type":"subscribe","payload":{"query":"{__typename}"}}'],
    ['an operation without a query', '{"type":"subscribe","id":"1","payload":{}}'],
    ['an empty id', '{"type":"subscribe","id":"","payload":{"query":"{__typename}"}}'],
    [
      'variables that are no object',
      '{"type":"subscribe","id":"1","payload":{"query":"{__typename}","variables":"x"}}',
    ],
    ['bytes', new Uint8Array([0xff, 0xfe])],
  ])('closes after a message that is %s with 4400', verifies('graph.socket.protocol'), async (_what, message) => {
    const connection = await connectedSocket(server.base, secret);
    connection.send(message);
    expect((await within('the end', patienceMs, connection.closed)).code).toBe(4400);
  });

  it(
    'closes after an operation of an unauthenticated connection with 4401',
    verifies('graph.socket.protocol'),
    async () => {
      const connection = await openSocket(server.base);
      connection.send(subscribe('1', '{ __typename }'));
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(4401);
    },
  );

  it.each([
    ['nothing', { type: 'connection_init' }],
    ['an empty payload', { type: 'connection_init', payload: {} }],
    ['an unknown key', { type: 'connection_init', payload: { Authorization: 'Bearer pbk_x' } }],
    ['another scheme', { type: 'connection_init', payload: { Authorization: 'Basic eDp5' } }],
    ['a key of another kind', { type: 'connection_init', payload: { Authorization: 42 } }],
    ['a list of keys', { type: 'connection_init', payload: { Authorization: ['x'] } }],
    ['null', { type: 'connection_init', payload: { Authorization: null } }],
  ])(
    'closes a connection that shows %s with 4403',
    verifies('graph.socket.protocol', 'access.anonymous'),
    async (_what, message) => {
      const connection = await openSocket(server.base);
      connection.send(message);
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(4403);
      expect(connection.waiting).toEqual([]);
    },
  );

  it('takes the key from the header of the upgrade too', verifies('graph.socket.protocol'), async () => {
    const connection = await openSocket(server.base, { headers: { Authorization: `bearer ${secret}` } });
    connection.send({ type: 'connection_init' });
    expect(await connection.next()).toEqual({ type: 'connection_ack' });
    connection.socket.close();
  });

  it('takes the cookie from this site, and from no other (F07, B11)', verifies('identity.session.csrf'), async () => {
    const { token } = await sessionOf(server);
    for (const [origin, isLetIn] of [
      [server.base, true],
      ['https://evil.example', false],
      ['null', false],
      [`${server.base}.evil.example`, false],
    ] as const) {
      const connection = await openSocket(server.base, {
        headers: { Cookie: `session_token=${token}`, Origin: origin },
      });
      connection.send({ type: 'connection_init' });
      if (isLetIn) expect(await connection.next()).toEqual({ type: 'connection_ack' });
      else expect((await within('the end', patienceMs, connection.closed)).code, origin).toBe(4403);
      connection.socket.close();
    }
  });

  it('closes after a frame over the limit with 1009', verifies('graph.socket.protocol'), async () => {
    const connection = await connectedSocket(server.base, secret);
    connection.send('x'.repeat(14_000_000));
    expect((await within('the end', patienceMs, connection.closed)).code).toBe(1009);
  });

  it('answers a ping with a pong, and ignores a pong', async () => {
    const connection = await connectedSocket(server.base, secret);
    connection.send({ type: 'pong' });
    connection.send({ type: 'ping' });
    expect(await connection.next()).toMatchObject({ type: 'pong' });
    connection.socket.close();
  });

  it('is at /graphql alone', async () => {
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(`${server.base.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws');
    const status = new Promise((resolve) => {
      socket.on('unexpected-response', (_req, res) => resolve(res.statusCode));
      socket.on('error', () => undefined);
    });
    expect(await within('an answer', patienceMs, status)).toBe(404);
  });
});

describe.concurrent('operations over a socket', () => {
  it('run queries and mutations like the other entry points, with their codes', async () => {
    const connection = await connectedSocket(server.base, secret);
    connection.send(
      subscribe(
        '1',
        'mutation ($value: String!) { clipboardPush(input: { value: $value }) { entry { value source } } }',
        { value: 'over the socket' },
      ),
    );
    expect(await connection.next()).toMatchObject({
      type: 'next',
      id: '1',
      payload: { data: { clipboardPush: { entry: { value: 'over the socket', source: 'SDK' } } } },
    });
    expect(await connection.next()).toEqual({ type: 'complete', id: '1' });
    connection.send(
      subscribe('2', 'mutation { clipboardPush(input: { value: "a", ttlSeconds: 0 }) { entry { uuid } } }'),
    );
    expect(await connection.next()).toMatchObject({
      type: 'next',
      payload: {
        errors: [
          {
            message: 'Validation error',
            extensions: { code: 'VALIDATION_ERROR', details: { ttlSeconds: expect.any(String) } },
          },
        ],
      },
    });
    expect(await connection.next()).toEqual({ type: 'complete', id: '2' });
    connection.socket.close();
  });

  it('that cannot be parsed or validated are errors of theirs, and the connection stays', async () => {
    const connection = await connectedSocket(server.base, secret);
    for (const query of [
      '{',
      '{ nothing }',
      'subscription { clipboardChanged { kind } more: clipboardChanged { kind } }',
      '',
    ]) {
      connection.send(subscribe('x', query));
      const message = await connection.next();
      expect(message, query).toMatchObject({ type: 'error', id: 'x' });
      expect(message.payload[0].extensions.code, query).toBe('VALIDATION_ERROR');
    }
    connection.send(subscribe('y', '{ __typename }'));
    expect(await connection.next()).toMatchObject({ type: 'next', id: 'y' });
    connection.socket.close();
  });

  it(
    'report changes to the profile alone: of two tenants each receives only its own (F07)',
    verifies('clipboard.changed', 'access.tenants'),
    async () => {
      const [one, other] = await Promise.all([tenantOf(server), tenantOf(server)]);
      const connections = await Promise.all([one, other].map((tenant) => connectedSocket(server.base, tenant.secret)));
      for (const connection of connections) connection.send(subscribe('w'));
      const [first, second] = connections as [(typeof connections)[0], (typeof connections)[0]];
      await heardBy(first.next, () => one.call('POST', '/api/clipboard/push', { value: 'of one' }));
      await heardBy(second.next, () => other.call('POST', '/api/clipboard/push', { value: 'of the other' }));
      const said = (connection: typeof first) => JSON.stringify(connection.waiting);
      expect(said(first)).not.toContain('of the other');
      expect(said(second)).not.toContain('of one');
      for (const { socket } of connections) socket.close();
    },
  );

  it('that are completed are silent afterwards, and their id is free again', async () => {
    const tenant = await tenantOf(server);
    const connection = await connectedSocket(server.base, tenant.secret);
    connection.send(subscribe('w'));
    const push = () => tenant.call('POST', '/api/clipboard/push', { value: 'x' });
    await heardBy(connection.next, push);
    connection.send({ type: 'complete', id: 'w' });
    connection.send(subscribe('fence', '{ __typename }'));
    await eventually('the fence', () =>
      connection.waiting.some(({ type, id }) => type === 'complete' && id === 'fence'),
    );
    connection.waiting.length = 0;
    await push();
    connection.send(subscribe('w'));
    await heardBy(connection.next, push);
    expect(connection.socket.readyState).toBe(connection.socket.OPEN);
    connection.socket.close();
  });

  it('a key without the scope read may connect but not subscribe', async () => {
    const { secret: writer } = await tenantOf(server, { scopes: ['write'] });
    const connection = await connectedSocket(server.base, writer);
    connection.send(subscribe('w'));
    const message = await connection.next();
    const errors = message.type === 'error' ? message.payload : message.payload.errors;
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    connection.socket.close();
  });
});

describe.concurrent('server-sent events', () => {
  it('carry a subscription on the same path', verifies('graph.sse', 'clipboard.changed'), async () => {
    const tenant = await tenantOf(server);
    const stream = await openEventStream(server.base, watch, { Authorization: `Bearer ${tenant.secret}` });
    expect(stream.status).toBe(200);
    const event = await heardBy(stream.next, () =>
      tenant.call('POST', '/api/clipboard', { name: 'seen', value: 'live' }),
    );
    expect(event).toEqual({
      event: 'next',
      data: { data: { clipboardChanged: { kind: 'SET', name: 'seen', count: 1, entry: { value: 'live' } } } },
    });
    stream.close();
  });

  it('refuse a caller without credentials', verifies('graph.sse', 'access.anonymous'), async () => {
    const stream = await openEventStream(server.base, watch, {});
    const first = await stream.next();
    expect(JSON.stringify(first)).toContain('UNAUTHORIZED');
    expect(JSON.stringify(first)).not.toContain('"data":{"clipboardChanged"');
    stream.close();
  });

  it('refuse a cookie of another site', verifies('identity.session.csrf'), async () => {
    const { token } = await sessionOf(server);
    const stream = await openEventStream(server.base, watch, {
      Cookie: `session_token=${token}`,
      Origin: 'https://evil.example',
    });
    expect(stream.status).toBe(403);
    stream.close();
  });

  it('leave nothing behind when the client goes (F06)', async () => {
    const tenant = await tenantOf(server);
    for (let round = 0; round < 20; round++) {
      const stream = await openEventStream(server.base, watch, { Authorization: `Bearer ${tenant.secret}` });
      stream.close();
    }
    expect((await tenant.call('POST', '/api/clipboard/push', { value: 'x' })).status).toBe(200);
  });
});

describe.concurrent('when the right of a caller ends (B05)', () => {
  it(
    "a revoked key closes its sockets with 4403 within two seconds, and no other's",
    verifies('graph.socket.credentials', 'identity.key.revocation'),
    async () => {
      const tenant = await tenantOf(server);
      const spare = await keyOf(server.services, tenant.user);
      const connection = await connectedSocket(server.base, tenant.secret);
      const second = await connectedSocket(server.base, tenant.secret);
      const other = await connectedSocket(server.base, spare.secret);
      connection.send(subscribe('w'));
      await server.services.auth.apiKeys.revoke(tenant.user, { uuid: tenant.uuid });
      expect((await tenant.call('GET', '/api/clipboard')).status).toBe(401);
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(4403);
      expect((await within('the end', patienceMs, second.closed)).code).toBe(4403);
      other.send(subscribe('q', '{ __typename }'));
      expect(await other.next()).toMatchObject({ type: 'next' });
      other.socket.close();
    },
  );

  it(
    'a sign-out closes the sockets of that session within two seconds',
    verifies('graph.socket.credentials', 'identity.sign-out'),
    async () => {
      const { token, user } = await sessionOf(server);
      const headers = { Cookie: `session_token=${token}`, Origin: server.base };
      const connection = await openSocket(server.base, { headers });
      connection.send({ type: 'connection_init' });
      expect(await connection.next()).toEqual({ type: 'connection_ack' });
      await server.services.auth.sessions.end(user);
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(4403);
    },
  );

  it(
    'a password change closes the sockets of every session, also of the one that asked',
    verifies('graph.socket.credentials', 'identity.password'),
    async () => {
      const { token, user } = await sessionOf(server);
      const connection = await openSocket(server.base, { headers: { Cookie: `session_token=${token}` } });
      connection.send({ type: 'connection_init' });
      expect(await connection.next()).toEqual({ type: 'connection_ack' });
      await server.services.auth.accounts.changePassword(user, {
        currentPassword: 'correct horse battery',
        newPassword: 'another staple of mine',
      });
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(4403);
    },
  );
});

describe('event streams when the right of a caller ends (B05)', () => {
  /** What still comes out of a stream until it ends: a few events at most. */
  async function lastWords(stream: EventStream): Promise<StreamEvent[]> {
    const words: StreamEvent[] = [];
    try {
      for (let event = await stream.next(); event !== null; event = await stream.next()) {
        words.push(event);
        if (words.length > 10) throw new Error(`the stream does not end: ${JSON.stringify(words.slice(-2))}`);
      }
    } finally {
      stream.close();
    }
    return words;
  }

  // A server each: what goes wrong with one stream must not hide what goes wrong with the next.
  it(
    'a revoked key ends them within two seconds, with UNAUTHORIZED and no further event',
    verifies('graph.socket.credentials', 'graph.sse', 'identity.key.revocation'),
    async () => {
      const own = await startTestServer();
      const tenant = await tenantOf(own);
      const spare = await keyOf(own.services, tenant.user);
      const stream = await openEventStream(own.base, watch, { Authorization: `Bearer ${tenant.secret}` });
      await heardBy(stream.next, () => tenant.call('POST', '/api/clipboard/push', { value: 'before' }));
      await own.services.auth.apiKeys.revoke(tenant.user, { uuid: tenant.uuid });
      const words = await lastWords(stream);
      await own.services.clipboard.push(spare.caller, { value: 'after' });
      expect(JSON.stringify(words)).not.toContain('after');
      expect(words.filter(({ data }) => data?.errors).map(({ data }) => data.errors[0].extensions.code)).toEqual([
        'UNAUTHORIZED',
      ]);
    },
  );

  it('a sign-out ends them within two seconds', verifies('graph.socket.credentials', 'identity.sign-out'), async () => {
    const own = await startTestServer();
    const { token, user } = await sessionOf(own);
    const stream = await openEventStream(own.base, watch, { Cookie: `session_token=${token}`, Origin: own.base });
    await own.services.auth.sessions.end(user);
    expect((await lastWords(stream)).length).toBeLessThan(3);
  });

  it('the server keeps answering everybody else', async () => {
    const own = await startTestServer();
    const [leaving, staying] = await Promise.all([tenantOf(own), tenantOf(own)]);
    const stream = await openEventStream(own.base, watch, { Authorization: `Bearer ${leaving.secret}` });
    await own.services.auth.apiKeys.revoke(leaving.user, { uuid: leaving.uuid });
    let hasEnded = false;
    const ended = lastWords(stream).finally(() => {
      hasEnded = true;
    });
    const deadline = performance.now() + 10_000;
    let slowestMs = 0;
    for (let callsSince = 0; callsSince < 50 && performance.now() < deadline; callsSince += hasEnded ? 1 : 0) {
      const elapsedMs = startStopwatch();
      expect((await staying.call('GET', '/api/clipboard')).status).toBe(200);
      slowestMs = Math.max(slowestMs, elapsedMs());
    }
    await within('the end of the stream', patienceMs, ended);
    expect(slowestMs).toBeLessThan(500);
  });
});

describe('time', () => {
  it(
    'that runs out for a key closes its sockets',
    verifies('graph.socket.credentials', 'identity.key.expiry'),
    async () => {
      const own = await startTestServer();
      const { user } = await tenantOf(own);
      const expiresAt = new Date(own.clock.now().getTime() + 60_000);
      const { secret: brief } = await own.services.auth.apiKeys.create(user, { name: 'brief', expiresAt });
      const connection = await connectedSocket(own.base, brief);
      own.clock.advance(59_999);
      connection.send(subscribe('q', '{ __typename }'));
      expect(await connection.next()).toMatchObject({ type: 'next' });
      own.clock.advance(1);
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(4403);
    },
  );
});

describe('a server that stops (I03)', () => {
  it(
    'closes its sockets with 1001, ends its streams, and refuses new ones',
    verifies('graph.socket.stop'),
    async () => {
      const own = await startTestServer();
      const tenant = await tenantOf(own);
      const connection = await connectedSocket(own.base, tenant.secret);
      connection.send(subscribe('w'));
      const silent = await openSocket(own.base);
      const stream = await openEventStream(own.base, watch, { Authorization: `Bearer ${tenant.secret}` });
      const stopped = own.stop();
      expect((await within('the end', patienceMs, connection.closed)).code).toBe(1001);
      expect((await within('the end', patienceMs, silent.closed)).code).toBe(1001);
      await eventually('the end of the stream', async () => {
        try {
          return (await stream.next()) === null;
        } catch (error) {
          // A reset is an end too; silence is none.
          if (String(error).includes('an event')) throw error;
          return true;
        }
      });
      await within('the stop', patienceMs, stopped);
      await expect(fetch(`${own.base}/healthz`)).rejects.toThrow();
    },
  );
});
