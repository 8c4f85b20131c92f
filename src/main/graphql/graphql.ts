import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { createYoga, type Plugin, processRegularResult, type YogaServerInstance } from 'graphql-yoga';
import type { Services } from '../../../schema/context.ts';
import { schema } from '../../../schema/index.ts';
import type { Caller, RouteCapability } from '../../platform/caller.ts';
import type { Config } from '../../platform/config.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { withLineFeed } from '../http/line-feed.ts';
import { isCounted } from '../http/rate-headers.ts';
import { requestIdOf } from '../http/requests.ts';
import { setSessionCookie } from '../http/session-cookie.ts';
import { publicError } from './errors.ts';
import type { LiveCredentials } from './live-credentials.ts';
import type { Variables } from './operation-cost.ts';
import { createOperations, invalidOperation, type Operations } from './operations.ts';
import {
  createOperationRunner,
  isStream,
  type OperationContext,
  type OperationResult,
  type OperationRunner,
} from './run-operation.ts';

export interface GraphqlDependencies {
  readonly services: Services;
  readonly prisma: unknown;
  readonly liveCredentials: LiveCredentials;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'APP_URL'>;
  readonly log: Logger;
}

interface HttpContext {
  req: IncomingMessage;
  res: ServerResponse;
  identified: Caller;
}

/** The parameters of a GraphQL request that every entry point understands. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Variables;
  readonly operationName: string | null;
}

const noCapabilities: ReadonlySet<RouteCapability> = new Set();

export type Graphql = ReturnType<typeof createGraphql>;

/**
 * The graph behind its entry points. Yoga answers GraphQL over HTTP in all of its forms; plain POSTs, sockets and REST come
 * here directly. All of them run an operation by `run` (src/main/graphql/run-operation.ts).
 */
export function createGraphql(deps: GraphqlDependencies) {
  const { services, prisma, config, log } = deps;
  const operations = createOperations(schema);
  const runner = createOperationRunner({ schema, ...deps });

  /** The context of resolvers. `capabilities` are those of the REST route that runs the operation; no other entry point has any. */
  const contextOf = (from: {
    caller: Caller;
    requestId: string;
    res: ServerResponse | null;
    capabilities?: ReadonlySet<RouteCapability> | undefined;
  }): OperationContext => ({
    caller: { ...from.caller, requestId: from.requestId },
    services,
    requestId: from.requestId,
    setSession: from.res && ((session) => setSessionCookie(from.res as ServerResponse, session, config.APP_URL)),
    capabilities: from.capabilities ?? noCapabilities,
    prisma,
    res: from.res,
  });

  /** Runs the operation of a document that Yoga has parsed and validated. */
  async function runDocument({
    document,
    operationName,
    variableValues,
    contextValue,
  }: ExecutionArgs): Promise<OperationResult> {
    const context = contextValue as OperationContext;
    const operation = operations.of(document, operationName);
    if (operation) return runner.run(operation, variableValues ?? {}, context);
    // Nothing runs: graphql has the words for a name that selects no operation.
    const { errors = [] } = await execute({ schema, document, operationName: operationName ?? null });
    return { errors: errors.map((error) => publicError(error, log, context.requestId)) };
  }

  /**
   * Finds the operation of a request, and counts a request that has none.
   *
   * @throws {RateLimited} when too many requests had none.
   */
  async function select({ query, operationName }: GraphqlRequest, context: OperationContext) {
    const selected = operations.select(query, operationName);
    if (selected.operation === null) await runner.spend(invalidOperation, context);
    return selected;
  }

  const yoga: YogaServerInstance<HttpContext, OperationContext> = createYoga<HttpContext, OperationContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ req, res, identified }) => contextOf({ caller: identified, requestId: requestIdOf(req), res }),
    plugins: [useRunner(operations, runDocument), usePublicErrors(log, runner.spend), lineFeeds],
    // What fails outside of an operation: a body that cannot be read, a document that cannot be parsed.
    maskedErrors: { maskError: (error) => publicError(error, log, 'none') },
    parserAndValidationCache: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
  });

  return {
    yoga,
    contextOf,
    operations,
    select,
    ...runner,
    /** Runs a document of the REST layer. */
    async runRoute(document: DocumentNode, variables: unknown, context: OperationContext): Promise<ExecutionResult> {
      const result = await runner.run(operations.ofRoute(document), variables as Variables, context);
      return isStream(result) ? { errors: [notAcceptable()] } : result;
    },
  };
}

/** Yoga parses, validates, executes and subscribes by our functions. */
function useRunner(
  operations: Operations,
  run: (args: ExecutionArgs) => Promise<OperationResult>,
): Plugin<object, object, OperationContext> {
  return {
    onParse: ({ setParseFn }) => setParseFn(((text: string) => operations.parse(text)) as never),
    onValidate: ({ setValidationFn }) =>
      setValidationFn((_schema: unknown, document: DocumentNode) => operations.validate(document)),
    onExecute: ({ setExecuteFn }) => setExecuteFn(run as never),
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(run as never),
  };
}

/** Errors of a request that runs nothing: its document is not valid, its parameters are wrong, or its method is. It is counted. */
function usePublicErrors(log: Logger, spend: OperationRunner['spend']): Plugin<object, HttpContext, OperationContext> {
  return {
    async onResultProcess({ result, setResult, resultProcessor, setResultProcessor, serverContext }) {
      // Yoga would respond with an empty 406, even to an error; JSON serves the client better.
      if (!resultProcessor) setResultProcessor(processRegularResult as never, 'application/json');
      if (!resultProcessor && Symbol.asyncIterator in Object(result)) {
        void (result as unknown as AsyncGenerator).return(undefined);
        return setResult({ errors: [notAcceptable()] });
      }
      if (!('errors' in result && result.errors)) return;
      const { identified: caller, res } = serverContext;
      const ranNothing = !('data' in result) && !isCounted(res);
      const tooMany = ranNothing ? await spend(invalidOperation, { caller, res }).catch((error) => [error]) : null;
      setResult({ ...result, errors: (tooMany ?? result.errors).map((error) => publicError(error, log, 'none')) });
    },
  };
}

/** Ends a JSON result with a line feed, as json-response.ts does. Events of a stream stay as they are. */
const lineFeeds: Plugin = {
  onResultProcess({ result, setResult, resultProcessor }) {
    if (resultProcessor !== (processRegularResult as unknown)) return;
    const stringify = (shown: object) => withLineFeed(JSON.stringify(shown));
    setResult(Object.assign({}, result, { stringify }));
  },
};

const notAcceptable = () =>
  new GraphQLError('A subscription requires a stream: accept text/event-stream, or use a WebSocket', {
    extensions: { code: 'VALIDATION_ERROR', http: { status: 406 } },
  });
