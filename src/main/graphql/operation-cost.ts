import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { fragmentsOf } from './document-limits.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** A response key longer than this counts as several fields: the response repeats the key once for each object. */
const keyCharacters = 100;
/** Nodes of a connection without `first` or `last`. */
const connectionLength = 20;
/** A list is counted with at most so many objects, whatever its argument says: no list gives more. */
const lengthMax = 1_000;
/** The arguments that set the length of a list. */
const lengthArguments = ['first', 'limit'];

/**
 * Counts the fields that the response to an operation may hold: each field once for each object that it may be asked of, and a
 * list as long as its arguments let it be.
 *
 * @returns A function from variables to that number. It counts once where no variable decides a length.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Variables) => number {
  const fragments = fragmentsOf(document);
  const defaults = defaultsOf(operation);
  const root = schema.getRootType(operation.operation)?.getFields();
  let fixed: number | null = null;

  return (variables) => {
    if (fixed !== null) return fixed;
    let dependsOnVariables = false;
    const given: Variables = { ...defaults, ...variables };
    const variableOf = (name: string): unknown => {
      dependsOnVariables = true;
      return given[name];
    };
    const costs = new Map<string, number>();

    const costOfSelections = (
      { selections }: SelectionSetNode,
      fields: GraphQLFieldMap<unknown, unknown> | undefined,
    ): number => {
      let cost = 0;
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const field = fields?.[selection.name.value];
          const type = field && getNamedType(field.type);
          const below =
            selection.selectionSet && isCompositeType(type)
              ? costOfSelections(selection.selectionSet, fieldsOf(type))
              : 0;
          cost += keyCostOf(selection) + below * lengthOf(selection, field, variableOf);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          const condition = selection.typeCondition && schema.getType(selection.typeCondition.name.value);
          cost += costOfSelections(selection.selectionSet, condition ? fieldsOf(condition) : fields);
        } else {
          cost += costOfFragment(selection.name.value);
        }
      }
      return cost;
    };
    const costOfFragment = (name: string): number => {
      const known = costs.get(name);
      if (known !== undefined) return known;
      const fragment = fragments.get(name);
      const type = fragment && schema.getType(fragment.typeCondition.name.value);
      const cost = fragment && type ? costOfSelections(fragment.selectionSet, fieldsOf(type)) : 0;
      costs.set(name, cost);
      return cost;
    };

    const cost = root ? costOfSelections(operation.selectionSet, root) : 0;
    if (!dependsOnVariables) fixed = cost;
    return cost;
  };
}

const fieldsOf = (type: unknown): GraphQLFieldMap<unknown, unknown> | undefined =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : undefined;

const keyCostOf = ({ alias, name }: FieldNode): number => Math.ceil((alias ?? name).value.length / keyCharacters);

/** The values of variables that a request leaves out. */
const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

/** Number of objects that a field can return: from its arguments, else its default; one if it is not a list. */
function lengthOf(
  { arguments: given = [] }: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  variableOf: (variable: string) => unknown,
): number {
  const lengths = given.flatMap(({ name, value }) => {
    const isLength = lengthArguments.includes(name.value);
    if (!isLength && name.value !== 'ids') return [];
    const argument = value.kind === Kind.VARIABLE ? variableOf(value.name.value) : undefined;
    if (isLength) {
      const asked = value.kind === Kind.INT ? Number(value.value) : argument;
      return [Math.min(Math.max(typeof asked === 'number' ? asked : defaultLengthOf(field), 1), lengthMax)];
    }
    return [value.kind === Kind.LIST ? value.values.length : Array.isArray(argument) ? argument.length : 1];
  });
  return lengths.length === 0 ? defaultLengthOf(field) : Math.max(...lengths);
}

/**
 * For a list without an explicit length: its default in the schema, or that of the service, which the field declares as
 * `extensions.defaultLength`; so does a list without such an argument. A list with `extensions.isCountedWhenRead` has
 * no bound here.
 */
function defaultLengthOf(field: GraphQLField<unknown, unknown> | undefined): number {
  if (!field) return 1;
  const length = field.args.find(({ name }) => lengthArguments.includes(name));
  const known = length?.defaultValue ?? field.extensions.defaultLength;
  if (typeof known === 'number') return known;
  return length ? connectionLength : 1;
}
