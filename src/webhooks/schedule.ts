/** Seconds between an attempt and the next: 1 min, 5 min, 30 min, 2 h, 12 h. Source: docs/specification/webhooks.md#retries. */
const retryDelaysSeconds = [60, 300, 1_800, 7_200, 43_200] as const;

export const attemptsMax = retryDelaysSeconds.length + 1;

/** How long a receiver has for its whole response. Source: docs/specification/webhooks.md#delivery. */
export const responseTimeoutMs = 5_000;

/**
 * A delivery that was claimed and has no outcome after so long was lost: its worker stopped. Longer than any attempt can take, the
 * recording of its outcome included.
 */
export const claimSeconds = 20;

/** When nothing was sent because all connections were taken by others: the same attempt is made so much later. */
export const postponedSeconds = 5;

/**
 * A delivery that was lost so often may be what ends the workers. From then on each process sends one such delivery at a time, and the
 * others without it. An index has the same number: webhook_deliveries_apart_idx.
 */
export const lossesTogetherMax = 3;

/** The longest pause after a loss. */
const lossPauseSecondsMax = 3_600;

/**
 * How long to wait before an attempt is made again whose outcome is unknown: not at all the first time, then 10 seconds, and twice as
 * long each time, up to an hour. A delivery that ends every worker that sends it does so at most once an hour.
 *
 * @param losses 1 after the first loss.
 */
export const retryAfterLossSeconds = (losses: number): number =>
  losses <= 1 ? 0 : Math.min(lossPauseSecondsMax, 10 * 2 ** (losses - 2));

/**
 * How long to wait after an attempt that failed.
 *
 * @param attempt 1 for the first.
 * @returns Seconds from the beginning of the attempt; null after the last.
 */
export const retryAfterSeconds = (attempt: number): number | null => retryDelaysSeconds[attempt - 1] ?? null;
