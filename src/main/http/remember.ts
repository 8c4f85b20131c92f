/**
 * Shares a result among all who ask while it is made and for some time after.
 *
 * @param ageMsMax How old a result may be that is given again; 0 to make each anew.
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
