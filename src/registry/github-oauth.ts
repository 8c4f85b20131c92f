import type { AuthorizationOutcome, ClientIdentity, Discovery, Exchanges } from '../oauth/index.ts';
import { ApiError } from '../platform/errors.ts';
import type { GithubSettings } from './github.ts';

/** The exchanges with authorization servers (src/oauth), as far as GitHub has them. */
export type LinkExchanges = Pick<Exchanges, 'authorizationRequest' | 'readResponse' | 'exchangeCode'>;

/** The parameters of GitHub's redirect, without the state. */
export interface GithubResponse {
  readonly code?: string | null | undefined;
  readonly error?: string | null | undefined;
}

export type GithubOauth = ReturnType<typeof createGithubOauth>;

/**
 * The authorization code flow with PKCE at GitHub, over the same exchanges as those of MCP servers. GitHub has no
 * metadata document, so its endpoints are listed here, and its redirect URI is used for no other issuer (RFC 9700,
 * 4.4). No scope is requested: only public data is read.
 *
 * @see RFC 6749, 4.1; RFC 7636; https://docs.github.com/en/apps/oauth-apps
 */
export function createGithubOauth({ exchanges, settings }: { exchanges: LinkExchanges; settings: GithubSettings }) {
  const { redirectUri } = settings;
  const issuer = settings.url.replace(/\/$/, '');
  const discovery: Discovery = {
    issuer,
    resource: null,
    scopes: null,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
      code_challenge_methods_supported: ['S256'],
    },
  };

  /** @throws {ApiError} `UNAVAILABLE` where the operator has registered no app. */
  function client(): ClientIdentity {
    const { clientId, clientSecret } = settings;
    if (clientId === null || clientSecret === null)
      throw new ApiError(
        'UNAVAILABLE',
        'GitHub accounts cannot be linked here: the operator has not configured a GitHub app',
      );
    return {
      kind: 'configured',
      issuer,
      clientId,
      clientSecret,
      authenticationMethod: 'client_secret_post',
      redirectUri,
      secretExpiresAt: null,
    };
  }

  /** A new authorization: where to send the browser, and what to keep until it comes back. */
  async function begin(): Promise<{ url: string; state: string; verifier: string }> {
    const request = { discovery, client: client(), redirectUri, scopes: [] };
    const { url, state, verifier } = await exchanges.authorizationRequest(request);
    return { url, state, verifier };
  }

  /** @returns The code, or GitHub's error. @throws {OauthError} `response_invalid`. */
  const read = ({ code, error }: GithubResponse): AuthorizationOutcome =>
    exchanges.readResponse(discovery.metadata, { code, error });

  /**
   * Exchanges the code that came back for a token.
   *
   * @throws {OauthError} Its text repeats nothing that GitHub has said.
   */
  async function exchange(code: string, verifier: string): Promise<string> {
    const { metadata, resource } = discovery;
    const tokens = { metadata, client: client(), code, verifier, redirectUri, resource, scopes: [] };
    return (await exchanges.exchangeCode(tokens)).accessToken;
  }

  return { begin, read, exchange };
}
