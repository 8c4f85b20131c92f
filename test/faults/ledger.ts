/** What the clients were told, and what they were not told: the two that a fault may tear apart. */
export interface Ledger {
  /** Values by name whose writing was acknowledged. */
  readonly set: Map<string, string>;
  /** Values whose push was acknowledged. */
  readonly pushed: Set<string>;
  /** Values whose push may have happened: no answer came, or one that does not say. */
  readonly maybePushed: Set<string>;
  /** How often a pop gave a value. */
  readonly popped: Map<string, number>;
  /** Pops that may have taken an entry without telling which. */
  maybePopped: number;
  acknowledged: number;
}

export const createLedger = (): Ledger => ({
  set: new Map(),
  pushed: new Set(),
  maybePushed: new Set(),
  popped: new Map(),
  maybePopped: 0,
  acknowledged: 0,
});

/** What is stored at the end. */
export interface Stored {
  readonly names: ReadonlyMap<string, string>;
  readonly stack: readonly string[];
  /** Values whose rows were deleted, as the database itself noted in the transaction that did it. */
  readonly taken: readonly string[];
}

export interface Balance {
  readonly acknowledged: number;
  /** Acknowledged writes that are not there: a set or a push without its row, a pop without its deletion. */
  readonly lost: readonly string[];
  /** Entries that a pop gave twice, that are there twice, or still there after they were taken. */
  readonly twice: readonly string[];
  /** Entries that no client wrote, and more silently popped entries than there were pops without an answer. */
  readonly foreign: readonly string[];
}

/** Holds what is stored against what was told. */
export function balanceOf(ledger: Ledger, { names, stack, taken }: Stored): Balance {
  const known = new Set([...ledger.pushed, ...ledger.maybePushed]);
  const there = new Set([...stack, ...taken]);
  const deleted = new Set(taken);
  // At most once is the promise (A07): a pop whose answer was lost may have taken its entry.
  const silent = [...deleted].filter((value) => !ledger.popped.has(value));
  return {
    acknowledged: ledger.acknowledged,
    lost: [
      ...[...ledger.set].filter(([name, value]) => names.get(name) !== value).map(([name]) => `set ${name}`),
      ...[...ledger.pushed].filter((value) => !there.has(value)).map((value) => `push ${value}`),
      ...[...ledger.popped.keys()].filter((value) => !deleted.has(value)).map((value) => `pop ${value}`),
    ],
    twice: [
      ...[...ledger.popped].filter(([, times]) => times > 1).map(([value]) => `popped twice: ${value}`),
      ...repeated([...stack, ...taken]).map((value) => `there twice: ${value}`),
    ],
    foreign: [
      ...[...there, ...ledger.popped.keys()].filter((value) => !known.has(value)).map((value) => `not ours: ${value}`),
      ...silent.slice(ledger.maybePopped).map((value) => `taken in silence: ${value}`),
    ],
  };
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
