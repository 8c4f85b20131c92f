import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clients } from './clients.ts';
import type { AuthorizationResponse, Discovery, Exchanges, Tokens } from './exchanges/exchanges.ts';
import { OauthError } from './exchanges/oauth-error.ts';
import type { FlowFigures } from './flow-figures.ts';
import { callbackPath, FlowCallback, FlowStart, RefreshCall } from './input.ts';
import type { FlowStatus, OauthMetrics } from './metrics.ts';
import type { Providers } from './providers.ts';
import type { Notify } from './refresh-alerts.ts';
import type { Refresher } from './refresher.ts';
import type { Revocations } from './revocations.ts';
import type { SealedTokens } from './sealed-tokens.ts';
import type { NewSecurityEvent, SecurityEvents, SecurityEventType } from './security-events.ts';
import type { OauthServers, OwnedServer } from './servers.ts';
import * as statements from './session-statements.ts';
import type { SessionWatch } from './session-watch.ts';
import type { PendingAuthorization, States, TakenState } from './states.ts';

/** The reason of a failed flow, as shown to the browser. Source: docs/specification/oauth.md#callback-errors. */
export type FlowError = Exclude<FlowStatus, 'success'>;

export interface FlowOutcome {
  /** Null for success. */
  readonly error: FlowError | null;
  /** Null where the caller has no flow that the callback belongs to. */
  readonly serverUuid: string | null;
}

/** Queues a discovery of a server that was authorized, as part of a transaction. @returns To be called after the commit. */
export type OnAuthorized = (
  tx: Database,
  server: { readonly uuid: string; readonly profileUuid: string },
) => Promise<() => void>;

export interface FlowDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly appUrl: string;
  readonly exchanges: Exchanges;
  readonly servers: OauthServers;
  readonly clients: Clients;
  readonly states: States;
  readonly sealedTokens: SealedTokens;
  readonly refresher: Refresher;
  readonly revocations: Revocations;
  readonly securityEvents: SecurityEvents;
  readonly providers: Pick<Providers, 'labelOf'>;
  readonly figures: FlowFigures;
  readonly watch: Pick<SessionWatch, 'changed'>;
  readonly notify: Notify;
  readonly metrics: OauthMetrics;
  readonly onAuthorized: OnAuthorized;
}

