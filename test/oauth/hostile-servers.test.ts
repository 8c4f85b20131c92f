import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { allowancesOf, noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import {
  createProtectedStage,
  createStageExchanges,
  createStageServer,
  goodMetadata,
  noExceptions,
  reasonOf,
  type StageRoute,
} from '../support/authorization-stage.ts';
import { cleanUp } from '../support/cleanup.ts';
import { patienceMs } from '../support/deadline.ts';

const oauthPath = '/.well-known/oauth-authorization-server';
const openidPath = '/.well-known/openid-configuration';
const bomb = gzipSync(JSON.stringify({ padding: ' '.repeat(50_000_000) }));
const html = { body: '<!doctype html><title>{}</title>', headers: { 'content-type': 'text/html' } };

describe('a hostile authorization server', () => {
  it.each<[string, StageRoute, string, string]>([
    ['never answers', undefined, 'metadata_unreachable', 'unreachable'],
    ['closes the connection', null, 'metadata_unreachable', 'unreachable'],
    ['answers with 5 MB', { body: { padding: 'x'.repeat(5_000_000) } }, 'metadata_unreachable', 'unreachable'],
    ['answers with 500', { status: 500 }, 'metadata_unreachable', 'unreachable'],
    ['answers with 204', { status: 204 }, 'metadata_unreachable', 'unreachable'],
    ['redirects in a circle', { status: 302, headers: { location: oauthPath } }, 'metadata_unreachable', 'unreachable'],
    [
      'redirects to a private address',
      { status: 302, headers: { location: 'http://10.0.0.1/' } },
      'metadata_unreachable',
      'unreachable',
    ],
    [
      'redirects to a public host on http',
      { status: 302, headers: { location: 'http://as.example/' } },
      'metadata_unreachable',
      'unreachable',
    ],
    ['redirects to no URL', { status: 302, headers: { location: 'http://[' } }, 'metadata_unreachable', 'unreachable'],
    ['answers with HTML', html, 'metadata_invalid', 'invalid'],
    [
      'answers with a gzip bomb',
      { body: bomb, headers: { 'content-encoding': 'gzip' } },
      'metadata_invalid',
      'invalid',
    ],
    ['answers 200 with an error', { body: { error: 'server_error' } }, 'metadata_invalid', 'invalid'],
    ['answers with a list', { body: [] }, 'metadata_invalid', 'invalid'],
    ['answers with null', { body: 'null' }, 'metadata_invalid', 'invalid'],
    ['answers with deep nesting', { body: '['.repeat(500_000) }, 'metadata_invalid', 'invalid'],
  ])('that %s ends the discovery', async (_, route, reason, status) => {
    const stage = await createStageServer({ [oauthPath]: route });
    const seen: unknown[] = [];
    const exchanges = createStageExchanges({
      timeoutMs: 300,
      onDiscovery: (observation) => seen.push([observation.method, observation.status, observation.seconds >= 0]),
    });
    expect(await reasonOf(exchanges.discoverIssuer(stage.origin))).toBe(reason);
    expect(seen[0]).toEqual(['rfc8414', status, true]);
    // What is no metadata is passed over; what is wrong metadata is not.
    expect(seen.length).toBe(stage.paths().includes(openidPath) ? 2 : 1);
  });

  it('asks for nothing compressed', async () => {
    const stage = await createProtectedStage();
    await createStageExchanges().discoverIssuer(stage.origin);
    expect(stage.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'Patchbay' });
  });

  it('may redirect three times, and within the time of one request', async () => {
    const stage = await createStageServer();
    const hop = (to: number): StageRoute => ({ status: 307, headers: { location: `/hop/${to}` } });
    stage.on(oauthPath, hop(1));
    stage.on('/hop/1', hop(2));
    stage.on('/hop/2', hop(3));
    stage.on('/hop/3', { body: goodMetadata(stage.origin) });
    expect(await reasonOf(createStageExchanges().discoverIssuer(stage.origin))).toBe('done');
    stage.on('/hop/3', hop(4));
    stage.on('/hop/4', { body: goodMetadata(stage.origin) });
    expect(await reasonOf(createStageExchanges().discoverIssuer(stage.origin))).toBe('metadata_unreachable');
    expect(stage.paths()).not.toContain('/hop/4');
  });

  it('cannot hold up a discovery beyond the time of all its requests', async () => {
    const stage = await createProtectedStage();
    stage.on('/.well-known/oauth-protected-resource/mcp', undefined);
    // The time of a single request would not end it before the test is given up.
    const exchanges = createStageExchanges({ timeoutMs: 10 * patienceMs, discoveryTimeoutMs: 200 });
    const discovery = exchanges.discoverServer({ url: stage.url, challenge: null, exceptions: noExceptions });
    expect(await reasonOf(discovery)).toBe('metadata_unreachable');
  });

  it('is counted by method and status', async () => {
    const stage = await createProtectedStage();
    const seen: string[] = [];
    const onDiscovery = (seenOne: { method: string; status: string }) =>
      seen.push(`${seenOne.method} ${seenOne.status}`);
    const discover = () =>
      createStageExchanges({ onDiscovery }).discoverServer({
        url: stage.url,
        challenge: null,
        exceptions: noExceptions,
      });
    await discover();
    stage.on(oauthPath, { status: 404 });
    stage.on(openidPath, { body: goodMetadata(stage.origin, { issuer: 'https://evil.example' }) });
    await reasonOf(discover());
    expect(seen).toEqual([
      'rfc9728 success',
      'rfc8414 success',
      'rfc9728 success',
      'rfc8414 not_found',
      'openid refused',
    ]);
  });
});

