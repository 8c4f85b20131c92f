import { expect, it } from 'vitest';
import { authorizableServer, authorizedServer, pendingSession } from '../support/oauth/authorized.ts';
import { appUrl } from '../support/oauth/stage.ts';
import { sessionOf } from '../support/people.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl });
const { services, database } = server;

it('an account with tokens and security events can be deleted, and leaves none of them', async () => {
  const { user, call } = await sessionOf(server);
  await authorizedServer(services, user);
  await pendingSession(services, user);
  const deleted = await call('DELETE', '/api/auth/account', { password: 'correct horse battery' });
  expect(deleted.status, deleted.text).toBe(200);
  const userUuid = user.principal?.userUuid as string;
  for (const table of ['oauth_sessions', 'oauth_clients', 'oauth_pkce_states', 'oauth_security_events']) {
    const rows = await database.query({ text: `SELECT 1 FROM ${table} WHERE user_uuid = $1`, values: [userUuid] });
    expect(rows, table).toEqual([]);
  }
});

it('a session is created once for an Idempotency-Key, although the network is asked', async () => {
  const { call, user } = await tenantOf(server);
  const body = { provider: await authorizableServer(services, user), redirect_uri: `${appUrl}/back` };
  const create = () => call('POST', '/api/mcp/oauth/session', body, { 'Idempotency-Key': 'once' });
  const first = await create();
  expect(first.status, first.text).toBe(200);
  const second = await create();
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await call('GET', '/api/mcp/oauth/session')).body.sessions).toHaveLength(1);
});

it('a job ends sessions that were given up, and those whose token has expired for good', async () => {
  const { user } = await sessionOf(server);
  const pending = await pendingSession(services, user);
  const lapsed = await authorizedServer(services, user);
  await database.query({
    text: 'UPDATE oauth_sessions SET refresh_token = NULL WHERE server_uuid = $1',
    values: [lapsed],
  });
  const refreshable = await authorizedServer(services, user);
  server.clock.advance(2 * 3_600_000);
  await services.oauth.upkeep.expire();
  const statuses = await database.prisma.oauthSession.findMany({
    where: { userUuid: user.principal?.userUuid as string },
    select: { uuid: true, serverUuid: true, status: true },
  });
  expect(statuses.find(({ uuid }) => uuid === pending.uuid)?.status).toBe('expired');
  expect(statuses.find(({ serverUuid }) => serverUuid === lapsed)?.status).toBe('expired');
  expect(statuses.find(({ serverUuid }) => serverUuid === refreshable)?.status).toBe('active');
  expect(await services.oauth.upkeep.activeTokens()).toBeGreaterThan(0);
});

it('a flow of the browser replaces the session of an earlier one, and none of the general API', async () => {
  const { user } = await sessionOf(server);
  const serverUuid = await authorizedServer(services, user);
  const general = await pendingSession(services, user, 'protected', serverUuid);
  await services.oauth.sessions.complete(user, general.callback);
  await authorizedServer(services, user, 'protected', serverUuid);
  const sessions = await database.prisma.oauthSession.findMany({
    where: { serverUuid },
    select: { uuid: true, status: true },
  });
  expect(sessions.map(({ status }) => status).toSorted()).toEqual(['active', 'active', 'revoked']);
  expect(sessions.find(({ uuid }) => uuid === general.uuid)?.status).toBe('active');
});
