import { randomOf } from './random.ts';

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
  /** What must happen before an operation, as far as that is known from the results. */
  readonly before?: ReadonlyMap<Operation, readonly Operation[]>;
}

/** When an operation happened: at some instant from `began` to `ended`. With `ended` infinite it may never have. */
export interface Spanned {
  readonly began: number;
  readonly ended: number;
  /** When it seems to have happened: what is tried first. */
  readonly advised?: number | undefined;
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
export function decide<State, Operation extends Spanned>(
  history: readonly Operation[],
  model: Model<State, Operation>,
  { stepsMax = 2_000_000 } = {},
): Verdict<Operation> {
  const spans = narrowedSpans(history, model.before ?? new Map());
  // What has no end stands last, so it is tried last and its absence is the last thing to be doubted.
  const operations = history.toSorted((a, b) => endOf(spans, a) - endOf(spans, b));
  const began = Float64Array.from(operations, (operation) => spans.get(operation)?.began ?? 0);
  const ended = Float64Array.from(operations, (operation) => endOf(spans, operation));
  const places = new Map(operations.map((operation, index) => [operation, index]));
  const before = operations.map((operation) =>
    (model.before?.get(operation) ?? []).map((each) => places.get(each) ?? 0),
  );
  const isDone = new Uint8Array(operations.length);
  const known = ended.filter((end) => end !== Number.POSITIVE_INFINITY).length;
  /** Places from which no way leads to the end. */
  const dead = new Set<string>();
  const random = randomOf(history.length);
  let order: Operation[] = [];
  let knownDone = 0;
  let longest: Operation[] = [];
  let stuck: Operation[] = [];
  let steps = 0;
  let stepsOfTry = 0;
  const advice = ended.map((end, index) => operations[index]?.advised ?? end);
  let preference = advice;
  const isEndless = (index: number) => ended[index] === Number.POSITIVE_INFINITY;
  const somewhere = (end: number, index: number) =>
    isEndless(index) ? end : end - random() * (end - (began[index] as number));
  /** Advice errs in one way: others may see something a little later than it seems to have happened. Few err at once. */
  const somewhatLater = (at: number, index: number) =>
    isEndless(index) || random() < 0.9 ? at : at + random() ** 2 * Math.max(0, (ended[index] as number) - at);

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

  const isFree = (index: number) => (before[index] as number[]).every((each) => isDone[each] === 1);

  /** What may come next: nothing that began after something that is not done yet had ended. */
  function candidates(): number[] {
    let first = 0;
    while (first < known && isDone[first] === 1) first++;
    const earliestEnd = ended[first] ?? Number.POSITIVE_INFINITY;
    const next: number[] = [];
    for (let index = first; index < operations.length; index++)
      if (isDone[index] === 0 && (began[index] as number) <= earliestEnd && isFree(index)) next.push(index);
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
    if (dead.has(place)) return false;
    next.sort((a, b) => (preference[a] as number) - (preference[b] as number));
    for (const index of next) {
      steps += 1;
      if (steps > stepsOfTry) throw new SearchGivenUp();
      const after = model.after(state, operations[index] as Operation);
      if (after === null || after === state) continue;
      mark(index);
      if (search(after)) return true;
      unmark(index);
    }
    dead.add(place);
    return false;
  }

  const torn = operations.filter((_, index) => (began[index] as number) > (ended[index] as number));
  if (torn.length > 0) return { outcome: 'not linearizable', order: [], stuck: torn, steps };
  // One early mistake can cost a search that never ends, and rarely does the next try make the same: each has another order.
  for (let tries = 1, tryStepsMax = 10 * operations.length; steps < stepsMax; tries++, tryStepsMax *= 1.05) {
    stepsOfTry = Math.min(steps + tryStepsMax, stepsMax);
    try {
      if (search(model.initial)) return { outcome: 'linearizable', order, stuck: [], steps };
      return { outcome: 'not linearizable', order: longest, stuck, steps };
    } catch (error) {
      if (!(error instanceof SearchGivenUp)) throw error;
    }
    isDone.fill(0);
    knownDone = 0;
    order = [];
    preference = tries % 4 === 0 ? ended.map(somewhere) : advice.map(somewhatLater);
  }
  return { outcome: 'undecided', order: longest, stuck, steps };
}

interface Span {
  began: number;
  ended: number;
}

const endOf = <Operation extends Spanned>(spans: ReadonlyMap<Operation, Span>, operation: Operation) =>
  (spans.get(operation) as Span).ended;

/** The instants that are left to each operation when what must come before it and after it takes its share. */
function narrowedSpans<Operation extends Spanned>(
  history: readonly Operation[],
  before: ReadonlyMap<Operation, readonly Operation[]>,
): Map<Operation, Span> {
  const spans = new Map<Operation, Span>(history.map((each) => [each, { began: each.began, ended: each.ended }]));
  for (let isNarrower = true; isNarrower; ) {
    isNarrower = false;
    for (const [later, all] of before) {
      const late = spans.get(later) as Span;
      for (const earlier of all) {
        const early = spans.get(earlier) as Span;
        if (early.began > late.began) [late.began, isNarrower] = [early.began, true];
        if (late.ended < early.ended) [early.ended, isNarrower] = [late.ended, true];
      }
    }
  }
  return spans;
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
