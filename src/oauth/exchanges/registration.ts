import * as oauth from 'oauth4webapi';
import { chosenMethod, isMethod } from './client-authentication.ts';
import type { AuthenticationMethod, ClientIdentity, Discovery } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';
import { type Observers, type RegistrationStatus, secondsSince } from './observations.ts';
import { registeredError } from './registered-errors.ts';
import { parseJsonObject, type Requests } from './requests.ts';

/** A visible character or a space. @see RFC 6749, appendix A.1 and A.2 */
const credential = /^[\x20-\x7e]{1,2048}$/;

/** Registers clients. */
export function createRegistration(deps: {
  requests: Requests;
  clientName: string;
  onRegistration: Observers['onRegistration'];
}) {
  const { requests, clientName, onRegistration } = deps;

  /**
   * Registers the platform at an authorization server.
   *
   * @throws {OauthError} `no_client` where the server registers none, or none that we can be; `registration_failed`.
   * @see RFC 7591, 3
   */
  return async function register(discovery: Discovery, redirectUri: string, now: Date): Promise<ClientIdentity> {
    const { metadata } = discovery;
    const method = chosenMethod(metadata);
    if (!metadata.registration_endpoint || method === null) throw new OauthError('no_client');
    const startedAt = performance.now();
    const observe = (status: RegistrationStatus) => onRegistration?.({ status, seconds: secondsSince(startedAt) });
    const request = registrationRequest(metadata, { clientName, redirectUri, method });
    const response = await oauth
      .dynamicClientRegistrationRequest(metadata, request, {
        [oauth.customFetch]: requests.post,
        // What may be reached by http is decided by `requests`.
        [oauth.allowInsecureRequests]: true,
      })
      .catch((error: unknown) => {
        observe('unanswered');
        throw error instanceof OauthError && error.reason !== 'insecure_endpoint'
          ? new OauthError('registration_failed')
          : error;
      });
    const document = parseJsonObject(await response.text());
    if (response.status !== 201 && response.status !== 200) {
      observe(response.status >= 400 && response.status < 500 ? 'refused' : 'unanswered');
      throw new OauthError('registration_failed', registeredError(document?.error));
    }
    try {
      const client = checkRegistration(document, { request, method, now });
      observe('success');
      return { kind: 'registered', issuer: discovery.issuer, redirectUri, ...client };
    } catch (error) {
      observe('invalid');
      throw error;
    }
  };
}

interface RegistrationRequest extends Partial<oauth.OmitSymbolProperties<oauth.Client>> {
  readonly redirect_uris: string[];
}

/** @see RFC 7591, 2; OpenID Connect Dynamic Client Registration 1.0, 2: `application_type` */
function registrationRequest(
  metadata: oauth.AuthorizationServer,
  client: { clientName: string; redirectUri: string; method: AuthenticationMethod },
): RegistrationRequest {
  const { protocol, origin } = new URL(client.redirectUri);
  const grants = metadata.grant_types_supported;
  return {
    client_name: client.clientName,
    ...(protocol === 'https:' && { client_uri: origin }),
    redirect_uris: [client.redirectUri],
    grant_types: ['authorization_code', ...(!grants || grants.includes('refresh_token') ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: client.method,
    // A redirect URI on http is one of this machine, which only a native application may have.
    application_type: protocol === 'https:' ? 'web' : 'native',
  };
}

/**
 * Validates the response to a registration: the server may change the requested values, except the redirect URIs.
 *
 * @throws {OauthError} `registration_failed`.
 * @see RFC 7591, 3.2.1
 */
function checkRegistration(
  document: Record<string, unknown> | null,
  asked: { request: RegistrationRequest; method: AuthenticationMethod; now: Date },
): Pick<ClientIdentity, 'clientId' | 'clientSecret' | 'authenticationMethod' | 'secretExpiresAt'> {
  if (!document) throw new OauthError('registration_failed');
  const clientId = requireClientId(document);
  requireRedirectUris(document, asked.request.redirect_uris);
  requireClientUri(document);
  const authenticationMethod = requireMethod(document, asked.method);
  if (authenticationMethod === 'none')
    return { clientId, clientSecret: null, authenticationMethod, secretExpiresAt: null };
  const clientSecret = requireSecret(document);
  return { clientId, clientSecret, authenticationMethod, secretExpiresAt: requireExpiry(document, asked.now) };
}

function requireClientId({ client_id: id }: Record<string, unknown>): string {
  if (typeof id !== 'string' || !credential.test(id)) throw new OauthError('registration_failed');
  return id;
}

/** The echo, if the server sends one, must equal the request. */
function requireRedirectUris({ redirect_uris: uris }: Record<string, unknown>, asked: readonly string[]): void {
  if (uris === undefined) return;
  const isEcho = Array.isArray(uris) && uris.length === asked.length && uris.every((uri, at) => uri === asked[at]);
  if (!isEcho) throw new OauthError('registration_failed');
}

/** It is shown to people who consent, as a link. */
function requireClientUri({ client_uri: uri }: Record<string, unknown>): void {
  if (uri === undefined || uri === null) return;
  if (typeof uri !== 'string' || !URL.canParse(uri) || new URL(uri).protocol !== 'https:')
    throw new OauthError('registration_failed');
}

/** Servers that leave it out accept the requested values. */
function requireMethod(
  { token_endpoint_auth_method: method }: Record<string, unknown>,
  asked: AuthenticationMethod,
): AuthenticationMethod {
  if (method === undefined || method === null) return asked;
  if (!isMethod(method)) throw new OauthError('registration_failed');
  return method;
}

function requireSecret({ client_secret: secret }: Record<string, unknown>): string {
  if (typeof secret !== 'string' || !credential.test(secret)) throw new OauthError('registration_failed');
  return secret;
}

/** Seconds since 1970; 0 is for never, and so is a missing value, although it is required: many servers leave it out. */
function requireExpiry({ client_secret_expires_at: seconds }: Record<string, unknown>, now: Date): Date | null {
  if (seconds === undefined || seconds === null || seconds === 0) return null;
  if (!Number.isSafeInteger(seconds)) throw new OauthError('registration_failed');
  const expiresAt = new Date((seconds as number) * 1000);
  // Also false for a date that is beyond what a Date holds.
  if (!(expiresAt > now)) throw new OauthError('registration_failed');
  return expiresAt;
}
