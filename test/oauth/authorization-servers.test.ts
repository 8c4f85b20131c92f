import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../support/oauth/authorization-server.ts';
import { startHostileAuthorizationServer } from '../support/oauth/hostile-authorization-server.ts';
import { lies } from '../support/oauth/hostile-behaviours.ts';
import { registerPlainClient } from '../support/oauth/plain-client.ts';
import { startProtectedMcpServer } from '../support/oauth/protected-mcp-server.ts';
import { startSdkAuthorizationServer } from '../support/oauth/sdk-authorization-server.ts';

// The servers that the tests of OAuth talk to are what they say they are.

const scope = 'notes:read notes:write';

async function toolsOf(url: string, token: string): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('oidc-provider', () => {
  async function stage(options: Parameters<typeof startAuthorizationServer>[0] = {}) {
    const server = await startAuthorizationServer(options);
    const mcp = await startProtectedMcpServer({ authorizationServer: server });
    return { server, mcp, client: await registerPlainClient(server.issuer, { resource: mcp.url }) };
  }

  it('goes through a whole flow, refreshes with rotation, and ends the grant on reuse', async () => {
    const { server, mcp, client } = await stage();
    expect(client.metadata).toMatchObject({
      issuer: server.issuer,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    const first = await client.authorize(scope);
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope });
    expect(await server.introspect(first.access_token)).toMatchObject({
      account: 'alice',
      scopes: scope.split(' '),
      resource: mcp.url,
      clientId: client.client.client_id,
    });
    expect(await toolsOf(mcp.url, first.access_token)).toEqual(['read_notes', 'write_notes']);
    const second = await client.refresh(first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await expect(client.refresh(first.refresh_token ?? '')).rejects.toThrow(ResponseBodyError);
    await expect(client.refresh(second.refresh_token ?? '')).rejects.toThrow(ResponseBodyError);
    expect(await server.introspect(second.access_token)).toBeNull();
    expect(server.tokenRequests()).toHaveLength(4);
    expect(server.tokenRequests('refresh_token').map(({ status }) => status)).toEqual([200, 400, 400]);
    expect(server.tokenRequests('authorization_code')[0]?.body).toMatchObject({ resource: mcp.url });
    expect(server.registrations()).toHaveLength(1);
  });

  it('says access_denied where the user does, and gives the scopes that the user allows', async () => {
    const { client, server } = await stage();
    await expect(client.authorize(scope, { deny: true })).rejects.toThrow(AuthorizationResponseError);
    expect(server.tokenRequests()).toEqual([]);
    expect((await client.authorize(scope, { scopes: ['notes:read'] })).scope).toBe('notes:read');
    // Those of the resource where none is asked for.
    const { access_token: token } = await client.authorize(undefined, { account: 'bob' });
    expect(await server.introspect(token)).toMatchObject({ account: 'bob', scopes: scope.split(' ') });
  });

  it('refuses a resource that it does not know, a request without PKCE, and registration where it is off', async () => {
    const { server, client } = await stage();
    const elsewhere = await registerPlainClient(server.issuer, { resource: 'https://elsewhere.example/mcp' });
    await expect(elsewhere.authorize(scope)).rejects.toMatchObject({ error: 'invalid_target' });
    const { authorization_endpoint: endpoint } = client.metadata;
    const plain = `${endpoint}?response_type=code&client_id=${client.client.client_id}&scope=openid`;
    const refused = await fetch(plain, { redirect: 'manual' });
    expect(refused.headers.get('location')).toContain('error=invalid_request');
    const closed = await startAuthorizationServer({ registration: false });
    expect(await (await fetch(`${closed.issuer}/.well-known/openid-configuration`)).json()).not.toHaveProperty(
      'registration_endpoint',
    );
  });

  it('serves its metadata where RFC 8414 inserts the path, and one document alone where that is asked for', async () => {
    const { issuer } = await startAuthorizationServer({ issuerPath: '/tenant' });
    const { origin } = new URL(issuer);
    const status = async (url: string) => (await fetch(url)).status;
    expect(await (await fetch(`${origin}/.well-known/oauth-authorization-server/tenant`)).json()).toMatchObject({
      issuer: `${origin}/tenant`,
      token_endpoint: `${origin}/tenant/token`,
    });
    expect(await status(`${issuer}/.well-known/openid-configuration`)).toBe(200);
    expect(await status(`${issuer}/.well-known/oauth-authorization-server`)).toBe(404);
    const client = await registerPlainClient(issuer);
    expect(await client.authorize()).toMatchObject({ scope: 'openid' });
    const openid = await startAuthorizationServer({ metadata: 'openid' });
    expect(await status(`${openid.issuer}/.well-known/oauth-authorization-server`)).toBe(404);
    expect(await status(`${openid.issuer}/.well-known/openid-configuration`)).toBe(200);
  });

  it('revokes, ends a token before its time, holds answers, and loses them after the rotation', async () => {
    const { server, mcp, client } = await stage({ accessTokenSeconds: 60 });
    const first = await client.authorize(scope);
    expect(first.expires_in).toBe(60);
    await server.expire(first.access_token);
    expect(await server.introspect(first.access_token)).toBeNull();
    const release = server.holdTokenAnswers();
    let isAnswered = false;
    const refreshing = client.refresh(first.refresh_token ?? '').finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => server.tokenRequests('refresh_token').length).toBe(1);
    expect(isAnswered).toBe(false);
    release();
    const second = await refreshing;
    server.loseTokenAnswers(1);
    await expect(client.refresh(second.refresh_token ?? '')).rejects.toThrow('fetch failed');
    await expect(client.refresh(second.refresh_token ?? '')).rejects.toThrow(ResponseBodyError);
    const third = await client.authorize(scope);
    await client.revoke(third.refresh_token ?? '');
    expect(server.revocations()).toHaveLength(1);
    expect(await server.introspect(third.access_token)).toBeNull();
    await expect(toolsOf(mcp.url, third.access_token)).rejects.toThrow();
    expect(mcp.callsOf(third.access_token).map(({ status }) => status)).toEqual([401]);
  });

  it('gives a refresh token for offline_access alone, or none, where that is asked for', async () => {
    for (const refreshTokens of ['offline_access', 'never'] as const) {
      const { client } = await stage({ refreshTokens });
      expect(await client.authorize(scope)).not.toHaveProperty('refresh_token');
    }
  });
});

