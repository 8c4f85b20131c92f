import type { AuthorizationServer } from 'oauth4webapi';
import type { IsEndpoint } from './endpoint-check.ts';
import type { Candidate } from './metadata-documents.ts';
import { OauthError } from './oauth-error.ts';
import { validScopes } from './scopes.ts';

const oauthPath = '/.well-known/oauth-authorization-server';
const openidPath = '/.well-known/openid-configuration';
const namesMax = 100;

/**
 * Where the metadata of an authorization server may lie, in the order of MCP: RFC 8414 with the issuer's path behind the well-known
 * one, OpenID likewise, and OpenID with the well-known path behind the issuer's.
 *
 * @throws {OauthError} `insecure_endpoint`, `metadata_invalid` for an issuer with a query or fragment.
 * @see RFC 8414, 2 and 3.1; OpenID Connect Discovery 1.0, 4; MCP, Authorization Server Metadata Discovery
 */
export function authorizationServerCandidates(issuer: string, isEndpoint: IsEndpoint): readonly Candidate[] {
  if (!isEndpoint(issuer)) throw new OauthError('insecure_endpoint');
  if (issuer.includes('?')) throw new OauthError('metadata_invalid');
  const { origin, pathname } = new URL(issuer);
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const candidates: Candidate[] = [
    { url: `${origin}${oauthPath}${path}`, method: 'rfc8414', mayBeCached: true },
    { url: `${origin}${openidPath}${path}`, method: 'openid', mayBeCached: true },
  ];
  if (path !== '') candidates.push({ url: `${origin}${path}${openidPath}`, method: 'openid', mayBeCached: true });
  return candidates;
}

/**
 * Validates the metadata of an authorization server, in the order of RFC 8414, and returns the used members: the rest
 * of the document is not kept.
 *
 * @param expected.issuer From which the document was read.
 * @throws {OauthError} `issuer_mismatch`, `metadata_invalid`, `insecure_endpoint`, `pkce_unsupported`.
 */
export function checkAuthorizationServer(
  document: Record<string, unknown>,
  expected: { issuer: string; allowsOtherIssuer: boolean; isEndpoint: IsEndpoint },
): AuthorizationServer {
  const { isEndpoint } = expected;
  const issuer = requireIssuer(document, expected);
  const endpoints = {
    authorization_endpoint: requireEndpoint(document.authorization_endpoint, isEndpoint),
    token_endpoint: requireEndpoint(document.token_endpoint, isEndpoint),
    ...optional('registration_endpoint', optionalEndpoint(document.registration_endpoint, isEndpoint)),
    ...optional('revocation_endpoint', optionalEndpoint(document.revocation_endpoint, isEndpoint)),
  };
  requireCodeResponse(document);
  return {
    issuer,
    ...endpoints,
    code_challenge_methods_supported: requireS256(document),
    ...optional('scopes_supported', validScopes(document.scopes_supported)?.slice() ?? null),
    ...names(document, 'grant_types_supported'),
    ...names(document, 'token_endpoint_auth_methods_supported'),
    ...names(document, 'token_endpoint_auth_signing_alg_values_supported'),
    ...names(document, 'dpop_signing_alg_values_supported'),
    ...flag(document, 'authorization_response_iss_parameter_supported'),
    ...flag(document, 'client_id_metadata_document_supported'),
  };
}

/** The issuer is the one that was asked, byte for byte: a URL that merely means the same is another. @see RFC 8414, 3.3 */
function requireIssuer(
  { issuer }: Record<string, unknown>,
  expected: { issuer: string; allowsOtherIssuer: boolean; isEndpoint: IsEndpoint },
): string {
  if (typeof issuer !== 'string') throw new OauthError('metadata_invalid');
  if (issuer === expected.issuer) return issuer;
  if (!expected.allowsOtherIssuer) throw new OauthError('issuer_mismatch');
  if (!expected.isEndpoint(issuer)) throw new OauthError('insecure_endpoint');
  return issuer;
}

/** @see RFC 8414, 2: `authorization_endpoint`, `token_endpoint` */
function requireEndpoint(value: unknown, isEndpoint: IsEndpoint): string {
  if (typeof value !== 'string') throw new OauthError('metadata_invalid');
  if (!isEndpoint(value)) throw new OauthError('insecure_endpoint');
  return value;
}

/** @see RFC 8414, 2: `registration_endpoint`, `revocation_endpoint` */
const optionalEndpoint = (value: unknown, isEndpoint: IsEndpoint): string | null =>
  value === undefined || value === null ? null : requireEndpoint(value, isEndpoint);

/** Where the metadata names response types, `code` is one of them. @see RFC 8414, 2: `response_types_supported` */
function requireCodeResponse({ response_types_supported: types }: Record<string, unknown>): void {
  if (types !== undefined && !(Array.isArray(types) && types.includes('code')))
    throw new OauthError('metadata_invalid');
}

/**
 * A server that does not advertise it may silently ignore the code challenge. @see RFC 8414, 2; MCP, Authorization Code
 * Protection
 */
function requireS256({ code_challenge_methods_supported: methods }: Record<string, unknown>): string[] {
  if (!Array.isArray(methods) || !methods.includes('S256')) throw new OauthError('pkce_unsupported');
  return ['S256'];
}

function names<N extends string>(document: Record<string, unknown>, name: N): { [K in N]?: string[] } {
  const value = document[name];
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value) || value.length > namesMax || !value.every(isName))
    throw new OauthError('metadata_invalid');
  return { [name]: value as string[] } as { [K in N]?: string[] };
}

const isName = (value: unknown) => typeof value === 'string' && value.length <= 200;

/** Present where it is true: anything else is a "no". */
const flag = <N extends string>(document: Record<string, unknown>, name: N) =>
  (document[name] === true ? { [name]: true } : {}) as { [K in N]?: true };

const optional = <N extends string, T>(name: N, value: T | null) =>
  (value === null ? {} : { [name]: value }) as { [K in N]?: T };
