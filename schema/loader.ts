import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from './context.ts';

/** The loaders of one execution, by the function that makes them, then by key. */
type Loaders = Map<object, Map<object, unknown>>;

/**
 * They stand on the context itself. A `WeakMap` by context would keep them, and the whole request with them, until the next full garbage
 * collection, because they refer to their own key (docs/areas/speed.md#memory-of-a-request).
 */
const loaders = Symbol('loaders');

/** Calls `make` once for each key of an execution. */
function remembered<Rest extends unknown[], Made>(
  keyOf: (context: Context, info: GraphQLResolveInfo) => object,
  make: (context: Context, info: GraphQLResolveInfo, ...rest: Rest) => Made,
) {
  return (context: Context & { [loaders]?: Loaders }, info: GraphQLResolveInfo, ...rest: Rest): Made => {
    context[loaders] ??= new Map();
    const ofContext = context[loaders];
    const made = ofContext.get(make) ?? new Map<object, unknown>();
    ofContext.set(make, made);
    const key = keyOf(context, info);
    if (!made.has(key)) made.set(key, make(context, info, ...rest));
    return made.get(key) as Made;
  };
}

/**
 * Loaders of one execution and one caller, because a sign-in changes the caller in the middle of an operation. Each event of a
 * subscription is an execution. The loaders cache nothing: a later mutation of the document may change what they have read.
 */
export const perExecution = <Made>(make: (context: Context, info: GraphQLResolveInfo) => Made) =>
  remembered(({ caller }) => caller, make);

/**
 * Loaders of what the objects of one list ask for, in as many statements as for one object. The objects of a list ask with the very
 * same nodes.
 */
export const perList = <Rest extends unknown[], Made>(
  make: (context: Context, info: GraphQLResolveInfo, ...rest: Rest) => Made,
) => remembered((_context, { fieldNodes }) => fieldNodes, make);
