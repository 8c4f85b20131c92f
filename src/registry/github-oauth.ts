import * as oauth from 'oauth4webapi';
import type { Egress } from '../platform/egress/egress.ts';
import { Refusal } from '../platform/errors.ts';
import type { GithubSettings } from './github.ts';

/** From the call to the last byte. */
const timeoutMs = 5_000;
const answerBytesMax = 64 * 1024;

export type GithubOauth = ReturnType<typeof createGithubOauth>;

/**
 * The authorization code flow with PKCE at GitHub, by oauth4webapi. No scope is asked for: what is public is all that is read.
 *
 * @see RFC 6749, 4.1; RFC 7636; https://docs.github.com/en/apps/oauth-apps
 */
export function createGithubOauth(deps: { egress: Pick<Egress, 'request'>; settings: GithubSettings }) {
  const { egress, settings } = deps;
  const base = settings.url.replace(/\/$/, '');
  const server: oauth.AuthorizationServer = {
    issuer: base,
    authorization_endpoint: `${base}/login/oauth/authorize`,
    token_endpoint: `${base}/login/oauth/access_token`,
    code_challenge_methods_supported: ['S256'],
  };
  const options = {
    [oauth.customFetch]: guardedFetch as never,
    // A server that stands in for GitHub has no certificate. In production the way out refuses http.
    [oauth.allowInsecureRequests]: base.startsWith('http:'),
  };

  /** @throws {Refusal} `UNAVAILABLE` where the operator has registered no app. */
  function app(): { client: oauth.Client; authentication: oauth.ClientAuth } {
    const { clientId, clientSecret } = settings;
    if (clientId === null || clientSecret === null)
      throw new Refusal('UNAVAILABLE', 'GitHub accounts cannot be linked here: the operator has set up no app for it');
    return { client: { client_id: clientId }, authentication: oauth.ClientSecretPost(clientSecret) };
  }

  /** A new way there: where to send the browser, and what to keep until it comes back. */
  async function begin(): Promise<{ url: string; state: string; verifier: string }> {
    const { client } = app();
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint as string);
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: settings.redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }))
      url.searchParams.set(name, value);
    return { url: url.href, state, verifier };
  }

  /**
   * Exchanges the code that came back for a token.
   *
   * @throws Whatever the exchange fails with; nothing of it is for people.
   */
  async function exchange(code: string, state: string, verifier: string): Promise<string> {
    const { client, authentication } = app();
    const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state }), state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      settings.redirectUri,
      verifier,
      options,
    );
    const { access_token: token, token_type: type } = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      answer,
    );
    // It goes into a header.
    if (type !== 'bearer' || !/^[\x21-\x7e]{1,1000}$/.test(token)) throw new Error('not a token that can be sent');
    return token;
  }

  /** The guarded way out as oauth4webapi calls it. */
  async function guardedFetch(
    url: string,
    request: { method: string; headers: Headers | Record<string, string>; body?: unknown },
  ) {
    const answer = await egress.request({
      url,
      method: request.method as 'POST',
      headers: { ...Object.fromEntries(new Headers(request.headers)), 'user-agent': 'patchbay' },
      body: String(request.body ?? ''),
      totalTimeoutMs: timeoutMs,
      responseBytesMax: answerBytesMax,
    });
    const type = answer.headers['content-type'];
    return new Response(answer.isTruncated ? '' : new Uint8Array(answer.body), {
      status: answer.status === 204 || answer.status === 304 ? 502 : answer.status,
      headers: { 'content-type': Array.isArray(type) ? type.join() : (type ?? '') },
    });
  }

  return { begin, exchange };
}
