import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, validate } from 'graphql';
import { createDocumentCache } from './document-cache.ts';
import { parseDocument } from './query-limits.ts';

/** A document with one query or mutation that is valid against the graph. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Of one document, and of all together: some 32 MB when they are parsed. */
const charactersMax = 4_096;
const charactersMaxTogether = 128 * 1024;

/** Documents that were parsed and judged before, by their text: clients send few, and each of them often. */
export function createKnownDocuments(schema: GraphQLSchema) {
  const known = createDocumentCache<KnownDocument>(charactersMaxTogether);

  /** @returns The document; null for one that is wrong, long, a subscription, or of several operations. */
  return function documentOf(text: string): KnownDocument | null {
    if (text.length > charactersMax) return null;
    const found = known.get(text);
    if (found) return found;
    const document = judged(schema, text);
    if (document) known.set(text, document);
    return document;
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
