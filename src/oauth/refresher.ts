import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuthorizationServer } from 'oauth4webapi';
import type { Database } from '../platform/database/database.ts';
import { ApiError, isApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Clients } from './clients.ts';
import type { Exchanges, Tokens } from './exchanges/exchanges.ts';
import { OauthError } from './exchanges/oauth-error.ts';
import type { OauthMetrics, RefreshFailure, RefreshTrigger } from './metrics.ts';
import type { RefreshAlerts } from './refresh-alerts.ts';
import { backOffMs } from './refresh-schedule.ts';
import type { Revocations } from './revocations.ts';
import { type SealedTokens, type TokenOwner, usedTokenHash } from './sealed-tokens.ts';
import type { SecurityEvents } from './security-events.ts';
import * as statements from './session-statements.ts';
import type { SessionWatch } from './session-watch.ts';

/** How long a process that refreshes is waited for. The exchange itself ends after 5 s. */
const claimSeconds = 15;
/** A refresh that ended less than this ago is shared: its callers asked at about the same time. */
const sharedSeconds = 10;
/** How often a caller looks whether another process has ended its refresh, and for how long. */
const pollMs = 50;
const patienceMs = 20_000;
/** How often the storing of new tokens is tried while the database is away: within the claim. */
const storeTries = 8;
const storeRetryMs = 500;

/** The access token of a session after a refresh. */
export interface Refreshed {
  readonly sessionUuid: string;
  readonly accessToken: string;
  readonly expiresAt: Date | null;
  readonly generation: number;
}

export interface RefreshRequest {
  readonly trigger: RefreshTrigger;
  /** The generation of the token that was refused. A session that has a later one is not refreshed again. */
  readonly seen?: number;
  readonly requestId: string | null;
  readonly actorUuid: string | null;
}

export interface RefresherDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly exchanges: Pick<Exchanges, 'refresh'>;
  readonly clients: Pick<Clients, 'ofSession'>;
  readonly sealedTokens: SealedTokens;
  readonly revocations: Revocations;
  readonly securityEvents: Pick<SecurityEvents, 'record'>;
  readonly alerts: RefreshAlerts;
  readonly watch: Pick<SessionWatch, 'changed'>;
  readonly metrics: OauthMetrics;
}

export type Refresher = ReturnType<typeof createRefresher>;

/** A session that was claimed: the refresh token is marked as used, and this process alone may send it. */
interface Claimed {
  readonly kind: 'claimed';
  readonly row: statements.SessionRow;
  readonly claim: string;
  readonly refreshToken: string;
}

type Turn =
  | Claimed
  | { readonly kind: 'wait' }
  | { readonly kind: 'shared'; readonly refreshed: Refreshed }
  | { readonly kind: 'reused'; readonly profileUuid: string; readonly ended: readonly statements.EndedRow[] }
  | { readonly kind: 'failed'; readonly profileUuid: string | null; readonly reason: RefreshFailure };

/**
 * Refreshes the tokens of sessions. A refresh token is marked as used before it is sent, under the row lock of its
 * session, so that it is never sent twice; concurrent callers, in all processes, share the result. A marked token
 * without a running refresh was used before: that is reuse. Source: docs/specification/oauth.md#refresh; RFC 9700,
 * 4.14.
 */
