import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { boundOf } from '../../../schema/bounded.ts';
import type { Context } from '../../../schema/context.ts';
import { budgetOf } from '../../../schema/response-budget.ts';
import type { Variables } from './operation-cost.ts';
import {
  type Complete,
  collect,
  executeFields,
  isPromise,
  leafOf,
  listOf,
  type MaybePromise,
  nonNullOf,
  objectOf,
  type PlannedField,
  type Run,
} from './planned-fields.ts';

/** Runs an operation as graphql's `execute` does: the same data, errors and order of calls. */
export type Plan = (variables: Variables, context: Context) => MaybePromise<ExecutionResult>;

/** A plan of more fields takes too long to make. */
const fieldsMax = 500;
/**
 * Characters that a document has for each field of its plans, at least: the text of all remembered documents is bounded, and a plan takes
 * half a kB for each field. By fragments a document of 400 characters would otherwise have a plan of 500 fields, of 250 kB.
 */
const charactersPerField = 4;

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
    if (isNonNullType(type)) return nonNullOf(completeOf(type.ofType, fieldNodes));
    if (isListType(type)) return listOf(completeOf(type.ofType, fieldNodes), !isNonNullType(type.ofType), fieldNodes);
    if (isLeafType(type)) return leafOf(type);
    if (isObjectType(type)) {
      const selectionSets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      return objectOf(type, fieldsOf(type, selectionSets), fieldNodes);
    }
    throw new NotPlanned();
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
  const facts = { schema, fragments, operation: definition };

  return (variables, context) => {
    const { coerced, errors: wrong } = getVariableValues(schema, variableDefinitions, variables, coercion);
    if (wrong) return { errors: wrong };
    const budget = budgetOf({ variableValues: coerced }, context);
    const run: Run = { context, variableValues: coerced, budget, facts, errors: [], nulled: new Set() };
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

/** Each error of coercion prints the whole variable, so that thousands of them would block the process. */
export const coercion = { maxErrors: 1 };