describe('the protected MCP server', () => {
  it('challenges with its metadata and scope, and asks for a scope that the token has not', async () => {
    const server = await startAuthorizationServer();
    const mcp = await startProtectedMcpServer({ authorizationServer: server, challengedScope: 'notes:read' });
    const bare = await fetch(mcp.url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' });
    expect(bare.status).toBe(401);
    expect(bare.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${mcp.metadataUrl}", scope="notes:read"`,
    );
    expect(await (await fetch(mcp.metadataUrl)).json()).toMatchObject({
      resource: mcp.url,
      authorization_servers: [server.issuer],
    });
    expect(mcp.metadataReads()).toBe(1);
    const client = await registerPlainClient(server.issuer, { resource: mcp.url });
    const { access_token: token } = await client.authorize('notes:read');
    mcp.demandScope('tools/list', 'notes:write');
    await expect(toolsOf(mcp.url, token)).rejects.toThrow();
    expect(mcp.callsOf(token).at(-1)).toEqual({ token, method: 'tools/list', status: 403 });
    const { access_token: wider } = await client.authorize(scope);
    expect(await toolsOf(mcp.url, wider)).toHaveLength(2);
    mcp.refuseAll();
    await expect(toolsOf(mcp.url, wider)).rejects.toThrow();
  });

  it('takes no token of another resource', async () => {
    const server = await startAuthorizationServer();
    const mcp = await startProtectedMcpServer({ authorizationServer: server });
    const other = await startProtectedMcpServer({ authorizationServer: server });
    const { access_token: token } = await (await registerPlainClient(server.issuer, { resource: other.url })).authorize(
      scope,
    );
    expect(await toolsOf(other.url, token)).toHaveLength(2);
    await expect(toolsOf(mcp.url, token)).rejects.toThrow();
  });
});

it("the MCP SDK's own router goes through a whole flow, with rotation, reuse and revocation", async () => {
  const server = await startSdkAuthorizationServer();
  const client = await registerPlainClient(server.issuer, { resource: server.url });
  const first = await client.authorize(scope);
  expect(await toolsOf(server.url, first.access_token)).toHaveLength(2);
  const second = await client.refresh(first.refresh_token ?? '');
  await expect(client.refresh(first.refresh_token ?? '')).rejects.toThrow(ResponseBodyError);
  await expect(client.refresh(second.refresh_token ?? '')).rejects.toThrow(ResponseBodyError);
  await expect(client.authorize(scope, { deny: true })).rejects.toThrow(AuthorizationResponseError);
  const third = await client.authorize(scope);
  await client.revoke(third.refresh_token ?? '');
  expect(await server.introspect(third.access_token)).toBeNull();
  expect(server.tokenRequests('refresh_token').map(({ status }) => status)).toEqual([200, 400, 400]);
  expect([server.registrations().length, server.revocations().length]).toEqual([1, 1]);
});

describe('the hostile authorization server', () => {
  it('is a correct one as long as it is honest', async () => {
    const server = await startHostileAuthorizationServer();
    const client = await registerPlainClient(server.issuer, { resource: server.url });
    const first = await client.authorize(scope);
    expect(await toolsOf(server.url, first.access_token)).toHaveLength(2);
    const second = await client.refresh(first.refresh_token ?? '');
    await expect(client.refresh(first.refresh_token ?? '')).rejects.toThrow(ResponseBodyError);
    await client.revoke(second.access_token);
    await expect(toolsOf(server.url, second.access_token)).rejects.toThrow();
    expect(server.tokenRequests()).toHaveLength(3);
    expect(server.otherOrigin.requests).toEqual([]);
  });

  it('lies about each thing in its own way', async () => {
    const server = await startHostileAuthorizationServer();
    const paths = ['oauth-authorization-server', 'oauth-protected-resource/mcp', 'openid-configuration'];
    const documents = async () =>
      JSON.stringify(
        await Promise.all(paths.map(async (path) => (await fetch(`${server.issuer}/.well-known/${path}`)).text())),
      );
    const registration = async () =>
      Object.keys(await registered(server.issuer))
        .toSorted()
        .join();
    const honest = [await documents(), await registration()];
    const ofDiscovery = lies.slice(0, lies.indexOf('other-iss'));
    for (const lie of ofDiscovery) {
      server.behave(lie);
      expect(await documents(), lie).not.toBe(honest[0]);
    }
    server.behave('no-client-id');
    expect(await registration()).not.toBe(honest[1]);
    server.behave('other-redirect-uris');
    expect(await registered(server.issuer)).toMatchObject({ redirect_uris: ['https://elsewhere.example/callback'] });
  });

  it.each([
    'other-iss',
    'no-iss',
    'error-of-other-iss',
    'error-in-200',
    'invalid-grant',
    'no-access-token',
    'no-token-type',
    'negative-expiry',
    'refuses-resource',
    'token:html',
    'token:cut-json',
    'token:status-500',
    'token:not-found',
    'token:reset',
  ] as const)('keeps a strict client from tokens by %s', async (behaviour) => {
    const server = await startHostileAuthorizationServer();
    const client = await registerPlainClient(server.issuer, { resource: server.url });
    server.behave(behaviour);
    await expect(client.authorize(scope)).rejects.toThrow();
    server.behave('honest');
    expect(await client.authorize(scope)).toHaveProperty('access_token');
  });

  it('sends large values whole and valid, for a client without a bound', async () => {
    const server = await startHostileAuthorizationServer();
    const url = `${server.issuer}/.well-known/oauth-authorization-server`;
    server.behave('metadata:huge');
    expect((await (await fetch(url)).text()).length).toBeGreaterThan(5_000_000);
    server.behave('metadata:gzip-bomb');
    const bomb = await fetch(url);
    expect(JSON.parse(await bomb.text())).toMatchObject({ issuer: server.issuer });
    server.behave('metadata:redirect-loop');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    for (const fault of ['silent', 'slow'] as const) {
      server.behave(`metadata:${fault}`);
      await expect(fetch(url, { signal: AbortSignal.timeout(50) }).then((answer) => answer.text())).rejects.toThrow();
    }
  });

  it('takes a code to the other origin in a mix-up, which would give tokens', async () => {
    const server = await startHostileAuthorizationServer('mix-up');
    const client = await registerPlainClient(server.issuer, { resource: server.url });
    expect(await client.authorize(scope)).toHaveProperty('access_token');
    expect(server.otherOrigin.requests.map(({ path }) => path)).toEqual(['/token']);
    expect(server.tokenRequests()).toEqual([]);
  });
});

async function registered(issuer: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:9/callback'] }),
  });
  return answer.json() as Promise<Record<string, unknown>>;
}
