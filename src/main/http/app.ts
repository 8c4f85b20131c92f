import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import { createRestRouter, type RequestChecks, type RestCall, routes } from '../../../rest-adapter/index.ts';
import type { RestDependencies, RestHandler } from '../../../rest-adapter/router.ts';
import type { Auth } from '../../auth/index.ts';
import type { DocumentArea } from '../../documents/index.ts';
import { anonymous, type Caller } from '../../platform/caller.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { RateLimited, type RateLimits, type RateState } from '../../platform/limits/rate-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { apiErrorBehind } from '../graphql/errors.ts';
import type { Graphql } from '../graphql/graphql.ts';
import { createGraphqlHandler } from '../graphql/graphql-http.ts';
import type { Variables } from '../graphql/operation-cost.ts';
import { enter, leave } from '../process/event-loop-watch.ts';
import { createBodyReader, type ReadBody } from './body.ts';
import type { BodyPace } from './body-pace.ts';
import type { BytesInFlight } from './bytes-in-flight.ts';
import { sendEvents } from './event-sender.ts';
import { createFileSender } from './file-sender.ts';
import type { IdempotentCalls } from './idempotent-calls.ts';
import { headerValues, type Identify } from './identify.ts';
import { sendJson } from './json-response.ts';
import { serveMaintenance } from './maintenance.ts';
import { serveOauthCallbacks } from './oauth-callbacks.ts';
import type { SpendPage } from './pages/packed-page.ts';
import type { PageAges } from './pages/page-ages.ts';
import { createPages } from './pages/pages.ts';
import { showExceededRate, showRate } from './rate-headers.ts';
import { refuseUnreadable } from './refused-connection.ts';
import { type CountRequest, createRequestMetrics } from './request-metrics.ts';
import { loggedPath, requestIdOf } from './requests.ts';
import { createUploadReader } from './upload-reader.ts';

export interface AppDependencies {
  readonly graphql: Graphql;
  readonly idempotentCalls: Pick<IdempotentCalls, 'once'>;
  readonly identify: Identify;
  readonly auth: Auth;
  readonly checks: RequestChecks;
  readonly documents: Pick<DocumentArea, 'uploads' | 'downloads'>;
  readonly mail: Pick<Mail, 'isLocal' | 'kept'>;
  readonly database: Pick<Database, 'ping' | 'prisma'>;
  readonly config: Config;
  readonly metrics: Metrics & { text(): Promise<string> };
  readonly rateLimits: RateLimits;
  readonly bytesInFlight: Pick<BytesInFlight, 'hold'>;
  readonly log: Logger;
  /** False once the process has been asked to stop. */
  readonly isOpen: () => boolean;
  readonly timeouts: HttpTimeouts;
  readonly pageAges: PageAges;
}

/** Slow senders do not hold connections for ever. In milliseconds. */
export interface HttpTimeouts {
  /** For the headers of a request. */
  readonly headers: number;
  /** For a whole request. */
  readonly request: number;
  /** Between two checks for late requests. */
  readonly every: number;
  /** Of a body. One of 13.5 MB that comes in time has 55 s. */
  readonly body: BodyPace;
  /** Of a file; at least 100 kB a second if left out, so that one of 100 MB has 18 minutes. */
  readonly upload?: BodyPace;
}

export const httpTimeouts: HttpTimeouts = {
  headers: 10_000,
  // The minimum speed of a body ends slow bodies much earlier.
  request: 1_200_000,
  every: 1_000,
  body: { graceMs: 10_000, bytesPerSecond: 300_000 },
};

const uploadPace: BodyPace = { graceMs: 10_000, bytesPerSecond: 100_000 };

