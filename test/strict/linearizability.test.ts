import { describe, expect, it } from 'vitest';
import type { Call, History, Operation } from './history.ts';
import { decide } from './linearizability.ts';
import { randomOf } from './random.ts';
import { verdictOf } from './verdicts.ts';

const forever = Number.POSITIVE_INFINITY;
const at = (began: number, ended: number, call: Call): Operation => ({ ...call, client: 0, began, ended });
const written = (uuid: string) => ({ uuid, expiresAt: 0 });
const push = (began: number, ended: number, value: string) =>
  at(began, ended, { kind: 'push', value, ...(ended !== forever && { result: written(`u${value}`) }) });
const pop = (began: number, ended: number, result?: string | null) =>
  at(began, ended, { kind: 'pop', ...(result !== undefined && { result }) });
const get = (began: number, ended: number, idx: number, result: string | null) =>
  at(began, ended, { kind: 'get', idx, result });
const del = (began: number, ended: number, idx: number, result: string | boolean) =>
  at(began, ended, { kind: 'delete', idx, result });
const clear = (began: number, ended: number, result: number) => at(began, ended, { kind: 'clear', result });
const list = (began: number, ended: number, ...stack: string[]) =>
  at(began, ended, { kind: 'list', result: { stack, names: {} } });
const set = (began: number, ended: number, value: string, uuid: string, name = 'n') =>
  at(began, ended, { kind: 'set', name, value, result: written(uuid) });
const read = (began: number, ended: number, result: string | null, name = 'n') =>
  at(began, ended, { kind: 'read', name, result });
const unset = (began: number, ended: number, result: string | boolean) =>
  at(began, ended, { kind: 'unset', name: 'n', result });
const expire = (began: number, ended: number, value: string) =>
  at(began, ended, { kind: 'expire', value, result: true });

/** Two that follow each other, a below b. */
const ab = [push(0, 1, 'a'), push(2, 3, 'b')];

const right: [string, Operation[]][] = [
  ['nothing at all', []],
  ['last in, first out', [...ab, pop(4, 5, 'b'), pop(6, 7, 'a'), pop(8, 9, null)]],
  ['concurrent pushes in either order', [push(0, 5, 'a'), push(0, 5, 'b'), pop(6, 7, 'a'), pop(8, 9, 'b')]],
  ['a pop that takes what is pushed meanwhile', [push(0, 9, 'a'), pop(1, 2, 'a')]],
  ['an empty pop beside a push', [push(0, 9, 'a'), pop(1, 2, null), pop(10, 11, 'a')]],
  ['concurrent pops that answer in the other order', [...ab, pop(4, 9, 'b'), pop(5, 6, 'a')]],
  ['a get of what was there at one instant', [...ab, pop(4, 7, 'b'), get(5, 6, 0, 'b'), get(5, 6, 1, null)]],
  ['a get of what moved down meanwhile', [...ab, push(4, 6, 'c'), get(4, 5, 1, 'b'), get(4, 5, 2, 'a')]],
  ['a delete out of the middle', [...ab, push(4, 5, 'c'), del(6, 7, 1, 'ub'), pop(8, 9, 'c'), pop(10, 11, 'a')]],
  ['a delete that does not tell what', [...ab, del(4, 8, 0, true), pop(5, 7, 'b'), pop(9, 10, null)]],
  ['a clear that counts a concurrent push', [...ab, push(4, 8, 'c'), clear(5, 7, 3), list(9, 10)]],
  ['a clear that a concurrent push survives', [...ab, push(4, 8, 'c'), clear(5, 7, 2), list(9, 10, 'c')]],
  ['a push of unknown outcome that was not done', [...ab, push(4, forever, 'c'), pop(5, 6, 'b')]],
  ['a push of unknown outcome that was done', [...ab, push(4, forever, 'c'), pop(5, 6, 'c'), pop(7, 8, 'b')]],
  ['a push of unknown outcome that was done late', [push(0, forever, 'c'), pop(1, 2, null), pop(9, 10, 'c')]],
  ['a pop of unknown outcome that was done', [...ab, pop(4, forever), pop(5, 6, 'a')]],
  ['a pop of unknown outcome that was not', [...ab, pop(4, forever), pop(5, 6, 'b'), pop(7, 8, 'a')]],
  ['an expired top', [...ab, expire(4, 4, 'b'), get(5, 6, 0, 'a'), pop(7, 8, 'a')]],
  ['a pop at the instant of the expiry', [...ab, pop(3, 5, 'b'), expire(4, 4, 'b')]],
  ['an expiry after the pop', [...ab, pop(4, 5, 'b'), expire(6, 6, 'b'), pop(7, 8, 'a')]],
  ['a name that keeps its id', [set(0, 1, 'x', 'u'), set(2, 3, 'y', 'u'), read(4, 5, 'y')]],
  ['a name that is new after a delete', [set(0, 1, 'x', 'u'), unset(2, 3, true), set(4, 5, 'y', 'w'), read(6, 7, 'y')]],
  [
    'a name that is new after its expiry',
    [set(0, 1, 'x', 'u'), expire(2, 2, 'x'), read(3, 4, null), set(5, 6, 'y', 'w')],
  ],
  ['an entry that is cleared before it expires', [push(0, 1, 'a'), clear(2, 3, 1), list(4, 5), expire(6, 6, 'a')]],
  ['a clear that counts names and stack', [set(0, 1, 'x', 'u'), push(0, 1, 'a'), clear(2, 3, 2), read(4, 5, null)]],
];

