import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ClientIdentity } from '../../src/oauth/exchanges/exchanges.ts';
import {
  createStageExchanges,
  createStageServer,
  goodMetadata,
  reasonOf,
  type StageRoute,
} from '../support/authorization-stage.ts';

const redirectUri = 'https://patchbay.example/api/oauth/callback';
const good = { access_token: 'access-1', token_type: 'Bearer' };

/** A token endpoint that answers so, and the exchanges with it. */
async function endpoint(route: StageRoute, over: Partial<ClientIdentity> = {}) {
  const stage = await createStageServer({ '/token': route });
  const exchanges = createStageExchanges({ timeoutMs: 300 });
  const metadata = goodMetadata(stage.origin);
  const client: ClientIdentity = {
    kind: 'configured',
    issuer: stage.origin,
    clientId: 'my-client_1.0',
    clientSecret: 'a b:c%&ü',
    authenticationMethod: 'client_secret_basic',
    redirectUri,
    secretExpiresAt: null,
    ...over,
  };
  const shared = { metadata, client, resource: null, scopes: ['asked'] };
  return {
    stage,
    metadata,
    client,
    exchanges,
    exchange: () => exchanges.exchangeCode({ ...shared, code: 'code-1', verifier: 'verifier-1', redirectUri }),
    refresh: () => exchanges.refresh({ ...shared, refreshToken: 'refresh-1' }),
  };
}

describe('tokens', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['nothing more', {}, {}],
    ['nulls', { refresh_token: null, expires_in: null, scope: null }, {}],
    ['a refresh token', { refresh_token: 'refresh-2' }, { refreshToken: 'refresh-2' }],
    ['an expiry', { expires_in: 1 }, { expiresIn: 1 }],
    ['an expiry beyond all dates', { expires_in: 2 ** 53 - 1 }, { expiresIn: 2 ** 31 - 1 }],
    ['other scopes than were asked for', { scope: 'b  a b' }, { scopes: ['b', 'a'] }],
    ['an empty scope', { scope: '' }, {}],
    ['another spelling of the type', { token_type: 'bEARER' }, {}],
    ['an ID token, which was not asked for', { id_token: 'no JWT' }, {}],
  ])('are read with %s', async (_, answer, expected) => {
    const { exchange, refresh } = await endpoint({ body: { ...good, ...answer } });
    const tokens = { accessToken: 'access-1', refreshToken: null, expiresIn: null, scopes: ['asked'], ...expected };
    expect(await exchange()).toEqual(tokens);
    expect(await refresh()).toEqual(tokens);
  });

  it.each<[string, StageRoute, string]>([
    ['no type', { body: { ...good, token_type: undefined } }, 'token_invalid'],
    ['another type', { body: { ...good, token_type: 'mac' } }, 'token_invalid'],
    ['the type DPoP, which was not asked for', { body: { ...good, token_type: 'DPoP' } }, 'token_invalid'],
    ['no access token', { body: { ...good, access_token: undefined } }, 'token_invalid'],
    ['an access token with a line end', { body: { ...good, access_token: 'a\r\nx: y' } }, 'token_invalid'],
    ['an access token with a space', { body: { ...good, access_token: 'a b' } }, 'token_invalid'],
    ['an endless access token', { body: { ...good, access_token: 'a'.repeat(16_385) } }, 'token_invalid'],
    ['an empty refresh token', { body: { ...good, refresh_token: '' } }, 'token_invalid'],
    ['a refresh token that is a number', { body: { ...good, refresh_token: 7 } }, 'token_invalid'],
    ['a negative expiry', { body: { ...good, expires_in: -1 } }, 'token_invalid'],
    ['the expiry 0', { body: { ...good, expires_in: 0 } }, 'token_invalid'],
    ['half a second', { body: { ...good, expires_in: 0.5 } }, 'token_invalid'],
    ['an expiry that is a string', { body: { ...good, expires_in: '3600' } }, 'token_invalid'],
    ['an expiry that begins with a number', { body: { ...good, expires_in: '3600 s' } }, 'token_invalid'],
    ['an endless number', { body: '{"access_token":"a","token_type":"bearer","expires_in":1e999}' }, 'token_invalid'],
    ['scopes that are a list', { body: { ...good, scope: ['a'] } }, 'token_invalid'],
    ['a scope with a quote', { body: { ...good, scope: 'a"b' } }, 'token_invalid'],
    ['HTML', { body: '<html>' }, 'token_invalid'],
    ['a list', { body: [good] }, 'token_invalid'],
    ['compressed bytes', { body: good, headers: { 'content-encoding': 'gzip' } }, 'token_invalid'],
    ['an error', { status: 400, body: { error: 'invalid_grant' } }, 'token_refused invalid_grant'],
    [
      'an error and a challenge',
      { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: { error: 'invalid_client' } },
      'token_refused invalid_client',
    ],
    ['an error of its own', { status: 400, body: { error: 'code verifier-1 is wrong' } }, 'token_refused'],
    ['an error in HTML', { status: 403, body: '<html>' }, 'token_unanswered'],
    ['a limit of requests', { status: 429, body: { message: 'slow down' } }, 'token_unanswered'],
    ['200 with an error', { body: { error: 'invalid_grant' } }, 'token_refused invalid_grant'],
    ['200 with an error and tokens', { body: { ...good, error: 'x' } }, 'token_refused'],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 'token_unanswered'],
    ['204', { status: 204 }, 'token_unanswered'],
    ['500', { status: 500, body: good }, 'token_unanswered'],
    ['5 MB', { body: { ...good, padding: 'x'.repeat(5_000_000) } }, 'token_unanswered'],
    ['a closed connection', null, 'token_unanswered'],
    ['nothing at all', undefined, 'token_unanswered'],
  ])('are refused for %s', async (_, route, reason) => {
    const { exchange, refresh, stage } = await endpoint(route);
    expect([await reasonOf(exchange()), await reasonOf(refresh())]).toEqual([reason, reason]);
    // Neither a redirect nor a second try: the code and the refresh token are for one use.
    expect(stage.paths()).toEqual(['/token', '/token']);
  });

  it('are not asked for where no connection comes about, and the reason says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    const { port } = await new Promise<{ port: number }>((resolve) =>
      taken.on('listening', () => resolve(taken.address() as { port: number })),
    );
    await new Promise((resolve) => taken.close(resolve));
    const { exchanges, client } = await endpoint({});
    const metadata = goodMetadata(`http://127.0.0.1:${port}`);
    const exchange = { metadata, client, refreshToken: 'r', resource: null, scopes: [] };
    expect(await reasonOf(exchanges.refresh(exchange))).toBe('token_unreachable');
  });

  it('fail with an error that repeats neither request nor response', async () => {
    const { exchange } = await endpoint({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'secret description' },
    });
    const error = await exchange().then(
      () => undefined,
      (reason: Error) => reason,
    );
    const text = JSON.stringify([error, error?.message, error?.stack, error?.cause]);
    expect(text).toContain('invalid_grant');
    for (const secret of ['secret description', 'code-1', 'verifier-1', 'a b:c']) expect(text).not.toContain(secret);
  });
});