describe('http', () => {
  const egressOf = (isProduction: boolean, allow: string) => {
    const egress = createEgress({
      isProduction,
      allow: allowancesOf(allow) ?? noAllowances,
      // Every name leads to a server that is there, so that a request that is not refused would arrive.
      resolve: async () => ['127.0.0.1'],
    });
    cleanUp(() => egress.close());
    return egress;
  };

  it('is refused for a public host, although the egress would let it through outside production', async () => {
    const exchanges = createStageExchanges({ egress: egressOf(false, '127.0.0.0/8') });
    expect(await reasonOf(exchanges.discoverIssuer('http://as.example'))).toBe('insecure_endpoint');
  });

  it('is refused for a public host that a redirect leads to', async () => {
    const stage = await createStageServer();
    const target = `${stage.origin.replace('127.0.0.1', 'as.example')}/elsewhere`;
    stage.on(oauthPath, { status: 302, headers: { location: target } });
    stage.on('/elsewhere', { body: goodMetadata(stage.origin) });
    const exchanges = createStageExchanges({ egress: egressOf(false, '127.0.0.0/8') });
    expect(await reasonOf(exchanges.discoverIssuer(stage.origin))).toBe('metadata_unreachable');
    expect(stage.paths()).toEqual([oauthPath]);
  });

  it('is let through to a host that EGRESS_ALLOW opens, and never in production', async () => {
    const stage = await createProtectedStage();
    expect(await reasonOf(createStageExchanges().discoverIssuer(stage.origin))).toBe('done');
    const host = new URL(stage.origin).host;
    for (const [isProduction, allow] of [
      [true, host],
      [false, '10.0.0.0/8'],
    ] as const) {
      const exchanges = createStageExchanges({ egress: egressOf(isProduction, allow) });
      expect(await reasonOf(exchanges.discoverIssuer(stage.origin))).toBe('insecure_endpoint');
    }
    expect(stage.paths()).toEqual([oauthPath]);
  });

  it('is refused for the endpoints of stored metadata, too', async () => {
    const metadata = goodMetadata('https://as.example', {
      token_endpoint: 'http://as.example/token',
      revocation_endpoint: 'http://as.example/revoke',
    });
    const client = {
      kind: 'configured' as const,
      issuer: 'https://as.example',
      clientId: 'id',
      clientSecret: null,
      authenticationMethod: 'none' as const,
      redirectUri: 'https://patchbay.example/callback',
      secretExpiresAt: null,
    };
    const exchanges = createStageExchanges();
    const exchange = { metadata, client, refreshToken: 'r', resource: null, scopes: [] };
    expect(await reasonOf(exchanges.refresh(exchange))).toBe('insecure_endpoint');
    expect(await exchanges.revoke({ metadata, client, token: 'r', kind: 'refresh_token' })).toBe(false);
  });
});
