import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isRefusal, Refusal } from '../src/platform/errors.ts';

/** Bytes of stored content in one answer. A page is at most 16 MB; aliases and `nodes` could ask for any number of them. */
const answerBytesMax = 32 * 1024 * 1024;
/** Fields of lists in one answer whose length only the database knows. */
const answerFieldsMax = 200_000;

interface Execution {
  bytes: number;
  fields: number;
  /** Of what was read in turn: it stays in memory until the answer is made. */
  bytesRead: number;
  turn: Promise<unknown>;
}

/** One for all: a document may ask for thousands of fields, each of which is refused then, and making an error takes its time. */
const tooLarge = new Refusal('TOO_LARGE', 'The answer is larger than 32 MB: ask for less at once');

const executions = new WeakMap<object, Execution>();

const isOver = ({ bytes, fields, bytesRead }: Execution): boolean =>
  Math.max(bytes, bytesRead) > answerBytesMax || fields > answerFieldsMax;

/** Its variables are made anew for each execution, also for each event of a subscription, whose context lasts. */
function executionOf({ variableValues }: GraphQLResolveInfo): Execution {
  const known = executions.get(variableValues);
  if (known) return known;
  const begun: Execution = { bytes: 0, fields: 0, bytesRead: 0, turn: Promise.resolve() };
  executions.set(variableValues, begun);
  return begun;
}

/**
 * Counts content towards the answer that is being made.
 *
 * @throws {Refusal} `TOO_LARGE` when there is more than an answer may hold.
 */
export function countAnswerBytes(info: GraphQLResolveInfo, bytes: number): void {
  const execution = executionOf(info);
  execution.bytes += bytes;
  if (execution.bytes > answerBytesMax) throw tooLarge;
}

/**
 * Counts a value as it is shown: aliases may ask for it any number of times.
 *
 * @returns The value.
 * @throws {Refusal} like `countAnswerBytes`.
 */
export function counted<Value>(value: Value, info: GraphQLResolveInfo): Value {
  countAnswerBytes(info, bytesOf(value));
  return value;
}

/** In UTF-8: of a text, and of anything else as JSON. */
const bytesOf = (value: unknown): number =>
  value === null ? 0 : Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

/** What each field of a type shows of a row. */
export type Shown<Row> = Readonly<Record<string, (row: Row) => unknown>>;

/**
 * Counts a list whole before its fields are resolved, with what the document calls them: where it is too much there is one
 * refusal, not one for each field.
 *
 * @param shown Of all fields of the list's type.
 * @returns The list.
 * @throws {Refusal} `TOO_LARGE` when there is more than an answer may hold, in fields or in bytes.
 */
export function countedList<Row>(rows: Row[], shown: Shown<Row>, info: GraphQLResolveInfo): Row[] {
  const asked = [...askedOf(info)];
  const execution = executionOf(info);
  execution.fields += rows.length * asked.length;
  if (execution.fields > answerFieldsMax)
    throw new Refusal(
      'TOO_LARGE',
      'The answer has more than 200 000 fields of what servers offer: ask for less at once',
    );
  for (const row of rows)
    for (const [key, name] of asked) countAnswerBytes(info, key.length + bytesOf(shown[name]?.(row) ?? null));
  return rows;
}

/** What a document asks of each object of the field that is being resolved: names of fields, by what they are called. */
function askedOf({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): Map<string, string> {
  const asked = new Map<string, string>();
  const seen = new Set<string>();
  const isAsked = (node: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections.filter(isAsked)) {
      if (selection.kind === Kind.FIELD) asked.set(keyOf(selection), selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  for (const { selectionSet } of fieldNodes) if (selectionSet) collect(selectionSet);
  return asked;
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

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
    executionOf(info).bytes -= bytesMax;
  }
}

/**
 * Reads what only the database knows the size of, when everything before it has been read: each is told how much all of them
 * together have left of 32 MB, and nobody waits for a reservation that is far above what is there.
 *
 * @param read Must not read more than it is told.
 */
export async function inTurn<Read extends { readonly bytes: number }>(
  info: GraphQLResolveInfo,
  read: (bytesLeft: number) => Promise<Read>,
): Promise<Read> {
  const execution = executionOf(info);
  const turn = execution.turn.then(async () => {
    // The answer is lost: what is left of a hundred lists need not be read.
    if (isOver(execution)) throw tooLarge;
    try {
      const done = await read(answerBytesMax - execution.bytesRead);
      execution.bytesRead += done.bytes;
      return done;
    } catch (error) {
      if (isRefusal(error) && error.code === 'TOO_LARGE') execution.bytesRead = Number.POSITIVE_INFINITY;
      throw error;
    }
  });
  execution.turn = turn.catch(() => undefined);
  return turn;
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
