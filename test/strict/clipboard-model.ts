import { type History, type Operation, valuesByUuid } from './history.ts';
import type { Model } from './linearizability.ts';
import { precedenceOf } from './precedence.ts';

interface Named {
  readonly uuid: string;
  readonly value: string;
}

/** The live entries of one profile. */
interface Clipboard {
  /** Newest first. */
  readonly stack: readonly string[];
  readonly names: ReadonlyMap<string, Named>;
}

/**
 * What becomes of an entry of the stack, as far as the whole history tells. It only ever spares the search a way that
 * leads nowhere: a push above an entry that must go before it is refused at once, and not after a thousand orders of
 * all that came between.
 */
type Fate =
  | { readonly kind: 'popped' | 'deleted'; readonly began: number; readonly ended: number }
  /** Still there in the last list, at this index. */
  | { readonly kind: 'stays'; readonly idx: number }
  | { readonly kind: 'cleared' }
  | { readonly kind: 'unknown' };

const unknown: Fate = { kind: 'unknown' };

/** The clipboard of one profile, one operation at a time. Source: docs/specification/clipboard.md. */
export function clipboardModel(history: History): Model<Clipboard, Operation> {
  const valueByUuid = valuesByUuid(history);
  const fates = fatesOf(history, valueByUuid);
  const fateOf = (value: string) => fates.get(value) ?? unknown;
  const withId = new Set(valueByUuid.values());
  /** A push of unknown outcome has no id, so any unassigned id may be its. */
  const valueIfToldIdOf = (value: string | undefined) => (withId.has(value ?? '') ? value : undefined);

  function after(state: Clipboard, operation: Operation): Clipboard | null {
    const { stack, names } = state;
    const isKnown = operation.result !== undefined;
    const onStack = (next: readonly string[]): Clipboard => ({ stack: next, names });
    const named = (name: string, entry: Named | null): Clipboard => {
      const next = new Map(names);
      if (entry) next.set(name, entry);
      else next.delete(name);
      return { stack, names: next };
    };
    switch (operation.kind) {
      case 'push': {
        const { value } = operation;
        const above = fateOf(value);
        return stack.some((below) => cannotLieOn(above, fateOf(below))) ? null : onStack([value, ...stack]);
      }
      case 'pop': {
        const top = stack[0] ?? null;
        if (isKnown && operation.result !== top) return null;
        return top === null ? state : onStack(stack.slice(1));
      }
      case 'get':
        return operation.result === (stack[operation.idx] ?? null) ? state : null;
      case 'delete': {
        const { idx, result } = operation;
        const there = stack[idx];
        if (isKnown && (result === false) !== (there === undefined)) return null;
        if (typeof result === 'string' && valueByUuid.get(result) !== valueIfToldIdOf(there)) return null;
        return there === undefined ? state : onStack(stack.toSpliced(idx, 1));
      }
      case 'clear': {
        const count = stack.length + names.size;
        if (isKnown && operation.result !== count) return null;
        if (!stack.every((value) => mayBeCleared(fateOf(value)))) return null;
        return count === 0 ? state : { stack: [], names: new Map() };
      }
      case 'list': {
        const listed = operation.result;
        const isSame =
          listed !== undefined &&
          listed.stack.length === stack.length &&
          listed.stack.every((value, idx) => value === stack[idx]) &&
          Object.keys(listed.names).length === names.size &&
          [...names].every(([name, { value }]) => listed.names[name] === value);
        return isSame ? state : null;
      }
      case 'set': {
        const { name, value, result } = operation;
        const there = names.get(name);
        // A live entry keeps its id; a new one gets another.
        if (there && result && there.uuid !== result.uuid) return null;
        return named(name, { uuid: there?.uuid ?? result?.uuid ?? value, value });
      }
      case 'read':
        return operation.result === (names.get(operation.name)?.value ?? null) ? state : null;
      case 'unset': {
        const { name, result } = operation;
        const there = names.get(name);
        if (isKnown && (result === false) !== (there === undefined)) return null;
        if (typeof result === 'string' && result !== there?.uuid) return null;
        return there ? named(name, null) : state;
      }
      case 'expire': {
        const { value } = operation;
        if (stack.includes(value)) return onStack(stack.filter((each) => each !== value));
        const [name] = [...names].find(([, entry]) => entry.value === value) ?? [];
        return name === undefined ? state : named(name, null);
      }
    }
  }

  return {
    initial: { stack: [], names: new Map() },
    after,
    before: precedenceOf(history),
    keyOf: ({ stack, names }) =>
      `${stack.join()} ${[...names]
        .map(([name, { value, uuid }]) => `${name}=${value}=${uuid}`)
        .sort()
        .join()}`,
  };
}

const mayBeCleared = ({ kind }: Fate) => kind === 'cleared' || kind === 'unknown';

/** Whether an entry's fate forbids that it ever lies above another of that fate. */
function cannotLieOn(above: Fate, below: Fate): boolean {
  if (above.kind === 'unknown' || below.kind === 'unknown') return false;
  // Of two that are there at one time, a clear takes both or none.
  if (above.kind === 'cleared') return below.kind === 'popped' || below.kind === 'stays';
  if (above.kind === 'stays') return below.kind !== 'deleted' && !(below.kind === 'stays' && above.idx < below.idx);
  // The one above goes first, unless the one below is deleted out of the middle.
  return below.kind === 'popped' && below.ended < above.began;
}

function fatesOf(history: History, valueByUuid: ReadonlyMap<string, string>): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  const calls = history.filter(({ kind }) => kind !== 'expire');
  // If an operation may have had an unrecorded effect, an unnamed entry may have been removed by it.
  const isSilent = calls.some(({ result }) => result === undefined || result === true);
  const expiring = new Set(history.flatMap((operation) => (operation.kind === 'expire' ? [operation.value] : [])));
  for (const operation of calls) {
    const { kind, result, began, ended } = operation;
    if (kind === 'pop' && typeof result === 'string') fates.set(result, { kind: 'popped', began, ended });
    if (kind === 'delete' && typeof result === 'string')
      fates.set(valueByUuid.get(result) ?? result, { kind: 'deleted', began, ended });
  }
  const last = lastListOf(calls);
  if (last === null) return fates;
  for (const [idx, value] of last.stack.entries()) if (!fates.has(value)) fates.set(value, { kind: 'stays', idx });
  if (isSilent) return fates;
  for (const operation of calls)
    if (operation.kind === 'push' && !fates.has(operation.value) && !expiring.has(operation.value))
      fates.set(operation.value, { kind: 'cleared' });
  return fates;
}

/** The list that came after everything else whose outcome is known. */
function lastListOf(calls: readonly Operation[]) {
  const last = calls.findLast(({ kind }) => kind === 'list');
  if (last?.kind !== 'list' || last.result === undefined) return null;
  const isLast = calls.every(
    (call) => call === last || call.ended < last.began || call.ended === Number.POSITIVE_INFINITY,
  );
  return isLast ? last.result : null;
}
