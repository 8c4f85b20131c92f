import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createProtectedStage, createStageExchanges, noExceptions } from '../support/authorization-stage.ts';

const redirectUri = 'https://patchbay.example/api/oauth/callback';
const now = new Date('2026-03-01T12:00:00.000Z');

it('goes from an unknown server to tokens, their refresh and their end', async () => {
  const stage = await createProtectedStage({ resource: { scopes_supported: ['files:read'] } });
  stage.on('/register', ({ body }) => ({
    status: 201,
    body: { ...JSON.parse(body), client_id: 'client-1', client_secret: 'secret:1', client_secret_expires_at: 0 },
  }));
  stage.on('/token', ({ form }) => ({
    body: {
      access_token: `access of ${form.get('grant_type')}`.replaceAll(' ', '-'),
      refresh_token: 'refresh-1',
      token_type: 'bearer',
      expires_in: 3600,
    },
  }));
  stage.on('/revoke', { status: 200 });
  const exchanges = createStageExchanges();

  const discovery = await exchanges.discoverServer({ url: stage.url, challenge: null, exceptions: noExceptions });
  expect(discovery).toMatchObject({ resource: stage.url, issuer: stage.origin, scopes: ['files:read'] });

  const client = await exchanges.identify(discovery, {
    configured: null,
    metadataDocumentUrl: null,
    registered: null,
    redirectUri,
    now,
  });
  expect(client).toEqual({
    kind: 'registered',
    issuer: stage.origin,
    clientId: 'client-1',
    clientSecret: 'secret:1',
    authenticationMethod: 'client_secret_basic',
    redirectUri,
    secretExpiresAt: null,
  });

  const request = await exchanges.authorizationRequest({ discovery, client, redirectUri, scopes: null });
  const { searchParams, pathname } = new URL(request.url);
  expect(pathname).toBe('/authorize');
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: redirectUri,
    state: request.state,
    code_challenge: createHash('sha256').update(request.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'files:read',
    resource: stage.url,
  });
  expect([request.state, request.verifier].map((value) => Buffer.from(value, 'base64url').length)).toEqual([32, 32]);

  const { metadata, resource } = discovery;
  expect(exchanges.readResponse(metadata, { code: 'code-1' })).toEqual({ code: 'code-1' });
  const { verifier, scopes } = request;
  const tokens = await exchanges.exchangeCode({
    metadata,
    client,
    code: 'code-1',
    verifier,
    redirectUri,
    resource,
    scopes,
  });
  expect(tokens).toEqual({
    accessToken: 'access-of-authorization_code',
    refreshToken: 'refresh-1',
    expiresIn: 3600,
    scopes: ['files:read'],
  });
  await exchanges.refresh({ metadata, client, refreshToken: 'refresh-1', resource, scopes });
  expect(await exchanges.revoke({ metadata, client, token: 'refresh-1', kind: 'refresh_token' })).toBe(true);

  const posts = stage.requests.filter(({ method, path }) => method === 'POST' && path !== '/mcp');
  expect(posts.map(({ path, form }) => [path, path === '/register' ? {} : Object.fromEntries(form)])).toEqual([
    ['/register', {}],
    [
      '/token',
      {
        grant_type: 'authorization_code',
        code: 'code-1',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource: stage.url,
      },
    ],
    ['/token', { grant_type: 'refresh_token', refresh_token: 'refresh-1', resource: stage.url }],
    ['/revoke', { token: 'refresh-1', token_type_hint: 'refresh_token' }],
  ]);
  const credentials = `Basic ${Buffer.from('client-1:secret%3A1').toString('base64')}`;
  expect(posts.slice(1).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(credentials));
  expect(JSON.parse(posts[0]?.body ?? '')).toEqual({
    client_name: 'Patchbay',
    client_uri: 'https://patchbay.example',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    application_type: 'web',
  });
});
