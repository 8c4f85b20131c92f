/**
 * A generator that can be returned at once. Not by `async function*`, whose `return` would wait for a `next` that may never come.
 *
 * @param next What comes next.
 * @param end Ends the source. It may be called more than once.
 */
export function streamOf<Item>(
  next: () => Promise<IteratorResult<Item, void>>,
  end: () => unknown,
): AsyncGenerator<Item, void, void> {
  return {
    next,
    async return() {
      await end();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await end();
      throw error;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