export function createRefresher(deps: RefresherDependencies) {
  const {
    database,
    clock,
    log,
    exchanges,
    clients,
    sealedTokens,
    revocations,
    securityEvents,
    alerts,
    watch,
    metrics,
  } = deps;
  const running = new Map<string, Promise<Refreshed>>();

  /**
   * Refreshes a session once for all concurrent callers.
   *
   * @throws {ApiError} `VALIDATION_ERROR` without a refresh token; `CONFLICT` for reuse, after which all tokens of the
   * server are revoked; `SERVER_ERROR` when the exchange failed; `UNAVAILABLE` when another process takes too long.
   */
  async function refresh(sessionUuid: string, request: RefreshRequest): Promise<Refreshed> {
    const known = running.get(sessionUuid);
    if (known) return known;
    const work = timed(sessionUuid, request).finally(() => running.delete(sessionUuid));
    running.set(sessionUuid, work);
    return work;
  }

  async function timed(sessionUuid: string, request: RefreshRequest): Promise<Refreshed> {
    const startedAt = performance.now();
    const deadline = startedAt + patienceMs;
    for (;;) {
      const turn = await database.transaction((tx) => takeTurn(tx, sessionUuid, request));
      if (turn.kind === 'reused' || turn.kind === 'failed') alerts.announce(turn.profileUuid);
      if (turn.kind === 'shared') return turn.refreshed;
      if (turn.kind === 'wait') {
        if (performance.now() > deadline) throw new ApiError('UNAVAILABLE', 'Try again later', { retryAfter: 5 });
        await delay(pollMs);
        continue;
      }
      const result = turn.kind === 'claimed' ? await exchange(turn, request) : await settled(turn);
      const status = result instanceof RefreshFailed ? 'failure' : 'success';
      const reason = result instanceof RefreshFailed ? result.reason : request.trigger;
      metrics.oauth_token_refresh_total.inc({ status, reason });
      metrics.oauth_token_refresh_duration_seconds.observe({ status }, (performance.now() - startedAt) / 1_000);
      if (result instanceof RefreshFailed) throw result.apiError;
      return result;
    }
  }

  /** Decides under the row lock which process sends the refresh token. */
  async function takeTurn(tx: Database, sessionUuid: string, request: RefreshRequest): Promise<Turn> {
    const [row] = await tx.query<statements.SessionRow>(statements.hold(sessionUuid, clock.pinned()));
    const profileUuid = row?.profile_uuid ?? null;
    if (row?.status !== 'active') return { kind: 'failed', profileUuid, reason: 'no_refresh_token' };
    const isClaimed = row.refresh_claimed_until !== null && row.refresh_claimed_until > row.now;
    if (isClaimed) return { kind: 'wait' };
    const owner = ownerOf(row);
    if (isShared(row, request)) {
      const accessToken = sealedTokens.open(row.access_token as string, owner, 'access_token');
      if (accessToken === null) return unreadable(tx, row, request);
      const { expires_at: expiresAt, generation } = row;
      return { kind: 'shared', refreshed: { sessionUuid, accessToken, expiresAt, generation } };
    }
    if (row.refresh_token === null) return { kind: 'failed', profileUuid, reason: 'no_refresh_token' };
    const refreshToken = sealedTokens.open(row.refresh_token, owner, 'refresh_token');
    if (refreshToken === null) return unreadable(tx, row, request);
    const marked = await tx.query(
      statements.markUsed(sessionUuid, usedTokenHash(sessionUuid, refreshToken), clock.now()),
    );
    if (marked.length === 0)
      return { kind: 'reused', profileUuid: row.profile_uuid, ended: await revokeAll(tx, row, request) };
    const claim = randomUUID();
    await tx.query(statements.claim(sessionUuid, claim, new Date(row.now.getTime() + claimSeconds * 1_000)));
    return { kind: 'claimed', row, claim, refreshToken };
  }

  /** Tokens that cannot be opened stay as they are: their key may come back. */
  async function unreadable(tx: Database, row: statements.SessionRow, request: RefreshRequest): Promise<Turn> {
    await securityEvents.record(tx, { ...eventOf(row, request), type: 'integrity_violation', outcome: 'refused' });
    if (row.failures === 0) await alerts.unreadable(tx, row);
    const now = clock.now();
    const retryAt = new Date(now.getTime() + backOffMs(row.failures + 1, row.uuid));
    await tx.query(statements.postpone(row.uuid, retryAt, unreadableTokens, now));
    return { kind: 'failed', profileUuid: row.profile_uuid, reason: 'integrity' };
  }

  /** Ends everything that came of a refresh token that was used twice. */
  async function revokeAll(tx: Database, row: statements.SessionRow, request: RefreshRequest) {
    const { server_uuid: serverUuid, user_uuid: userUuid, uuid: sessionUuid } = row;
    const which = serverUuid === null ? { sessionUuid } : { serverUuid, userUuid };
    await securityEvents.record(tx, { ...eventOf(row, request), type: 'token_reuse', outcome: 'refused' });
    const ended = await revocations.end(tx, which, 'token_reuse');
    await alerts.reused(tx, row);
    return ended;
  }

  async function settled(turn: Extract<Turn, { kind: 'reused' | 'failed' }>): Promise<RefreshFailed> {
    if (turn.kind === 'failed') return new RefreshFailed(turn.reason);
    await revocations.finish(turn.ended);
    return new RefreshFailed('token_reuse');
  }

  async function exchange(claimed: Claimed, request: RefreshRequest): Promise<Refreshed | RefreshFailed> {
    const { row, refreshToken } = claimed;
    let tokens: Tokens;
    try {
      tokens = await exchanges.refresh({
        metadata: JSON.parse(row.metadata) as AuthorizationServer,
        client: await clients.ofSession(row),
        refreshToken,
        resource: row.resource,
        scopes: row.scopes,
      });
    } catch (error) {
      return failed(claimed, error, request);
    }
    return stored(claimed, tokens);
  }

  /** Stores new tokens. While the database is away this is tried again: the old refresh token may not be used any more. */
  async function stored(claimed: Claimed, tokens: Tokens): Promise<Refreshed | RefreshFailed> {
    const { row, claim, refreshToken } = claimed;
    const owner = ownerOf(row);
    const now = clock.now();
    const next = tokens.refreshToken ?? refreshToken;
    const sealed = sealedTokens.sealed({ ...tokens, refreshToken: next }, owner, now);
    const { expiresAt } = sealed;
    const values = { uuid: row.uuid, claim, ...sealed, now, pinned: clock.pinned() };
    for (let tries = 1; ; tries++) {
      try {
        const generation = await database.transaction(async (tx) => {
          const [updated] = await tx.query<{ generation: number }>(statements.refreshed(values));
          if (!updated) {
            const [held] = await tx.query<{ generation: number }>(statements.holds(row.uuid, values.accessToken));
            return held?.generation ?? null;
          }
          if (next === refreshToken)
            await tx.query(statements.unmarkUsed(row.uuid, usedTokenHash(row.uuid, refreshToken)));
          if (row.failures > 0) await alerts.recovered(tx, row);
          return updated.generation;
        });
        if (generation === null) {
          // Revoked while it was refreshed: the new tokens end as well.
          await revocations.revokeAtProvider(row, [tokens.accessToken, tokens.refreshToken]);
          return new RefreshFailed('no_refresh_token');
        }
        alerts.announce(row.profile_uuid);
        watch.changed(row.profile_uuid, { uuid: row.uuid, status: 'active' });
        return { sessionUuid: row.uuid, accessToken: tokens.accessToken, expiresAt, generation };
      } catch (error) {
        if (!isApiError(error) || error.code !== 'UNAVAILABLE' || tries >= storeTries) throw error;
        await delay(storeRetryMs);
      }
    }
  }

  /**
   * After a failed exchange: a grant that the provider has refused ends the session; after any other failure the tokens stay as they
   * are, and the refresh token may be sent again.
   */
  async function failed(claimed: Claimed, error: unknown, request: RefreshRequest): Promise<RefreshFailed> {
    const { row, claim, refreshToken } = claimed;
    if (!(error instanceof OauthError)) log.error({ session: row.uuid, error }, 'a token refresh failed');
    else log.info({ session: row.uuid, reason: error.reason, code: error.code }, 'a token refresh failed');
    const reason = failureOf(error);
    const isOver = error instanceof OauthError && error.code === 'invalid_grant';
    const words = error instanceof OauthError ? error.message : 'The tokens could not be refreshed';
    const ended = await database.transaction(async (tx) => {
      if (isOver) {
        await securityEvents.record(tx, { ...eventOf(row, request), type: 'refresh_refused', outcome: 'failed' });
        const rows = await revocations.end(tx, { sessionUuid: row.uuid }, 'provider_refused');
        if (rows.length > 0) await alerts.failed(tx, row, words, true);
        return rows;
      }
      await tx.query(statements.unmarkUsed(row.uuid, usedTokenHash(row.uuid, refreshToken)));
      const now = clock.now();
      const retryAt = new Date(now.getTime() + backOffMs(row.failures + 1, row.uuid));
      const [released] = await tx.query<{ failures: number }>(
        statements.release({ uuid: row.uuid, claim, retryAt, error: words, now }),
      );
      if (released?.failures === 1) await alerts.failed(tx, row, words, false);
      return [];
    });
    alerts.announce(row.profile_uuid);
    if (isOver) await revocations.finish(ended, { revokesAtProvider: false });
    return new RefreshFailed(reason);
  }

  return { refresh };
}

