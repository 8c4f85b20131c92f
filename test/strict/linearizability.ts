/** What may happen one at a time: the meaning that concurrent operations are held against. */
export interface Model<State, Operation> {
  readonly initial: State;
  /**
   * The state after an operation with the result that it had, the same object where nothing changed; null where this
   * operation cannot have had this result here, or where what it leads to can never agree with the rest of the history.
   */
  after(state: State, operation: Operation): State | null;
  /** A text that is the same for equal states. */
  keyOf(state: State): string;
}

/** When an operation happened: at some instant from `began` to `ended`. With `ended` infinite it may never have. */
export interface Spanned {
  readonly began: number;
  readonly ended: number;
}

export interface Verdict<Operation> {
  /** `undecided` when the search was given up. */
  readonly outcome: 'linearizable' | 'not linearizable' | 'undecided';
  /** The order that explains the history; else the longest order that was found, which explains a part of it. */
  readonly order: readonly Operation[];
  /** What happened before the longest order's end, or at it, and found no place; empty when all did. */
  readonly stuck: readonly Operation[];
  /** Operations that were tried: the size of the search. */
  readonly steps: number;
}

/**
 * Whether a history can be explained by its operations happening one at a time, each at an instant of its span.
 *
 * The search of Wing and Gong ("Testing and verifying concurrent objects", 1993) with the memory of Lowe ("Testing for
 * linearizability", 2017): the same operations done with the same state reached are looked at once. What changes nothing
 * is done as soon as it is right, because nothing can depend on its place; the rest is tried in the order of its ends.
 */
export function judge<State, Operation extends Spanned>(
  history: readonly Operation[],
  model: Model<State, Operation>,
  { stepsMax = 2_000_000 } = {},
): Verdict<Operation> {
  // What has no end stands last, so it is tried last and its absence is the last thing to be doubted.
  const operations = history.toSorted((a, b) => a.ended - b.ended);
  const isDone = new Uint8Array(operations.length);
  const known = operations.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY).length;
  const visited = new Set<string>();
  const order: Operation[] = [];
  let knownDone = 0;
  let longest: Operation[] = [];
  let stuck: Operation[] = [];
  let steps = 0;

  const mark = (index: number) => {
    isDone[index] = 1;
    if (index < known) knownDone += 1;
    order.push(operations[index] as Operation);
  };
  const unmark = (index: number) => {
    isDone[index] = 0;
    if (index < known) knownDone -= 1;
    order.pop();
  };

  /** What may come next: nothing that began after something that is not done yet had ended. */
  function candidates(): number[] {
    let first = 0;
    while (first < known && isDone[first] === 1) first++;
    const earliestEnd = operations[first]?.ended ?? Number.POSITIVE_INFINITY;
    const next: number[] = [];
    for (let index = first; index < operations.length; index++)
      if (isDone[index] === 0 && (operations[index] as Operation).began <= earliestEnd) next.push(index);
    return next;
  }

  function search(from: State): boolean {
    const settled: number[] = [];
    const isExplained = explore(from, settled);
    if (!isExplained) for (const index of settled.reverse()) unmark(index);
    return isExplained;
  }

  function explore(state: State, settled: number[]): boolean {
    let next = candidates();
    for (let isSettling = true; isSettling; ) {
      isSettling = false;
      for (const index of next) {
        if (index >= known || model.after(state, operations[index] as Operation) !== state) continue;
        steps += 1;
        mark(index);
        settled.push(index);
        isSettling = true;
      }
      if (isSettling) next = candidates();
    }
    if (knownDone === known) return true;
    if (order.length > longest.length) {
      longest = [...order];
      stuck = next.filter((index) => index < known).map((index) => operations[index] as Operation);
    }
    const place = `${keyOfBits(isDone)} ${model.keyOf(state)}`;
    if (visited.has(place)) return false;
    visited.add(place);
    for (const index of next) {
      steps += 1;
      if (steps > stepsMax) throw new SearchGivenUp();
      const after = model.after(state, operations[index] as Operation);
      if (after === null || after === state) continue;
      mark(index);
      if (search(after)) return true;
      unmark(index);
    }
    return false;
  }

  try {
    if (search(model.initial)) return { outcome: 'linearizable', order, stuck: [], steps };
    return { outcome: 'not linearizable', order: longest, stuck, steps };
  } catch (error) {
    if (!(error instanceof SearchGivenUp)) throw error;
    return { outcome: 'undecided', order: longest, stuck, steps };
  }
}

class SearchGivenUp extends Error {}

function keyOfBits(bits: Uint8Array): string {
  let key = '';
  for (let at = 0; at < bits.length; at += 16) {
    let code = 0;
    for (let bit = 0; bit < 16; bit++) code |= (bits[at + bit] ?? 0) << bit;
    key += String.fromCharCode(code);
  }
  return key;
}
