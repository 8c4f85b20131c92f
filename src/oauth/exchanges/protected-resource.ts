import type { Candidate } from './metadata-documents.ts';
import { OauthError } from './oauth-error.ts';
import { validScopes } from './scopes.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/** The used members of the metadata of a protected resource. */
export interface ProtectedResource {
  /** As it was published: it is sent byte for byte. */
  readonly resource: string;
  /** The authorization server that is asked: the first that the resource names. */
  readonly issuer: string;
  readonly scopes: readonly string[] | null;
}

/**
 * Where the metadata of a server may lie, in order: where its challenge says, at the well-known path with the server's path, at the
 * well-known path of its host.
 *
 * @see RFC 9728, 3.1 and 5.1; MCP, Authorization: Protected Resource Metadata Discovery
 */
export function resourceCandidates(serverUrl: string, challenged: string | null): readonly Candidate[] {
  const { origin, pathname, search } = new URL(serverUrl);
  const urls = new Set([`${origin}${wellKnown}${pathname === '/' ? '' : pathname}${search}`, `${origin}${wellKnown}`]);
  const candidates = [...urls].map((url) => ({ url, method: 'rfc9728', mayBeCached: true }) as const);
  return challenged === null
    ? candidates
    : [
        { url: challenged, method: 'rfc9728', mayBeCached: false },
        ...candidates.filter(({ url }) => url !== challenged),
      ];
}

/**
 * Checks the metadata of a protected resource, in the order of RFC 9728.
 *
 * @param url Where it was asked for.
 * @throws {OauthError} `resource_mismatch`, `metadata_invalid`.
 * @see RFC 9728, 2 and 3.3
 */
export function checkProtectedResource(
  document: Record<string, unknown>,
  url: string,
  serverUrl: string,
): ProtectedResource {
  const resource = requireResource(document, url, serverUrl);
  const issuer = requireIssuer(document);
  return { resource, issuer, scopes: validScopes(document.scopes_supported) };
}

/**
 * The resource is the server itself. It may also be one that the server lies under, where the document comes from the well-known
 * paths of that host, which belong to the host alone: a server of one path cannot make itself one of the whole host.
 *
 * @see RFC 9728, 3.3; MCP, Authorization: Canonical Server URI
 */
function requireResource({ resource }: Record<string, unknown>, url: string, serverUrl: string): string {
  if (typeof resource !== 'string') throw new OauthError('metadata_invalid');
  if (!URL.canParse(resource) || resource.includes('#')) throw new OauthError('resource_mismatch');
  const [named, server, place] = [new URL(resource), new URL(serverUrl), new URL(url)];
  const isSame = named.origin === server.origin && named.search === server.search;
  if (isSame && withoutSlash(named.pathname) === withoutSlash(server.pathname)) return resource;
  const isAbove =
    named.origin === server.origin &&
    named.search === '' &&
    `${withoutSlash(server.pathname)}/`.startsWith(`${withoutSlash(named.pathname)}/`);
  const isOfHost = place.origin === server.origin && `${place.pathname}/`.startsWith(`${wellKnown}/`);
  if (isAbove && isOfHost) return resource;
  throw new OauthError('resource_mismatch');
}

const withoutSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path);

/** @see RFC 9728, 2: `authorization_servers`; 7.6 leaves the choice to the client */
function requireIssuer({ authorization_servers: servers }: Record<string, unknown>): string {
  const issuer: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (typeof issuer !== 'string') throw new OauthError('metadata_invalid');
  return issuer;
}
