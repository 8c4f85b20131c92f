import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';

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
} as const;

/**
 * Parses a document within the limits of its text, its tokens and its form, which bound the cost of validating it.
 *
 * @throws {GraphQLError} for text that is not a document, and for a document over a limit, which it names.
 */
export function parseDocument(source: string): DocumentNode {
  if (source.length > documentLimits.characters) throw overLimit('characters');
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
 * Rejects a document by its form alone, right after parsing: validation takes time that grows with the square of some
 * of these counts.
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
 * A subscription has one root field, whatever its variables (GraphQL, September 2025, 5.2.4.1).
 *
 * @throws {GraphQLError} for a root field that may be skipped.
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

/** The fragments of a document by their names. */
export const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> =>
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
