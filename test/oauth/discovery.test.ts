import { describe, expect, it } from 'vitest';
import type { Discovery } from '../../src/oauth/exchanges/exchanges.ts';
import {
  createProtectedStage,
  createStageExchanges,
  createStageServer,
  goodMetadata,
  noExceptions,
  reasonOf,
} from '../support/authorization-stage.ts';
import { createManualClock } from '../support/manual-clock.ts';

const resourcePath = '/.well-known/oauth-protected-resource';
const oauthPath = '/.well-known/oauth-authorization-server';
const openidPath = '/.well-known/openid-configuration';

/** Discovers a server that is asked now, with a new cache. */
const discover = (url: string, challenge: string | null = null): Promise<Discovery> =>
  createStageExchanges().discoverServer({ url, challenge, exceptions: noExceptions });

describe('the metadata of a protected resource', () => {
  it('is read from where the challenge says, and from nowhere else', async () => {
    const stage = await createProtectedStage();
    stage.on('/metadata.json', { body: { resource: stage.url, authorization_servers: [stage.origin] } });
    await discover(stage.url, `Bearer resource_metadata="${stage.origin}/metadata.json"`);
    expect(stage.paths()).toEqual(['/metadata.json', oauthPath]);
  });

  it('is read from the path of the server, then from the host', async () => {
    const stage = await createStageServer();
    const { origin } = stage;
    stage.on('/a/mcp', { status: 401 });
    stage.on(resourcePath, { body: { resource: origin, authorization_servers: [origin] } });
    stage.on(oauthPath, { body: goodMetadata(origin) });
    const { resource } = await discover(`${origin}/a/mcp?x=1`);
    expect(resource).toBe(origin);
    expect(stage.paths()).toEqual(['/a/mcp?x=1', `${resourcePath}/a/mcp?x=1`, resourcePath, oauthPath]);
  });

  it('is requested at the well-known paths if the place in the challenge has none', async () => {
    const stage = await createProtectedStage();
    await discover(stage.url, `Bearer resource_metadata="${stage.origin}/gone"`);
    expect(stage.paths()).toEqual(['/gone', `${resourcePath}/mcp`, oauthPath]);
  });

  it('is requested with GET if a server accepts no POST', async () => {
    const stage = await createProtectedStage();
    stage.on('/mcp', ({ method }) => ({ status: method === 'POST' ? 405 : 401 }));
    await discover(stage.url);
    expect(stage.requests.slice(0, 2).map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('gives the resource as it was written', async () => {
    const stage = await createProtectedStage();
    const resource = `${stage.origin}/mcp/`;
    stage.on(`${resourcePath}/mcp`, { body: { resource, authorization_servers: [stage.origin] } });
    expect(await discover(stage.url)).toMatchObject({ resource });
  });

  it.each([
    ['another host', () => 'https://evil.example/mcp'],
    ['another path', (origin: string) => `${origin}/other`],
    ['a path that only begins like it', (origin: string) => `${origin}/mc`],
    ['a path below it', (origin: string) => `${origin}/mcp/deeper`],
    ['another query', (origin: string) => `${origin}/mcp?tenant=2`],
    ['a fragment', (origin: string) => `${origin}/mcp#x`],
    ['no URL', () => 'mcp'],
  ])('is refused for %s', async (_, resourceOf) => {
    const stage = await createProtectedStage();
    const resource = resourceOf(stage.origin);
    stage.on(`${resourcePath}/mcp`, { body: { resource, authorization_servers: [stage.origin] } });
    expect(await reasonOf(discover(stage.url))).toBe('resource_mismatch');
    expect(stage.paths()).not.toContain(oauthPath);
  });

  it('is refused for the whole host where it does not come from a path of the host', async () => {
    const stage = await createProtectedStage();
    stage.on('/mcp/metadata', { body: { resource: stage.origin, authorization_servers: [stage.origin] } });
    const challenge = `Bearer resource_metadata="${stage.origin}/mcp/metadata"`;
    expect(await reasonOf(discover(stage.url, challenge))).toBe('resource_mismatch');
  });

  it.each([
    ['no authorization server', { authorization_servers: undefined }, 'metadata_invalid'],
    ['an empty list of them', { authorization_servers: [] }, 'metadata_invalid'],
    ['a list of something else', { authorization_servers: [{}] }, 'metadata_invalid'],
    ['no resource', { resource: undefined }, 'metadata_invalid'],
    ['an authorization server on http', { authorization_servers: ['http://as.example'] }, 'insecure_endpoint'],
    ['a private authorization server', { authorization_servers: ['https://10.0.0.1'] }, 'insecure_endpoint'],
    ['an issuer with a query', { authorization_servers: ['https://as.example?x'] }, 'metadata_invalid'],
  ])('is refused with %s', async (_, resource, reason) => {
    const stage = await createProtectedStage({ resource });
    expect(await reasonOf(discover(stage.url))).toBe(reason);
  });

  it('is not there for a server that lets everything pass', async () => {
    const stage = await createStageServer({ '/mcp': { body: {} } });
    expect(await reasonOf(discover(`${stage.origin}/mcp`))).toBe('not_protected');
    stage.on('/mcp', { status: 500 });
    expect(await reasonOf(discover(`${stage.origin}/mcp`))).toBe('metadata_unreachable');
  });

  it('is not there for an open server that answers every path with its start page', async () => {
    const page = { body: '<!doctype html>', headers: { 'content-type': 'text/html' } };
    const stage = await createStageServer({ '/mcp': {}, [resourcePath]: page, [`${resourcePath}/mcp`]: page });
    expect(await reasonOf(discover(`${stage.origin}/mcp`))).toBe('not_protected');
  });

  it('names the scopes where the challenge names none', async () => {
    const stage = await createProtectedStage({ resource: { scopes_supported: ['a', 'b'] } });
    const place = `resource_metadata="${stage.origin}${resourcePath}/mcp"`;
    expect((await discover(stage.url, `Bearer ${place}`)).scopes).toEqual(['a', 'b']);
    expect((await discover(stage.url, `Bearer ${place}, scope="c"`)).scopes).toEqual(['c']);
    const silent = await createProtectedStage();
    expect((await discover(silent.url)).scopes).toBeNull();
  });

  it('gives no resource to send where the owner has it left out', async () => {
    const stage = await createProtectedStage();
    const exceptions = { ...noExceptions, omitsResource: true };
    const discovery = await createStageExchanges().discoverServer({ url: stage.url, challenge: null, exceptions });
    expect(discovery.resource).toBeNull();
  });
});

describe('the metadata of an authorization server', () => {
  it.each([
    ['', [oauthPath, openidPath]],
    ['/', [oauthPath, openidPath]],
    ['/t/1', [`${oauthPath}/t/1`, `${openidPath}/t/1`, `/t/1${openidPath}`]],
    ['/t/', [`${oauthPath}/t`, `${openidPath}/t`, `/t${openidPath}`]],
  ])('of the issuer with path "%s" is requested in the documented order', async (path, paths) => {
    const stage = await createStageServer();
    const issuer = `${stage.origin}${path}`;
    expect(await reasonOf(createStageExchanges().discoverIssuer(issuer))).toBe('metadata_unreachable');
    expect(stage.paths()).toEqual(paths);
    stage.on(paths.at(-1) as string, { body: goodMetadata(issuer) });
    expect(await createStageExchanges().discoverIssuer(issuer)).toMatchObject({ issuer, resource: null, scopes: null });
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }, 'issuer_mismatch'],
    ['no issuer', { issuer: undefined }, 'metadata_invalid'],
    ['no S256', { code_challenge_methods_supported: ['plain'] }, 'pkce_unsupported'],
    ['no word of PKCE', { code_challenge_methods_supported: undefined }, 'pkce_unsupported'],
    ['S256 that is not a list', { code_challenge_methods_supported: 'S256' }, 'pkce_unsupported'],
    ['no authorization endpoint', { authorization_endpoint: undefined }, 'metadata_invalid'],
    ['no token endpoint', { token_endpoint: undefined }, 'metadata_invalid'],
    [
      'an authorization endpoint that is a script',
      { authorization_endpoint: 'javascript:alert(1)' },
      'insecure_endpoint',
    ],
    ['an authorization endpoint on http', { authorization_endpoint: 'http://as.example/a' }, 'insecure_endpoint'],
    ['a token endpoint on http', { token_endpoint: 'http://as.example/token' }, 'insecure_endpoint'],
    ['a private token endpoint', { token_endpoint: 'https://192.168.1.1/token' }, 'insecure_endpoint'],
    ['a token endpoint with a fragment', { token_endpoint: 'https://as.example/token#x' }, 'insecure_endpoint'],
    ['a registration endpoint on http', { registration_endpoint: 'http://as.example/r' }, 'insecure_endpoint'],
    ['a revocation endpoint that is a number', { revocation_endpoint: 7 }, 'metadata_invalid'],
    ['no response type "code"', { response_types_supported: ['token'] }, 'metadata_invalid'],
    ['methods that are no list', { token_endpoint_auth_methods_supported: 'none' }, 'metadata_invalid'],
    ['an endless list', { grant_types_supported: Array(1_000).fill('x') }, 'metadata_invalid'],
  ])('is refused with %s', async (_, metadata, reason) => {
    const stage = await createProtectedStage({ metadata });
    expect(await reasonOf(discover(stage.url))).toBe(reason);
  });

  it.each([(issuer: string) => `${issuer}/`, (issuer: string) => issuer.replace('http', 'HTTP')])(
    'is refused for an issuer that only means the same',
    async (variant) => {
      const stage = await createProtectedStage();
      stage.on(oauthPath, { body: goodMetadata(stage.origin, { issuer: variant(stage.origin) }) });
      expect(await reasonOf(discover(stage.url))).toBe('issuer_mismatch');
    },
  );

  it('may name another issuer where the owner lets it pass; credentials still belong to the one that was asked', async () => {
    const stage = await createProtectedStage({ metadata: { issuer: 'https://cf.mcp.example' } });
    const exchanges = createStageExchanges();
    const server = { url: stage.url, challenge: null };
    const lenient = { ...noExceptions, allowsOtherIssuer: true };
    const discovery = await exchanges.discoverServer({ ...server, exceptions: lenient });
    expect([discovery.issuer, discovery.metadata.issuer]).toEqual([stage.origin, 'https://cf.mcp.example']);
    // What one owner lets pass is not in the cache for the others.
    expect(await reasonOf(exchanges.discoverServer({ ...server, exceptions: noExceptions }))).toBe('issuer_mismatch');
    expect(await reasonOf(exchanges.discoverIssuer(stage.origin))).toBe('issuer_mismatch');
  });

  it('contains the used members of the document, and nothing else', async () => {
    const stage = await createProtectedStage({
      metadata: { scopes_supported: ['a'], evil: 'x'.repeat(1_000), client_id_metadata_document_supported: 'yes' },
    });
    expect((await discover(stage.url)).metadata).toEqual({
      issuer: stage.origin,
      authorization_endpoint: `${stage.origin}/authorize`,
      token_endpoint: `${stage.origin}/token`,
      registration_endpoint: `${stage.origin}/register`,
      revocation_endpoint: `${stage.origin}/revoke`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['a'],
    });
  });
});

describe('the cache of metadata', () => {
  it('keeps valid documents for their time, and a caller changes nothing in it', async () => {
    const stage = await createProtectedStage();
    const clock = createManualClock();
    const exchanges = createStageExchanges({ clock });
    await exchanges.discoverIssuer(stage.origin);
    clock.advance(599_999);
    for (let time = 0; time < 2; time += 1) {
      const { metadata } = await exchanges.discoverIssuer(stage.origin);
      expect(metadata.token_endpoint).toBe(`${stage.origin}/token`);
      Object.assign(metadata, { token_endpoint: 'https://evil.example/token' });
    }
    expect(stage.paths()).toEqual([oauthPath]);
    clock.advance(1);
    await exchanges.discoverIssuer(stage.origin);
    expect(stage.paths()).toEqual([oauthPath, oauthPath]);
  });

  it('keeps no failure', async () => {
    const stage = await createProtectedStage({ metadata: { code_challenge_methods_supported: [] } });
    const exchanges = createStageExchanges();
    expect(await reasonOf(exchanges.discoverIssuer(stage.origin))).toBe('pkce_unsupported');
    stage.on(oauthPath, { body: goodMetadata(stage.origin) });
    expect(await reasonOf(exchanges.discoverIssuer(stage.origin))).toBe('done');
  });

  it('drops the oldest when it is full', async () => {
    const stage = await createProtectedStage();
    const exchanges = createStageExchanges({ cacheEntriesMax: 2 });
    for (const path of ['/1', '/2', '/3']) {
      stage.on(`${oauthPath}${path}`, { body: goodMetadata(`${stage.origin}${path}`) });
      await exchanges.discoverIssuer(`${stage.origin}${path}`);
    }
    await exchanges.discoverIssuer(`${stage.origin}/3`);
    await exchanges.discoverIssuer(`${stage.origin}/1`);
    expect(stage.paths().map((path) => path.slice(-1))).toEqual(['1', '2', '3', '1']);
  });

  it('is passed over where a challenge says that the metadata may have changed', async () => {
    const stage = await createProtectedStage();
    const exchanges = createStageExchanges();
    const challenge = `Bearer resource_metadata="${stage.origin}${resourcePath}/mcp"`;
    for (let time = 0; time < 2; time += 1)
      await exchanges.discoverServer({ url: stage.url, challenge, exceptions: noExceptions });
    expect(stage.paths()).toEqual([`${resourcePath}/mcp`, oauthPath, `${resourcePath}/mcp`]);
  });
});
