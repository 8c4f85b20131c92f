import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Metrics } from '../platform/metrics.ts';

interface Labels {
  readonly type: string;
  readonly field: string;
}

const labelsOfDocument = new WeakMap<DocumentNode, Map<string, Labels>>();

/** By the first root field, which is one of the schema's: a name that a client gave its operation could be anything. */
function labelsOf(schema: GraphQLSchema, document: DocumentNode, operationName: string | null | undefined): Labels {
  const known = labelsOfDocument.get(document) ?? new Map<string, Labels>();
  labelsOfDocument.set(document, known);
  const name = operationName ?? '';
  let labels = known.get(name);
  if (!labels) {
    const operations = document.definitions.filter(
      (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
    );
    const operation = operationName ? operations.find((one) => one.name?.value === operationName) : operations[0];
    const fields = operation && schema.getRootType(operation.operation)?.getFields();
    const first = operation?.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
    const field = first && fields && first.name.value in fields ? first.name.value : 'other';
    labels = { type: operation?.operation ?? 'other', field };
    known.set(name, labels);
  }
  return labels;
}

/** @returns To be called with the result, when it is there. */
export function timeOperation(
  { graphqlOperationSeconds }: Pick<Metrics, 'graphqlOperationSeconds'>,
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): (result: ExecutionResult) => void {
  const start = performance.now();
  const labels = labelsOf(schema, document, operationName);
  return ({ errors }) => {
    const [first] = errors ?? [];
    const { code } = (first?.originalError ?? first?.extensions ?? {}) as { code?: unknown };
    const outcome =
      first === undefined ? 'ok' : typeof code === 'string' && /^[A-Z_]{1,30}$/.test(code) ? code : 'SERVER_ERROR';
    graphqlOperationSeconds.observe({ ...labels, outcome }, (performance.now() - start) / 1_000);
  };
}
