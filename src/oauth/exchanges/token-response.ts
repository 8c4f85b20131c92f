import type { Tokens } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';
import { registeredError } from './registered-errors.ts';
import { parseJsonObject } from './requests.ts';
import { scopesOf } from './scopes.ts';

/** Goes into a header. @see RFC 6749, appendix A.12; RFC 6750, 2.1 */
const accessToken = /^[\x21-\x7e]{1,16384}$/;
/** @see RFC 6749, appendix A.17 */
const refreshToken = /^[\x20-\x7e]{1,16384}$/;
/** 68 years: more is the same. It keeps dates within what a database takes. */
const expiresInMax = 2 ** 31 - 1;

export type TokenType = 'bearer' | 'dpop';

/**
 * Reads the response of a token endpoint. oauth4webapi reads it more loosely (an `expires_in` of "1x" counts as 1) and looks into an ID
 * token, which is not asked for here.
 *
 * @param asked.scopes The scopes of the tokens where the server names none.
 * @param asked.tokenType `bearer` if left out.
 * @throws {OauthError} `token_refused`, `token_unanswered`, `token_invalid`.
 * @see RFC 6749, 5.1 and 5.2
 */
export async function readTokens(
  response: Response,
  asked: { scopes: readonly string[]; tokenType?: TokenType },
): Promise<Tokens> {
  const document = await tokenDocument(response);
  requireTokenType(document, asked.tokenType ?? 'bearer');
  return {
    accessToken: requireAccessToken(document),
    refreshToken: readRefreshToken(document),
    expiresIn: readExpiresIn(document),
    scopes: readScopes(document, asked.scopes),
  };
}

/**
 * The document of a token endpoint that has said yes. Some servers give their errors with 200.
 *
 * @throws {OauthError} `token_refused`, `token_unanswered`, `token_invalid`.
 */
export async function tokenDocument(response: Response): Promise<Record<string, unknown>> {
  const isRefused = response.status >= 400 && response.status < 500;
  if (response.status !== 200 && !isRefused) throw new OauthError('token_unanswered');
  const document = parseJsonObject(await response.text());
  if (typeof document?.error === 'string') throw new OauthError('token_refused', registeredError(document.error));
  // Something before the endpoint has answered: a firewall, a limit of requests.
  if (isRefused) throw new OauthError('token_unanswered');
  if (!document) throw new OauthError('token_invalid');
  return document;
}

/** @see RFC 6749, 7.1 */
function requireTokenType({ token_type: type }: Record<string, unknown>, expected: TokenType): void {
  if (typeof type !== 'string' || type.toLowerCase() !== expected) throw new OauthError('token_invalid');
}

export function requireAccessToken({ access_token: token }: Record<string, unknown>): string {
  if (typeof token !== 'string' || !accessToken.test(token)) throw new OauthError('token_invalid');
  return token;
}

function readRefreshToken({ refresh_token: token }: Record<string, unknown>): string | null {
  if (token === undefined || token === null) return null;
  if (typeof token !== 'string' || !refreshToken.test(token)) throw new OauthError('token_invalid');
  return token;
}

/**
 * A positive integer of JSON. A string of digits is rejected: the RFC requires a number, and other values can be
 * anything.
 */
function readExpiresIn({ expires_in: seconds }: Record<string, unknown>): number | null {
  if (seconds === undefined || seconds === null) return null;
  if (!Number.isSafeInteger(seconds) || (seconds as number) <= 0) throw new OauthError('token_invalid');
  return Math.min(seconds as number, expiresInMax);
}

/** Missing where they are those that were asked for. @see RFC 6749, 5.1: `scope` */
function readScopes({ scope }: Record<string, unknown>, asked: readonly string[]): readonly string[] {
  if (scope === undefined || scope === null || scope === '') return asked;
  const scopes = scopesOf(scope);
  if (scopes === null) throw new OauthError('token_invalid');
  return scopes;
}
