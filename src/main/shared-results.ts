import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  Kind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * Many who follow the same with the same document get the same result: it is made once for each event, not once for each of
 * them. For subscriptions whose field has the extension `sharesResults`: what they answer depends on the event and the
 * document alone, and never on who asks.
 */
export function useSharedResults(schema: GraphQLSchema): Plugin {
  const results = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();
  const ids = new WeakMap<DocumentNode, number>();
  let lastId = 0;

  function keyOf({ document, operationName, variableValues }: ExecutionArgs): string {
    const id = ids.get(document) ?? ++lastId;
    ids.set(document, id);
    return JSON.stringify([id, operationName ?? null, variableValues ?? null]);
  }

  async function resultOf(event: unknown, key: string, args: ExecutionArgs): Promise<ExecutionResult> {
    const run = async () => execute({ ...args, rootValue: event });
    if (typeof event !== 'object' || event === null) return run();
    const known = results.get(event) ?? new Map<string, Promise<ExecutionResult>>();
    results.set(event, known);
    const result = known.get(key) ?? run();
    known.set(key, result);
    return result;
  }

  return {
    onSubscribe({ args, setSubscribeFn }) {
      if (!sharesResults(schema, args.document, args.operationName)) return;
      setSubscribeFn(async (given: ExecutionArgs) => {
        const events = await createSourceEventStream(given);
        if (!(Symbol.asyncIterator in events)) return events;
        const source = events as AsyncGenerator<unknown, void, void>;
        const key = keyOf(given);
        const mapped: AsyncGenerator<ExecutionResult, void, void> = {
          async next() {
            const { done, value } = await source.next();
            if (done) return { done, value: undefined };
            return { done: false, value: await resultOf(value, key, given) };
          },
          async return() {
            await source.return();
            return { done: true, value: undefined };
          },
          async throw(error) {
            await source.throw(error);
            return { done: true, value: undefined };
          },
          async [Symbol.asyncDispose]() {
            await source.return();
          },
          [Symbol.asyncIterator]() {
            return this;
          },
        };
        return mapped;
      });
    },
  };
}

function sharesResults(schema: GraphQLSchema, document: DocumentNode, name: string | null | undefined): boolean {
  const [root] = getOperationAST(document, name)?.selectionSet.selections ?? [];
  if (root?.kind !== Kind.FIELD) return false;
  return schema.getSubscriptionType()?.getFields()[root.name.value]?.extensions.sharesResults === true;
}
