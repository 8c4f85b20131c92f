import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, validate } from 'graphql';
import { parseDocument } from './query-limits.ts';

/** A document with one query or mutation that is valid against the graph. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Parsed, a document takes some fifty times its text: 40 MB at most. */
const knownMax = 200;
const knownCharactersMax = 4_096;

/** Documents that were parsed and judged before, by their text: clients send few, and each of them often. */
export function createKnownDocuments(schema: GraphQLSchema) {
  const known = new Map<string, KnownDocument>();

  /** @returns The document; null for one that is wrong, long, a subscription, or of several operations. */
  return function documentOf(text: string): KnownDocument | null {
    if (text.length > knownCharactersMax) return null;
    const found = known.get(text) ?? judged(schema, text);
    if (found === null) return null;
    // The one that was used last goes to the end, and the first goes when there are too many.
    known.delete(text);
    known.set(text, found);
    const [oldest] = known.size > knownMax ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return found;
  };
}

function judged(schema: GraphQLSchema, text: string): KnownDocument | null {
  let document: DocumentNode;
  try {
    document = parseDocument(text);
  } catch {
    return null;
  }
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation] = operations;
  if (operation === undefined || operations.length > 1 || operation.operation === 'subscription') return null;
  return validate(schema, document).length === 0 ? { document, operation } : null;
}
