import type { ServerResponse } from 'node:http';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Caller } from '../platform/caller.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type RateClass, RateLimited, type RateLimits, type RateState } from '../platform/rate-limits.ts';

/** Takes what an operation costs off the caller's budgets, before it runs. */
export type RateGuard = ReturnType<typeof createRateGuard>;

/**
 * A budget is spent per root field, so that fifty aliases of a mutation cost fifty, over whichever door they come. A field
 * says its class (`extensions.rateLimit`); one that says none is of the class `general`.
 */
export function createRateGuard(deps: {
  schema: GraphQLSchema;
  rateLimits: RateLimits;
  metrics: Pick<Metrics, 'rateLimitRefusals'>;
}) {
  const { schema, rateLimits, metrics } = deps;
  // A document that is parsed once and run often (REST's, or one from Yoga's cache) is counted once.
  const costs = new WeakMap<DocumentNode, Map<string, Map<RateClass, number>>>();

  function costOf(document: DocumentNode, operationName: string | null | undefined): Map<RateClass, number> {
    const known = costs.get(document) ?? new Map<string, Map<RateClass, number>>();
    costs.set(document, known);
    const name = operationName ?? '';
    const cost = known.get(name) ?? countRootFields(schema, document, operationName);
    known.set(name, cost);
    return cost;
  }

  /**
   * @returns What is left of the class of which least is left; null when nothing is limited.
   * @throws {RateLimited} when a budget does not suffice; then nothing of the operation runs.
   */
  async function spend(
    document: DocumentNode,
    operationName: string | null | undefined,
    caller: Caller,
  ): Promise<RateState | null> {
    let tightest: RateState | null = null;
    for (const [rateClass, points] of costOf(document, operationName)) {
      try {
        const state = await rateLimits.spend(rateClass, caller, points);
        if (state && (tightest === null || state.remaining < tightest.remaining)) tightest = state;
      } catch (error) {
        metrics.rateLimitRefusals.inc({ class: rateClass });
        throw error;
      }
    }
    return tightest;
  }

  return { spend };
}

function countRootFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): Map<RateClass, number> {
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  const operation = operationName ? operations.find(({ name }) => name?.value === operationName) : operations[0];
  const counts = new Map<RateClass, number>();
  const fields = operation && schema.getRootType(operation.operation)?.getFields();
  if (!fields) return counts;
  const fragments = new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

  const count = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value === '__typename') continue;
        const rateClass = (fields[selection.name.value]?.extensions.rateLimit as RateClass | undefined) ?? 'general';
        counts.set(rateClass, (counts.get(rateClass) ?? 0) + 1);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        count(selection.selectionSet);
      } else {
        // Validation has refused cycles; a fragment that is spread twice runs twice at most, since fields merge.
        const fragment = fragments.get(selection.name.value);
        if (fragment) count(fragment.selectionSet);
      }
    }
  };
  count(operation.selectionSet);
  return counts;
}

/** Source: spec.md, Rate limit response headers. */
export function setRateHeaders(res: ServerResponse, { limit, remaining, reset }: RateState): void {
  if (res.headersSent) return;
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
  res.setHeader('X-RateLimit-Reset', reset);
}

/** The state that a refusal tells, for its headers. */
export const stateOfRefusal = (error: unknown): RateState | null => (error instanceof RateLimited ? error.state : null);
