import * as oauth from 'oauth4webapi';
import { consent, type Decision } from './consent.ts';

/** A client of the tests' own that goes through whole flows by oauth4webapi, to see what a server does. */
export interface PlainClient {
  readonly metadata: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  /** From the authorization request to the tokens. @throws What oauth4webapi throws where a step is refused. */
  authorize(scope?: string, decision?: Decision): Promise<oauth.TokenEndpointResponse>;
  refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse>;
  revoke(token: string): Promise<void>;
}

const options = { [oauth.allowInsecureRequests]: true };

/** Discovers an authorization server and registers there. */
export async function registerPlainClient(
  issuer: string,
  { resource, redirectUri = 'http://127.0.0.1:9/callback' }: { resource?: string; redirectUri?: string } = {},
): Promise<PlainClient> {
  const found = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...options });
  const metadata = await oauth.processDiscoveryResponse(new URL(issuer), found);
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      metadata,
      {
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
      options,
    ),
  );
  const additionalParameters: Record<string, string> = resource === undefined ? {} : { resource };
  return {
    metadata,
    client,
    async authorize(scope, decision) {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(metadata.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(scope !== undefined && { scope }),
        ...additionalParameters,
      }).toString();
      const callback = oauth.validateAuthResponse(metadata, client, new URL(await consent(url.href, decision)), state);
      const answer = await oauth.authorizationCodeGrantRequest(
        metadata,
        client,
        oauth.None(),
        callback,
        redirectUri,
        verifier,
        { additionalParameters, ...options },
      );
      return oauth.processAuthorizationCodeResponse(metadata, client, answer);
    },
    async refresh(refreshToken) {
      const answer = await oauth.refreshTokenGrantRequest(metadata, client, oauth.None(), refreshToken, {
        additionalParameters,
        ...options,
      });
      return oauth.processRefreshTokenResponse(metadata, client, answer);
    },
    async revoke(token) {
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(metadata, client, oauth.None(), token, options),
      );
    },
  };
}
