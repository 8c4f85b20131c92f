import type { ExecutionResult } from 'graphql';
import type { Metrics } from '../platform/metrics.ts';
import type { Operation } from './operations.ts';

/** @returns To be called with the result of the operation, as soon as it is there. */
export function timeOperation(
  { graphqlOperationSeconds }: Pick<Metrics, 'graphqlOperationSeconds'>,
  { kind, rootField }: Operation,
): (result: ExecutionResult) => void {
  const start = performance.now();
  return ({ errors }) => {
    const [first] = errors ?? [];
    const { code } = (first?.originalError ?? first?.extensions ?? {}) as { code?: unknown };
    const outcome =
      first === undefined ? 'ok' : typeof code === 'string' && /^[A-Z_]{1,30}$/.test(code) ? code : 'SERVER_ERROR';
    graphqlOperationSeconds.observe({ type: kind, field: rootField, outcome }, (performance.now() - start) / 1_000);
  };
}
