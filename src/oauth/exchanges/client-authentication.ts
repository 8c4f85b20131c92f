import * as oauth from 'oauth4webapi';
import type { AuthenticationMethod, ClientIdentity } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';

/** In the order in which they are chosen: a secret in the header is written into no log of forms. */
const methods: readonly AuthenticationMethod[] = ['client_secret_basic', 'client_secret_post', 'none'];

/**
 * The authentication method of a new client.
 *
 * @returns Null if the server supports none of ours.
 * @see RFC 8414, 2: `token_endpoint_auth_methods_supported`, whose default is `client_secret_basic`
 */
export function chosenMethod({
  token_endpoint_auth_methods_supported: supported = ['client_secret_basic'],
}: oauth.AuthorizationServer): AuthenticationMethod | null {
  return methods.find((method) => supported.includes(method)) ?? null;
}

export const isMethod = (value: unknown): value is AuthenticationMethod =>
  (methods as readonly unknown[]).includes(value);

/**
 * How a client authenticates at the token endpoint.
 *
 * @throws {OauthError} `no_client` for a method that needs a secret, and no secret.
 * @see RFC 6749, 2.3.1
 */
export function authenticationOf({ authenticationMethod, clientSecret }: ClientIdentity): oauth.ClientAuth {
  if (authenticationMethod === 'none') return oauth.None();
  if (!clientSecret) throw new OauthError('no_client');
  return authenticationMethod === 'client_secret_post' ? oauth.ClientSecretPost(clientSecret) : basic(clientSecret);
}

/**
 * HTTP Basic with both values form-encoded. oauth4webapi's own encodes "-", "." and "_", too: that is allowed, but servers that forget to
 * decode then refuse most ids, while form encoding leaves these three alone.
 *
 * @see RFC 6749, 2.3.1 and appendix B; WHATWG URL, application/x-www-form-urlencoded
 */
const basic =
  (secret: string): oauth.ClientAuth =>
  (_server, client, _body, headers) => {
    const credentials = `${formEncoded(client.client_id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

const formEncoded = (value: string) => new URLSearchParams([['', value]]).toString().slice(1);
