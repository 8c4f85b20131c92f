import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  type Source,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { Refusal } from '../platform/errors.ts';

/** What a document may hold, whatever it asks. Real ones stay far below: the largest of GraphiQL has some 300 tokens. */
const documentLimits = {
  /** Of the document's text. Values go into variables; comments are text that the parser keeps and does not count as tokens. */
  characters: 64 * 1024,
  tokens: 5_000,
  /** Fields below each other; introspection as tools ask for it is 16 deep. */
  depth: 20,
  aliases: 100,
  directives: 50,
  directivesPerNode: 5,
  /** Fields of one name beside each other, which validation compares in pairs, as it does fragments. */
  repeats: 50,
  fragments: 100,
  /** Fields that an operation may come to, each list counted as long as it may be. */
  cost: 20_000,
  /** Of what a field is called in the answer, which stands there once for each object: a longer one costs as much as several. */
  keyCharacters: 100,
} as const;

/**
 * Parses a document with a bound, and judges it by its form before anybody validates it.
 *
 * @throws {GraphQLError} for what is no document, and for one over a limit, which it names.
 */
export function parseDocument(source: string | Source): DocumentNode {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: documentLimits.tokens });
  } catch (error) {
    // The parser goes down once for each bracket; a document that is too deep for it is the client's mistake.
    if (error instanceof RangeError) throw new GraphQLError('The document is nested too deeply');
    throw error;
  }
  refuseLargeDocument(document);
  return document;
}

/**
 * Refuses a text that is too long to be read at all. Neither it nor its refusal may be remembered: a cache of a thousand
 * documents of 13 MB is the end of the process.
 *
 * @throws {GraphQLError} naming the limit.
 */
export function refuseLongText(text: string): void {
  if (text.length > documentLimits.characters) throw overLimit('characters');
}

/**
 * Refuses what is too large by its mere form, right after parsing: validation itself takes time that grows with the square
 * of some of these.
 *
 * @throws {GraphQLError} naming the limit.
 */
function refuseLargeDocument(document: DocumentNode): void {
  let aliases = 0;
  let directives = 0;
  visit(document, {
    enter(node) {
      const own = 'directives' in node ? (node.directives?.length ?? 0) : 0;
      if (own > documentLimits.directivesPerNode) throw overLimit('directivesPerNode');
      directives += own;
      if (node.kind === Kind.FIELD && node.alias) aliases += 1;
      if (node.kind === Kind.SELECTION_SET && hasRepeats(node)) throw overLimit('repeats');
    },
  });
  refuseConditionalSubscription(document);
  if (aliases > documentLimits.aliases) throw overLimit('aliases');
  if (directives > documentLimits.directives) throw overLimit('directives');
  const fragments = fragmentsOf(document);
  if (fragments.size > documentLimits.fragments) throw overLimit('fragments');
  const depths = new Map<string, number>();
  const depthOf = ({ selections }: SelectionSetNode): number => {
    let deepest = 0;
    for (const selection of selections) {
      let depth = 0;
      if (selection.kind === Kind.FIELD) depth = 1 + (selection.selectionSet ? depthOf(selection.selectionSet) : 0);
      else if (selection.kind === Kind.INLINE_FRAGMENT) depth = depthOf(selection.selectionSet);
      else depth = depthOfFragment(selection.name.value);
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  };
  const depthOfFragment = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // A fragment that spreads itself is refused by validation; here it only must not run for ever.
    depths.set(name, 0);
    const fragment = fragments.get(name);
    const depth = fragment ? depthOf(fragment.selectionSet) : 0;
    depths.set(name, depth);
    return depth;
  };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && depthOf(definition.selectionSet) > documentLimits.depth)
      throw overLimit('depth');
  }
}

/**
 * A subscription has one root field, whatever its variables say (GraphQL, September 2025, 5.2.4.1): with none left there is
 * nothing to listen to.
 *
 * @throws {GraphQLError} for one whose root field may be skipped.
 */
function refuseConditionalSubscription(document: DocumentNode): void {
  const fragments = fragmentsOf(document);
  // Each fragment is looked at once: fragments that spread two others each have 2^n ways through n levels.
  const seen = new Set<string>();
  const isConditional = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) return true;
      if (selection.kind === Kind.INLINE_FRAGMENT) return isConditional(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) return false;
      seen.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      return fragment ? isConditional(fragment.selectionSet) : false;
    });
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.SUBSCRIPTION)
      if (isConditional(definition.selectionSet))
        throw new GraphQLError('The root field of a subscription cannot be skipped or included by a directive');
}

