import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { Refusal } from '../src/platform/errors.ts';

/** Bytes of stored content in one answer. A page is at most 16 MB; aliases and `nodes` could ask for any number of them. */
const answerBytesMax = 32 * 1024 * 1024;

const bytesOfExecution = new WeakMap<object, number>();

/**
 * Counts content towards the answer that is being made.
 *
 * @throws {Refusal} `TOO_LARGE` when there is more than an answer may hold.
 */
export function countAnswerBytes(info: GraphQLResolveInfo, bytes: number): void {
  if (add(info, bytes) > answerBytesMax)
    throw new Refusal('TOO_LARGE', 'The answer is larger than 32 MB: ask for less at once');
}

/**
 * Reads a list whose content is at most `bytesMax`, and counts that much until it is there: the aliases of one document are
 * read side by side, and what is refused must not be read first.
 *
 * @param read The list, whose content is counted field by field afterwards.
 */
export async function withinAnswer<List>(
  info: GraphQLResolveInfo,
  bytesMax: number,
  read: () => Promise<List>,
): Promise<List> {
  try {
    countAnswerBytes(info, bytesMax);
    return await read();
  } finally {
    add(info, -bytesMax);
  }
}

/** Its variables are made anew for each execution, also for each event of a subscription, whose context lasts. */
function add({ variableValues }: GraphQLResolveInfo, bytes: number): number {
  const total = (bytesOfExecution.get(variableValues) ?? 0) + bytes;
  bytesOfExecution.set(variableValues, total);
  return total;
}

/** Whether a document asks for a field of this name anywhere below the field that is being resolved. */
export function asksFor(name: string, { fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const seen = new Set<string>();
  const isIn = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD)
        return selection.name.value === name || (selection.selectionSet !== undefined && isIn(selection.selectionSet));
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet);
      const fragment = fragments[selection.name.value];
      if (fragment === undefined || seen.has(selection.name.value)) return false;
      seen.add(selection.name.value);
      return isIn(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isIn(selectionSet));
}
