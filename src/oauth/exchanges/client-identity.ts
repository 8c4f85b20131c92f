import type { ClientCandidates, ClientIdentity, Discovery } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';

/** A registered secret that ends within this time is not used for a new flow: it could end before the code comes back. */
const secretLeadMs = 10 * 60_000;

/**
 * Chooses the client for an authorization server. Credentials of one issuer are never used at another.
 *
 * @param register Makes a new registration.
 * @throws {OauthError} `token_endpoint_elsewhere`, `no_client`, `registration_failed`.
 * @see MCP, Authorization: Client Registration Approaches; RFC 7591
 */
export async function identify(
  discovery: Discovery,
  candidates: ClientCandidates,
  register: (discovery: Discovery, redirectUri: string, now: Date) => Promise<ClientIdentity>,
): Promise<ClientIdentity> {
  const { configured, registered, redirectUri, now } = candidates;
  if (configured && configured.issuer === discovery.issuer) return configured;
  requireOwnTokenEndpoint(discovery);
  return (
    documentIdentity(discovery, candidates) ??
    (registered && isUsable(registered, discovery, redirectUri, now) ? registered : null) ??
    (await register(discovery, redirectUri, now))
  );
}

/**
 * The platform's own document, whose URL is the client id. The client is a public one, so the server has to take `none`.
 *
 * @see OAuth Client ID Metadata Document, 3 and 5
 */
function documentIdentity(
  { metadata, issuer }: Discovery,
  { metadataDocumentUrl: url, redirectUri }: ClientCandidates,
): ClientIdentity | null {
  const methods = metadata.token_endpoint_auth_methods_supported;
  if (url === null || metadata.client_id_metadata_document_supported !== true) return null;
  if (methods && !methods.includes('none')) return null;
  return {
    kind: 'metadata_document',
    issuer,
    clientId: url,
    clientSecret: null,
    authenticationMethod: 'none',
    redirectUri,
    secretExpiresAt: null,
  };
}

const isUsable = (client: ClientIdentity, discovery: Discovery, redirectUri: string, now: Date) =>
  client.issuer === discovery.issuer &&
  client.redirectUri === redirectUri &&
  (client.secretExpiresAt === null || client.secretExpiresAt.getTime() > now.getTime() + secretLeadMs);

/**
 * Codes are sent to the host of the issuer. A server that lets people consent at another authorization server, and takes the code
 * itself, is the attack "mix-up"; a server that promises `iss` cannot do so, and a configured client belongs to one issuer by its
 * owner's word.
 *
 * @see RFC 9700, 4.4
 */
function requireOwnTokenEndpoint({ issuer, metadata }: Discovery): void {
  if (metadata.authorization_response_iss_parameter_supported === true) return;
  const { origin } = new URL(metadata.token_endpoint as string);
  if (origin !== new URL(issuer).origin && origin !== new URL(metadata.issuer).origin)
    throw new OauthError('token_endpoint_elsewhere');
}
