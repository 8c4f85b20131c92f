import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { verifies } from '../requirements.ts';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectedSocket, openSocket } from '../support/graphql-socket.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf, startTestServer, type TestServer, tenantOf } from '../support/server.ts';

let server: TestServer;

// Real time: what is remembered of a key for a moment is remembered here too.
beforeAll(async () => {
  server = await startTestServer({}, undefined, { isRealTime: true });
});

type Tenant = Awaited<ReturnType<typeof tenantOf>>;

const watch = 'subscription { clipboardChanged { kind } }';

/** Ways in which a right ends, behind this process's back where no function of it does that. */
const ends: [what: string, end: (tenant: Tenant) => Promise<unknown>][] = [
  ['that is revoked', ({ user, uuid }) => server.services.auth.apiKeys.revoke(user, { uuid })],
  [
    'that another process revokes',
    ({ uuid }) => server.database.prisma.apiKey.update({ where: { uuid }, data: { revokedAt: systemClock.now() } }),
  ],
  [
    'that runs out',
    ({ uuid }) =>
      server.database.prisma.apiKey.update({
        where: { uuid },
        data: { expiresAt: new Date(systemClock.now().getTime() + 100) },
      }),
  ],
  [
    'whose profile is deleted',
    ({ caller }) => server.database.prisma.profile.delete({ where: { uuid: String(caller.principal?.profileUuid) } }),
  ],
  [
    'whose project is deleted',
    ({ caller }) => server.database.prisma.project.delete({ where: { uuid: String(caller.principal?.projectUuid) } }),
  ],
  ['whose user is disabled', ({ user }) => disable(String(user.principal?.userUuid))],
  [
    'whose user is deleted',
    ({ user }) => server.database.prisma.user.delete({ where: { uuid: String(user.principal?.userUuid) } }),
  ],
];

const disable = (uuid: string) =>
  server.database.prisma.user.update({ where: { uuid }, data: { disabledAt: systemClock.now() } });

describe.concurrent('a key (B05, B09)', () => {
  it.each(ends)(
    '%s is 401 within a second on both APIs, and its sockets and streams end',
    verifies('identity.key.revocation', 'identity.key.expiry', 'identity.disabled', 'graph.socket.credentials'),
    async (_what, end) => {
      const tenant = await tenantOf(server);
      const { call, secret } = tenant;
      const socket = await connectedSocket(server.base, secret);
      socket.send({ type: 'subscribe', id: '1', payload: { query: watch } });
      const stream = await openEventStream(server.base, watch, { Authorization: `Bearer ${secret}` });
      // Remembered, at this very moment.
      expect((await call('GET', '/api/clipboard')).status).toBe(200);
      await end(tenant);
      await delay(1_000);
      const [rest, graph] = [
        await call('POST', '/api/clipboard/push', { value: 'late' }),
        await call('POST', '/graphql', { query: '{ __typename }' }),
      ];
      expect(rest.status).toBe(401);
      expect(rest.body).toEqual({ success: false, error: 'Unauthorized' });
      expect([graph.status, graph.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHORIZED']);
      expect((await within('the end of the socket', patienceMs, socket.closed)).code).toBe(4403);
      const words: unknown[] = [];
      for (let event = await stream.next(); event !== null; event = await stream.next()) words.push(event.data);
      expect(words.flatMap((data) => (data as { errors?: unknown[] } | null)?.errors ?? [])).toEqual([
        expect.objectContaining({ extensions: { code: 'UNAUTHORIZED' } }),
      ]);
      const again = await openSocket(server.base);
      again.send({ type: 'connection_init', payload: { Authorization: `Bearer ${secret}` } });
      expect((await within('the refusal of a new socket', patienceMs, again.closed)).code).toBe(4403);
    },
  );

  it(
    'that is revoked over REST is 401 with the very next request, although it was remembered',
    verifies('identity.key.revocation'),
    async () => {
      const { call, secret, uuid } = await tenantOf(server, { scopes: ['read', 'admin'] });
      for (const _ of Array(5)) expect((await call('GET', '/api/clipboard')).status).toBe(200);
      expect((await call('DELETE', `/api/api-keys/${uuid}`)).status).toBe(200);
      expect((await callerOf(server, secret)('GET', '/api/clipboard')).status).toBe(401);
    },
  );
});

describe.concurrent('a session (B09, B10)', () => {
  it(
    'of a disabled user ends with the next request, and its sockets are closed',
    verifies('identity.disabled', 'graph.socket.credentials'),
    async () => {
      const { user, token, call } = await sessionOf(server);
      const socket = await openSocket(server.base, { headers: { Cookie: `session_token=${token}` } });
      socket.send({ type: 'connection_init' });
      expect(await socket.next()).toEqual({ type: 'connection_ack' });
      expect((await call('GET', '/api/auth/session')).status).toBe(200);
      await disable(String(user.principal?.userUuid));
      expect((await call('GET', '/api/auth/session')).status).toBe(401);
      expect((await call('POST', '/api/clipboard/push', { value: 'late' })).status).toBe(401);
      expect((await within('the end of the socket', patienceMs, socket.closed)).code).toBe(4403);
    },
  );

  it('of a deleted user leaves nothing behind: keys, sessions, profiles and entries are deleted', async () => {
    const { user, call } = await sessionOf(server);
    const userUuid = String(user.principal?.userUuid);
    const profileUuid = String(user.principal?.profileUuid);
    await call('POST', '/api/clipboard/push', { value: 'x' });
    await call('POST', '/api/api-keys', { name: 'k' });
    const { prisma } = server.database;
    const left = async () =>
      Promise.all([
        prisma.session.count({ where: { userUuid } }),
        prisma.project.count({ where: { userUuid } }),
        prisma.apiKey.count({ where: { profileUuid } }),
        prisma.clipboardEntry.count({ where: { profileUuid } }),
      ]);
    expect(await left()).toEqual([1, 1, 1, 1]);
    await prisma.user.delete({ where: { uuid: userUuid } });
    expect(await left()).toEqual([0, 0, 0, 0]);
    await eventually('401', async () => (await call('GET', '/api/auth/session')).status === 401);
  });
});