const wrong: [string, Operation[]][] = [
  ['first in, first out', [...ab, pop(4, 5, 'a'), pop(6, 7, 'b')]],
  ['an entry popped twice', [push(0, 1, 'a'), pop(2, 5, 'a'), pop(3, 4, 'a')]],
  ['an entry that no client pushed', [pop(0, 1, 'a')]],
  ['a false empty', [push(0, 1, 'a'), pop(2, 3, null)]],
  ['a false empty beside another pop', [...ab, pop(4, 9, 'b'), pop(5, 6, null)]],
  ['an entry popped before it was pushed', [pop(0, 1, 'a'), push(2, 3, 'a')]],
  ['an entry that is lost', [...ab, pop(4, 5, 'b'), list(6, 7)]],
  ['an entry that is there after its pop', [...ab, pop(4, 5, 'b'), list(6, 7, 'b', 'a')]],
  ['a list out of order', [...ab, list(4, 5, 'a', 'b')]],
  ['a get of what lay there before the call', [...ab, pop(4, 5, 'b'), get(6, 7, 0, 'b')]],
  ['a get of what was never there', [...ab, get(4, 5, 1, 'b')]],
  [
    'two gets that see two orders',
    [push(0, 9, 'a'), push(0, 9, 'b'), get(1, 2, 0, 'a'), get(3, 4, 1, 'b'), list(10, 11, 'b', 'a')],
  ],
  [
    'a late push that appears below what was seen',
    [push(0, 9, 'a'), push(1, 2, 'b'), get(3, 4, 1, null), list(10, 11, 'b', 'a')],
  ],
  [
    'a pop that passes over the top while another pop has it',
    [...ab, pop(4, 9, 'b'), pop(5, 6, 'a'), get(7, 8, 0, 'b')],
  ],
  ['a clear that counts one too many', [...ab, clear(4, 5, 3)]],
  ['a clear that tears two pushes apart', [push(0, 1, 'a'), push(2, 3, 'b'), clear(4, 5, 1), list(6, 7, 'a')]],
  ['a delete of another entry than was there', [...ab, del(4, 5, 1, 'ub')]],
  ['a delete of nothing where something was', [...ab, del(4, 5, 1, false)]],
  ['a push of unknown outcome that happens twice', [push(0, forever, 'a'), pop(1, 2, 'a'), pop(3, 4, 'a')]],
  ['two entries gone by one pop of unknown outcome', [...ab, pop(4, forever), list(5, 6)]],
  ['an expired top that is popped', [...ab, expire(4, 4, 'b'), pop(5, 6, 'b')]],
  ['an expired top that counts as a place', [...ab, expire(4, 4, 'b'), get(5, 6, 1, 'a')]],
  ['an entry gone before its expiry', [...ab, get(4, 5, 0, 'a'), expire(6, 6, 'b')]],
  ['a second row for a name', [set(0, 5, 'x', 'u'), set(1, 4, 'y', 'w')]],
  ['the value of a writer who was not the last', [set(0, 1, 'x', 'u'), set(2, 3, 'y', 'u'), read(4, 5, 'x')]],
  ['a name deleted that was another entry', [set(0, 1, 'x', 'u'), unset(2, 3, 'w')]],
  ['a name deleted twice', [set(0, 1, 'x', 'u'), unset(2, 5, true), unset(3, 4, true)]],
  [
    'a name that outlives a clear which a later one does not',
    [
      set(0, 1, 'x', 'u', 'b'),
      set(3, 4, 'y', 'v', 'a'),
      set(5, 6, 'z', 'u', 'b'),
      clear(2, 7, 1),
      read(8, 9, 'y', 'a'),
      read(8, 9, null, 'b'),
    ],
  ],
];

