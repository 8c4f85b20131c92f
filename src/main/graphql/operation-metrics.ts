import type { ExecutionResult } from 'graphql';
import { statusOfCode } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Operation } from './operations.ts';

/** @returns To be called with the result of the operation, as soon as it is there. */
export function timeOperation(
  metrics: Pick<Metrics, 'graphqlOperations' | 'graphqlErrors' | 'graphqlOperationSeconds'>,
  { kind, rootField }: Pick<Operation, 'kind' | 'rootField'>,
): (result: ExecutionResult) => void {
  const start = performance.now();
  return ({ errors }) => {
    const [first] = errors ?? [];
    const { code: given } = (first?.originalError ?? first?.extensions ?? {}) as { code?: unknown };
    const code = isCode(given) ? given : 'SERVER_ERROR';
    const outcome = first === undefined ? 'ok' : statusOfCode[code] < 500 ? 'refused' : 'failed';
    metrics.graphqlOperations.inc({ type: kind, field: rootField, outcome });
    if (first) metrics.graphqlErrors.inc({ code });
    metrics.graphqlOperationSeconds.observe({ type: kind }, (performance.now() - start) / 1_000);
  };
}

const isCode = (code: unknown): code is keyof typeof statusOfCode =>
  typeof code === 'string' && Object.hasOwn(statusOfCode, code);
