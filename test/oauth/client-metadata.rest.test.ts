import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startOauthStage } from '../support/oauth/stage.ts';
import { callerOf, startTestServer, type TestServer } from '../support/server.ts';

const appUrl = 'https://patchbay.example';
const documentUrl = `${appUrl}/oauth/client-metadata.json`;
const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl });
/** oidc-provider, which reads the document where the platform serves it, and checks it. */
const stage = await startOauthStage({
  server,
  authorizationServer: { readClientDocument: ({ pathname }) => fetch(server.base + pathname) },
});
const { authorizationServer, withKey, serverUuid } = stage;

const documentOf = (from: TestServer) => callerOf(from, null)('GET', '/oauth/client-metadata.json');

describe('the client id metadata document', () => {
  it('names its own URL and the one callback, for everybody to keep', verifies('oauth.client-metadata'), async () => {
    const { status, headers, body } = await documentOf(server);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toEqual({
      client_id: documentUrl,
      client_name: 'Patchbay',
      client_uri: appUrl,
      redirect_uris: [`${appUrl}/api/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    });
    const wrong = await callerOf(server, null)('POST', '/oauth/client-metadata.json');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it(
    "is the client of the platform's own flows, and nothing is registered",
    verifies('oauth.client-metadata'),
    async () => {
      expect(await stage.authorize()).toBe(`/mcp-servers?oauth_success=true&server_uuid=${serverUuid}`);
      server.clock.advance(60_000);
      expect((await stage.refresh()).status).toBe(200);
      expect(authorizationServer.tokenRequests().map(({ body }) => body.client_id)).toEqual([documentUrl, documentUrl]);
      expect(authorizationServer.registrations()).toHaveLength(0);
    },
  );

  it(
    'is not the client of a general session, whose redirect URI it does not name',
    verifies('oauth.client-metadata'),
    async () => {
      const redirect = { provider: serverUuid, redirect_uri: 'https://client.example/back' };
      const { status, body, text } = await withKey('POST', '/api/mcp/oauth/session', redirect);
      expect(status, text).toBe(200);
      expect(new URL(body.authorization_url).searchParams.get('client_id')).not.toBe(documentUrl);
      const back = await stage.consented(body.authorization_url);
      expect(back).toMatch(/^\/back\?code=/);
      const [registration] = authorizationServer.registrations();
      expect(registration?.body.redirect_uris).toEqual([redirect.redirect_uri]);
    },
  );

  it('is served without https, and not offered as a client there', async () => {
    const plain = await startOauthStage({
      authorizationServer: { readClientDocument: () => expect.unreachable('the document was read') },
    });
    const { body } = await documentOf(plain.server);
    expect(body).toMatchObject({ client_id: 'http://127.0.0.1:9/oauth/client-metadata.json' });
    expect(body).not.toHaveProperty('client_uri');
    expect((await plain.initiate()).status).toBe(200);
    expect(plain.authorizationServer.registrations()).toHaveLength(1);
  });
});