describe('the checker', () => {
  it.each(right)('takes %s (A01-A06, A09)', (_title, history) => {
    expect(verdictOf(history).outcome).toBe('linearizable');
  });

  it.each(wrong)('refuses %s (A01-A06, A09)', (_title, history) => {
    expect(verdictOf(history).outcome).toBe('not linearizable');
  });

  it('agrees with trying every order, on 6 000 small histories of random spans and results', () => {
    const random = randomOf(7);
    const count = { linearizable: 0, 'not linearizable': 0 };
    for (let i = 0; i < 6_000; i++) {
      const history = randomHistory(random);
      const expected = isExplainedBySomeOrder(history) ? 'linearizable' : 'not linearizable';
      expect(verdictOf(history).outcome, JSON.stringify(history)).toBe(expected);
      count[expected] += 1;
    }
    expect(Math.min(...Object.values(count))).toBeGreaterThan(500);
  });

  it('says that it gave up where it did', () => {
    const counter = { initial: 0, after: (n: number) => n + 1, keyOf: String };
    const history = Array.from({ length: 5 }, (_, i) => ({ began: 0, ended: 10 + i }));
    expect(decide(history, counter, { stepsMax: 3 }).outcome).toBe('undecided');
    expect(decide(history, counter).outcome).toBe('linearizable');
  });
});

/** Up to three pushes and what else fits on a small stack; the results are guesses, so many are wrong. */
function randomHistory(random: () => number): Operation[] {
  const pick = <Item>(...items: Item[]) => items[Math.floor(random() * items.length)] as Item;
  const span = () => {
    const began = Math.floor(random() * 12);
    return [began, began + 1 + Math.floor(random() * 6)] as const;
  };
  const pushes = ['a', 'b', 'c']
    .slice(0, pick(1, 2, 2, 3))
    .map((value) => push(...span(), value) as Extract<Operation, { kind: 'push' }>);
  const rest = Array.from({ length: pick(1, 2, 3, 4) }, () => {
    const value = pick('a', 'b', 'c');
    return pick(
      () => pop(...span(), pick<string | null>(value, value, null)),
      () => pop(span()[0], forever),
      () => get(...span(), pick(0, 1), pick<string | null>(value, value, null)),
      () => del(...span(), pick(0, 1), pick<string | boolean>(`u${pick(...pushes).value}`, true, false)),
      () => clear(...span(), pick(0, 1, 2)),
      () => push(span()[0], forever, 'd'),
      () => expiryOf(pick(...pushes)),
    )();
  });
  /** Nothing expires before its push has been answered: a lifetime is a second at least. */
  function expiryOf({ value, ended }: Extract<Operation, { kind: 'push' }>): Operation {
    const began = ended + 0.5 + Math.floor(random() * 4);
    return expire(began, began + pick(0, 3), value);
  }
  const isListed = random() < 0.5;
  const history = [...pushes, ...rest];
  const stack = ['a', 'b', 'c'].filter(() => random() < 0.4);
  return isListed ? [...history, list(20, 21, ...(random() < 0.5 ? stack : stack.reverse()))] : history;
}

/** The definition itself, without any cleverness and with a stack of its own: for small histories only. */
function isExplainedBySomeOrder(history: History): boolean {
  const orders = (left: Operation[], stack: string[]): boolean => {
    if (left.every(({ ended }) => ended === forever)) return true;
    return left.some((operation, index) => {
      const others = left.toSpliced(index, 1);
      if (others.some(({ ended }) => ended < operation.began)) return false;
      const next = [...stack];
      return isRight(operation, next) && orders(others, next);
    });
  };
  return orders([...history], []);
}

/** Does an operation on an array whose first element is the newest. */
function isRight(operation: Operation, stack: string[]): boolean {
  switch (operation.kind) {
    case 'push':
      return stack.unshift(operation.value) > 0;
    case 'pop': {
      const popped = stack.shift() ?? null;
      return operation.result === undefined || operation.result === popped;
    }
    case 'get':
      return operation.result === (stack[operation.idx] ?? null);
    case 'delete': {
      const [gone] = stack.splice(operation.idx, 1);
      return operation.result === true ? gone !== undefined : operation.result === (gone ? `u${gone}` : false);
    }
    case 'clear':
      return operation.result === stack.splice(0).length;
    case 'list':
      return operation.result?.stack.join() === stack.join();
    case 'expire':
      if (stack.includes(operation.value)) stack.splice(stack.indexOf(operation.value), 1);
      return true;
    default:
      return false;
  }
}