describe('the client at a token endpoint', () => {
  it.each<[ClientIdentity['authenticationMethod'], string | undefined, Record<string, string>]>([
    ['client_secret_basic', `Basic ${Buffer.from('my-client_1.0:a+b%3Ac%25%26%C3%BC').toString('base64')}`, {}],
    ['client_secret_post', undefined, { client_id: 'my-client_1.0', client_secret: 'a b:c%&ü' }],
    ['none', undefined, { client_id: 'my-client_1.0' }],
  ])('authenticates by %s', async (authenticationMethod, authorization, parameters) => {
    const { refresh, stage } = await endpoint({ body: good }, { authenticationMethod });
    await refresh();
    expect(stage.requests[0]?.headers.authorization).toBe(authorization);
    expect(Object.fromEntries(stage.requests[0]?.form ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      ...parameters,
    });
  });

  it('sends nothing where its secret is missing', async () => {
    const { refresh, stage } = await endpoint({ body: good }, { clientSecret: null });
    expect(await reasonOf(refresh())).toBe('no_client');
    expect(stage.requests).toEqual([]);
  });
});

describe('a revocation', () => {
  it.each<[string, StageRoute, boolean]>([
    ['200', { status: 200, body: '' }, true],
    ['an error', { status: 400, body: { error: 'unsupported_token_type' } }, false],
    ['503', { status: 503 }, false],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, false],
    ['a closed connection', null, false],
    ['nothing at all', undefined, false],
  ])('that is answered with %s says whether the server agreed', async (_, route, expected) => {
    const { exchanges, metadata, client, stage } = await endpoint({});
    stage.on('/revoke', route);
    expect(await exchanges.revoke({ metadata, client, token: 't', kind: 'access_token' })).toBe(expected);
    expect(stage.paths()).toEqual(['/revoke']);
    expect(Object.fromEntries(stage.requests[0]?.form ?? [])).toEqual({ token: 't', token_type_hint: 'access_token' });
  });

  it('is not sent where the server has no endpoint for it', async () => {
    const { exchanges, metadata, client, stage } = await endpoint({});
    const without = { ...metadata, revocation_endpoint: undefined };
    expect(await exchanges.revoke({ metadata: without, client, token: 't', kind: 'access_token' })).toBe(false);
    expect(stage.requests).toEqual([]);
  });
});
