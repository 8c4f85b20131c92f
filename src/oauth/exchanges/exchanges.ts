import type { AuthorizationServer } from 'oauth4webapi';

/**
 * The exchanges of OAuth 2.1 with the servers of others. They keep nothing: what must outlive a request is a value that the caller
 * stores. All requests go through the guarded egress: 5 s and 1 MB each, at most 3 redirects, each checked again.
 *
 * @throws {OauthError} From every function, with a reason of a closed list.
 */
export interface Exchanges {
  /**
   * Finds out who authorizes requests to an MCP server.
   *
   * @throws {OauthError} `not_protected` for a server that asks for no authorization.
   * @see RFC 9728, RFC 8414, OpenID Connect Discovery 1.0
   */
  discoverServer(server: ProtectedServer): Promise<Discovery>;
  /** Reads the metadata of an authorization server that the operator has named. @see RFC 8414 */
  discoverIssuer(issuer: string): Promise<Discovery>;
  /**
   * Chooses the client for an authorization server: the configured one, else the platform's client id metadata document where the
   * server takes such, else the one that was registered there with this redirect URI, else a new registration.
   *
   * @see RFC 7591; OAuth Client ID Metadata Document
   */
  identify(discovery: Discovery, candidates: ClientCandidates): Promise<ClientIdentity>;
  /**
   * Builds an authorization request with PKCE (S256).
   *
   * @param request.scopes To ask for, beside those that the discovery names: the scopes granted before, for a step-up.
   * @see RFC 6749, 4.1.1; RFC 7636; RFC 8707
   */
  authorizationRequest(request: {
    readonly discovery: Discovery;
    readonly client: ClientIdentity;
    readonly redirectUri: string;
    /** Scopes to request instead of those of the discovery; null for those. */
    readonly scopes: readonly string[] | null;
    readonly grantedScopes?: readonly string[];
  }): Promise<AuthorizationRequest>;
  /**
   * Checks the parameters with which the authorization server has sent the browser back, before anything is exchanged.
   *
   * @returns The code, or the server's error. On a mismatch of `iss` the error is not looked at.
   * @throws {OauthError} `issuer_mismatch`, `response_invalid`.
   * @see RFC 9207
   */
  readResponse(metadata: AuthorizationServer, response: AuthorizationResponse): AuthorizationOutcome;
  /** Exchanges a code for tokens. @see RFC 6749, 4.1.3; RFC 7636, 4.5; RFC 8707, 2.2 */
  exchangeCode(exchange: {
    readonly metadata: AuthorizationServer;
    readonly client: ClientIdentity;
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
    readonly resource: string | null;
    /** The requested scopes: those of the tokens if the server names none. */
    readonly scopes: readonly string[];
  }): Promise<Tokens>;
  /** @see RFC 6749, 6; RFC 8707, 2.2 */
  refresh(exchange: {
    readonly metadata: AuthorizationServer;
    readonly client: ClientIdentity;
    readonly refreshToken: string;
    readonly resource: string | null;
    readonly scopes: readonly string[];
  }): Promise<Tokens>;
  /**
   * Revokes a token at the authorization server. @returns Whether it has a revocation endpoint that confirmed. @see
   * RFC 7009
   */
  revoke(exchange: {
    readonly metadata: AuthorizationServer;
    readonly client: ClientIdentity;
    readonly token: string;
    readonly kind: 'access_token' | 'refresh_token';
  }): Promise<boolean>;
}

export interface ProtectedServer {
  readonly url: string;
  /** The `WWW-Authenticate` header of a 401 or 403 of the server; null where it is to be asked now. */
  readonly challenge: string | null;
  readonly exceptions: ServerExceptions;
}

/** Exceptions that the owner of a server allows, because some real servers need them. Both false by default. */
export interface ServerExceptions {
  /** The metadata may name another issuer than the one it was read from (Atlassian). */
  readonly allowsOtherIssuer: boolean;
  /** No `resource` parameter is sent (Entra refuses it). */
  readonly omitsResource: boolean;
}

export interface Discovery {
  /** Sent as `resource`; null where none is sent. */
  readonly resource: string | null;
  /** Recorded beside state and verifier. */
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  /** Of the challenge, else of the resource's metadata; null where neither names any. */
  readonly scopes: readonly string[] | null;
}

export type AuthenticationMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** Credentials of a client at one issuer. Never used at another. */
export interface ClientIdentity {
  readonly kind: 'configured' | 'metadata_document' | 'registered';
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly authenticationMethod: AuthenticationMethod;
  /** The redirect URI that it was registered with. */
  readonly redirectUri: string;
  /** When the secret expires; null for never. */
  readonly secretExpiresAt: Date | null;
}

export interface ClientCandidates {
  /** For exactly this issuer; null where the owner has configured none. */
  readonly configured: ClientIdentity | null;
  /** The https URL of the platform's own document; null where the platform is not reached by https. */
  readonly metadataDocumentUrl: string | null;
  /** The earlier registered client, of any issuer and redirect URI: it is used only if both match. */
  readonly registered: ClientIdentity | null;
  readonly redirectUri: string;
  readonly now: Date;
}

export interface AuthorizationRequest {
  readonly url: string;
  /** 32 random bytes, base64url; likewise the verifier. */
  readonly state: string;
  readonly verifier: string;
  readonly scopes: readonly string[];
}

/** The query of the redirect back. */
export interface AuthorizationResponse {
  readonly code?: string | null | undefined;
  readonly error?: string | null | undefined;
  readonly iss?: string | null | undefined;
}

export type AuthorizationOutcome = { readonly code: string } | { readonly error: string };

export interface Tokens {
  readonly accessToken: string;
  /** Null where the server gave none: after a refresh the old one stays. */
  readonly refreshToken: string | null;
  /** Seconds, above 0; null where the server did not say. */
  readonly expiresIn: number | null;
  readonly scopes: readonly string[];
}
