import { describe, expect, it } from 'vitest';
import type { ClientCandidates, ClientIdentity, Discovery } from '../../src/oauth/exchanges/exchanges.ts';
import {
  createProtectedStage,
  createStageExchanges,
  noExceptions,
  reasonOf,
  type StageResponse,
} from '../support/authorization-stage.ts';

const redirectUri = 'https://patchbay.example/api/oauth/callback';
const now = new Date('2026-03-01T12:00:00.000Z');
const documentUrl = 'https://patchbay.example/oauth/client.json';
const none: ClientCandidates = { configured: null, metadataDocumentUrl: null, registered: null, redirectUri, now };

/** A discovered server whose registration endpoint answers with what was asked for, and with more. */
async function discovered(
  metadata: Record<string, unknown> = {},
  answer: StageResponse | Record<string, unknown> = {},
) {
  const stage = await createProtectedStage({ metadata });
  stage.on('/register', ({ body }) =>
    'status' in answer
      ? (answer as StageResponse)
      : { status: 201, body: { client_id: 'new', client_secret: 'secret', ...JSON.parse(body), ...answer } },
  );
  const seen: string[] = [];
  const exchanges = createStageExchanges({ timeoutMs: 300, onRegistration: ({ status }) => seen.push(status) });
  const discovery = await exchanges.discoverServer({ url: stage.url, challenge: null, exceptions: noExceptions });
  return {
    stage,
    seen,
    discovery,
    identify: (candidates: Partial<ClientCandidates> = {}, over: Partial<Discovery> = {}) =>
      exchanges.identify({ ...discovery, ...over }, { ...none, ...candidates }),
  };
}

const clientOf = (issuer: string, over: Partial<ClientIdentity> = {}): ClientIdentity => ({
  kind: 'registered',
  issuer,
  clientId: 'earlier',
  clientSecret: 'secret',
  authenticationMethod: 'client_secret_basic',
  redirectUri,
  secretExpiresAt: null,
  ...over,
});

describe('the client', () => {
  it('is the configured one, else the document, else the registered one, else a new one', async () => {
    const { identify, discovery, stage } = await discovered({
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    });
    const configured = clientOf(discovery.issuer, { kind: 'configured', clientId: 'configured' });
    const registered = clientOf(discovery.issuer);
    const all = { configured, metadataDocumentUrl: documentUrl, registered };
    expect(await identify(all)).toBe(configured);
    expect(await identify({ ...all, configured: null })).toEqual({
      kind: 'metadata_document',
      issuer: discovery.issuer,
      clientId: documentUrl,
      clientSecret: null,
      authenticationMethod: 'none',
      redirectUri,
      secretExpiresAt: null,
    });
    expect(await identify({ registered })).toBe(registered);
    expect(stage.paths()).not.toContain('/register');
    expect(await identify()).toMatchObject({ clientId: 'new', authenticationMethod: 'client_secret_post' });
  });

  it.each([
    ['does not say that it takes documents', { client_id_metadata_document_supported: undefined }],
    ['takes no public clients', { token_endpoint_auth_methods_supported: ['client_secret_basic'] }],
  ])('does not exist if the server %s', async (_, metadata) => {
    const { identify } = await discovered({ client_id_metadata_document_supported: true, ...metadata });
    expect(await identify({ metadataDocumentUrl: documentUrl })).toMatchObject({ kind: 'registered' });
  });

  it('of one issuer is never used at another', async () => {
    const { identify } = await discovered();
    const elsewhere = clientOf('https://other.example');
    expect(await identify({ configured: elsewhere, registered: elsewhere })).toMatchObject({ clientId: 'new' });
  });

  it.each([
    ['another redirect URI', { redirectUri: 'https://patchbay.example/other' }],
    ['a secret that has expired', { secretExpiresAt: now }],
    ['a secret that expires within the flow', { secretExpiresAt: new Date(now.getTime() + 600_000) }],
  ])('is registered again for %s', async (_, over) => {
    const { identify, discovery } = await discovered();
    expect(await identify({ registered: clientOf(discovery.issuer, over) })).toMatchObject({ clientId: 'new' });
  });

  it('stays while its secret is good for a flow', async () => {
    const { identify, discovery } = await discovered();
    const registered = clientOf(discovery.issuer, { secretExpiresAt: new Date(now.getTime() + 600_001) });
    expect(await identify({ registered })).toBe(registered);
  });

  it('is refused for a token endpoint on another host, where the server does not promise `iss`', async () => {
    const elsewhere = { token_endpoint: 'https://evil.example/token' };
    const { identify, discovery } = await discovered(elsewhere);
    expect(await reasonOf(identify({ registered: clientOf(discovery.issuer) }))).toBe('token_endpoint_elsewhere');
    const configured = clientOf(discovery.issuer, { kind: 'configured' });
    expect(await identify({ configured })).toBe(configured);
    const promised = await discovered({ ...elsewhere, authorization_response_iss_parameter_supported: true });
    expect(await promised.identify()).toMatchObject({ clientId: 'new' });
  });

  it('is missing where the server registers none, or none like us', async () => {
    const silent = await discovered({ registration_endpoint: undefined });
    expect(await reasonOf(silent.identify())).toBe('no_client');
    const keyed = await discovered({ token_endpoint_auth_methods_supported: ['private_key_jwt'] });
    expect(await reasonOf(keyed.identify())).toBe('no_client');
  });
});

