import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long a test waits for what must come. It only ends a hang: beside busy neighbours everything takes many times as long,
 * so it claims nothing about speed.
 */
export const patienceMs = 100_000;

/**
 * Asks again until the answer is true (or anything but false, null and undefined), or the time is up.
 *
 * @returns The answer.
 */
export async function eventually<Answer>(
  what: string,
  ask: () => Answer | Promise<Answer>,
  { withinMs = patienceMs, everyMs = 20 } = {},
): Promise<NonNullable<Exclude<Answer, false>>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as NonNullable<Exclude<Answer, false>>;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
  }
}

/** The result of a promise, or an error with the words of what did not come in time. */
export async function within<Result>(what: string, milliseconds: number, promise: Promise<Result>): Promise<Result> {
  const timeout = new AbortController();
  const late = delay(milliseconds, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`not within ${milliseconds} ms: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timeout.abort();
    late.catch(() => undefined);
  }
}
