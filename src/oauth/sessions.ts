import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, isUuid, parse } from '../platform/input/input.ts';
import { promisesIssuer } from './exchanges/authorization-response.ts';
import type { AuthorizationResponse, Tokens } from './exchanges/exchanges.ts';
import { OauthError } from './exchanges/oauth-error.ts';
import { discovered, pinned } from './flow-requests.ts';
import type { FlowDependencies, Flows } from './flows.ts';
import { NewSession, SessionCallback } from './input.ts';
import type { StateError } from './metrics.ts';
import type { Providers } from './providers.ts';
import { createSessionReads, sessionNotFound, sessionsOf } from './session-reads.ts';
import * as statements from './session-statements.ts';
import type { PendingAuthorization } from './states.ts';

/** Sessions of one profile that are not over. */
const sessionsMax = 500;

export interface SessionDependencies extends FlowDependencies {
  readonly flows: Flows;
  readonly providers: Providers;
}

export interface CompletedSession {
  readonly uuid: string;
  /** Encrypted for the platform alone. */
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

/** OAuth sessions of a profile, for callers with a key or a session. Source: docs/specification/oauth.md#sessions. */
export function createSessions(deps: SessionDependencies) {
  const { database, clock, exchanges, servers, states, providers, flows, revocations, securityEvents, watch } = deps;
  const { prisma } = database;

  /**
   * Starts a session: the caller sends its user's browser to the URL, and completes the session with the parameters of
   * the redirect.
   *
   * @param input.provider A name of OAUTH_PROVIDERS, or the uuid or slug of an MCP server of the profile.
   * @param input.redirect_uri https, or http on loopback.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for an unknown provider and a server without OAuth; `CONFLICT`
   * over 500 sessions that have not ended; `SERVER_ERROR` when discovery failed.
   * @see docs/specification/oauth.md#sessions
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewSession>,
  ): Promise<{ authorizationUrl: string; uuid: string }> {
    const { profileUuid } = authorize(caller, 'oauth:write');
    const { provider, redirect_uri: redirectUri, scopes = null } = parse(NewSession, input);
    const { request, pending, name } = await requested(caller, provider, redirectUri, scopes);
    const uuid = randomUUID();
    await database.transaction(async (tx) => {
      await tx.query({
        name: 'oauth_sessions_alone',
        text: 'SELECT 1 FROM profiles WHERE uuid = $1 FOR NO KEY UPDATE',
        values: [profileUuid],
      });
      const live = await tx.prisma.oauthSession.count({
        where: { profileUuid, status: { in: ['pending', 'active'] } },
      });
      if (live >= sessionsMax)
        throw new ApiError('CONFLICT', `A profile can have at most ${sessionsMax} OAuth sessions`);
      const now = clock.now();
      const { metadata, verifier: _, ...rest } = pending;
      const fields = {
        uuid,
        profileUuid,
        provider: name,
        metadata: JSON.stringify(metadata),
        accessToken: null,
        refreshToken: null,
      };
      const session = { ...rest, ...fields, status: 'pending' as const, expiresAt: null, stepUps: 0, now };
      await tx.query(statements.insert(session));
      const expiresAt = await states.store(tx, request.state, { ...pending, sessionUuid: uuid });
      await tx.query(statements.setExpiry(uuid, expiresAt));
    });
    watch.changed(profileUuid, { uuid, status: 'pending' });
    return { authorizationUrl: request.url, uuid };
  }

  async function requested(caller: Caller, provider: string, redirectUri: string, scopes: readonly string[] | null) {
    const { userUuid, profileUuid } = authorize(caller, 'oauth:write');
    const named = providers.find(provider);
    if (named === null) {
      const server = await servers.ofProfile(provider, profileUuid);
      if (server === null) throw new ApiError('NOT_FOUND', 'Provider not found');
      const { request, pending } = await flows.prepared(caller, server, redirectUri, scopes);
      return { request, pending, name: server.slug };
    }
    const discovery = await discovered(() => exchanges.discoverIssuer(named.issuer));
    const client = providers.clientOf(provider, named.issuer, redirectUri);
    if (client === null) throw new ApiError('NOT_FOUND', 'Provider not found');
    const request = await exchanges.authorizationRequest({
      discovery,
      client,
      redirectUri,
      scopes: scopes ?? named.scopes ?? null,
    });
    const pending = {
      ...pinned(discovery),
      issuer: named.issuer,
      userUuid,
      serverUuid: null,
      serverUrl: null,
      clientUuid: null,
      scopes: request.scopes,
      redirectUri,
      verifier: request.verifier,
    };
    return { request, pending, name: provider };
  }

  /**
   * Completes a session with the parameters of the redirect. The state is used up, whatever comes of it, unless a parameter is missing.
   *
   * @returns The tokens as ciphertext that only the platform can use.
   * @throws {ApiError} `NOT_FOUND` for a session of another profile; `VALIDATION_ERROR` for a state or code that is not good;
   *   `SERVER_ERROR` when the authorization server did not answer.
   * @see docs/specification/oauth.md#sessions
   */
  async function complete(caller: Caller, input: z.input<typeof SessionCallback>): Promise<CompletedSession> {
    const principal = authorize(caller, 'oauth:write');
    const { session_id: sessionId, state, ...response } = parse(SessionCallback, input);
    const where = isUuid(sessionId) ? { uuid: sessionId, ...sessionsOf(principal) } : null;
    const session =
      where && (await prisma.oauthSession.findFirst({ where, select: { uuid: true, provider: true, metadata: true } }));
    if (!session) throw sessionNotFound();
    const { uuid, provider, metadata } = session;
    // As any other missing field, this leaves the state as it is.
    if ((response.iss ?? null) === null && promisesIssuer(JSON.parse(metadata)))
      throw wrong('iss', 'iss is required: this authorization server sends it beside the code');
    const taken = await states.take(state, principal.userUuid, uuid);
    if (taken.error !== undefined) {
      flows.count(taken.row?.issuer ?? '', taken.error, taken.row?.created_at ?? null);
      if (taken.row) await abandoned(principal.profileUuid, uuid, stateWords[taken.error]);
      throw wrong('state', stateWords[taken.error]);
    }
    let tokens: Tokens | null = null;
    try {
      tokens = await exchanged(taken.pending, response, provider);
      const owner = { userUuid: taken.pending.userUuid, serverUuid: taken.pending.serverUuid, sessionUuid: uuid };
      const now = clock.now();
      const sealed = deps.sealedTokens.sealed(tokens, owner, now);
      const announce = await database.transaction(async (tx) => {
        const [active] = await tx.query(statements.activate({ uuid, ...sealed, now }));
        if (!active) throw wrong('session_id', 'The session was revoked meanwhile');
        const event = {
          ...actorOf(caller, principal),
          userUuid: principal.userUuid,
          serverUuid: taken.pending.serverUuid,
          sessionUuid: uuid,
        };
        await securityEvents.record(tx, { ...event, type: 'session_authorized', outcome: 'succeeded' });
        const { serverUuid } = taken.pending;
        if (serverUuid === null) return () => undefined;
        return deps.onAuthorized(tx, { uuid: serverUuid, profileUuid: principal.profileUuid });
      });
      announce();
      flows.count(taken.pending.issuer, 'success', taken.createdAt);
      watch.changed(principal.profileUuid, { uuid, status: 'active' });
      return {
        uuid,
        accessToken: deps.sealedTokens.sealForResponse(tokens.accessToken, owner, 'access_token'),
        refreshToken:
          tokens.refreshToken === null
            ? null
            : deps.sealedTokens.sealForResponse(tokens.refreshToken, owner, 'refresh_token'),
        expiresAt: sealed.expiresAt,
      };
    } catch (error) {
      if (tokens !== null) await revocations.discard(taken.pending, provider, tokens);
      flows.count(taken.pending.issuer, 'code_exchange_failed', taken.createdAt);
      await abandoned(principal.profileUuid, uuid, 'The code could not be exchanged');
      if (!(error instanceof OauthError)) throw error;
      const isClients = ['token_refused', 'issuer_mismatch', 'response_invalid'].includes(error.reason);
      throw isClients
        ? wrong(error.reason === 'issuer_mismatch' ? 'iss' : 'code', error.message)
        : new ApiError('SERVER_ERROR', error.message);
    }
  }

  /** @throws {OauthError} */
  async function exchanged(pending: PendingAuthorization, response: AuthorizationResponse, provider: string) {
    const outcome = exchanges.readResponse(pending.metadata, response);
    if ('error' in outcome) throw new OauthError('response_invalid');
    return flows.exchanged(pending, outcome.code, { provider });
  }

  /** Ends a pending session whose state is used up. */
  async function abandoned(profileUuid: string, uuid: string, error: string): Promise<void> {
    const rows = await database.query(statements.end({ sessionUuid: uuid }, 'expired', error, clock.now()));
    if (rows.length > 0) watch.changed(profileUuid, { uuid, status: 'expired' });
  }

  /**
   * Revokes a session on both sides: its tokens are removed here, and revoked at the authorization server. A session
   * that has ended stays as it is.
   *
   * @throws {ApiError} `NOT_FOUND`.
   * @see docs/specification/oauth.md#sessions
   */
  async function revoke(caller: Caller, uuid: string): Promise<string> {
    const principal = authorize(caller, 'oauth:write');
    const where = isUuid(uuid) ? { uuid, ...sessionsOf(principal) } : null;
    const session =
      where &&
      (await prisma.oauthSession.findFirst({ where, select: { uuid: true, userUuid: true, serverUuid: true } }));
    if (!session) throw sessionNotFound();
    const ended = await database.transaction(async (tx) => {
      const rows = await revocations.end(tx, { sessionUuid: session.uuid }, 'user');
      if (rows.length > 0)
        await securityEvents.record(tx, {
          type: 'session_revoked',
          outcome: 'succeeded',
          ...actorOf(caller, principal),
          userUuid: session.userUuid,
          serverUuid: session.serverUuid,
          sessionUuid: session.uuid,
        });
      return rows;
    });
    await revocations.finish(ended);
    return session.uuid;
  }

  return { ...createSessionReads(deps), create, complete, revoke };
}

/** The members of a security event that name who acts. */
const actorOf = ({ requestId }: Caller, { userUuid, profileUuid }: Principal) => ({
  profileUuid,
  actorUuid: userUuid,
  requestId: requestId ?? null,
});

const stateWords: Record<StateError, string> = {
  state_invalid: 'state is unknown or was already used',
  state_expired: 'state has expired: the authorization took more than five minutes',
  integrity_violation: 'state was changed',
  user_mismatch: 'state belongs to another user',
};

const wrong = (field: string, message: string) => invalid({ [field]: message });