/** All HTTP entry points. */
export function createApp(deps: AppDependencies): Server {
  const { graphql, idempotentCalls, identify, metrics, rateLimits, log, isOpen, timeouts } = deps;
  const count = createRequestMetrics(metrics, routes);
  const { readBody, readForm } = createBodyReader({ ...deps, pace: timeouts.body });
  const { uploads, downloads } = deps.documents;
  const receiveUpload = createUploadReader({ ...deps, uploads, pace: timeouts.upload ?? uploadPace });
  const sendFile = createFileSender({ downloads });
  const app = express();
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((req, res, next) => {
    // A mounted handler rewrites the path while it works.
    const { path } = req;
    if (begin(req, res, path, () => (req.route as { path?: unknown } | undefined)?.path)) next();
  });

  /** @returns Whether the request goes on; if not, it is answered. */
  function begin(req: Request, res: Response, path: string, routeOf: () => unknown): boolean {
    before(req, res, { path, routeOf, count, log });
    // The client then opens another connection for its next request, instead of using a closed one.
    if (!isOpen()) res.setHeader('Connection', 'close');
    const hosts = headerValues(req, 'host').length;
    if (hosts > 1) refuseHost(req, res, 'The request has several Host headers');
    else if (hosts === 0 && req.httpVersion !== '1.0') refuseHost(req, res, 'The request has no Host header');
    else if (req.method === 'OPTIONS') preflight(path, res);
    else return true;
    return false;
  }

  const limited = <Result>(req: Request, work: () => Promise<Result>) => withRateHeaders(req, metrics, work);
  const show = ({ res }: Request, state: RateState | null): void => {
    if (res) showRate(res, state);
  };
  const countRefused = (req: Request, caller: Caller) =>
    limited(req, async () => show(req, await rateLimits.spend('general', caller)));
  const identified = (req: Request) => limited(req, () => identify.identify(req, (state) => show(req, state)));
  const boundedBody: ReadBody = (req, ...bounds) => limited(req, () => readBody(req, ...bounds));
  const checkBudget: RestDependencies['checkBudget'] = ({ operations, req, caller }) => {
    let apiError: unknown;
    for (const operation of operations) {
      try {
        for (const rateClass of graphql.operations.ofRoute(operation).ratePoints.keys())
          rateLimits.check(rateClass, caller);
        return;
      } catch (error) {
        apiError = error;
      }
    }
    throw noteExceeded(apiError, req, metrics);
  };

  const spendPage: SpendPage = (req) =>
    limited(req, async () => show(req, await rateLimits.spend('pages', anonymous(identify.addressOf(req)))));

  // API paths skip the page router: Express matches linearly.
  const pages = createPages({
    ...deps,
    identify: identified,
    isSameOrigin: identify.isSameOrigin,
    readForm: (req, caller) => limited(req, () => readForm(req, caller)),
    spendPage,
  });
  app.use((req, res, next) => (isCall(req.path) ? next() : pages(req, res, next)));
  const contextOf = ({ req, res, caller, capabilities }: Omit<RestCall, 'variables'>) =>
    graphql.contextOf({ caller, requestId: requestIdOf(req), res, capabilities });
  const handleGraphql = createGraphqlHandler({
    graphql,
    identify: identified,
    countRefused,
    readBody: boundedBody,
    spendPage,
    log,
  });
  app.all('/graphql', handleGraphql);
  serveOauthCallbacks(app, { graphql, identify: identified, countRefused, log });
  serveMaintenance(app, {
    ...deps,
    addressOf: identify.addressOf,
    countFailure: (req, caller) =>
      limited(req, async () => show(req, await rateLimits.spend('authentication', caller))),
  });
  const rest = createRestRouter({
    routes,
    checks: deps.checks,
    identify: identified,
    countRefused,
    checkBudget,
    readBody: boundedBody,
    async receiveFile(call) {
      await graphql.admit(graphql.operations.ofRoute(call.operation), {}, contextOf(call));
      return limited(call.req, () => receiveUpload(call.req, call.caller));
    },
    sendFile: (call, file) => limited(call.req, () => sendFile(call, file)),
    sendJson,
    follow: (call) =>
      graphql.run(graphql.operations.ofRoute(call.operation), call.variables as Variables, contextOf(call)),
    sendEvents,
    spend: (call) => graphql.spend(graphql.operations.ofRoute(call.operation), contextOf(call)),
    execute: (call) => graphql.runRoute(call.operation, call.variables, contextOf(call)),
    perform: (call) =>
      graphql.perform(graphql.operations.ofRoute(call.operation), call.variables as Variables, contextOf(call)),
    once: (call, render) => idempotentCalls.once({ ...call, context: contextOf(call) }, render),
    errorBehind: apiErrorBehind,
    onFault: (error, req) =>
      log.error(
        { requestId: requestIdOf(req), error, method: req.method, path: loggedPath(req.path) },
        'a request failed',
      ),
  });
  app.use(rest.router);

  // The paths that programs ask most are found by one look; Express tries one path after the other.
  const direct: ReadonlyMap<string, RestHandler> = new Map([...rest.direct, ['POST /graphql', handleGraphql]]);

  function handleRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url = '/' } = incoming;
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const handle = direct.get(`${method} ${path}`);
    if (handle === undefined) return void app(incoming, outgoing);
    // The handlers use no more than this of what Express adds.
    const req = Object.assign(incoming, {
      res: outgoing,
      originalUrl: url,
      path,
      params: noParams,
    }) as unknown as Request;
    const res = outgoing as Response;
    if (!begin(req, res, path, () => path)) return;
    handle(req, res).catch((error: unknown) => {
      log.error({ requestId: requestIdOf(req), error }, 'a request could not be answered');
      res.destroy();
    });
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.every,
      keepAliveTimeout: 65_000,
      // A request without Host is refused below, in our shape.
      requireHostHeader: false,
      // Any other offer to upgrade may be ignored (RFC 9110, 7.8), and is: some clients make one with every request.
      shouldUpgradeCallback: ({ url, headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && url?.split('?')[0] === '/graphql',
    },
    handleRequest,
  );
  server.on('clientError', refuseUnreadable);
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1), which leaves the response in its shape.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // A client that waits for "100 Continue" gets it when its body is read, not before a possible error.
  server.on('checkContinue', (req, res) => server.emit('request', req, res));
  return server;
}

