import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startOauthStage } from '../support/oauth/stage.ts';

it(
  'goes from consent over tools, expiry and refresh to revocation',
  verifies('oauth.flow', 'oauth.refresh', 'oauth.session.revoke'),
  async () => {
    const stage = await startOauthStage();
    const { serverUuid, mcp, authorizationServer, server, withKey } = stage;
    expect(await stage.discover()).toBe('needs_authorization');

    const initiated = await stage.initiate();
    expect(initiated.status, initiated.text).toBe(200);
    const url = new URL(initiated.body.authorizationUrl);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: mcp.url,
      state: initiated.body.state,
    });
    const callback = await stage.browser('GET', await stage.consented(url.href));
    expect(callback.status, callback.text).toBe(302);
    expect(callback.headers.get('location')).toBe(`/mcp-servers?oauth_success=true&server_uuid=${serverUuid}`);
    expect(callback.headers.get('cache-control')).toBe('no-store');
    expect(callback.headers.get('referrer-policy')).toBe('no-referrer');

    expect(await stage.discover()).toBe('succeeded');
    const details = await withKey('GET', `/api/servers/${serverUuid}`);
    expect(details.body.tools.map(({ name }: { name: string }) => name)).toEqual(['read_notes', 'write_notes']);

    mcp.refuseAll();
    expect(await stage.discover()).toBe('succeeded');
    expect(authorizationServer.tokenRequests('refresh_token')).toHaveLength(1);

    server.clock.advance(60_000);
    const refreshed = await stage.refresh();
    expect(refreshed.status, refreshed.text).toBe(200);
    expect(refreshed.body).toEqual({ success: true, expiresAt: expect.any(String) });
    expect(authorizationServer.tokenRequests('refresh_token')).toHaveLength(2);

    const { body } = await withKey('GET', '/api/mcp/oauth/session');
    expect(body.sessions).toHaveLength(1);
    const [session] = body.sessions;
    expect(session).toMatchObject({ scopes: ['notes:read', 'notes:write'], last_used: expect.any(String) });
    expect((await withKey('GET', `/api/mcp/oauth/session/${session.id}`)).body.status).toBe('active');
    const revoked = await withKey('DELETE', `/api/mcp/oauth/session/${session.id}`);
    expect(revoked.body).toEqual({ success: true, message: 'OAuth session revoked' });
    expect(authorizationServer.revocations().length).toBeGreaterThan(0);
    expect((await withKey('GET', `/api/mcp/oauth/session/${session.id}`)).body.status).toBe('revoked');
    expect(await stage.discover()).toBe('needs_authorization');
    expect((await stage.refresh()).status).toBe(400);
  },
);

it('keeps tokens of a general session for the platform, and completes it once', verifies('oauth.session'), async () => {
  const stage = await startOauthStage();
  const { withKey } = stage;
  const created = await withKey('POST', '/api/mcp/oauth/session', {
    provider: stage.serverUuid,
    redirect_uri: 'http://127.0.0.1:9/back',
  });
  expect(created.status, created.text).toBe(200);
  const { session_id } = created.body;
  expect((await withKey('GET', `/api/mcp/oauth/session/${session_id}`)).body.status).toBe('pending');
  const back = new URL(await stage.consented(created.body.authorization_url), 'http://127.0.0.1:9');
  const parameters = Object.fromEntries(back.searchParams);
  const completed = await withKey('POST', '/api/mcp/oauth/callback', { session_id, ...parameters });
  expect(completed.status, completed.text).toBe(200);
  expect(Object.keys(completed.body)).toEqual(['access_token', 'refresh_token', 'expires_at']);
  expect(await stage.authorizationServer.introspect(completed.body.access_token)).toBeNull();
  expect((await withKey('GET', `/api/mcp/oauth/session/${session_id}`)).body.status).toBe('active');
  const again = await withKey('POST', '/api/mcp/oauth/callback', { session_id, ...parameters });
  expect(again.status).toBe(400);
  expect(again.body.error.details.state).toContain('already used');
});
