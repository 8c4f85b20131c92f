import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { openEventStream } from '../support/event-stream.ts';
import { consent } from '../support/oauth/consent.ts';
import { startHostileAuthorizationServer } from '../support/oauth/hostile-authorization-server.ts';
import { appUrl, startOauthStage } from '../support/oauth/stage.ts';
import { callerOf, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

// The general API of OAuth sessions. Source: docs/specification/oauth.md#sessions.

const issuer = await startHostileAuthorizationServer();
const stage = await startOauthStage({
  environment: {
    OAUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.issuer, clientId: 'patchbay', clientSecret: 'of-the-operator', scopes: ['notes:read'] },
    }),
  },
});
const { server, withKey } = stage;
const redirect_uri = `${appUrl}/back`;
const sessionPath = '/api/mcp/oauth/session';

async function pending(provider: string) {
  const { body, text, status } = await withKey('POST', sessionPath, { provider, redirect_uri });
  expect(status, text).toBe(200);
  const { code, state, iss } = Object.fromEntries(new URL(await consent(body.authorization_url)).searchParams);
  return { session_id: body.session_id as string, code, state, iss };
}

it(
  'names every wrong field of a new session and of its completion at once',
  verifies('oauth.session.input'),
  async () => {
    const created = await withKey('POST', sessionPath, {
      redirect_uri: 'http://example.com/back',
      scopes: ['two words'],
    });
    expect(created.status).toBe(400);
    expect(Object.keys(created.body.error.details).toSorted()).toEqual(['provider', 'redirect_uri', 'scopes.0']);
    const completed = await withKey('POST', '/api/mcp/oauth/callback', { code: 1 });
    expect(completed.status).toBe(400);
    expect(Object.keys(completed.body.error.details).toSorted()).toEqual(['code', 'session_id', 'state']);
  },
);

it.each([
  'https://user:password@example.com/back',
  'https://example.com/back#fragment',
  'http://127.0.0.1.example.com/back',
  'javascript:alert(1)',
  '/back',
  'https://example.com/\nback',
])('takes no redirect URI like %j', async (uri) => {
  const { status, body } = await withKey('POST', sessionPath, { provider: stage.serverUuid, redirect_uri: uri });
  expect(status).toBe(400);
  expect(body.error.details).toEqual({ redirect_uri: expect.any(String) });
});

it('takes an MCP server by its slug, and says 404 to an unknown provider', async () => {
  const { slug } = await server.database.prisma.mcpServer.findUniqueOrThrow({ where: { uuid: stage.serverUuid } });
  const created = await withKey('POST', sessionPath, { provider: slug, redirect_uri });
  expect(created.status, created.text).toBe(200);
  const unknown = await withKey('POST', sessionPath, { provider: 'nothing', redirect_uri });
  expect(unknown.status).toBe(404);
  expect(unknown.body).toEqual({ error: { code: 'NOT_FOUND', message: 'Provider not found' } });
});

it('goes to a provider that the operator has configured, with the client of the setting', async () => {
  // The newest of the list, at a time that stands still.
  server.clock.advance(1_000);
  const { body } = await withKey('POST', sessionPath, { provider: 'acme', redirect_uri });
  const url = new URL(body.authorization_url);
  expect(url.origin).toBe(new URL(issuer.issuer).origin);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'patchbay',
    scope: 'notes:read',
    redirect_uri,
    code_challenge_method: 'S256',
  });
  expect(url.searchParams.has('resource')).toBe(false);
  const listed = (await withKey('GET', sessionPath)).body.sessions;
  expect(listed[0]).toMatchObject({ id: body.session_id, provider: 'acme', scopes: ['notes:read'], last_used: null });
});

it('completes a session of a configured provider, and revokes it on both sides', async () => {
  const body = await pending('acme');
  const completed = await withKey('POST', '/api/mcp/oauth/callback', body);
  expect(completed.status, completed.text).toBe(200);
  const path = `${sessionPath}/${body.session_id}`;
  expect((await withKey('GET', path)).body).toMatchObject({ provider: 'acme', status: 'active' });
  const before = issuer.revocations().length;
  expect((await withKey('DELETE', path)).body.success).toBe(true);
  expect((await withKey('GET', path)).body.status).toBe('revoked');
  expect(issuer.revocations().length).toBeGreaterThan(before);
});

it('is completed by its own profile and with its own state alone', async () => {
  const [one, other] = [await pending(stage.serverUuid), await pending(stage.serverUuid)];
  const otherTenant = await tenantOf(server);
  const foreign = await otherTenant.call('POST', '/api/mcp/oauth/callback', one);
  expect([foreign.status, foreign.body.error.message]).toEqual([404, 'OAuth session not found']);
  const mixed = await withKey('POST', '/api/mcp/oauth/callback', { ...one, state: other.state });
  expect(mixed.status).toBe(400);
  expect(mixed.body.error.details).toEqual({ state: 'state is unknown or was already used' });
  for (const body of [one, other]) {
    const completed = await withKey('POST', '/api/mcp/oauth/callback', body);
    expect(completed.status, completed.text).toBe(200);
  }
});