/** Counts a request that a rate limit rejects, and sets the headers with the remaining budget. */
function withRateHeaders<Result>(
  req: Request,
  metrics: Pick<Metrics, 'rateLimitErrors'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return work().catch((error: unknown) => {
    throw noteExceeded(error, req, metrics);
  });
}

function noteExceeded(
  error: unknown,
  { res }: Request,
  { rateLimitErrors }: Pick<Metrics, 'rateLimitErrors'>,
): unknown {
  if (error instanceof RateLimited) {
    rateLimitErrors.inc({ class: error.rateClass });
    if (res) showExceededRate(res, error.state);
  }
  return error;
}

const noParams = {};

/** Sets the headers of every response, and logs it when it was sent. @param routeOf The pattern of the route that has answered. */
function before(
  req: Request,
  res: Response,
  { path, routeOf, count, log }: { path: string; routeOf: () => unknown; count: CountRequest; log: Logger },
): void {
  const start = performance.now();
  const requestId = requestIdOf(req);
  const { method } = req;
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  if (isCall(path)) res.setHeader('Cache-Control', 'no-store');
  if (!isCookieRoute(path)) {
    // Any origin, and never with credentials: a bearer key is the caller's to give, a cookie is not.
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
  }
  const entry = enter(`${method} ${loggedPath(path)}`, requestId);
  res.on('close', () => {
    leave(entry);
    const ms = performance.now() - start;
    count({ method, path: routeOf(), status: res.statusCode, seconds: ms / 1_000 });
    if (!log.isLevelEnabled('info')) return;
    const facts = { requestId, method, path: loggedPath(path), status: res.statusCode, ms: Math.round(ms * 10) / 10 };
    log.info(facts, 'request');
  });
}

/** The paths of programs, of both APIs; the others are for people and for monitoring. */
const isCall = (path: string) => path.startsWith('/api/') || path.startsWith('/v0.1/') || path === '/graphql';

const exposedHeaders =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotent-Replayed, Allow, Content-Disposition, Content-Range, ETag';

/** Routes that work by the session cookie are for this site's own pages. */
const isCookieRoute = (path: string) =>
  ['/', '/sign-in', '/sign-out', '/dev/mail'].includes(path) ||
  ['/api/auth/', '/api/oauth/', '/api/registry/github/'].some((prefix) => path.startsWith(prefix));

function preflight(path: string, res: ServerResponse): void {
  if (!isCookieRoute(path)) {
    res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    res.setHeader(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Idempotency-Key, If-Range, Range, X-Request-Id',
    );
    res.setHeader('Access-Control-Max-Age', '86400');
  }
  res.writeHead(204).end();
}

/** Source: RFC 9112, 3.2. */
function refuseHost(req: Request, res: Response, message: string): void {
  res.setHeader('Connection', 'close');
  sendJson(req, res, { status: 400, text: JSON.stringify({ error: { code: 'VALIDATION_ERROR', message } }) });
}
