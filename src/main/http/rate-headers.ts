import type { ServerResponse } from 'node:http';
import type { RateState } from '../../platform/limits/rate-limits.ts';

/** What the headers of a response tell. null for a request that was counted only in classes that are switched off. */
const shown = new WeakMap<ServerResponse, RateState | null>();

/**
 * Notes that a request was counted, and tells on its response what is left. A request that counts in several classes tells of
 * the tightest. Source: docs/specification/general.md#rate-limit-headers.
 *
 * @param state null where the class is switched off.
 */
export function showRate(res: ServerResponse, state: RateState | null): void {
  const before = shown.get(res) ?? null;
  if (state === null || (before !== null && before.remaining <= state.remaining)) return void shown.set(res, before);
  shown.set(res, state);
  setRateHeaders(res, state);
}

/** Tells of the class whose limit a request exceeds, whatever other class it was counted in. */
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