it('needs the issuer of a redirect that has one: without it the state can still be used, with a wrong one it cannot', async () => {
  const complete = (body: object) => withKey('POST', '/api/mcp/oauth/callback', body);
  const [first, second] = [await pending(stage.serverUuid), await pending(stage.serverUuid)];
  expect(first.iss).toBe(stage.authorizationServer.issuer);
  for (const iss of [undefined, null]) {
    const { status, body } = await complete({ ...first, iss });
    expect([status, body.error.details]).toEqual([
      400,
      { iss: 'iss is required: this authorization server sends it beside the code' },
    ]);
  }
  expect((await complete(first)).status).toBe(200);
  const wrong = await complete({ ...second, iss: 'https://other.example' });
  expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['iss']]);
  expect((await complete(second)).body.error.details).toEqual({ state: 'state is unknown or was already used' });
});

it('ends with its state: a wrong code uses the state up, and so do five minutes', async () => {
  const wrongCode = await pending(stage.serverUuid);
  const refused = await withKey('POST', '/api/mcp/oauth/callback', { ...wrongCode, code: 'of-another' });
  expect(refused.status, refused.text).toBe(400);
  expect(refused.body.error.details).toEqual({ code: 'The authorization server refused the token request' });
  const statusOf = async (id: string) => (await withKey('GET', `${sessionPath}/${id}`)).body.status;
  expect(await statusOf(wrongCode.session_id)).toBe('expired');
  expect((await withKey('POST', '/api/mcp/oauth/callback', wrongCode)).status).toBe(400);

  const late = await pending(stage.serverUuid);
  expect(await statusOf(late.session_id)).toBe('pending');
  server.clock.advance(5 * 60_000);
  expect(await statusOf(late.session_id)).toBe('expired');
  const { status, body } = await withKey('POST', '/api/mcp/oauth/callback', late);
  expect(status).toBe(400);
  expect(body.error.details.state).toMatch(/^state has expired/);
});

it('shows each change live to its profile, and needs the scope write to change anything', async () => {
  const { secret } = await keyOf(server.services, stage.user, { scopes: ['read'] });
  const reading = callerOf(server, secret);
  const stream = await openEventStream(server.base, 'subscription { oauthSessionChanged { uuid status } }', {
    Authorization: `Bearer ${secret}`,
  });
  const created = await pending(stage.serverUuid);
  await withKey('POST', '/api/mcp/oauth/callback', created);
  for (const method of ['POST', 'DELETE'] as const) {
    const path = method === 'POST' ? sessionPath : `${sessionPath}/${created.session_id}`;
    const { status } = await reading(method, path, { provider: stage.serverUuid, redirect_uri });
    expect(status).toBe(403);
  }
  await withKey('DELETE', `${sessionPath}/${created.session_id}`);
  const seen: string[] = [];
  for (let i = 0; i < 3; i++) seen.push((await stream.next())?.data.data.oauthSessionChanged.status);
  expect(seen).toEqual(['PENDING', 'ACTIVE', 'REVOKED']);
});

it(
  'keeps an audit row for each security event, which its profile reads and no statement changes (I13)',
  verifies('oauth.audit'),
  async () => {
    const query =
      '{ oauthSecurityEvents(first: 3) { totalCount nodes { type severity outcome actorUuid sessionUuid requestId } } }';
    const { session_id } = await pending(stage.serverUuid);
    server.clock.advance(1_000);
    await withKey('DELETE', `${sessionPath}/${session_id}`, undefined, { 'X-Request-Id': 'the-request' });
    const { data } = (await withKey('POST', '/graphql', { query })).body;
    expect(data.oauthSecurityEvents.nodes[0]).toEqual({
      type: 'SESSION_REVOKED',
      severity: 'LOW',
      outcome: 'SUCCEEDED',
      actorUuid: stage.user.principal?.userUuid,
      sessionUuid: session_id,
      requestId: 'the-request',
    });
    const otherTenant = await tenantOf(server);
    expect((await otherTenant.call('POST', '/graphql', { query })).body.data.oauthSecurityEvents.totalCount).toBe(0);
    for (const text of ["UPDATE oauth_security_events SET type = 'x'", 'DELETE FROM oauth_security_events'])
      await expect(server.database.query({ text })).rejects.toThrow('Security events cannot be changed');
  },
);

it('takes a client and exceptions from the owner of a server, and shows them', async () => {
  const query = `mutation ($input: OauthServerConfigureInput!) { oauthServerConfigure(input: $input) {
    server { authorization { isAuthorized issuer clientKind clientId allowsOtherIssuer omitsResource } } } }`;
  const { issuer: ofServer } = stage.authorizationServer;
  const client = { issuer: ofServer, clientId: 'by-hand', clientSecret: 'of-the-owner' };
  const input = { serverUuid: stage.serverUuid, client, omitsResource: true };
  const { data, errors } = (await withKey('POST', '/graphql', { query, variables: { input } })).body;
  expect(errors).toBeUndefined();
  expect(data.oauthServerConfigure.server.authorization).toMatchObject({
    allowsOtherIssuer: false,
    omitsResource: true,
  });
  const initiated = await stage.initiate();
  const url = new URL(initiated.body.authorizationUrl);
  expect(url.searchParams.get('client_id')).toBe('by-hand');
  expect(url.searchParams.has('resource')).toBe(false);
  const back = { serverUuid: stage.serverUuid, removesClient: true, omitsResource: false };
  await withKey('POST', '/graphql', { query, variables: { input: back } });
  const registered = new URL((await stage.initiate()).body.authorizationUrl);
  expect(registered.searchParams.get('client_id')).not.toBe('by-hand');
  expect(registered.searchParams.get('resource')).toBe(stage.mcp.url);
});
