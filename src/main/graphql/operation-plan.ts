import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  getVariableValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  responsePathAsArray,
  type SelectionSetNode,
} from 'graphql';
import { type Bound, boundOf } from '../../../schema/bounded.ts';
import type { Context } from '../../../schema/context.ts';
import { type Budget, budgetOf } from '../../../schema/response-budget.ts';
import type { Variables } from './operation-cost.ts';

type Path = GraphQLResolveInfo['path'];
type MaybePromise<Value> = Value | Promise<Value>;

/** Runs an operation as graphql's `execute` does: the same data, errors and order of calls. */
export type Plan = (variables: Variables, context: Context) => MaybePromise<ExecutionResult>;

/** A plan of more fields takes too long to make. */
const fieldsMax = 500;
/**
 * Characters that a document has for each field of its plans, at least: the text of all remembered documents is bounded, and a plan takes
 * half a kB for each field. By fragments a document of 400 characters would otherwise have a plan of 500 fields, of 250 kB.
 */
const charactersPerField = 4;

/** What one execution knows. */
interface Run {
  readonly context: Context;
  readonly variableValues: Record<string, unknown>;
  readonly budget: Budget;
  readonly errors: GraphQLError[];
  /** Places of the response that are null because of an error; undefined is the whole. */
  readonly nulled: Set<Path | undefined>;
}

/** @returns The completed value. @throws What makes the field null. */
type Complete = (run: Run, value: unknown, info: GraphQLResolveInfo, path: Path) => MaybePromise<unknown>;

interface PlannedField {
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

/**
 * Makes a plan of an operation: which fields there are of each object, and how each value is completed, is decided once and not in
 * every run. The standard of the field: graphql's `execute`, whose semantics these are.
 *
 * @returns null for an operation that a plan does not cover: with directives, abstract types, introspection, several
 *   mutations, or very many fields, also for its length. `execute` runs those.
 */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): Plan | null {
  const rootType = schema.getRootType(definition.operation);
  if (!rootType || definition.operation === 'subscription') return null;
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] = each;
  const plansMax = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  // A document of the REST layer has no text: there are few of them.
  const characters = document.loc?.source.body.length ?? Number.POSITIVE_INFINITY;
  let fieldsLeft = Math.min(fieldsMax, characters / charactersPerField / plansMax);

  /** @throws {NotPlanned} */
  function fieldsOf(parentType: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): PlannedField[] {
    const nodesByKey = new Map<string, FieldNode[]>();
    const seen = new Set<string>();
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.directives?.length) throw new NotPlanned();
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value;
          // It would set the prototype of the object that the response is.
          if (key === '__proto__') throw new NotPlanned();
          const nodes = nodesByKey.get(key);
          if (nodes) nodes.push(selection);
          else nodesByKey.set(key, [selection]);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          if (matches(selection.typeCondition?.name.value, parentType)) collect(selection.selectionSet);
        } else if (!seen.has(selection.name.value)) {
          seen.add(selection.name.value);
          const fragment = fragments[selection.name.value];
          if (fragment && matches(fragment.typeCondition.name.value, parentType)) collect(fragment.selectionSet);
        }
      }
    };
    for (const selectionSet of selectionSets) collect(selectionSet);
    return Array.from(nodesByKey, ([key, nodes]) => plannedField(key, nodes, parentType));
  }

  function plannedField(key: string, fieldNodes: FieldNode[], parentType: GraphQLObjectType): PlannedField {
    const name = (fieldNodes[0] as FieldNode).name.value;
    const field = parentType.getFields()[name] as GraphQLField<unknown, Context> | undefined;
    fieldsLeft -= 1;
    // Names that begin so are introspection's, and no fields of the type.
    if (!field || fieldsLeft < 0) throw new NotPlanned();
    const bound = boundOf(field);
    // Not a list, whose items may be promises; nor with arguments, which may be wrong.
    const isProperty = bound?.isProperty && field.args.length === 0 && isLeafType(getNullableType(field.type));
    return {
      key,
      field,
      fieldNodes,
      parentType,
      isNullable: !isNonNullType(field.type),
      resolve: field.resolve ?? defaultFieldResolver,
      property: isProperty ? bound : null,
      place: {
        fieldName: name,
        fieldNodes,
        parentType,
        path: { prev: undefined, key, typename: parentType.name },
      } as unknown as GraphQLResolveInfo,
      hasArguments: field.args.length > 0,
      complete: completeOf(field.type, fieldNodes),
    };
  }

  function completeOf(type: GraphQLOutputType, fieldNodes: readonly FieldNode[]): Complete {
    if (isNonNullType(type)) {
      const complete = completeOf(type.ofType, fieldNodes);
      return (run, value, info, path) => {
        const completed = complete(run, value, info, path);
        if (completed === null)
          throw new Error(`Cannot return null for non-nullable field ${info.parentType.name}.${info.fieldName}.`);
        return completed;
      };
    }
    if (isListType(type)) return listOf(type.ofType, fieldNodes);
    if (isLeafType(type)) return leafOf(type);
    if (isObjectType(type)) return objectOf(type, fieldNodes);
    throw new NotPlanned();
  }

  function objectOf(type: GraphQLObjectType, fieldNodes: readonly FieldNode[]): Complete {
    const fields = fieldsOf(
      type,
      fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    );
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

  function listOf(itemType: GraphQLOutputType, fieldNodes: readonly FieldNode[]): Complete {
    const completeItem = completeOf(itemType, fieldNodes);
    const isNullable = !isNonNullType(itemType);
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

  function executeFields(
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
      schema,
      fragments,
      rootValue: undefined,
      operation: definition,
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

  let fields: PlannedField[];
  try {
    fields = fieldsOf(rootType, [definition.selectionSet]);
  } catch (error) {
    if (error instanceof NotPlanned) return null;
    throw error;
  }
  // They run one after the other.
  if (definition.operation === 'mutation' && fields.length > 1) return null;
  const { variableDefinitions = [] } = definition;

  return (variables, context) => {
    const { coerced, errors: wrong } = getVariableValues(schema, variableDefinitions, variables, coercion);
    if (wrong) return { errors: wrong };
    const budget = budgetOf({ variableValues: coerced }, context);
    const run: Run = { context, variableValues: coerced, budget, errors: [], nulled: new Set() };
    const resultOf = (data: Record<string, unknown> | null): ExecutionResult =>
      run.errors.length === 0 ? { data } : { errors: run.errors, data };
    const failed = (error: unknown) => {
      collect(run, error as GraphQLError, undefined);
      return resultOf(null);
    };
    try {
      const data = executeFields(run, fields, undefined, undefined);
      return isPromise(data) ? data.then(resultOf, failed) : resultOf(data);
    } catch (error) {
      return failed(error);
    }
  };

  function matches(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const conditional = schema.getType(condition);
    return isAbstractType(conditional) && schema.isSubType(conditional, type);
  }
}

class NotPlanned extends Error {}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | null | undefined)?.then === 'function';

const leafOf =
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
function collect({ errors, nulled }: Run, error: GraphQLError, path: Path | undefined): void {
  for (let at = path; at !== undefined; at = at.prev) if (nulled.has(at)) return;
  if (nulled.has(undefined)) return;
  nulled.add(path);
  errors.push(error);
}

/** Each error of coercion prints the whole variable, so that thousands of them would block the process. */
export const coercion = { maxErrors: 1 };