describe('a registration', () => {
  it.each([
    [['client_secret_post', 'none', 'client_secret_basic'], 'client_secret_basic'],
    [['none', 'client_secret_post'], 'client_secret_post'],
    [['none'], 'none'],
    [undefined, 'client_secret_basic'],
  ])('for the methods %s asks for %s', async (supported, method) => {
    const { identify, stage, seen } = await discovered({ token_endpoint_auth_methods_supported: supported });
    expect(await identify()).toMatchObject({
      authenticationMethod: method,
      clientSecret: method === 'none' ? null : 'secret',
    });
    expect(JSON.parse(stage.requests.at(-1)?.body ?? '')).toMatchObject({ token_endpoint_auth_method: method });
    expect(seen).toEqual(['success']);
  });

  it('is one of a native application for a redirect URI on this machine', async () => {
    const { identify, stage } = await discovered({ grant_types_supported: ['authorization_code'] });
    await identify({ redirectUri: 'http://127.0.0.1:3000/api/oauth/callback' });
    expect(JSON.parse(stage.requests.at(-1)?.body ?? '')).toEqual({
      client_name: 'Patchbay',
      redirect_uris: ['http://127.0.0.1:3000/api/oauth/callback'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      application_type: 'native',
    });
  });

  it.each([
    [0, null],
    [undefined, null],
    [1_772_366_401, new Date('2026-03-01T12:00:01.000Z')],
  ])('with the expiry %s ends at %s', async (seconds, expected) => {
    const { identify } = await discovered({}, { client_secret_expires_at: seconds });
    expect((await identify()).secretExpiresAt).toEqual(expected);
  });

  it('may be for another method than was asked for, if it is one of ours', async () => {
    const { identify } = await discovered({}, { token_endpoint_auth_method: 'client_secret_post' });
    expect(await identify()).toMatchObject({ authenticationMethod: 'client_secret_post' });
  });

  it.each<[string, StageResponse | Record<string, unknown>, string, string]>([
    ['another redirect URI', { redirect_uris: ['https://evil.example'] }, 'registration_failed', 'invalid'],
    [
      'one more redirect URI',
      { redirect_uris: [redirectUri, 'https://evil.example'] },
      'registration_failed',
      'invalid',
    ],
    ['no list of redirect URIs', { redirect_uris: redirectUri }, 'registration_failed', 'invalid'],
    ['a client URI on http', { client_uri: 'http://patchbay.example' }, 'registration_failed', 'invalid'],
    ['no client id', { client_id: undefined }, 'registration_failed', 'invalid'],
    ['a client id with a line end', { client_id: 'a\r\nb' }, 'registration_failed', 'invalid'],
    ['no secret', { client_secret: undefined }, 'registration_failed', 'invalid'],
    ['a secret that is a number', { client_secret: 7 }, 'registration_failed', 'invalid'],
    ['a method of others', { token_endpoint_auth_method: 'private_key_jwt' }, 'registration_failed', 'invalid'],
    ['a secret that has expired', { client_secret_expires_at: 1 }, 'registration_failed', 'invalid'],
    ['an expiry that is a string', { client_secret_expires_at: '0' }, 'registration_failed', 'invalid'],
    ['an expiry beyond all dates', { client_secret_expires_at: 2 ** 53 - 1 }, 'registration_failed', 'invalid'],
    ['something else than JSON', { status: 201, body: '<html>' }, 'registration_failed', 'invalid'],
    [
      'an error',
      { status: 400, body: { error: 'invalid_redirect_uri' } },
      'registration_failed invalid_redirect_uri',
      'refused',
    ],
    ['an error of its own', { status: 403, body: { error: 'secret text' } }, 'registration_failed', 'refused'],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 'registration_failed', 'unanswered'],
    ['500', { status: 500 }, 'registration_failed', 'unanswered'],
  ])('that is answered with %s fails', async (_, answer, reason, status) => {
    const { identify, seen, stage } = await discovered({}, answer);
    expect(await reasonOf(identify())).toBe(reason);
    expect(seen).toEqual([status]);
    expect(stage.paths()).not.toContain('/elsewhere');
  });

  it('that is never answered fails', async () => {
    const { identify, seen, stage } = await discovered();
    stage.on('/register', undefined);
    expect(await reasonOf(identify())).toBe('registration_failed');
    expect(seen).toEqual(['unanswered']);
  });
});
