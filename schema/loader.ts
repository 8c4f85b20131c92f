import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from './context.ts';

/** Calls `make` once for each pair of keys, and remembers what it made for as long as both keys live. */
function remembered<Rest extends unknown[], Made>(
  keysOf: (context: Context, info: GraphQLResolveInfo) => readonly [object, object],
  make: (context: Context, info: GraphQLResolveInfo, ...rest: Rest) => Made,
) {
  const made = new WeakMap<object, WeakMap<object, { readonly value: Made }>>();
  return (context: Context, info: GraphQLResolveInfo, ...rest: Rest): Made => {
    const [first, second] = keysOf(context, info);
    const ofFirst = made.get(first) ?? new WeakMap<object, { readonly value: Made }>();
    made.set(first, ofFirst);
    const known = ofFirst.get(second) ?? { value: make(context, info, ...rest) };
    ofFirst.set(second, known);
    return known.value;
  };
}

/**
 * Loaders of one execution and one caller. The variables belong to one execution (each event of a subscription is one), and a sign-in
 * changes the caller in the middle of an operation. The loaders cache nothing: a later mutation of the document may change it.
 */
export const perExecution = <Made>(make: (context: Context, info: GraphQLResolveInfo) => Made) =>
  remembered(({ caller }, { variableValues }) => [variableValues, caller], make);

/**
 * Loaders of what the objects of one list ask for, in as many statements as for one object. The objects of a list ask with the very
 * same nodes, which are collected anew for each execution; nothing of one context is ever given to another.
 */
export const perList = <Rest extends unknown[], Made>(
  make: (context: Context, info: GraphQLResolveInfo, ...rest: Rest) => Made,
) => remembered((context, { fieldNodes }) => [context, fieldNodes], make);
