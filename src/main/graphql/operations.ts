import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  validate,
} from 'graphql';
import type { RateClass } from '../../platform/limits/rate-limits.ts';
import { createDocumentCache } from './document-cache.ts';
import { fragmentsOf, parseDocument } from './document-limits.ts';
import { costOf, type Variables } from './operation-cost.ts';
import { type Plan, planOf } from './operation-plan.ts';

/** An operation of a document, with everything about it that does not change between its runs. */
export interface Operation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The first root field: a name of the schema, else `other`. The name that a client gave its operation could be anything. */
  readonly rootField: string;
  /** What a run takes off the caller's budgets: a point of its class for each root field. */
  readonly ratePoints: ReadonlyMap<RateClass, number>;
  /** Whether subscribers with the same variables get one result of an event: it depends on the event and the document alone. */
  readonly sharesResults: boolean;
  /** How many fields the response may hold. */
  cost(variables: Variables): number;
  /** How many of them a response may have at most. */
  readonly costMax: number;
  /** The plan of its runs: from the second on, since most documents that come once come never again. */
  plan(): Plan | null;
}

/** A request whose operation cannot run, such as one with an invalid document, costs one point of `general`. */
export const invalidOperation: Pick<Operation, 'ratePoints'> = { ratePoints: new Map([['general', 1]]) };

export type Operations = ReturnType<typeof createOperations>;

/** Fields of one response to a document that a client wrote, each list counted as long as it may be. */
const costMax = 20_000;
/** A document longer than this is not remembered: it would push out many that are sent more often. In characters. */
const rememberedCharactersMax = 16 * 1024;
/** Of all remembered documents together: some 64 MB when they are parsed. In characters. */
const rememberedCharactersSum = 256 * 1024;

/** Parses and validates documents for all entry points, and computes the facts about each operation once. */
export function createOperations(schema: GraphQLSchema) {
  const valid = createDocumentCache<DocumentNode>(rememberedCharactersSum);
  const validated = new WeakSet<DocumentNode>();
  const known = new WeakMap<DocumentNode, Map<string, Operation | null>>();

  // Several steps of one request look at an invalid document; none of them should pay for it again.
  let invalid: { text: string; errors: readonly GraphQLError[] } | null = null;

  /** @throws {GraphQLError} for text that is not a document, or a document over a limit, which it names. */
  const parse = (text: string): DocumentNode => valid.get(text) ?? parseDocument(text);

  /** @returns The errors of a document; empty for a valid one, which is cached by its text. */
  function validateDocument(document: DocumentNode): readonly GraphQLError[] {
    if (validated.has(document)) return [];
    const text = document.loc?.source.body;
    if (text !== undefined && invalid?.text === text) return invalid.errors;
    const errors = validate(schema, document);
    if (errors.length > 0) {
      if (text !== undefined) invalid = { text, errors };
      return errors;
    }
    validated.add(document);
    if (text !== undefined && text.length <= rememberedCharactersMax) valid.set(text, document);
    return errors;
  }

  /** Finds the operation of a request. @returns The errors of the request instead, in graphql's words. */
  function select(
    text: string,
    name: string | null,
  ): { operation: Operation; errors: null } | { operation: null; errors: readonly GraphQLError[] } {
    try {
      const document = parse(text);
      const errors = validateDocument(document);
      if (errors.length > 0) return { operation: null, errors };
      const operation = of(document, name);
      if (operation) return { operation, errors: null };
      // Nothing runs: graphql has the words for a name that selects no operation.
      const refused = execute({ schema, document, operationName: name }) as ExecutionResult;
      return { operation: null, errors: refused.errors ?? [] };
    } catch (error) {
      return { operation: null, errors: [error as GraphQLError] };
    }
  }

  /** @returns The operation of a document that `name` selects; null where it selects none, or the document has several. */
  function of(document: DocumentNode, name?: string | null): Operation | null {
    const byName = known.get(document) ?? new Map<string, Operation | null>();
    known.set(document, byName);
    const key = name ?? '';
    const found = byName.get(key);
    if (found !== undefined) return found;
    const definition = getOperationAST(document, name);
    const operation = definition ? factsOf(schema, document, definition) : null;
    // A document has few operations, but a client may select by any number of wrong names.
    if (operation) byName.set(key, operation);
    return operation;
  }

  const ofRoutes = new WeakMap<DocumentNode, Operation>();

  /** @returns The operation of a document of the REST layer: it asks for each thing once, in lists that its route bounds. */
  function ofRoute(document: DocumentNode): Operation {
    const found = ofRoutes.get(document);
    if (found) return found;
    const operation = { ...(of(document) as Operation), costMax: Number.POSITIVE_INFINITY };
    ofRoutes.set(document, operation);
    return operation;
  }

  return { parse, validate: validateDocument, select, of, ofRoute };
}

function factsOf(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode): Operation {
  const fields = schema.getRootType(definition.operation)?.getFields() ?? {};
  const names = rootFieldsOf(definition, fragmentsOf(document));
  const [first = ''] = names;
  const ratePoints = new Map<RateClass, number>();
  for (const name of names) {
    const rateClass = (fields[name]?.extensions.rateLimit as RateClass | undefined) ?? 'general';
    ratePoints.set(rateClass, (ratePoints.get(rateClass) ?? 0) + 1);
  }
  return {
    document,
    definition,
    kind: definition.operation,
    rootField: Object.hasOwn(fields, first) ? first : 'other',
    ratePoints,
    sharesResults: definition.operation === 'subscription' && fields[first]?.extensions.sharesResults === true,
    cost: costOf(schema, document, definition),
    costMax,
    plan: fromSecondCall(() => planOf(schema, document, definition)),
  };
}

function fromSecondCall<Result>(make: () => Result): () => Result | null {
  let calls = 0;
  let made: Result | null = null;
  return () => {
    calls += 1;
    if (calls === 2) made = make();
    return made;
  };
}

/** The names of all root fields but `__typename`, once for each time that a selection asks for one. */
function rootFieldsOf(
  { selectionSet }: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): string[] {
  const names: string[] = [];
  // A fragment that is spread twice runs once, because fields merge. Counting it once also bounds fragments that spread two others each.
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== '__typename') names.push(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(selectionSet);
  return names;
}
