import { createHash } from 'node:crypto';

/** The earliest moment before expiry at which the job refreshes, in seconds. */
const earliestSeconds = 300;
/** Sessions that expire together are spread over this many seconds. */
const spreadSeconds = 180;
const firstRetryMs = 60_000;
const lastRetryMs = 60 * 60_000;

/** 0 to below 1, derived from the text: jitter that is equal in each process and at each tick. */
const fraction = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;

/** How long before the expiry of its access token a session is refreshed: 2 to 5 minutes, in milliseconds. */
export const leadMs = (sessionUuid: string): number =>
  (earliestSeconds - spreadSeconds * fraction(sessionUuid)) * 1_000;

/** The greatest lead of all sessions, in milliseconds. */
export const leadMsMax = earliestSeconds * 1_000;

/**
 * The cool-down after failures in a row: 1, 2, 4 … up to 60 minutes, with up to a quarter more, in milliseconds.
 *
 * @param failures At least 1.
 */
export function backOffMs(failures: number, sessionUuid: string): number {
  const ms = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(ms * (1 + fraction(`${sessionUuid} ${failures}`) / 4));
}
