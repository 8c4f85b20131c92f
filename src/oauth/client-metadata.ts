import { callbackPath } from './input.ts';

/** Path of the platform's client id metadata document. */
export const clientMetadataPath = '/oauth/client-metadata.json';

/** The client metadata that authorization servers show on their consent page. */
export const clientName = 'Patchbay';

/** The platform's client id metadata document, as far as the choice of a client depends on it. */
export interface MetadataDocument {
  /** Also the client id. */
  readonly url: string;
  /** The only redirect URI that it names. */
  readonly redirectUri: string;
}

/**
 * URL of the client metadata document of a platform.
 *
 * @param appUrl The address of the platform, without a slash at the end.
 * @returns Null if the platform is not served over https: such a URL cannot be a client id.
 * @see OAuth Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document-02), 3
 */
export const metadataDocumentAt = (appUrl: string): MetadataDocument | null =>
  appUrl.startsWith('https:')
    ? { url: `${appUrl}${clientMetadataPath}`, redirectUri: `${appUrl}${callbackPath}` }
    : null;

/**
 * The platform's client id metadata document: a public client with one redirect URI, that of the platform's own callback.
 *
 * @param appUrl The address of the platform, without a slash at the end.
 * @see OAuth Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document-02), 4; RFC 7591, 2; OpenID Connect Dynamic
 *   Client Registration 1.0, 2: `application_type`
 */
export const clientMetadata = (appUrl: string) => ({
  client_id: `${appUrl}${clientMetadataPath}`,
  client_name: clientName,
  ...(appUrl.startsWith('https:') && { client_uri: appUrl }),
  redirect_uris: [`${appUrl}${callbackPath}`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'web',
});
