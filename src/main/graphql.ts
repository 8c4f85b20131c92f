import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, getVariableValues } from 'graphql';
import { createYoga, type Plugin, processRegularResult, type YogaServerInstance } from 'graphql-yoga';
import type { Context, Services } from '../../schema/context.ts';
import { schema } from '../../schema/index.ts';
import type { Caller } from '../platform/caller.ts';
import type { Config } from '../platform/config.ts';
import { refusalOf } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createDocumentCache, noCache } from './document-cache.ts';
import { publicError } from './errors.ts';
import { createKnownDocuments } from './known-documents.ts';
import type { LiveCredentials } from './live-credentials.ts';
import { timeOperation } from './operation-metrics.ts';
import { parseDocument, refuseCostly, refuseLongText } from './query-limits.ts';
import { type RateGuard, setRateHeaders, stateOfRefusal } from './rate-guard.ts';
import { requestIdOf } from './requests.ts';
import { setSessionCookie } from './session-cookie.ts';
import { useSharedResults } from './shared-results.ts';

export interface GraphqlDependencies {
  readonly services: Services;
  readonly prisma: unknown;
  readonly liveCredentials: LiveCredentials;
  readonly rateGuard: RateGuard;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'APP_URL'>;
  readonly log: Logger;
}

/** A context with what the doors alone use. */
export interface OperationContext extends Context {
  /** The answer, to put headers on; null on a socket. */
  readonly res: ServerResponse | null;
}

interface HttpContext {
  req: IncomingMessage;
  res: ServerResponse;
  identified: Caller;
}

/** What a client may ask in the common case. */
export interface PlainRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | null;
}

export type Graphql = ReturnType<typeof createGraphql>;

/** Of the documents that Yoga remembers: some 64 MB when they are parsed. */
const documentCharactersMax = 256 * 1024;

/** The graph behind its three doors: HTTP (Yoga), WebSocket (graphql-ws) and the REST layer. */
export function createGraphql(deps: GraphqlDependencies) {
  const { services, prisma, liveCredentials, rateGuard, metrics, config, log } = deps;
  const contextOf = (
    caller: Caller,
    requestId: string,
    res: ServerResponse | null,
    isRest = false,
  ): OperationContext => ({
    caller,
    services,
    requestId,
    setSession: res && ((session) => setSessionCookie(res, session, config.APP_URL)),
    isRest,
    prisma,
    res,
  });

  const yoga: YogaServerInstance<HttpContext, OperationContext> = createYoga<HttpContext, OperationContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: (initial) => {
      // A socket brings its own context: it was identified when it connected.
      if ('caller' in initial) return initial as unknown as OperationContext;
      const { req, res, identified } = initial;
      return contextOf(identified, requestIdOf(req), res);
    },
    plugins: [
      useQueryLimits(),
      useRateGuard(rateGuard, log),
      useOperationMetrics(metrics),
      useSharedResults(schema),
      useLiveCredentials(liveCredentials),
      usePublicErrors(log),
    ],
    // What fails outside of an operation: a body that cannot be read, a document that cannot be parsed.
    maskedErrors: { maskError: (error) => publicError(error, log, 'none') },
    parserAndValidationCache: {
      documentCache: createDocumentCache<DocumentNode>(documentCharactersMax),
      errorCache: noCache,
    },
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
  });

  const documentOf = createKnownDocuments(schema);

  async function timed(document: DocumentNode, variableValues: Record<string, unknown>, context: OperationContext) {
    const done = timeOperation(metrics, schema, document, null);
    const result = await execute({ schema, document, variableValues, contextValue: context });
    done(result);
    return result;
  }

  return {
    yoga,
    contextOf,
    /**
     * The common case of GraphQL over HTTP: one query or mutation that is valid, with variables that fit. Beside Yoga, whose
     * fetch layer takes more time than all else, and with the same guards in the same order.
     *
     * @returns null for everything else. Nothing was spent or run then: Yoga does it, and finds the words.
     */
    async answer(
      { query, variables, operationName }: PlainRequest,
      context: OperationContext,
    ): Promise<ExecutionResult | null> {
      const known = documentOf(query);
      if (known === null) return null;
      const { document, operation } = known;
      if (operationName !== null && operationName !== operation.name?.value) return null;
      if (getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors) return null;
      try {
        refuseCostly(schema, document, null, variables);
        await spend(rateGuard, document, null, context);
      } catch (error) {
        return { errors: [publicError(error, log, context.requestId)] };
      }
      return inPublic(await timed(document, variables, context), log, context);
    },
    /** Spends what a compiled document costs. @throws {RateLimited} */
    spend: (document: DocumentNode, context: OperationContext) => spend(rateGuard, document, null, context),
    /** Runs a compiled document for the REST layer, when it was paid for. */
    async execute(document: DocumentNode, variables: unknown, context: OperationContext): Promise<ExecutionResult> {
      const result = await timed(document, variables as Record<string, unknown>, context);
      return result.errors ? { ...result, errors: result.errors.map(withRefusal) } : result;
    },
  };
}

/** The database's being away comes out of Prisma in many forms; the REST layer sees one. */
function withRefusal(error: GraphQLError): GraphQLError {
  const refusal = error.originalError && refusalOf(error.originalError);
  if (refusal === error.originalError) return error;
  return new GraphQLError(error.message, { path: error.path, originalError: refusal as Error });
}

