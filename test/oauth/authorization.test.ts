import { describe, expect, it } from 'vitest';
import type { AuthorizationResponse, ClientIdentity, Discovery } from '../../src/oauth/exchanges/exchanges.ts';
import { createStageExchanges, goodMetadata, reasonOf } from '../support/authorization-stage.ts';

const issuer = 'https://as.example';
const redirectUri = 'https://patchbay.example/api/oauth/callback';
const client: ClientIdentity = {
  kind: 'configured',
  issuer,
  clientId: 'id & co',
  clientSecret: null,
  authenticationMethod: 'none',
  redirectUri,
  secretExpiresAt: null,
};
const { authorizationRequest, readResponse } = createStageExchanges();

const discoveryOf = (over: Partial<Discovery> = {}, metadata: Record<string, unknown> = {}): Discovery => ({
  resource: 'https://mcp.example/mcp',
  issuer,
  scopes: null,
  metadata: goodMetadata(issuer, metadata),
  ...over,
});

async function asked(
  request: { scopes?: string[] | null; grantedScopes?: string[] },
  over: Partial<Discovery> = {},
  metadata: Record<string, unknown> = {},
) {
  const discovery = discoveryOf(over, metadata);
  const { url, scopes } = await authorizationRequest({ discovery, client, redirectUri, scopes: null, ...request });
  const { searchParams } = new URL(url);
  expect(scopes).toEqual(searchParams.get('scope')?.split(' ') ?? []);
  return searchParams;
}

describe('an authorization request', () => {
  it.each([
    ['those of the discovery', {}, ['a', 'b'], undefined, 'a b'],
    ['those that the caller names, instead', { scopes: ['c'] }, ['a', 'b'], undefined, 'c'],
    ['none, where nothing names any', {}, null, undefined, null],
    ['those granted before and those of the challenge', { grantedScopes: ['a', 'c'] }, ['b', 'c'], undefined, 'a c b'],
    ['`offline_access` where the server lists it', {}, ['a'], ['a', 'offline_access'], 'a offline_access'],
    ['no `offline_access` where the server lists it not', { scopes: ['a', 'offline_access'] }, null, ['a'], 'a'],
    ['no `offline_access` where the server lists nothing', { scopes: ['offline_access'] }, null, undefined, null],
    ['no `offline_access` alone', {}, null, ['offline_access'], null],
  ])('asks for %s', async (_, request, scopes, supported, expected) => {
    const parameters = await asked(request, { scopes }, { scopes_supported: supported });
    expect(parameters.get('scope')).toBe(expected);
    expect(parameters.get('prompt')).toBe(expected?.includes('offline_access') ? 'consent' : null);
  });

  it('names the resource, except where none is sent', async () => {
    expect((await asked({})).get('resource')).toBe('https://mcp.example/mcp');
    expect((await asked({}, { resource: null })).has('resource')).toBe(false);
  });

  it('keeps the query of the endpoint, but no second value of its own parameters', async () => {
    const endpoint = `${issuer}/authorize?tenant=1&client_id=evil&client_id=evil&resource=evil&scope=evil&prompt=none`;
    const parameters = await asked({}, { resource: null }, { authorization_endpoint: endpoint });
    expect(parameters.getAll('client_id')).toEqual(['id & co']);
    expect([
      parameters.get('tenant'),
      parameters.has('resource'),
      parameters.has('scope'),
      parameters.has('prompt'),
    ]).toEqual(['1', false, false, false]);
  });

  it('has another state and verifier each time', async () => {
    const requests = await Promise.all(
      Array.from({ length: 20 }, () =>
        authorizationRequest({ discovery: discoveryOf(), client, redirectUri, scopes: null }),
      ),
    );
    expect(new Set(requests.flatMap(({ state, verifier }) => [state, verifier])).size).toBe(40);
  });
});

describe('an authorization response', () => {
  const advertised = { authorization_response_iss_parameter_supported: true };

  it.each<[string, AuthorizationResponse, Record<string, unknown>, unknown]>([
    ['a code', { code: 'c' }, {}, { code: 'c' }],
    ['a code and the issuer', { code: 'c', iss: issuer }, advertised, { code: 'c' }],
    ['a code and an issuer that was not promised', { code: 'c', iss: issuer }, {}, { code: 'c' }],
    ['nulls', { code: 'c', error: null, iss: null }, {}, { code: 'c' }],
    ['an error', { error: 'access_denied' }, {}, { error: 'access_denied' }],
    ['an error of its own', { error: '<script>' }, {}, { error: 'server_error' }],
    ['an empty error', { error: '' }, {}, { error: 'server_error' }],
  ])('with %s is read', (_, response, metadata, outcome) => {
    expect(readResponse(goodMetadata(issuer, metadata), response)).toEqual(outcome);
  });

  it.each<[string, unknown, Record<string, unknown>, string]>([
    ['no issuer although it was promised', { code: 'c' }, advertised, 'issuer_mismatch'],
    ['another issuer', { code: 'c', iss: 'https://evil.example' }, advertised, 'issuer_mismatch'],
    ['another issuer, unpromised', { code: 'c', iss: 'https://evil.example' }, {}, 'issuer_mismatch'],
    ['an issuer that only means the same', { code: 'c', iss: `${issuer}/` }, advertised, 'issuer_mismatch'],
    ['an empty issuer', { code: 'c', iss: '' }, {}, 'issuer_mismatch'],
    ['two issuers', { code: 'c', iss: [issuer, issuer] }, {}, 'issuer_mismatch'],
    ['the error of another issuer', { error: 'access_denied', iss: 'https://evil.example' }, {}, 'issuer_mismatch'],
    ['nothing', {}, {}, 'response_invalid'],
    ['an empty code', { code: '' }, {}, 'response_invalid'],
    ['two codes', { code: ['a', 'b'] }, {}, 'response_invalid'],
    ['a code with a line end', { code: 'a\r\nb' }, {}, 'response_invalid'],
    ['an endless code', { code: 'c'.repeat(4_097) }, {}, 'response_invalid'],
    ['a code and an error', { code: 'c', error: 'access_denied' }, {}, 'response_invalid'],
    ['two errors', { error: ['access_denied', 'access_denied'] }, {}, 'response_invalid'],
  ])('with %s is refused', async (_, response, metadata, reason) => {
    const read = () => readResponse(goodMetadata(issuer, metadata), response as AuthorizationResponse);
    expect(await reasonOf(read)).toBe(reason);
  });
});
