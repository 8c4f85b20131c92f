import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import type { Bound } from '../../../schema/bounded.ts';
import type { Context } from '../../../schema/context.ts';
import type { Budget } from '../../../schema/response-budget.ts';

type Path = GraphQLResolveInfo['path'];
export type MaybePromise<Value> = Value | Promise<Value>;

/** What one execution knows. */
export interface Run {
  readonly context: Context;
  readonly variableValues: Record<string, unknown>;
  readonly budget: Budget;
  /** Parts of `info` that all fields share. */
  readonly facts: Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'operation'>;
  readonly errors: GraphQLError[];
  /** Places of the response that are null because of an error; undefined is the whole. */
  readonly nulled: Set<Path | undefined>;
}

/** @returns The completed value. @throws What makes the field null. */
export type Complete = (run: Run, value: unknown, info: GraphQLResolveInfo, path: Path) => MaybePromise<unknown>;

export interface PlannedField {
  readonly key: string;
  readonly field: GraphQLField<unknown, Context>;
  readonly fieldNodes: readonly FieldNode[];
  readonly parentType: GraphQLObjectType;
  readonly isNullable: boolean;
  readonly resolve: NonNullable<GraphQLField<unknown, Context>['resolve']>;
  /** How the field counts its value, if it is a property of its object, a leaf and has no arguments; else null. */
  readonly property: Bound | null;
  /** The place of a property, as far as counting and completing it ask. Its path is that of the object at hand. */
  readonly place: GraphQLResolveInfo;
  readonly hasArguments: boolean;
  readonly complete: Complete;
}

/** Executes the fields of an object. @throws The error of a field that may not be null, with its place. */
export function executeFields(
  run: Run,
  fields: readonly PlannedField[],
  source: unknown,
  path: Path | undefined,
): MaybePromise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  let waiting: Promise<unknown>[] | null = null;
  try {
    for (const field of fields) {
      const { key } = field;
      const result = executeField(run, field, source, path);
      results[key] = result;
      if (!isPromise(result)) continue;
      waiting ??= [];
      waiting.push(
        result.then((value) => {
          results[key] = value;
        }),
      );
    }
  } catch (error) {
    if (waiting === null) throw error;
    const rethrow = () => {
      throw error;
    };
    return Promise.all(waiting).then(rethrow, rethrow);
  }
  return waiting === null ? results : Promise.all(waiting).then(() => results);
}

function executeField(
  run: Run,
  planned: PlannedField,
  source: unknown,
  parentPath: Path | undefined,
): MaybePromise<unknown> {
  const { key, field, fieldNodes, parentType, isNullable, property, complete } = planned;
  if (property !== null && typeof source === 'object' && source !== null) {
    const { place } = planned;
    (place.path as { prev: Path | undefined }).prev = parentPath;
    try {
      const value = (source as Record<string, unknown>)[field.name];
      if (typeof value !== 'function' && !isPromise(value)) {
        if (run.budget.error) throw run.budget.error;
        property.countValue(value, run.budget, place);
        return complete(run, value, place, place.path);
      }
    } catch (error) {
      return fail(run, error, fieldNodes, { prev: parentPath, key, typename: parentType.name }, isNullable);
    }
  }
  const path: Path = { prev: parentPath, key, typename: parentType.name };
  const failed = (error: unknown) => fail(run, error, fieldNodes, path, isNullable);
  const info: GraphQLResolveInfo = {
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType,
    path,
    schema: run.facts.schema,
    fragments: run.facts.fragments,
    rootValue: undefined,
    operation: run.facts.operation,
    variableValues: run.variableValues,
  };
  try {
    const args = planned.hasArguments
      ? getArgumentValues(field as GraphQLField<unknown, unknown>, fieldNodes[0] as FieldNode, run.variableValues)
      : {};
    const result = planned.resolve(source, args, run.context, info) as MaybePromise<unknown>;
    const completed = isPromise(result)
      ? result.then((resolved) => complete(run, resolved, info, path))
      : complete(run, result, info, path);
    return isPromise(completed) ? completed.then(undefined, failed) : completed;
  } catch (error) {
    return failed(error);
  }
}

export const nonNullOf =
  (complete: Complete): Complete =>
  (run, value, info, path) => {
    const completed = complete(run, value, info, path);
    if (completed === null)
      throw new Error(`Cannot return null for non-nullable field ${info.parentType.name}.${info.fieldName}.`);
    return completed;
  };

export function objectOf(
  type: GraphQLObjectType,
  fields: readonly PlannedField[],
  fieldNodes: readonly FieldNode[],
): Complete {
  const { isTypeOf } = type;
  return (run, value, info, path) => {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) return null;
    if (!isTypeOf) return executeFields(run, fields, value, path);
    const execute = (is: boolean) => {
      if (!is) throw new GraphQLError(`Expected value of type "${type.name}".`, { nodes: fieldNodes });
      return executeFields(run, fields, value, path);
    };
    const is = isTypeOf(value, run.context, info);
    return isPromise(is) ? is.then(execute) : execute(is);
  };
}

export function listOf(completeItem: Complete, isNullable: boolean, fieldNodes: readonly FieldNode[]): Complete {
  return (run, value, info, path) => {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) return null;
    if (!Array.isArray(value))
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${info.parentType.name}.${info.fieldName}".`,
      );
    let hasPromises = false;
    const items: unknown[] = [];
    try {
      for (let index = 0; index < value.length; index++) {
        const completed = completedItem(run, value[index], info, { prev: path, key: index, typename: undefined });
        hasPromises ||= isPromise(completed);
        items.push(completed);
      }
    } catch (error) {
      // The list is null already, and an error of theirs would be caught by nothing.
      for (const item of [...items, ...value]) if (isPromise(item)) item.then(undefined, () => {});
      throw error;
    }
    return hasPromises ? Promise.all(items) : items;
  };

  function completedItem(run: Run, item: unknown, info: GraphQLResolveInfo, path: Path): MaybePromise<unknown> {
    const failed = (error: unknown) => fail(run, error, fieldNodes, path, isNullable);
    try {
      const completed = isPromise(item)
        ? item.then((resolved) => completeItem(run, resolved, info, path))
        : completeItem(run, item, info, path);
      return isPromise(completed) ? completed.then(undefined, failed) : completed;
    } catch (error) {
      return failed(error);
    }
  }
}

export const leafOf =
  (type: GraphQLLeafType): Complete =>
  (_run, value) => {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) return null;
    const serialized = type.serialize(value);
    if (serialized === null || serialized === undefined)
      throw new Error(`${type.name} serialized a value as ${serialized}`);
    return serialized;
  };

/** A field that failed: null where the schema lets it be null. @throws The error with its place, else. */
function fail(run: Run, thrown: unknown, fieldNodes: readonly FieldNode[], path: Path, isNullable: boolean): null {
  const error = locatedError(thrown, fieldNodes, responsePathAsArray(path));
  if (!isNullable) throw error;
  collect(run, error, path);
  return null;
}

/** Notes an error, unless its place is null already because of another. */
export function collect({ errors, nulled }: Run, error: GraphQLError, path: Path | undefined): void {
  for (let at = path; at !== undefined; at = at.prev) if (nulled.has(at)) return;
  if (nulled.has(undefined)) return;
  nulled.add(path);
  errors.push(error);
}

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | null | undefined)?.then === 'function';
