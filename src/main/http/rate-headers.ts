import type { ServerResponse } from 'node:http';
import type { RateState } from '../../platform/limits/rate-limits.ts';

/** The rate headers of a response. null for a request that was counted only in disabled classes. */
const shown = new WeakMap<ServerResponse, RateState | null>();

/**
 * Notes that a request was counted, and sets the headers of its response. For several classes they show the one with
 * the fewest points left. Source: docs/specification/general.md#rate-limit-headers.
 *
 * @param state null for a disabled class.
 */
export function showRate(res: ServerResponse, state: RateState | null): void {
  const before = shown.get(res) ?? null;
  if (state === null || (before !== null && before.remaining <= state.remaining)) return void shown.set(res, before);
  shown.set(res, state);
  setRateHeaders(res, state);
}

/** Shows the class whose limit a request exceeds, whatever other class it was counted in. */
export function showExceededRate(res: ServerResponse, state: RateState): void {
  shown.set(res, state);
  setRateHeaders(res, state);
}

function setRateHeaders(res: ServerResponse, { limit, remaining, reset }: RateState): void {
  if (res.headersSent) return;
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
  res.setHeader('X-RateLimit-Reset', reset);
}

/** Whether the request was counted in some class. */
export const isCounted = (res: ServerResponse): boolean => shown.has(res);
