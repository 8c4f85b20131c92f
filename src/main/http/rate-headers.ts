import type { ServerResponse } from 'node:http';
import type { RateState } from '../../platform/limits/rate-limits.ts';

/** The rate headers of a response. null for a request that was counted only in disabled classes. */
const shown = Symbol('what the headers tell');

type Counted = ServerResponse & { [shown]?: RateState | null };

/**
 * Notes that a request was counted, and sets the headers of its response. For several classes they show the one with
 * the fewest points left. Source: docs/specification/general.md#rate-limit-headers.
 *
 * @param state null for a disabled class.
 */
export function showRate(res: Counted, state: RateState | null): void {
  const before = res[shown] ?? null;
  const isTighter = state !== null && (before === null || before.remaining > state.remaining);
  res[shown] = isTighter ? state : before;
  if (isTighter) setRateHeaders(res, state);
}

/** Shows the class whose limit a request exceeds, whatever other class it was counted in. */
export function showExceededRate(res: Counted, state: RateState): void {
  res[shown] = state;
  setRateHeaders(res, state);
}

function setRateHeaders(res: ServerResponse, { limit, remaining, reset }: RateState): void {
  if (res.headersSent) return;
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
  res.setHeader('X-RateLimit-Reset', reset);
}

/** Whether the request was counted in some class. */
export const isCounted = (res: Counted): boolean => res[shown] !== undefined;
