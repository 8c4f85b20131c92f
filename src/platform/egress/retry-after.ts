import type { EgressResponse } from './exchange.ts';

/**
 * How long a response asks to wait before the next request. Source: RFC 9110, section 10.2.3; its dates are not read.
 *
 * @returns Milliseconds; null without the header, and for any other value than 0 to 999 999 seconds.
 */
export function retryAfterMsOf(headers: EgressResponse['headers']): number | null {
  const value = headers['retry-after'];
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}