/** Spends what an operation costs, and tells on the answer what is left. */
async function spend(
  rateGuard: RateGuard,
  document: DocumentNode,
  operationName: string | null | undefined,
  { caller, res }: OperationContext,
): Promise<void> {
  try {
    const state = await rateGuard.spend(document, operationName, caller);
    if (state && res) setRateHeaders(res, state);
  } catch (error) {
    const state = stateOfRefusal(error);
    if (state && res) setRateHeaders(res, state);
    throw error;
  }
}

/** Documents are parsed with a bound, and judged by their form before they are validated. */
function useQueryLimits(): Plugin {
  return {
    onParse({ params, setParseFn }) {
      // Thrown here, before Yoga's cache of documents hears of it.
      refuseLongText(typeof params.source === 'string' ? params.source : params.source.body);
      setParseFn(parseDocument);
    },
  };
}

/** Before anything runs, at execute and at subscribe, over HTTP and over sockets. */
function useRateGuard(rateGuard: RateGuard, log: Logger): Plugin<object, object, OperationContext> {
  const refused = async ({
    document,
    operationName,
    variableValues,
    contextValue,
  }: OperationArgs): Promise<ExecutionResult | null> => {
    const context = contextValue as OperationContext;
    try {
      refuseCostly(schema, document, operationName, variableValues ?? {});
      await spend(rateGuard, document, operationName, context);
      return null;
    } catch (error) {
      return { errors: [publicError(error, log, context.requestId)] };
    }
  };
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const result = await refused(args as OperationArgs);
      if (result) setResultAndStopExecution(result);
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const result = await refused(args as OperationArgs);
      if (result) setResultAndStopExecution(result);
    },
  };
}

function useOperationMetrics(metrics: Metrics): Plugin<object, object, OperationContext> {
  return {
    onExecute({ args }) {
      const { document, operationName } = args as OperationArgs;
      const done = timeOperation(metrics, schema, document, operationName);
      return { onExecuteDone: ({ result }: ResultHook) => done(result as ExecutionResult) };
    },
  };
}

interface OperationArgs {
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Record<string, unknown> | null;
  contextValue: unknown;
}

/** Ends a stream with its connection: Yoga forgets one whose client went while it was being established. */
function endWith(res: ServerResponse, events: AsyncGenerator): void {
  const end = () => void events.return(undefined);
  if (res.closed || res.destroyed) end();
  else res.once('close', end);
}

/** A subscription lives no longer than the right of who made it. */
function useLiveCredentials(liveCredentials: LiveCredentials): Plugin<object, object, Context> {
  return {
    onSubscribe({ args, setSubscribeFn, subscribeFn }) {
      const { caller, res } = (args as OperationArgs).contextValue as OperationContext;
      setSubscribeFn(async (subscribeArgs: unknown) => {
        const result = await subscribeFn(subscribeArgs as never);
        if (!(Symbol.asyncIterator in Object(result))) return result;
        const events = liveCredentials.guard(caller.principal, result as AsyncGenerator<ExecutionResult>);
        if (res) endWith(res, events);
        return events;
      });
    },
  };
}

function inPublic<Result>(result: Result, log: Logger, { requestId }: Context): Result {
  const { errors } = result as { errors?: readonly unknown[] };
  return errors ? { ...result, errors: errors.map((error) => publicError(error, log, requestId)) } : result;
}

/** Every error of an operation in its public form, logged with the id of its request. */
function usePublicErrors(log: Logger): Plugin<object, object, Context> {
  return {
    onExecute: ({ args }) => ({
      onExecuteDone: ({ result, setResult }: ResultHook) =>
        setResult(inPublic(result, log, args.contextValue as Context) as never),
    }),
    onSubscribe: ({ args }) => ({
      onSubscribeResult: ({ result, setResult }: ResultHook) => {
        const context = args.contextValue as Context;
        // A refusal to subscribe is one result; a stream's results come one by one.
        if (!(Symbol.asyncIterator in Object(result))) setResult(inPublic(result, log, context) as never);
        return { onNext: (next: ResultHook) => next.setResult(inPublic(next.result, log, context) as never) };
      },
      onSubscribeError: ({ error, setError }) =>
        setError(publicError(error, log, (args.contextValue as Context).requestId)),
    }),
    // What never came to an operation: a document that is not valid, a body that is no request.
    onResultProcess({ result, setResult, resultProcessor, setResultProcessor }) {
      // Yoga would answer with an empty 406, a refusal of what was asked too; a client is better served by JSON than by nothing.
      if (!resultProcessor) setResultProcessor(processRegularResult as never, 'application/json');
      if (!resultProcessor && Symbol.asyncIterator in Object(result)) {
        void (result as unknown as AsyncGenerator).return(undefined);
        return setResult({ errors: [notAcceptable()] });
      }
      if ('errors' in result && result.errors)
        setResult({ ...result, errors: result.errors.map((error) => publicError(error, log, 'none')) });
    },
  };
}

const notAcceptable = () =>
  new GraphQLError('A subscription is answered by a stream: accept text/event-stream, or use a WebSocket', {
    extensions: { code: 'VALIDATION_ERROR', http: { status: 406 } },
  });

interface ResultHook {
  result: unknown;
  setResult(result: never): void;
}