/**
 * Refuses an operation whose answer could hold too many fields: each field counts once per object that it may be asked of,
 * and a list is as long as its arguments let it be.
 *
 * @throws {Refusal} `VALIDATION_ERROR` naming the limit.
 */
export function refuseCostly(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
): void {
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode =>
      one.kind === Kind.OPERATION_DEFINITION && (!operationName || one.name?.value === operationName),
  );
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return;
  const fragments = fragmentsOf(document);
  const given = { ...defaultsOf(operation), ...variables };
  const costs = new Map<string, number>();

  const costOf = ({ selections }: SelectionSetNode, fields: GraphQLFieldMap<unknown, unknown> | undefined): number => {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = fields?.[selection.name.value];
        const type = field && getNamedType(field.type);
        const below =
          selection.selectionSet && isCompositeType(type) ? costOf(selection.selectionSet, fieldsOf(type)) : 0;
        cost += keyCostOf(selection) + below * lengthOf(selection, field, given);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition && schema.getType(selection.typeCondition.name.value);
        cost += costOf(selection.selectionSet, condition ? fieldsOf(condition) : fields);
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
    const cost = fragment && type ? costOf(fragment.selectionSet, fieldsOf(type)) : 0;
    costs.set(name, cost);
    return cost;
  };

  if (costOf(operation.selectionSet, root.getFields()) > documentLimits.cost)
    throw new Refusal('VALIDATION_ERROR', 'The operation asks for too much at once', {
      details: { cost: `at most ${documentLimits.cost} fields` },
    });
}

function hasRepeats({ selections }: SelectionSetNode): boolean {
  if (selections.length <= documentLimits.repeats) return false;
  const counts = new Map<string, number>();
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const name = (selection.alias ?? selection.name).value;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Math.max(...counts.values()) > documentLimits.repeats;
}

const fieldsOf = (type: unknown): GraphQLFieldMap<unknown, unknown> | undefined =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : undefined;

const keyCostOf = ({ alias, name }: FieldNode): number =>
  Math.ceil((alias ?? name).value.length / documentLimits.keyCharacters);

/** What the variables of an operation are that nobody gives. */
const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

/** How many objects a field may give: what its arguments say, else its default, and one where it is no list. */
function lengthOf(
  { arguments: given = [] }: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  variables: Readonly<Record<string, unknown>>,
): number {
  const lengths = given.flatMap(({ name, value }) => {
    const argument = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    if (lengthArguments.includes(name.value)) {
      const asked = value.kind === Kind.INT ? Number(value.value) : argument;
      return [Math.min(Math.max(typeof asked === 'number' ? asked : defaultLengthOf(field), 1), 1_000)];
    }
    if (name.value !== 'ids') return [];
    return [value.kind === Kind.LIST ? value.values.length : Array.isArray(argument) ? argument.length : 1];
  });
  return lengths.length === 0 ? defaultLengthOf(field) : Math.max(...lengths);
}

/** What tells a list how long to be. */
const lengthArguments = ['first', 'limit'];

/**
 * Of a list that was not told how long to be: its default in the schema, or the service's own, which the field tells as
 * `extensions.defaultLength`, as does a list that cannot be told. One that tells `extensions.counts` counts what is there.
 */
function defaultLengthOf(field: GraphQLField<unknown, unknown> | undefined): number {
  if (!field) return 1;
  const length = field.args.find(({ name }) => lengthArguments.includes(name));
  const known = length?.defaultValue ?? field.extensions.defaultLength;
  if (typeof known === 'number') return known;
  return length ? connectionLength : 1;
}

/** Nodes of a connection that was not told how many. */
const connectionLength = 20;

const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

const words: Partial<Record<keyof typeof documentLimits, string>> = {
  directivesPerNode: 'directives in one place',
  repeats: 'fields of one name in one place',
};

const overLimit = (what: keyof typeof documentLimits) =>
  new GraphQLError(`The document is over the limit of ${documentLimits[what]} ${words[what] ?? what}`);
