import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql';
import type { Caller, RouteCapability } from '../src/platform/caller.ts';
import { ApiError, isApiError, unauthorized } from '../src/platform/errors.ts';
import { invalid } from '../src/platform/input/input.ts';
import { type JsonContent, jsonContentOf } from '../src/platform/json/json-content.ts';
import { type ErrorShape, generalErrors, shapeOfPath, statusOf } from './errors.ts';
import { readQuery } from './query.ts';
import { parseRequest } from './request.ts';
import type { FileDescription, RawRequest, RequestChecks, Route, StreamedEvent } from './route.ts';

/** Bodies are small but for those that carry values. */
const bodyBytesMaxDefault = 256 * 1024;

/** What the REST layer needs of the rest of the house. */
export interface RestDependencies {
  readonly routes: readonly Route[];
  readonly checks: RequestChecks;
  /** The caller, from a header or cookie. @throws {ApiError} `UNAUTHORIZED` for an invalid credential. */
  identify(req: Request): Promise<Caller>;
  /** Counts a call that is refused before it costs anything. @throws {ApiError} `RATE_LIMITED` when there are too many. */
  countRefused(req: Request, caller: Caller): Promise<void>;
  /**
   * Runs before a body is read, which decides between the operations of alternative routes.
   *
   * @throws {ApiError} `RATE_LIMITED` for a caller whose budgets of all these operations are exhausted.
   */
  checkBudget(call: Pick<RestCall, 'req' | 'caller'> & { readonly operations: readonly DocumentNode[] }): void;
  /**
   * Reads a JSON body of at most `bytesMax` bytes. @throws {ApiError} for any other body; a body beyond the caller's
   * bounds is not read.
   */
  readBody(req: Request, bytesMax: number, caller: Caller): Promise<Record<string, unknown>>;
  /**
   * Spends the cost of a call, then stores the file of its multipart form.
   *
   * @throws {ApiError} for a forbidden call, before the body is read; for an invalid form; `TOO_LARGE`; `UNAVAILABLE`.
   */
  receiveFile(call: Omit<RestCall, 'variables'>): Promise<ReceivedForm>;
  /** Sends a file, or the range of it that the request asks for. @throws {ApiError} before anything was sent. */
  sendFile(call: Pick<RestCall, 'req' | 'res' | 'caller'>, file: FileDescription): Promise<void>;
  /** Sends a JSON text, also to a request whose body was not read. */
  sendJson(req: Request, res: Response, response: { status: number; text: JsonContent }): void;
  /** Counts a call whose input is wrong like one that runs. @throws {ApiError} `RATE_LIMITED`. */
  spend(call: Omit<RestCall, 'variables'>): Promise<void>;
  /** Executes a GraphQL document with the guards that every entry point has. */
  execute(call: RestCall): Promise<ExecutionResult>;
  /** Runs a subscription on the graph: a result alone is that of its refusal. */
  follow(call: RestCall): Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void, void>>;
  /** Sends results as server-sent events until they end. */
  sendEvents(
    call: Pick<RestCall, 'req' | 'res'>,
    results: AsyncGenerator<ExecutionResult, void, void>,
    eventOf: (result: ExecutionResult) => StreamedEvent,
  ): Promise<void>;
  /** The same for a call whose cost was spent before. */
  perform(call: RestCall): Promise<ExecutionResult>;
  /**
   * Runs a call once for all requests with the same key; the others get the same response.
   *
   * @param call.isSpent Whether its cost was already spent.
   * @param render The text of the response; an exception undoes the operation.
   */
  once(
    call: RestCall & { key: string; route: string; asked: unknown; isSpent: boolean },
    render: (result: ExecutionResult) => Promise<JsonContent>,
  ): Promise<{ text: JsonContent; isReplayed: boolean }>;
  /** The error behind that of a failed operation. Variables are valid here, so an error of GraphQL itself is a bug. */
  errorBehind(error: GraphQLError): unknown;
  /** Receives every unexpected error with the request's id. */
  onFault(error: unknown, req: Request): void;
}

