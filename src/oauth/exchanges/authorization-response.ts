import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthorizationOutcome, AuthorizationResponse } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';
import { registeredError } from './registered-errors.ts';

/** @see RFC 6749, appendix A.11 */
const authorizationCode = /^[\x20-\x7e]{1,4096}$/;

/**
 * Checks an authorization response. The issuer comes first: what another server says, its error included, is not looked at.
 *
 * @throws {OauthError} `issuer_mismatch`, `response_invalid`.
 * @see RFC 9207, 2.4; RFC 6749, 4.1.2
 */
export function readResponse(metadata: AuthorizationServer, response: AuthorizationResponse): AuthorizationOutcome {
  requireIssuer(metadata, response);
  const { code, error } = response;
  if (error !== undefined && error !== null) return { error: readError(error, code) };
  if (typeof code !== 'string' || !authorizationCode.test(code)) throw new OauthError('response_invalid');
  return { code };
}

/** Whether each authorization response of a server has `iss`. @see RFC 9207, 3 */
export const promisesIssuer = (metadata: AuthorizationServer): boolean =>
  metadata.authorization_response_iss_parameter_supported === true;

/** Compared as a string, without normalization; missing is wrong where the server has promised it. @see RFC 9207, 2.3 and 2.4 */
function requireIssuer(metadata: AuthorizationServer, { iss }: AuthorizationResponse): void {
  const isMissing = iss === undefined || iss === null;
  if (isMissing ? promisesIssuer(metadata) : iss !== metadata.issuer) throw new OauthError('issuer_mismatch');
}

/** @returns A registered code; `server_error` for any other text. @see RFC 6749, 4.1.2.1 */
function readError(error: unknown, code: unknown): string {
  if (typeof error !== 'string' || (code !== undefined && code !== null)) throw new OauthError('response_invalid');
  return registeredError(error) ?? 'server_error';
}