const unreadableTokens = 'The stored tokens cannot be read';

/** The result of a refresh that failed, for the metrics and for the caller. */
class RefreshFailed {
  readonly reason: RefreshFailure;

  constructor(reason: RefreshFailure) {
    this.reason = reason;
  }

  get apiError(): ApiError {
    if (this.reason === 'no_refresh_token') return new ApiError('VALIDATION_ERROR', 'No refresh token is available');
    if (this.reason === 'token_reuse')
      return new ApiError(
        'CONFLICT',
        'Token reuse detected: all tokens of this server are revoked. Authorize it again',
      );
    if (this.reason === 'integrity') return new ApiError('SERVER_ERROR', unreadableTokens);
    return new ApiError('SERVER_ERROR', 'The token exchange with the provider failed');
  }
}

function failureOf(error: unknown): RefreshFailure {
  if (!(error instanceof OauthError)) return 'provider_unavailable';
  if (error.reason === 'token_refused') return 'provider_refused';
  return error.reason === 'token_invalid' ? 'response_invalid' : 'provider_unavailable';
}

function isShared(row: statements.SessionRow, { trigger, seen }: RefreshRequest): boolean {
  if (seen !== undefined) return row.generation > seen;
  if (row.refreshed_at === null) return false;
  const ageMs = row.now.getTime() - row.refreshed_at.getTime();
  return trigger === 'request' ? ageMs >= 0 && ageMs < sharedSeconds * 1_000 : false;
}

const ownerOf = (row: statements.SessionRow): TokenOwner => ({
  userUuid: row.user_uuid,
  serverUuid: row.server_uuid,
  sessionUuid: row.uuid,
});

const eventOf = (row: statements.SessionRow, { actorUuid, requestId }: RefreshRequest) => ({
  userUuid: row.user_uuid,
  profileUuid: row.profile_uuid,
  serverUuid: row.server_uuid,
  sessionUuid: row.uuid,
  actorUuid,
  requestId,
});