/** A multipart form whose file was stored. */
export interface ReceivedForm {
  readonly fileUuid: string;
  /** What the file is, whenever it is sent: its name, and its SHA-256 in hexadecimal. */
  readonly identity: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Forgets the file: the operation did not take it. */
  discard(): Promise<void>;
}

export interface RestCall {
  readonly operation: DocumentNode;
  readonly variables: unknown;
  readonly req: Request;
  readonly res: Response;
  readonly caller: Caller;
  /** What the route may do beyond all others. */
  readonly capabilities?: ReadonlySet<RouteCapability> | undefined;
}

/** Responds to a call of one route. It never rejects. */
export type RestHandler = (req: Request, res: Response) => Promise<void>;

export interface RestRouter {
  readonly router: Router;
  /** The handlers of routes without parameters, by method and path: `POST /api/clipboard/get`. */
  readonly direct: ReadonlyMap<string, RestHandler>;
}

/** The documented HTTP paths over the graph: one place for parsing, refusing and laying out responses. */
export function createRestRouter({
  routes,
  checks,
  identify,
  countRefused,
  checkBudget,
  readBody,
  receiveFile,
  sendFile,
  sendJson,
  spend,
  execute,
  follow,
  sendEvents,
  perform,
  once,
  errorBehind,
  onFault,
}: RestDependencies): RestRouter {
  const router = Router({ caseSensitive: true, strict: true });
  const direct = new Map<string, RestHandler>();

  // A literal segment is never read as an id: `/read-all` comes before `/:id`, also for a method that only `/:id` has.
  for (const hasParams of [false, true]) {
    const some = routes.filter(({ path }) => path.includes(':') === hasParams);
    for (const alternatives of Map.groupBy(some, ({ method, path }) => `${method} ${path}`).values())
      serve(alternatives as [Route, ...Route[]]);
    for (const [path, known] of methodsByPath(some)) refuseOthers(path, known);
  }

  router.use(async (req, res) => {
    try {
      await countRefused(req, await identify(req));
      throw new ApiError('NOT_FOUND', 'This path does not exist');
    } catch (error) {
      refuse(error, generalErrors, req, res);
    }
  });

  const onError: ErrorRequestHandler = (error, req, res, _next) => {
    // Express itself fails only on a path that it cannot decode, such as a bad percent-encoding.
    const { status } = error as { status?: number };
    const isClients = typeof status === 'number' && status >= 400 && status < 500;
    const details = { path: 'The path is not valid percent-encoding' };
    refuse(
      isClients ? new ApiError('VALIDATION_ERROR', 'Validation error', { details }) : error,
      shapeOfPath(req.path),
      req,
      res,
    );
  };
  router.use(onError);
  return { router, direct };

  function serve(alternatives: readonly [Route, ...Route[]]): void {
    const [first] = alternatives;
    const operations = [...new Set(alternatives.map(({ operation }) => operation))];
    const bodyBytesMax = Math.max(...alternatives.map((route) => route.bodyBytesMax ?? bodyBytesMaxDefault));
    const handle: RestHandler = async (req, res) => {
      // Set while a call is validated and has spent nothing yet: a call that is rejected here is counted.
      let early: Caller | null = null;
      let form: ReceivedForm | null = null;
      try {
        const caller = await identify(req);
        if (first.access !== 'public' && caller.principal === null) {
          await countRefused(req, caller);
          throw unauthorized();
        }
        if (first.method !== 'GET') checkBudget({ operations, req, caller });
        early = caller;
        const asked = { params: req.params as Record<string, string>, query: readQuery(req.originalUrl) };
        if (first.takesFile) {
          early = null;
          form = await receiveFile({ operation: first.operation, req, res, caller });
        }
        const raw: RawRequest = form
          ? { ...asked, body: form.fields, fileUuid: form.fileUuid }
          : // A GET has none, whatever a client sends along.
            {
              ...asked,
              body: first.method === 'GET' ? {} : await readBody(req, bodyBytesMax, caller),
              lastEventId: req.headers['last-event-id'] as string | undefined,
            };
        const route = alternatives.find(({ when }) => when?.(raw) ?? true) ?? first;
        early = null;
        const { operation, capabilities } = route;
        const parsed = parseRequest(route, raw, checks);
        if (parsed.request === null) {
          if (!form) await spend({ operation, req, res, caller });
          throw invalid(parsed.wrong);
        }
        const { request, variables } = parsed;
        const bodyOf = ({ errors, data }: ExecutionResult) => {
          if (errors?.length) throw errorBehind(errors[0] as GraphQLError);
          return route.body(data, request);
        };
        const render = (result: ExecutionResult) => jsonContentOf(bodyOf(result));
        const { status = 200 } = route;
        const call = { operation, variables, req, res, caller, capabilities };
        // Most have none, and all headers are read anew for the distinct ones.
        const hasKey = route.isIdempotent && req.headers['idempotency-key'] !== undefined;
        const key = hasKey ? req.headersDistinct['idempotency-key']?.join(', ') : undefined;
        if (route.givesEvents) {
          const results = await follow(call);
          if (!(Symbol.asyncIterator in results)) return void bodyOf(results);
          return await sendEvents(call, results, (result) => bodyOf(result) as StreamedEvent);
        }
        if (route.givesFile) return await sendFile(call, bodyOf(await execute(call)) as FileDescription);
        if (key === undefined) {
          const result = await (form ? perform(call) : execute(call));
          return sendJson(req, res, { status, text: await render(result) });
        }
        const name = `${route.method} ${route.path}`;
        // Ignored members of a body do not count. A file that is sent again has another id, and is compared by its
        // content.
        const decisive = form ? parseRequest(route, { ...raw, fileUuid: form.identity }, checks) : parsed;
        const { text, isReplayed } = await once(
          {
            ...call,
            key,
            route: name,
            asked: { params: raw.params, variables: decisive.request && decisive.variables },
            isSpent: form !== null,
          },
          render,
        );
        if (isReplayed) res.setHeader('Idempotent-Replayed', 'true');
        if (isReplayed) await form?.discard();
        sendJson(req, res, { status, text });
      } catch (error) {
        await form?.discard();
        refuse(await counted(error, early, req), first.errors, req, res);
      }
    };
    router[first.method.toLowerCase() as Lowercase<Route['method']>](first.path, handle);
    if (!first.path.includes(':')) direct.set(`${first.method} ${first.path}`, handle);
  }

  function refuseOthers(path: string, { methods, errors }: { methods: string[]; errors: ErrorShape }): void {
    router.all(path, (req, res) => {
      res.setHeader('Allow', methods.join(', '));
      refuse(new ApiError('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`), errors, req, res);
    });
  }

  /** The refusal, or the one for too many of them. */
  async function counted(error: unknown, early: Caller | null, req: Request): Promise<unknown> {
    if (early === null) return error;
    return countRefused(req, early).then(
      () => error,
      (apiError: unknown) => apiError,
    );
  }

  function refuse(error: unknown, shape: ErrorShape, req: Request, res: Response): void {
    if (res.headersSent || res.destroyed) return;
    if (!isApiError(error)) onFault(error, req);
    const apiError = isApiError(error) ? error : new ApiError('SERVER_ERROR', 'Internal server error');
    if (apiError.retryAfter !== undefined) res.setHeader('Retry-After', String(apiError.retryAfter));
    if (apiError.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Bearer');
    sendJson(req, res, { status: statusOf(shape, apiError), text: JSON.stringify(shape.body(apiError)) });
  }
}

function methodsByPath(routes: readonly Route[]): Map<string, { methods: string[]; errors: ErrorShape }> {
  const paths = new Map<string, { methods: string[]; errors: ErrorShape }>();
  for (const { path, method, errors } of routes) {
    const known = paths.get(path) ?? { methods: [], errors };
    for (const allowed of method === 'GET' ? ['GET', 'HEAD'] : [method])
      if (!known.methods.includes(allowed)) known.methods.push(allowed);
    paths.set(path, known);
  }
  return paths;
}
