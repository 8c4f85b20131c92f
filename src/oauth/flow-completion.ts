import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Caller, Principal } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { Clients } from './clients.ts';
import type { AuthorizationResponse, Exchanges, Tokens } from './exchanges/exchanges.ts';
import { OauthError } from './exchanges/oauth-error.ts';
import type { FlowFigures } from './flow-figures.ts';
import { about } from './flow-requests.ts';
import { FlowCallback } from './input.ts';
import type { FlowStatus } from './metrics.ts';
import type { Providers } from './providers.ts';
import type { Notify } from './refresh-alerts.ts';
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

export interface FlowCompletionDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly exchanges: Exchanges;
  readonly servers: OauthServers;
  readonly clients: Clients;
  readonly states: States;
  readonly sealedTokens: SealedTokens;
  readonly revocations: Revocations;
  readonly securityEvents: SecurityEvents;
  readonly providers: Pick<Providers, 'labelOf'>;
  readonly figures: FlowFigures;
  readonly watch: Pick<SessionWatch, 'changed'>;
  readonly notify: Notify;
  readonly onAuthorized: OnAuthorized;
}

/** Completes flows with the parameters of the callback. Source: docs/specification/oauth.md#callback. */
export function createFlowCompletion(deps: FlowCompletionDependencies) {
  const { database, clock, log, exchanges, servers, clients, states, securityEvents } = deps;

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

  function count(issuer: string, status: FlowStatus, createdAt: Date | null): void {
    deps.figures.flowEnded({ provider: deps.providers.labelOf(issuer), status, createdAt });
  }

  return { complete, exchanged, count };
}
