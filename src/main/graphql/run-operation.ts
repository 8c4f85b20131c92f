import type { ServerResponse } from 'node:http';
import { createSourceEventStream, type ExecutionResult, execute, type GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context } from '../../../schema/context.ts';
import { withOneError } from '../../../schema/response-budget.ts';
import { ApiError } from '../../platform/errors.ts';
import { RateLimited, type RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import { streamOf } from '../../platform/messaging/stream.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { showExceededRate, showRate } from '../http/rate-headers.ts';
import { enter, leave } from '../process/event-loop-watch.ts';
import { publicError } from './errors.ts';
import type { LiveCredentials } from './live-credentials.ts';
import type { Variables } from './operation-cost.ts';
import { timeOperation } from './operation-metrics.ts';
import { coercion } from './operation-plan.ts';
import { invalidOperation, type Operation } from './operations.ts';

/** A context with the response, which only the entry points use. */
export interface OperationContext extends Context {
  /** The response, for its headers; null on a socket. */
  readonly res: ServerResponse | null;
}

export type OperationResult = ExecutionResult | AsyncGenerator<ExecutionResult, void, void>;

export type OperationRunner = ReturnType<typeof createOperationRunner>;

/**
 * Runs operations for all entry points: HTTP, event streams, sockets and REST. Every guard of an operation stands here, and
 * every error leaves here in its public form.
 */
export function createOperationRunner(deps: {
  schema: GraphQLSchema;
  rateLimits: RateLimits;
  liveCredentials: Pick<LiveCredentials, 'guard'>;
  metrics: Pick<Metrics, 'graphqlOperations' | 'graphqlErrors' | 'graphqlOperationSeconds' | 'rateLimitErrors'>;
  log: Logger;
}) {
  const { schema, rateLimits, liveCredentials, metrics, log } = deps;
  const shared = createSharedResults();

  /**
   * Takes the cost of an operation off the caller's budgets, and sets the rate headers of the response.
   *
   * @throws {RateLimited} when a budget does not suffice; then nothing of the operation runs.
   */
  async function spend(
    { ratePoints }: Pick<Operation, 'ratePoints'>,
    { caller, res }: Pick<OperationContext, 'caller' | 'res'>,
  ): Promise<void> {
    for (const [rateClass, points] of ratePoints) {
      try {
        const state = await rateLimits.spend(rateClass, caller, points);
        if (res) showRate(res, state);
      } catch (error) {
        metrics.rateLimitErrors.inc({ class: rateClass });
        if (res && error instanceof RateLimited) showExceededRate(res, error.state);
        throw error;
      }
    }
  }

  /**
   * Decides whether an operation may run, before any of its variables is coerced: by its cost, then by the caller's budgets.
   *
   * @throws {ApiError} `VALIDATION_ERROR` over the limit of fields; `RATE_LIMITED`; `UNAVAILABLE`.
   */
  async function admit(operation: Operation, variables: Variables, context: OperationContext): Promise<void> {
    const { costMax } = operation;
    if (operation.cost(variables) > costMax) {
      await spend(invalidOperation, context);
      throw new ApiError('VALIDATION_ERROR', 'The query is too complex', {
        details: { cost: `at most ${costMax} fields` },
      });
    }
    await spend(operation, context);
    if (context.caller.principal?.kind === 'agent') await noteActivity(operation, context);
  }

  /** A call of an agent with its own credential is an activity of the agent, unless it only reports. */
  async function noteActivity({ ratePoints }: Operation, { caller: { principal }, services }: OperationContext) {
    if (principal?.kind !== 'agent' || principal.isSuspended) return;
    if ([...ratePoints.keys()].some((rateClass) => rateClass !== 'agents'))
      await services.agents.idleness.note(principal.credentialUuid);
  }

  /** Executes a query or mutation that was admitted. */
  async function perform(
    operation: Operation,
    variables: Variables,
    context: OperationContext,
  ): Promise<ExecutionResult> {
    const done = timeOperation(metrics, operation);
    const plan = operation.plan();
    const result = await (plan?.(variables, context) ?? execute(argumentsOf(operation, variables, context)));
    done(result);
    showLimitsOf(result, context);
    return inPublic(result, context);
  }

  /** Follows a subscription that was admitted, for as long as the caller's credential holds and the response is open. */
  async function follow(
    operation: Operation,
    variables: Variables,
    context: OperationContext,
  ): Promise<OperationResult> {
    const args = argumentsOf(operation, variables, context);
    const source = await createSourceEventStream(args);
    if (!isStream(source)) return inPublic(source, context);
    // A context belongs to one execution: the loaders of an event end with it.
    const executed = (event: unknown) => execute({ ...args, rootValue: event, contextValue: { ...context } });
    const resultOf = operation.sharesResults ? shared(operation, variables, executed) : executed;
    const results = mapped(source, (event) =>
      watched(operation, context, async () => inPublic(await resultOf(event), context)),
    );
    const guarded = liveCredentials.guard(context.caller.principal, results);
    if (context.res) endWith(context.res, guarded);
    return guarded;
  }

  /** Runs an operation with all guards. Never throws: errors are part of the result. */
  const run = (operation: Operation, variables: Variables, context: OperationContext): Promise<OperationResult> =>
    watched(operation, context, async () => {
      try {
        await admit(operation, variables, context);
        return operation.kind === 'subscription'
          ? await follow(operation, variables, context)
          : await perform(operation, variables, context);
      } catch (error) {
        return { errors: [publicError(error, log, context.requestId)] };
      }
    });

  /** A limit may also be found exceeded by a resolver, such as that of guesses at one account. */
  function showLimitsOf({ errors = [] }: ExecutionResult, { res }: OperationContext): void {
    for (const { originalError } of errors) {
      if (!(originalError instanceof RateLimited)) continue;
      metrics.rateLimitErrors.inc({ class: originalError.rateClass });
      if (res) showExceededRate(res, originalError.state);
    }
  }

  const argumentsOf = ({ document, definition }: Operation, variables: Variables, contextValue: OperationContext) => ({
    schema,
    document,
    operationName: definition.name?.value ?? null,
    variableValues: variables,
    contextValue,
    options: { maxCoercionErrors: coercion.maxErrors },
  });

  /** A result whose variables did not fit has the first error alone: the second only says that there are more. */
  function inPublic(executed: ExecutionResult, { requestId }: Context): ExecutionResult {
    const result = withOneError(executed);
    const { errors } = result;
    if (!errors) return result;
    const shown: readonly GraphQLError[] = 'data' in result ? errors : errors.slice(0, 1);
    return { ...result, errors: shown.map((error) => publicError(error, log, requestId)) };
  }

  const performAdmitted: typeof perform = (operation, variables, context) =>
    watched(operation, context, () => perform(operation, variables, context));

  return { run, spend, admit, perform: performAdmitted };
}

/** Works on an operation, which is named in the log if it blocks the event loop. */
async function watched<Result>(
  { kind, rootField }: Operation,
  { requestId, caller }: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  const entry = enter(`${kind} ${rootField}`, requestId, caller.principal?.credentialUuid);
  try {
    return await work();
  } finally {
    leave(entry);
  }
}

export const isStream = <Stream extends AsyncIterable<unknown>>(result: ExecutionResult | Stream): result is Stream =>
  Symbol.asyncIterator in result;

/**
 * Subscribers of an event with the same operation and variables get one result, executed once. For operations that say
 * `sharesResults`.
 */
function createSharedResults() {
  const results = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();
  const ids = new WeakMap<Operation, number>();
  let lastId = 0;

  return function shared(
    operation: Operation,
    variables: Variables,
    executed: (event: unknown) => ExecutionResult | Promise<ExecutionResult>,
  ): (event: unknown) => ExecutionResult | Promise<ExecutionResult> {
    const id = ids.get(operation) ?? ++lastId;
    ids.set(operation, id);
    const key = JSON.stringify([id, variables]);
    return (event) => {
      if (typeof event !== 'object' || event === null) return executed(event);
      const known = results.get(event) ?? new Map<string, Promise<ExecutionResult>>();
      results.set(event, known);
      const result = known.get(key) ?? Promise.resolve(executed(event));
      known.set(key, result);
      return result;
    };
  };
}

/** A stream of the results of each event. Ending it ends its source. */
function mapped<Event, Result>(
  source: AsyncIterable<Event>,
  resultOf: (event: Event) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const events = source as AsyncGenerator<Event, void, void>;
  const next = async (): Promise<IteratorResult<Result, void>> => {
    const { done, value } = await events.next();
    return done ? { done, value: undefined } : { done: false, value: await resultOf(value) };
  };
  return streamOf(next, () => events.return());
}

/** Ends a stream with its response: Yoga forgets a stream whose client disconnected while it was being established. */
function endWith(res: ServerResponse, events: AsyncGenerator<unknown, void, void>): void {
  const end = () => void events.return();
  if (res.closed || res.destroyed) end();
  else res.once('close', end);
}
