import { type History, type Operation, valuesByUuid } from './history.ts';

/**
 * What must come before what, by the results alone: an entry is pushed before it is seen, seen before it is taken, and of
 * two in one list the lower was pushed first. The search would find out too, but only after many wrong orders.
 */
export function precedenceOf(history: History): Map<Operation, Operation[]> {
  const valueByUuid = valuesByUuid(history);
  const before = new Map<Operation, Operation[]>();
  const earlier = (first: Operation | undefined, second: Operation | undefined) => {
    if (first === undefined || second === undefined || first === second) return;
    const known = before.get(second);
    if (known) known.push(first);
    else before.set(second, [first]);
  };
  const writes = new Map<string, Operation>();
  const takers = new Map<string, Operation[]>();
  for (const operation of history) {
    if (operation.kind === 'push' || operation.kind === 'set') writes.set(operation.value, operation);
    const taken = valueTakenBy(operation, valueByUuid);
    if (taken !== undefined) takers.set(taken, [...(takers.get(taken) ?? []), operation]);
  }
  for (const [value, all] of takers)
    for (const taker of all) {
      earlier(writes.get(value), taker);
      // What was popped or deleted, was so before it could expire.
      if (taker.kind === 'expire') for (const other of all) if (other.kind !== 'expire') earlier(other, taker);
    }
  const mayVanish = history.some(
    ({ kind, result }) => kind === 'clear' || result === undefined || (kind !== 'expire' && result === true),
  );
  for (const operation of history) {
    const seen = valuesSeenBy(operation);
    for (const [place, value] of seen.entries()) {
      earlier(writes.get(value), operation);
      for (const taker of takers.get(value) ?? []) earlier(operation, taker);
      if (operation.kind === 'list' && place + 1 < (operation.result?.stack.length ?? 0))
        earlier(writes.get(seen[place + 1] as string), writes.get(value));
    }
    if (!seesAll(operation)) continue;
    for (const [value, write] of writes) {
      const [taker, ...others] = takers.get(value) ?? [];
      if (write.kind !== 'push' || seen.includes(value) || taker === undefined || others.length > 0) continue;
      // What expired in the end may have been gone before, where something takes without telling what.
      if (taker.kind === 'expire' && mayVanish) continue;
      // It was not there yet, or not there any more; the times may tell which.
      if (operation.ended < taker.began) earlier(operation, write);
      if (write.ended < operation.began) earlier(taker, operation);
    }
  }
  return before;
}

/** Whether what the operation did not see was not there: on the stack, that is. */
const seesAll = ({ kind, result, ...rest }: Operation) =>
  (kind === 'list' && result !== undefined) ||
  (kind === 'pop' && result === null) ||
  (kind === 'get' && result === null && 'idx' in rest && rest.idx === 0);

/** The values that were there when this operation happened, and are there after it. */
function valuesSeenBy(operation: Operation): readonly string[] {
  if (operation.kind === 'list' && operation.result)
    return [...operation.result.stack, ...Object.values(operation.result.names)];
  if ((operation.kind === 'get' || operation.kind === 'read') && typeof operation.result === 'string')
    return [operation.result];
  return [];
}

/** The value that is not there any more after this operation. */
function valueTakenBy(operation: Operation, valueByUuid: ReadonlyMap<string, string>): string | undefined {
  if (operation.kind === 'expire') return operation.value;
  if (operation.kind === 'pop') return operation.result ?? undefined;
  if (operation.kind === 'delete' && typeof operation.result === 'string') return valueByUuid.get(operation.result);
  return undefined;
}
