import type { Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Clients } from './clients.ts';
import type { Discovery, Exchanges } from './exchanges/exchanges.ts';
import { OauthError } from './exchanges/oauth-error.ts';
import type { SecurityEvents } from './security-events.ts';
import type { OwnedServer } from './servers.ts';
import * as statements from './session-statements.ts';

/** An exchange before the browser leaves. @throws {ApiError} `NOT_FOUND` for a server that asks for no authorization; `SERVER_ERROR`. */
export async function discovered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    if (error.reason === 'not_protected') throw noOauth();
    throw new ApiError('SERVER_ERROR', `OAuth discovery failed: ${error.message}`, { cause: error });
  }
}

/** The parts of a discovery that later exchanges need. They are stored until the session ends. */
export function pinned({ issuer, resource, metadata }: Discovery) {
  const {
    token_endpoint,
    revocation_endpoint,
    token_endpoint_auth_methods_supported,
    revocation_endpoint_auth_methods_supported,
    authorization_response_iss_parameter_supported,
  } = metadata;
  return {
    issuer,
    resource,
    metadata: {
      issuer: metadata.issuer,
      ...(token_endpoint !== undefined && { token_endpoint }),
      ...(revocation_endpoint !== undefined && { revocation_endpoint }),
      ...(token_endpoint_auth_methods_supported !== undefined && { token_endpoint_auth_methods_supported }),
      ...(revocation_endpoint_auth_methods_supported !== undefined && { revocation_endpoint_auth_methods_supported }),
      ...(authorization_response_iss_parameter_supported !== undefined && {
        authorization_response_iss_parameter_supported,
      }),
    },
  };
}

export interface FlowRequestDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly exchanges: Exchanges;
  readonly clients: Clients;
  readonly securityEvents: SecurityEvents;
}

/** Prepares authorization requests: discovery, the client, and what the state keeps. Source: docs/specification/oauth.md#initiate. */
export function createFlowRequests(deps: FlowRequestDependencies) {
  const { database, clock, exchanges, clients, securityEvents } = deps;

  /**
   * Everything of an authorization request for a server, until something is stored.
   *
   * @param scopes To ask for; null for those that the server names.
   * @throws {ApiError} `NOT_FOUND` for a server without OAuth; `SERVER_ERROR`.
   */
  async function prepared(
    caller: Caller,
    server: OwnedServer,
    redirectUri: string,
    scopes: readonly string[] | null = null,
  ) {
    const { url } = server;
    if (url === null) throw noOauth();
    // Read outside of a unit of work, which may not hold a connection while the network is waited for.
    const [current] = await database.read<statements.SessionRow>(statements.ofServer(server.uuid, clock.pinned()));
    // A server with another url is another server: its challenges and grants no longer count.
    const stepUp =
      current?.challenge && current.server_url === url
        ? { challenge: current.challenge, granted: current.scopes }
        : null;
    const discovery = await discovered(() =>
      exchanges.discoverServer({ url, challenge: stepUp?.challenge ?? null, exceptions: server.exceptions }),
    );
    const {
      uuid: clientUuid,
      client,
      isNew,
    } = await discovered(() => clients.forServer(server, discovery, redirectUri));
    if (isNew)
      await securityEvents.record(database, {
        ...about(server, caller),
        type: 'client_registered',
        outcome: 'succeeded',
      });
    const request = await exchanges.authorizationRequest({
      discovery,
      client,
      redirectUri,
      scopes,
      ...(stepUp && { grantedScopes: stepUp.granted }),
    });
    const pending = {
      ...pinned(discovery),
      userUuid: server.userUuid,
      serverUuid: server.uuid,
      serverUrl: url,
      clientUuid,
      scopes: request.scopes,
      redirectUri,
      verifier: request.verifier,
    };
    return { request, pending };
  }

  return { prepared };
}

const noOauth = () => new ApiError('NOT_FOUND', 'The server has no OAuth configuration');

export const about = (server: OwnedServer, { principal, requestId }: Caller) => ({
  userUuid: server.userUuid,
  profileUuid: server.profileUuid,
  serverUuid: server.uuid,
  actorUuid: principal?.userUuid ?? null,
  requestId: requestId ?? null,
});
