import { describe, expect, it } from 'vitest';
import { createMetadataCache } from '../../src/oauth/exchanges/metadata-cache.ts';
import { createRequests } from '../../src/oauth/exchanges/requests.ts';
import { createObserve } from '../../src/oauth/report/observe.ts';
import { type Report, reportOf, rules, rulesOf } from '../../src/oauth/report/rules.ts';
import { allowancesOf, noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { createProtectedStage, type StageResponse } from '../support/authorization-stage.ts';
import { cleanUp } from '../support/cleanup.ts';
import { patienceMs } from '../support/deadline.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startAuthorizationServer } from '../support/oauth/authorization-server.ts';
import { startHostileAuthorizationServer } from '../support/oauth/hostile-authorization-server.ts';
import { startProtectedMcpServer } from '../support/oauth/protected-mcp-server.ts';
import { startSdkAuthorizationServer } from '../support/oauth/sdk-authorization-server.ts';

function createReporter({ timeoutMs = 5_000 } = {}) {
  const egress = createEgress({ isProduction: false, allow: allowancesOf('127.0.0.0/8') ?? noAllowances });
  cleanUp(() => egress.close());
  const requests = createRequests(egress, { timeoutMs });
  const observe = createObserve({ requests, cache: createMetadataCache({ clock: createManualClock() }) });
  return async (url: string, isFresh = true): Promise<Report> =>
    reportOf(await observe(url, { endsAt: performance.now() + patienceMs, isFresh }), rulesOf(requests.isEndpoint));
}

/** The rules with one outcome. */
const having = ({ evaluated }: Report, outcome: string) =>
  evaluated.filter(({ verdict }) => verdict.outcome === outcome).map(({ rule }) => rule);

const verdictOf = ({ evaluated }: Report, id: string) => evaluated.find(({ rule }) => rule === id)?.verdict;

type Members = Record<string, unknown>;
interface Broken {
  readonly metadata?: Members;
  readonly resource?: Members;
  readonly challenge?: string;
  /** What a path answers in place of the right one. */
  readonly paths?: Record<string, StageResponse>;
}

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const serverPath = '/.well-known/oauth-authorization-server';

/** A server that keeps all rules, but for what a test breaks. */
async function startBroken({ metadata = {}, resource = {}, challenge, paths = {} }: Broken = {}) {
  const stage = await createProtectedStage({
    metadata: {
      authorization_response_iss_parameter_supported: true,
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      scopes_supported: ['notes:read'],
      ...metadata,
    },
    resource: { scopes_supported: ['notes:read'], bearer_methods_supported: ['header'], ...resource },
    ...(challenge !== undefined && { challenge }),
  });
  for (const [path, answer] of Object.entries(paths)) stage.on(path, answer);
  return stage;
}

it('passes every rule of a server that keeps all of them', async () => {
  const { url } = await startBroken();
  const report = await createReporter()(url);
  expect(having(report, 'passed')).toEqual([...rules.keys()]);
  expect(report.grade).toBe('A');
  expect(report.counts).toEqual({ passed: rules.size, failed: 0, not_applicable: 0, unknown: 0 });
});

describe('each rule fails alone on a server that breaks it', () => {
  const html = { status: 200, headers: { 'content-type': 'text/html' } };
  const bare = { status: 401, headers: { 'www-authenticate': 'Bearer' } };
  const cases: Record<string, Broken & { grade: string; also?: string[] }> = {
    challenge_status: { paths: { '/mcp': { status: 403 } }, grade: 'D' },
    challenge_scheme: { challenge: 'Basic realm="x"', grade: 'D' },
    challenge_metadata: { paths: { '/mcp': bare }, grade: 'B' },
    challenge_error: { challenge: 'Bearer error="invalid_token"', grade: 'B', also: ['challenge_metadata'] },
    resource_metadata: { paths: { [resourcePath]: { status: 404 } }, grade: 'D', also: ['challenge_metadata'] },
    resource_identifier: { resource: { resource: 'https://elsewhere.example/mcp' }, grade: 'D' },
    authorization_servers: { resource: { authorization_servers: [] }, grade: 'D' },
    token_in_header: { resource: { bearer_methods_supported: ['header', 'query'] }, grade: 'C' },
    resource_scopes: { resource: { scopes_supported: undefined }, grade: 'B' },
    server_metadata: { paths: { [serverPath]: { ...html, body: '<html>' } }, grade: 'D' },
    issuer_identical: { metadata: { issuer: 'https://elsewhere.example' }, grade: 'D' },
    endpoints_secure: { metadata: { registration_endpoint: 'http://elsewhere.example/register' }, grade: 'D' },
    token_endpoint_place: {
      metadata: {
        token_endpoint: 'https://elsewhere.example/token',
        authorization_response_iss_parameter_supported: false,
      },
      grade: 'C',
      also: ['iss_parameter'],
    },
    pkce_s256: { metadata: { code_challenge_methods_supported: undefined }, grade: 'D' },
    pkce_plain: { metadata: { code_challenge_methods_supported: ['S256', 'plain'] }, grade: 'B' },
    response_type_code: { metadata: { response_types_supported: ['id_token'] }, grade: 'C' },
    grant_type_code: { metadata: { grant_types_supported: ['client_credentials'] }, grade: 'C' },
    retired_grants: { metadata: { grant_types_supported: ['authorization_code', 'password'] }, grade: 'B' },
    iss_parameter: { metadata: { authorization_response_iss_parameter_supported: undefined }, grade: 'C' },
    client_registration: { metadata: { registration_endpoint: undefined }, grade: 'C' },
    client_authentication: {
      metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      grade: 'C',
    },
    revocation_endpoint: { metadata: { revocation_endpoint: undefined }, grade: 'B' },
    server_scopes: { metadata: { scopes_supported: undefined }, grade: 'B' },
  };

  it.each(Object.entries(cases))('%s', async (rule, { grade, also = [], ...broken }) => {
    const { url } = await startBroken(broken);
    const report = await createReporter()(url);
    expect(having(report, 'failed').toSorted()).toEqual([rule, ...also].toSorted());
    expect(having(report, 'unknown')).toEqual([]);
    expect(report.grade).toBe(grade);
  });

  it('challenge_cache', async () => {
    const { url, on, origin } = await startBroken();
    const challenge = `Bearer resource_metadata="${origin}${resourcePath}"`;
    const report = createReporter();
    for (const [value, outcome] of [
      ['public', 'failed'],
      ['max-age=60', 'failed'],
      ['s-maxage = 1', 'failed'],
      ['max-age=0', 'passed'],
      ['no-store', 'passed'],
    ] as const) {
      on('/mcp', { status: 401, headers: { 'www-authenticate': challenge, 'cache-control': value } });
      expect(verdictOf(await report(url), 'challenge_cache')?.outcome, value).toBe(outcome);
    }
  });

  it('resource_well_known and resource_media_type, server_media_type', async () => {
    const { url, on, origin } = await startBroken({ paths: { [resourcePath]: { status: 404 } } });
    const text = { 'content-type': 'text/plain' };
    on('/metadata', {
      headers: text,
      body: { resource: url, authorization_servers: [origin], scopes_supported: ['notes:read'] },
    });
    on('/mcp', { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${origin}/metadata"` } });
    const report = await createReporter()(url);
    expect(having(report, 'failed')).toEqual(['resource_well_known', 'resource_media_type']);
    expect(verdictOf(report, 'resource_well_known')?.facts).toEqual([
      { name: 'url', value: `${origin}${resourcePath}` },
      { name: 'status', value: '404' },
    ]);
    const other = await startBroken();
    other.on(serverPath, { headers: text, body: JSON.stringify({ issuer: other.origin }) });
    expect(having(await createReporter()(other.url), 'failed')).toContain('server_media_type');
  });

  it('server_secure: http to a public host is not asked at all', async () => {
    const report = await createReporter()('http://elsewhere.example/mcp');
    expect(having(report, 'failed')).toEqual(['server_secure']);
    expect(having(report, 'unknown')).toHaveLength(rules.size - 1);
    expect(report.grade).toBe('D');
  });
});

describe('servers of the test fixtures', () => {
  it('checks oidc-provider before a protected MCP server', async () => {
    const authorizationServer = await startAuthorizationServer();
    const { url } = await startProtectedMcpServer({ authorizationServer });
    const report = await createReporter()(url);
    // It advertises implicit, as it comes.
    expect(having(report, 'failed')).toEqual(['retired_grants']);
    expect(having(report, 'unknown')).toEqual([]);
    expect(report.grade).toBe('B');
  });

  it("takes the issuer of the SDK's server, which ends with a slash, as it is", async () => {
    const { url } = await startSdkAuthorizationServer();
    const report = await createReporter()(url);
    expect(verdictOf(report, 'issuer_identical')?.outcome).toBe('passed');
    expect(verdictOf(report, 'server_metadata')?.outcome).toBe('passed');
    expect(verdictOf(report, 'pkce_s256')?.outcome).toBe('passed');
  });

  it.each([
    ['other-resource', 'resource_identifier'],
    ['insecure-issuer', 'authorization_servers'],
    ['other-issuer', 'issuer_identical'],
    ['no-issuer', 'issuer_identical'],
    ['no-s256', 'pkce_s256'],
    ['no-pkce', 'pkce_s256'],
    ['insecure-token-endpoint', 'endpoints_secure'],
    ['no-registration', 'client_registration'],
  ] as const)('finds what the hostile server does wrong: %s', async (behaviour, rule) => {
    const hostile = await startHostileAuthorizationServer(behaviour);
    expect(having(await createReporter()(hostile.url), 'failed')).toContain(rule);
    expect(hostile.registrations()).toEqual([]);
    expect(hostile.tokenRequests()).toEqual([]);
  });

  it('finds the metadata of OpenID', async () => {
    const hostile = await startHostileAuthorizationServer('openid-only');
    const report = await createReporter()(hostile.url);
    expect(verdictOf(report, 'server_metadata')).toMatchObject({
      outcome: 'passed',
      facts: [{ name: 'url', value: `${hostile.issuer}/.well-known/openid-configuration` }],
    });
  });
});

describe('what cannot be decided', () => {
  it('is unknown where the server does not answer, and has no grade', async () => {
    const { url, on, paths } = await startBroken();
    on('/mcp', null);
    const report = await createReporter()(url);
    expect(having(report, 'unknown')).toHaveLength(rules.size - 1);
    expect(report.grade).toBeNull();
    expect(paths()).toEqual(['/mcp']);
  });

  it('is unknown where the server is overloaded', async () => {
    const { url, on } = await startBroken();
    for (const code of [429, 503]) {
      on('/mcp', { status: code });
      expect(having(await createReporter()(url), 'failed')).toEqual([]);
    }
  });

  it('is unknown where metadata is slow, too large or an error', async () => {
    for (const fault of [undefined, { status: 500 }, { body: 'x'.repeat(2 * 1024 * 1024) }]) {
      const { url, on } = await startBroken();
      on(serverPath, fault as StageResponse);
      const report = await createReporter({ timeoutMs: 300 })(url);
      expect(having(report, 'failed')).toEqual([]);
      expect(having(report, 'unknown')).toContain('server_metadata');
      expect(report.grade).toBeNull();
    }
  });

  it('does not apply to a server that asks for no authorization', async () => {
    const { url, on } = await startBroken({ paths: { [resourcePath]: { status: 404 } } });
    on('/mcp', { status: 200, body: {} });
    const report = await createReporter()(url);
    expect(having(report, 'not_applicable')).toHaveLength(rules.size - 1);
    expect(report.grade).toBeNull();
  });

  it('checks a server that answers the first request, and publishes metadata', async () => {
    const { url, on } = await startBroken();
    on('/mcp', { status: 200, body: {} });
    const report = await createReporter()(url);
    expect(verdictOf(report, 'challenge_status')?.outcome).toBe('not_applicable');
    expect(verdictOf(report, 'pkce_s256')?.outcome).toBe('passed');
  });
});

describe('evidence', () => {
  it('shows no query of a URL, and no text that is not a name', async () => {
    const secret = 'q7hZ2v0m9x3b1c5n';
    const { origin, on } = await startBroken({
      metadata: {
        token_endpoint: `https://user:${secret}@elsewhere.example/token?key=${secret}`,
        code_challenge_methods_supported: [`<script>${secret}</script>`, 'S256', 'x'.repeat(5_000)],
        scopes_supported: Array.from({ length: 90 }, (_, place) => `scope:${place}`),
      },
    });
    const url = `${origin}/mcp?key=${secret}`;
    on(`${resourcePath}?key=${secret}`, { body: { resource: url, authorization_servers: [origin] } });
    const report = await createReporter()(url);
    const text = JSON.stringify(report);
    expect(text).not.toContain(secret);
    expect(verdictOf(report, 'pkce_s256')?.facts).toEqual([{ name: 'advertised', value: 'S256, 1 more' }]);
    expect(verdictOf(report, 'server_scopes')?.facts[0]?.value).toMatch(/^scope:0, .*, 78 more$/);
    for (const { verdict } of report.evaluated) expect(JSON.stringify(verdict.facts).length).toBeLessThan(1_000);
  });
});

it('asks an authorization server once for servers that share it, and sends no credential', async () => {
  const { url, origin, on, requests } = await startBroken();
  on('/other', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  on('/.well-known/oauth-protected-resource/other', {
    body: { resource: `${origin}/other`, authorization_servers: [origin] },
  });
  const report = createReporter();
  await report(url, false);
  await report(`${origin}/other`, false);
  expect(requests.filter(({ path }) => path === serverPath)).toHaveLength(1);
  await report(url, true);
  expect(requests.filter(({ path }) => path === serverPath)).toHaveLength(2);
  for (const { headers } of requests) {
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  }
});
