import type { IncomingMessage } from 'node:http';
import type { DocumentNode, ExecutionResult } from 'graphql';
import { unauthorized } from '../../platform/errors.ts';
import { createIdempotency, type IdempotentResponse } from '../../platform/idempotency.ts';
import type { JsonContent } from '../../platform/json/json-content.ts';
import type { Graphql } from '../graphql/graphql.ts';
import type { Variables } from '../graphql/operation-cost.ts';
import type { OperationContext } from '../graphql/run-operation.ts';
import type { Infrastructure } from '../services.ts';
import { credentialOf } from './identify.ts';

/** A call over REST that carries an `Idempotency-Key`. */
export interface IdempotentCall {
  readonly req: IncomingMessage;
  readonly key: string;
  /** Method and path, as the route has them. */
  readonly route: string;
  /** All fields that decide the effect. */
  readonly asked: unknown;
  readonly operation: DocumentNode;
  readonly variables: unknown;
  readonly context: OperationContext;
  /** Whether its cost was spent before: that of an upload is, when its body is read. */
  readonly isSpent: boolean;
}

export type IdempotentCalls = ReturnType<typeof createIdempotentCalls>;

/** Runs operations of the graph once for each key. */
export function createIdempotentCalls(
  infrastructure: Pick<Infrastructure, 'database' | 'clock'>,
  graphql: Pick<Graphql, 'operations' | 'admit' | 'perform'>,
) {
  const idempotency = createIdempotency(infrastructure);

  /**
   * A call spends its budget even if a recorded response is repeated.
   *
   * @param render The text of the response to a result. An exception undoes everything.
   */
  async function once(
    call: IdempotentCall,
    render: (result: ExecutionResult) => Promise<JsonContent>,
  ): Promise<IdempotentResponse> {
    const { req, key, route, asked, context } = call;
    const operation = graphql.operations.ofRoute(call.operation);
    const variables = call.variables as Variables;
    const { principal } = context.caller;
    const credential = credentialOf(req);
    if (principal === null || credential === null) throw unauthorized();
    if (!call.isSpent) await graphql.admit(operation, variables, context);
    const { credentialUuid, userUuid } = principal;
    return idempotency.once({ key, route, asked, credentialUuid, credential, userUuid }, async () =>
      render(await graphql.perform(operation, variables, context)),
    );
  }

  return { once };
}
