import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { importSigningKey } from '../../src/oauth/exchanges/client-credentials.ts';
import { createProofKey, fetchWithProof } from '../../src/oauth/exchanges/dpop.ts';
import type { ClientIdentity } from '../../src/oauth/exchanges/exchanges.ts';
import { createExtensionExchanges } from '../../src/oauth/exchanges/extensions.ts';
import { allowancesOf, noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { createStageServer, goodMetadata, reasonOf, type StageRoute } from '../support/authorization-stage.ts';
import { cleanUp } from '../support/cleanup.ts';

const redirectUri = 'https://patchbay.example/callback';
const good = { access_token: 'access-1', token_type: 'Bearer' };
const resource = 'https://mcp.example/mcp';

async function staged(route: StageRoute, metadata: Record<string, unknown> = {}) {
  const stage = await createStageServer({ '/token': route });
  const egress = createEgress({ isProduction: false, allow: allowancesOf('127.0.0.0/8') ?? noAllowances });
  cleanUp(() => egress.close());
  const client: ClientIdentity = {
    kind: 'configured',
    issuer: stage.origin,
    clientId: 'client-1',
    clientSecret: null,
    authenticationMethod: 'none',
    redirectUri,
    secretExpiresAt: null,
  };
  const extensions = createExtensionExchanges({ egress, timeoutMs: 1_000 });
  return { stage, client, extensions, metadata: goodMetadata(stage.origin, metadata) };
}

/** The parts of a JWT. */
const decoded = (jwt: string | null | undefined) =>
  (jwt ?? '').split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

describe('client credentials', () => {
  it('are proven by a signed assertion for the issuer', async () => {
    const { stage, client, extensions, metadata } = await staged({ body: good });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signingKey = await importSigningKey(pem, 'ES256');
    expect(signingKey.extractable).toBe(false);
    await extensions.clientCredentials({ metadata, client, signingKey, resource, scopes: ['a', 'b'] });
    const { client_assertion: assertion, ...form } = Object.fromEntries(stage.requests[0]?.form ?? []);
    expect(form).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      resource,
      scope: 'a b',
    });
    const [header, claims] = decoded(assertion);
    expect(header).toMatchObject({ alg: 'ES256' });
    expect(claims).toMatchObject({ iss: 'client-1', sub: 'client-1', aud: stage.origin });
  });

  it('are checked like every token response', async () => {
    const { client, extensions, metadata } = await staged({ body: { ...good, expires_in: -1 } });
    const grant = { metadata, client, resource: null, scopes: [] };
    expect(await reasonOf(extensions.clientCredentials(grant))).toBe('token_invalid');
  });
});

describe('an identity assertion', () => {
  const assertionGrant = 'urn:ietf:params:oauth:token-type:id-jag';

  it.each([
    ['is given', {}, 'done'],
    [
      'of another type is refused',
      { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
      'token_invalid',
    ],
    ['that is an access token is refused', { token_type: 'Bearer' }, 'token_invalid'],
    ['with a line end is refused', { access_token: 'a\nb' }, 'token_invalid'],
  ])('that %s', async (_, over, reason) => {
    const answer = { access_token: 'assertion-1', issued_token_type: assertionGrant, token_type: 'N_A', ...over };
    const { stage, client, extensions, metadata } = await staged({ body: answer });
    const exchange = {
      identityProvider: metadata,
      client,
      idToken: 'id-1',
      audience: 'https://as.example',
      resource,
      scopes: ['a'],
    };
    expect(await reasonOf(extensions.exchangeIdentity(exchange))).toBe(reason);
    expect(Object.fromEntries(stage.requests[0]?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id: 'client-1',
      requested_token_type: assertionGrant,
      subject_token: 'id-1',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience: 'https://as.example',
      resource,
      scope: 'a',
    });
  });

  it('is exchanged once, whatever comes of it', async () => {
    const { stage, client, extensions, metadata } = await staged({ status: 400, body: { error: 'invalid_grant' } });
    const exchange = { metadata, client, assertion: 'assertion-1', resource: null, scopes: [] };
    expect(await reasonOf(extensions.exchangeAssertion(exchange))).toBe('token_refused invalid_grant');
    expect(stage.requests.map(({ form }) => Object.fromEntries(form))).toEqual([
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_id: 'client-1', assertion: 'assertion-1' },
    ]);
  });
});

