import type { AuthorizationServer } from 'oauth4webapi';
import { authorizationServerCandidates, checkAuthorizationServer } from './authorization-server.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import type { Discovery, ProtectedServer } from './exchanges.ts';
import type { MetadataDocuments } from './metadata-documents.ts';
import { OauthError } from './oauth-error.ts';
import { checkProtectedResource, resourceCandidates } from './protected-resource.ts';
import type { Requests } from './requests.ts';

/** The first message of a client, for the transport "streamable HTTP". @see MCP, Lifecycle */
export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'patchbay', version: '1' } },
});

/**
 * Finds out who authorizes requests to a server.
 *
 * @param deps.timeoutMs Milliseconds that one discovery may take, all its requests together.
 */
export function createDiscovery(deps: { requests: Requests; documents: MetadataDocuments; timeoutMs: number }) {
  const { requests, documents, timeoutMs } = deps;

  /** @see RFC 9728, then RFC 8414 or OpenID Connect Discovery 1.0 */
  async function discoverServer({ url, challenge: header, exceptions }: ProtectedServer): Promise<Discovery> {
    if (!requests.isEndpoint(url)) throw new OauthError('insecure_endpoint');
    const endsAt = performance.now() + timeoutMs;
    const { challenge, isOpen } =
      header === null ? await askServer(url, endsAt) : { challenge: readChallenge(header), isOpen: false };
    const found = await documents({
      candidates: resourceCandidates(url, challenge?.resourceMetadata ?? null),
      expectation: url,
      check: (document, place) => checkProtectedResource(document, place, url),
      otherwise: (hasOther) => (isOpen ? 'not_protected' : hasOther ? 'metadata_invalid' : 'metadata_unreachable'),
      endsAt,
    });
    const metadata = await readIssuer(found.issuer, exceptions.allowsOtherIssuer, endsAt);
    return {
      resource: exceptions.omitsResource ? null : found.resource,
      issuer: found.issuer,
      metadata,
      scopes: challenge?.scopes ?? found.scopes,
    };
  }

  async function discoverIssuer(issuer: string): Promise<Discovery> {
    const metadata = await readIssuer(issuer, false, performance.now() + timeoutMs);
    return { resource: null, issuer, metadata, scopes: null };
  }

  async function readIssuer(issuer: string, allowsOtherIssuer: boolean, endsAt: number): Promise<AuthorizationServer> {
    const { isEndpoint } = requests;
    return documents({
      candidates: authorizationServerCandidates(issuer, isEndpoint),
      expectation: JSON.stringify([issuer, allowsOtherIssuer]),
      check: (document) => checkAuthorizationServer(document, { issuer, allowsOtherIssuer, isEndpoint }),
      otherwise: (hasOther) => (hasOther ? 'metadata_invalid' : 'metadata_unreachable'),
      endsAt,
    });
  }

  /**
   * Asks a server without authorization. One that takes no POST may be of the transport "HTTP with SSE", which is opened by GET.
   *
   * @returns The challenge, and whether the server lets requests pass without authorization.
   */
  async function askServer(url: string, endsAt: number): Promise<{ challenge: Challenge | null; isOpen: boolean }> {
    let response = await requests.ask(url, {
      endsAt,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: initialize,
    });
    if (response.status === 404 || response.status === 405)
      response = await requests.ask(url, { endsAt, method: 'GET', headers: { accept: 'text/event-stream' } });
    const header = response.headers['www-authenticate'];
    const isRefused = response.status === 401 || response.status === 403;
    return {
      challenge: isRefused ? readChallenge(Array.isArray(header) ? header.join(', ') : (header ?? null)) : null,
      isOpen: response.status >= 200 && response.status < 300,
    };
  }

  return { discoverServer, discoverIssuer };
}