/** Flows of the platform's own application, in the user's session. Source: docs/specification/oauth.md. */
export function createFlows(deps: FlowDependencies) {
  const { database, clock, log, appUrl, exchanges, servers, clients, states, metrics, securityEvents } = deps;

  /**
   * Starts the authorization of an MCP server of the signed-in user.
   *
   * @returns The URL to send the browser to, its state, and when that expires: after five minutes.
   * @throws {ApiError} `UNAUTHORIZED` without a session; `VALIDATION_ERROR`; `NOT_FOUND` for a server that is not the user's or has no
   *   OAuth; `SERVER_ERROR` when discovery or registration failed.
   * @see docs/specification/oauth.md#initiate
   */
  async function begin(
    caller: Caller,
    input: z.input<typeof FlowStart>,
  ): Promise<{ authorizationUrl: string; state: string; expiresAt: Date }> {
    const { userUuid } = signedIn(caller);
    const { serverUuid } = parse(FlowStart, input);
    const server = await servers.ofUser(serverUuid, userUuid);
    if (server === null) throw new ApiError('NOT_FOUND', 'Server not found');
    const redirectUri = `${appUrl}${callbackPath}`;
    const { request, pending } = await prepared(caller, server, redirectUri);
    const expiresAt = await states.store(database, request.state, { ...pending, sessionUuid: null });
    return { authorizationUrl: request.url, state: request.state, expiresAt };
  }

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

  /**
   * Ends a flow with the parameters of the callback. The checks run in the order of the specification; a state is used up by the first
   * callback that has a session, whatever comes of it.
   *
   * @see docs/specification/oauth.md#callback
   */
  async function complete(caller: Caller, input: z.input<typeof FlowCallback>): Promise<FlowOutcome> {
    const { principal } = caller;
    // Without a session the state stays for the browser that has one.
    if (principal?.kind !== 'session') return { error: 'state_invalid', serverUuid: null };
    const { state, ...response } = parse(FlowCallback, input);
    const taken = await states.take(state ?? '', principal.userUuid, null);
    if (taken.error !== undefined) return refused(taken, caller, principal);
    const { pending, createdAt } = taken;
    const server = await servers.ofUser(pending.serverUuid as string, principal.userUuid);
    // Deleted, or at another address by now.
    const error =
      server?.url !== pending.serverUrl ? 'state_invalid' : await finished(server, pending, response, caller);
    count(pending.issuer, error ?? 'success', createdAt);
    return { error, serverUuid: server?.uuid ?? null };
  }

  async function refused(
    { error, row }: Extract<TakenState, { row: unknown }>,
    caller: Caller,
    { userUuid, profileUuid }: Principal,
  ): Promise<FlowOutcome> {
    count(row?.issuer ?? '', error, row?.created_at ?? null);
    const isOwn = row?.user_uuid === userUuid;
    const event = { userUuid, profileUuid, actorUuid: userUuid, serverUuid: null, requestId: caller.requestId ?? null };
    if (error === 'integrity_violation')
      await alert(
        { ...event, type: 'integrity_violation', outcome: 'refused' },
        'The stored state of an authorization was changed, so the authorization was refused.',
      );
    if (error === 'user_mismatch' && row) {
      deps.figures.codeInjected();
      await recordInjection(row, caller);
    }
    return { error, serverUuid: isOwn && error === 'state_expired' ? (row?.server_uuid ?? null) : null };
  }

  /** Notifies the user who started the flow; the user who returned learns nothing about it. */
  async function recordInjection(
    row: { user_uuid: string; server_uuid: string | null },
    caller: Caller,
  ): Promise<void> {
    const server = row.server_uuid === null ? null : await servers.ofUser(row.server_uuid, row.user_uuid);
    if (server)
      await alert(
        { ...about(server, caller), type: 'code_injection', outcome: 'refused' },
        `Another user came back with the state of your authorization of ${server.slug}, so it was refused.`,
      );
  }

  /** Records an event, and notifies the profile that it is about, in one transaction. */
  async function alert(event: NewSecurityEvent, message: string): Promise<void> {
    const announce = await database.transaction(async (tx) => {
      await securityEvents.record(tx, event);
      return deps.notify(tx, event.profileUuid, {
        type: 'ALERT',
        severity: 'ALERT',
        title: 'An authorization was refused',
        message,
        metadata: { user_id: event.userUuid, ...(event.serverUuid !== null && { server_id: event.serverUuid }) },
      });
    });
    announce();
  }

  /** @returns The error; null for success. */
  async function finished(
    server: OwnedServer,
    pending: PendingAuthorization,
    response: AuthorizationResponse,
    caller: Caller,
  ): Promise<FlowError | null> {
    const record = (type: SecurityEventType, outcome: 'succeeded' | 'refused' | 'failed') =>
      securityEvents.record(database, { ...about(server, caller), type, outcome });
    try {
      const outcome = exchanges.readResponse(pending.metadata, response);
      if ('error' in outcome) {
        if (outcome.error !== 'access_denied') return 'code_exchange_failed';
        await record('authorization_denied', 'refused');
        return 'access_denied';
      }
      const tokens = await exchanged(pending, outcome.code, { provider: server.slug });
      await keep(server, pending, tokens, caller).catch(async (error: unknown) => {
        await deps.revocations.discard(pending, server.slug, tokens);
        throw error;
      });
      return null;
    } catch (error) {
      if (error instanceof OauthError && error.reason === 'issuer_mismatch') await record('issuer_mismatch', 'refused');
      if (error instanceof OauthError)
        log.info({ server: server.uuid, reason: error.reason, code: error.code }, 'a flow failed');
      else log.error({ server: server.uuid, error }, 'a flow failed');
      return 'code_exchange_failed';
    }
  }

  /** Exchanges a code at the authorization server that was recorded with the state. @throws {OauthError} */
  async function exchanged(
    pending: PendingAuthorization,
    code: string,
    { provider }: { provider: string },
  ): Promise<Tokens> {
    const client = await clients.ofSession({
      client_uuid: pending.clientUuid,
      provider,
      issuer: pending.issuer,
      redirect_uri: pending.redirectUri,
    });
    const { metadata, verifier, redirectUri, resource, scopes } = pending;
    return exchanges.exchangeCode({ metadata, client, code, verifier, redirectUri, resource, scopes });
  }

  /** Stores the tokens in the place of the server's earlier ones, and queues a discovery of what the server offers now. */
  async function keep(
    server: OwnedServer,
    pending: PendingAuthorization,
    tokens: Tokens,
    caller: Caller,
  ): Promise<void> {
    const uuid = randomUUID();
    const { userUuid } = pending;
    const owner = { userUuid, serverUuid: server.uuid, sessionUuid: uuid };
    const now = clock.now();
    const { ended, announce } = await database.transaction(async (tx) => {
      const [before] = await tx.query<statements.SessionRow>(statements.ofServer(server.uuid, clock.pinned()));
      await tx.query(
        statements.insert({
          uuid,
          profileUuid: server.profileUuid,
          userUuid,
          serverUuid: server.uuid,
          serverUrl: pending.serverUrl,
          provider: server.slug,
          clientUuid: pending.clientUuid,
          issuer: pending.issuer,
          metadata: JSON.stringify(pending.metadata),
          resource: pending.resource,
          redirectUri: pending.redirectUri,
          status: 'active',
          ...deps.sealedTokens.sealed(tokens, owner, now),
          stepUps: before?.challenge && before.server_url === pending.serverUrl ? before.step_ups + 1 : 0,
          now,
        }),
      );
      const replacedBy = { uuid, redirectUri: pending.redirectUri };
      const which = { serverUuid: server.uuid, userUuid, replacedBy };
      const rows = await deps.revocations.end(tx, which, 'replaced');
      const event = { ...about(server, caller), type: 'session_authorized', outcome: 'succeeded' } as const;
      await securityEvents.record(tx, { ...event, sessionUuid: uuid });
      return { ended: rows, announce: await deps.onAuthorized(tx, server) };
    });
    announce();
    deps.watch.changed(server.profileUuid, { uuid, status: 'active' });
    // Some authorization servers end all tokens of a client and user with one: the new ones would end with the old ones.
    await deps.revocations.finish(ended, { revokesAtProvider: false });
  }

  /**
   * Refreshes the tokens of a server of the signed-in user.
   *
   * @returns When the new access token expires; null where the authorization server does not say.
   * @throws {ApiError} `UNAUTHORIZED` without a session; `FORBIDDEN` for a server that is not the user's, and for one that does not exist;
   *   otherwise as `Refresher.refresh`.
   * @see docs/specification/oauth.md#refresh
   */
  async function refresh(
    caller: Caller,
    input: z.input<typeof RefreshCall>,
  ): Promise<{ expiresAt: Date | null; sessionUuid: string }> {
    const { userUuid } = signedIn(caller);
    const { serverUuid } = parse(RefreshCall, input);
    const server = await servers.ofUser(serverUuid, userUuid);
    if (server === null) throw new ApiError('FORBIDDEN', 'This server does not belong to you');
    const [session] = await database.query<statements.SessionRow>(statements.ofServer(serverUuid, clock.pinned()));
    if (!session) {
      metrics.oauth_token_refresh_total.inc({ status: 'failure', reason: 'no_refresh_token' });
      throw new ApiError('VALIDATION_ERROR', 'No refresh token is available');
    }
    return deps.refresher.refresh(session.uuid, {
      trigger: 'request',
      actorUuid: userUuid,
      requestId: caller.requestId ?? null,
    });
  }

  function count(issuer: string, status: FlowStatus, createdAt: Date | null): void {
    deps.figures.flowEnded({ provider: deps.providers.labelOf(issuer), status, createdAt });
  }

  return { begin, prepared, complete, exchanged, refresh, count };
}

export type Flows = ReturnType<typeof createFlows>;

/** The user of a session; API keys are not for these endpoints. @throws {ApiError} `UNAUTHORIZED`. */
function signedIn(caller: Caller): Principal {
  if (caller.principal?.kind !== 'session') throw unauthorized();
  return authorize(caller, 'oauth:authorize');
}

const noOauth = () => new ApiError('NOT_FOUND', 'The server has no OAuth configuration');

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

/** What of a discovery is stored until the session ends: the members that later exchanges need. */
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

export const about = (server: OwnedServer, { principal, requestId }: Caller) => ({
  userUuid: server.userUuid,
  profileUuid: server.profileUuid,
  serverUuid: server.uuid,
  actorUuid: principal?.userUuid ?? null,
  requestId: requestId ?? null,
});
