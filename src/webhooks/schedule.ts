/** Seconds between an attempt and the next: 1 min, 5 min, 30 min, 2 h, 12 h. Source: spec.md, Events, Retry policy. */
const retryDelaysSeconds = [60, 300, 1_800, 7_200, 43_200] as const;

export const attemptsMax = retryDelaysSeconds.length + 1;

/** How long a receiver has for its whole answer. Source: spec.md, Events. */
export const answerTimeoutMs = 5_000;

/**
 * A delivery that was taken and of which nothing is heard for so long was lost with who took it. Longer than any attempt
 * can take, writing down its outcome included.
 */
export const claimSeconds = 20;

/** When nothing was sent because all connections were taken by others: the same attempt is made so much later. */
export const postponedSeconds = 5;

/**
 * How long to wait after an attempt that failed.
 *
 * @param attempt 1 for the first.
 * @returns Seconds from the beginning of the attempt; null after the last.
 */
export const retryAfterSeconds = (attempt: number): number | null => retryDelaysSeconds[attempt - 1] ?? null;
