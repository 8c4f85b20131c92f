import type { ExecutionResult } from 'graphql';
import type { Auth } from '../../auth/index.ts';
import type { Principal } from '../../platform/caller.ts';
import type { ReportFailure } from '../../platform/database/outages.ts';
import { ApiError, unauthorized } from '../../platform/errors.ts';
import { spenderOf } from '../../platform/limits/rate-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import { streamOf } from '../../platform/messaging/stream.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createCallerSlots } from '../sockets/socket-limits.ts';
import { publicError } from './errors.ts';

/** Ends what lives long (sockets, subscriptions) when the key or session behind it ends. */
export interface LiveCredentials {
  /** Calls back once when the principal's credential no longer holds. @returns Stops watching. */
  watch(principal: Principal, onEnded: () => void): () => void;
  /**
   * The same results while the credential holds; then one `UNAUTHORIZED`, and the end. Nothing passes once it is known to be
   * over. A source that fails is one last result too: it ends the stream, and never throws into a transport.
   */
  guard(principal: Principal | null, events: AsyncGenerator<ExecutionResult>): AsyncGenerator<ExecutionResult>;
  /** Asks about all watched credentials now; the timer does it every second. */
  check(): Promise<void>;
  /** Ends all guarded streams, and asks no more. */
  stop(): void;
}

const everyMs = 1_000;
/** Subscriptions of one caller at a time, over sockets and event streams together; the next is one `RATE_LIMITED`, and the end. */
const subscriptionsMax = 1_000;

/** One statement a second for all connections together; none without connections. */
export function createLiveCredentials(deps: {
  auth: Pick<Auth, 'credentials'>;
  metrics: Pick<Metrics, 'liveConnections'>;
  log: Logger;
  report: ReportFailure;
}): LiveCredentials {
  const { auth, metrics, log, report } = deps;
  const streams = new Set<() => void>();
  const slots = createCallerSlots<() => void>(subscriptionsMax);
  const watched = new Map<string, { principal: Principal; onEnded: Set<() => void> }>();

  async function check(): Promise<void> {
    if (watched.size === 0) return;
    const asked = [...watched.values()].map(({ principal }) => principal);
    const holding = await auth.credentials.holding(asked);
    for (const { credentialUuid } of asked) {
      if (holding.has(credentialUuid)) continue;
      const onEnded = watched.get(credentialUuid)?.onEnded ?? [];
      watched.delete(credentialUuid);
      for (const end of onEnded) end();
    }
  }

  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      // While the database is away nothing new is published either; the next round asks again.
      .catch((error) => report(error, 'live credentials could not be checked'))
      .finally(() => {
        isChecking = false;
      });
  }, everyMs).unref();

  function watch(principal: Principal, onEnded: () => void): () => void {
    const { credentialUuid } = principal;
    const known = watched.get(credentialUuid) ?? { principal, onEnded: new Set() };
    known.onEnded.add(onEnded);
    watched.set(credentialUuid, known);
    return () => {
      known.onEnded.delete(onEnded);
      if (known.onEnded.size === 0) watched.delete(credentialUuid);
    };
  }

  function guard(
    principal: Principal | null,
    events: AsyncGenerator<ExecutionResult>,
  ): AsyncGenerator<ExecutionResult> {
    let state: 'holds' | 'ended' | 'told' = 'holds';
    const lastWord = (error: unknown): IteratorResult<ExecutionResult> => {
      state = 'told';
      return { done: false, value: { errors: [publicError(error, log, '')] } };
    };
    // Wakes the reader of the next event.
    const wake = () => void events.return(undefined).catch(() => undefined);
    const leave = principal ? slots.take(spenderOf('general', { principal, address: '' }), wake) : () => undefined;
    const unwatchCredential =
      principal &&
      watch(principal, () => {
        state = 'ended';
        wake();
      });
    const unwatch = () => {
      if (streams.delete(wake)) metrics.liveConnections.dec({ kind: 'subscription' });
      unwatchCredential?.();
      leave?.();
    };
    streams.add(wake);
    metrics.liveConnections.inc({ kind: 'subscription' });
    if (leave === null) wake();
    const next = async (): Promise<IteratorResult<ExecutionResult, void>> => {
      if (leave === null && state === 'holds') return lastWord(new ApiError('RATE_LIMITED', tooMany));
      try {
        const event = await events.next();
        if (state === 'ended') return lastWord(unauthorized());
        if (event.done) unwatch();
        return event;
      } catch (error) {
        unwatch();
        wake();
        return lastWord(isTooSlow(error) ? new ApiError('UNAVAILABLE', tooSlow, { cause: error }) : error);
      }
    };
    return streamOf(next, () => {
      unwatch();
      return events.return(undefined);
    });
  }

  function stop(): void {
    clearInterval(timer);
    for (const end of streams) end();
  }

  return { watch, guard, check, stop };
}

const tooMany = `At most ${subscriptionsMax} subscriptions run at a time`;
const tooSlow = 'Events came faster than they were taken; subscribe again';

/** How `Events.subscribe` ends for a listener that does not keep up. */
const isTooSlow = (error: unknown) => error instanceof Error && error.name === 'SlowListener';
