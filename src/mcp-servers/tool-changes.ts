import type { Offer } from './offers.ts';

export const toolChangeKinds = ['added', 'removed', 'changed'] as const;

/** The parts of a tool that have changed. */
export interface ToolChange {
  readonly name: string;
  readonly change: (typeof toolChangeKinds)[number];
  /** JSON; null for one that was added. */
  readonly before: string | null;
  /** JSON; null for one that was removed. */
  readonly after: string | null;
}

/** Kept of one server, and so recorded of one discovery. */
export const changesMax = 100;

/**
 * Pure: what differs between two discoveries, in the order of the names. A definition is compared member by member, whatever
 * their order: a tool whose description alone became another has changed.
 */
export function toolChanges(before: ReadonlyMap<string, string>, offers: readonly Offer[]): ToolChange[] {
  const after = new Map(offers.filter(({ kind }) => kind === 'tool').map((offer) => [offer.name, offer.definition]));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes: ToolChange[] = [];
  for (const name of names) {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null];
    if (was === null) changes.push({ name, change: 'added', before: null, after: is });
    else if (is === null) changes.push({ name, change: 'removed', before: was, after: null });
    else if (canonical(was) !== canonical(is)) changes.push({ name, change: 'changed', before: was, after: is });
  }
  return changes.slice(0, changesMax);
}

const canonical = (definition: string): string => JSON.stringify(sorted(JSON.parse(definition)));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