describe('tokens that are bound to a key', () => {
  const bound = { access_token: 'access-1', token_type: 'DPoP' };
  const supported = { dpop_signing_alg_values_supported: ['RS256', 'ES256'] };
  const codeOf = (stage: Awaited<ReturnType<typeof staged>>) => ({
    metadata: stage.metadata,
    client: stage.client,
    code: 'code-1',
    verifier: 'verifier-1',
    redirectUri,
    resource: null,
    scopes: [],
  });

  it('are asked for with a proof, and with the nonce that the server wants', async () => {
    let nonces = 0;
    const on = await staged(
      () =>
        nonces++ === 0
          ? { status: 400, headers: { 'dpop-nonce': 'nonce-1' }, body: { error: 'use_dpop_nonce' } }
          : { body: bound },
      supported,
    );
    await on.extensions.exchangeCodeWithProof(codeOf(on), await createProofKey());
    const proofs = on.stage.requests.map(({ headers }) => decoded(headers.dpop as string));
    expect(proofs.map(([, claims]) => claims.nonce)).toEqual([undefined, 'nonce-1']);
    expect(new Set(proofs.map(([, claims]) => claims.jti)).size).toBe(2);
    for (const [header, claims] of proofs) {
      expect(header).toMatchObject({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty: 'EC' } });
      expect(header.jwk).not.toHaveProperty('d');
      expect(claims).toMatchObject({ htm: 'POST', htu: `${on.stage.origin}/token` });
    }
  });

  const wantsNonce = { status: 400, headers: { 'dpop-nonce': 'n' }, body: { error: 'use_dpop_nonce' } };
  let patience = 5;
  it.each<[string, StageRoute, Record<string, unknown>, string, number]>([
    ['a server that knows no proofs', { body: bound }, {}, 'metadata_invalid', 0],
    ['tokens that are not bound', { body: good }, supported, 'token_invalid', 1],
    [
      'a server that wants one nonce after the other',
      () => (patience-- > 0 ? wantsNonce : { body: bound }),
      supported,
      'token_refused use_dpop_nonce',
      2,
    ],
    [
      'a server that wants a nonce and gives none',
      { status: 400, body: { error: 'use_dpop_nonce' } },
      supported,
      'token_refused use_dpop_nonce',
      1,
    ],
  ])('are refused for %s', async (_, route, metadata, reason, requests) => {
    const on = await staged(route, metadata);
    expect(await reasonOf(on.extensions.exchangeCodeWithProof(codeOf(on), await createProofKey()))).toBe(reason);
    expect(on.stage.requests.length).toBe(requests);
  });

  it('are sent with a new proof for each request, and with the nonce that the server wants', async () => {
    const { stage } = await staged({});
    stage.on('/mcp', ({ headers }) =>
      decoded(headers.dpop as string)[1].nonce === 'nonce-2'
        ? { body: { ok: true } }
        : { status: 401, headers: { 'dpop-nonce': 'nonce-2', 'www-authenticate': 'DPoP error="use_dpop_nonce"' } },
    );
    const proofKey = await createProofKey();
    const request = {
      url: `${stage.origin}/mcp`,
      method: 'POST',
      headers: { 'x-a': 'b' },
      body: '{}',
      accessToken: 'access-1',
      fetch,
    };
    for (let time = 0; time < 2; time += 1)
      expect(await (await fetchWithProof(request, proofKey)).json()).toEqual({ ok: true });
    const proofs = stage.requests.map(({ headers }) => decoded(headers.dpop as string)[1]);
    expect(proofs.map(({ nonce }) => nonce)).toEqual([undefined, 'nonce-2', 'nonce-2']);
    expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(3);
    expect(stage.requests[0]).toMatchObject({ headers: { authorization: 'DPoP access-1', 'x-a': 'b' }, body: '{}' });
    expect(proofs[0]).toHaveProperty('ath');
  });

  it('are sent once to a server that refuses them for another reason', async () => {
    const { stage } = await staged({});
    stage.on('/mcp', { status: 401, headers: { 'dpop-nonce': 'n', 'www-authenticate': 'DPoP error="invalid_token"' } });
    const request = { url: `${stage.origin}/mcp`, method: 'POST', headers: {}, body: '', accessToken: 'a', fetch };
    expect((await fetchWithProof(request, await createProofKey())).status).toBe(401);
    expect(stage.requests.length).toBe(1);
  });
});
