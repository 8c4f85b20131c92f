/**
 * Shares a result among concurrent callers, and with later ones for some time.
 *
 * @param ageMsMax The highest age of a reused result; 0 to compute each.
 */
export function rememberFor<Result>(ageMsMax: number, make: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; madeAt: number } | null = null;
  return () => {
    if (last !== null && performance.now() - last.madeAt < ageMsMax) return last.result;
    const made = { result: make(), madeAt: performance.now() };
    last = made;
    made.result.then(
      () => {
        made.madeAt = performance.now();
      },
      () => {
        if (last === made) last = null;
      },
    );
    return made.result;
  };
}
