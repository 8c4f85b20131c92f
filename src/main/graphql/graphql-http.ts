import type { Request, Response } from 'express';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { anonymous, type Caller } from '../../platform/caller.ts';
import { ApiError, isApiError, statusOfCode } from '../../platform/errors.ts';
import { invalid } from '../../platform/input/input.ts';
import { jsonContentOf } from '../../platform/json/json-content.ts';
import type { Logger } from '../../platform/logger.ts';
import { hasBody, type ReadBody } from '../http/body.ts';
import { anonymousJsonLimits, parseJson } from '../http/json.ts';
import { sendJson } from '../http/json-response.ts';
import { serveGraphiql } from '../http/pages/graphiql.ts';
import type { SpendPage } from '../http/pages/packed-page.ts';
import { isCounted } from '../http/rate-headers.ts';
import { requestIdOf } from '../http/requests.ts';
import type { Graphql, GraphqlRequest } from './graphql.ts';
import { isPersistedQuery, persistedQueryNotSupported } from './persisted-queries.ts';
import { isStream } from './run-operation.ts';

export interface GraphqlHttpDependencies {
  readonly graphql: Graphql;
  identify(req: Request): Promise<Caller>;
  /** Counts a request that runs nothing. @throws {ApiError} `RATE_LIMITED` when there are too many. */
  countRefused(req: Request, caller: Caller): Promise<void>;
  readonly readBody: ReadBody;
  readonly spendPage: SpendPage;
  readonly log: Logger;
}

/** A document with a value of 2 MB in which every character is escaped is 12.6 MB of JSON, as over REST. */
const bodyBytesMax = 13_500_000;
/** An anonymous caller has no values to store. */
const anonymousBodyBytesMax = 64 * 1024;
const streamStalledMs = 30_000;

/** The graph at /graphql: queries by GET, everything by POST with a JSON body, subscriptions as server-sent events. */
export function createGraphqlHandler(deps: GraphqlHttpDependencies): (req: Request, res: Response) => Promise<void> {
  const { graphql, identify, countRefused, readBody, spendPage, log } = deps;

  async function handle(req: Request, res: Response): Promise<void> {
    let caller: Caller | null = null;
    try {
      if (!['GET', 'HEAD', 'POST'].includes(req.method)) {
        res.setHeader('Allow', 'GET, POST');
        throw new ApiError('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
      }
      if (req.method !== 'POST' && wantsPage(req)) return await serveGraphiql(req, res, spendPage);
      caller = await identify(req);
      if (caller.principal === null) await countRefused(req, anonymous(caller.address));
      if (req.method === 'POST') req.body = await readRequest(req, caller, readBody);
      else validateParameters(req);
      const parameters = parametersOf(req);
      if (isPersistedQuery(parameters)) {
        if (!isCounted(res)) await countRefused(req, caller);
        return await sendResult(req, res, 'application/json', { errors: [persistedQueryNotSupported()] });
      }
      if (typeof parameters.query !== 'string') throw invalid({ query: 'query is required and must be a string' });
      settleTypes(req);
      const context = graphql.contextOf({ caller, requestId: requestIdOf(req), res });
      const request = requestOf(parameters);
      const { operation } = await graphql.select(request, context);
      const type = plainType(req);
      if (type && operation && operation.kind !== 'subscription' && isPlain(req.body)) {
        const result = await graphql.run(operation, request.variables, context);
        if (!isStream(result)) return await sendResult(req, res, type, result);
      }
      endWhenStalled(req, res);
      await graphql.yoga.handle(req, res, { req, res, identified: caller });
    } catch (error) {
      refuse(req, res, caller === null ? error : await counted(error, caller, req));
    }
  }

  /** Counts a request that failed before anything of it was counted. @returns The error, or the one for too many of them. */
  async function counted(error: unknown, caller: Caller, req: Request): Promise<unknown> {
    if (req.res === undefined || isCounted(req.res)) return error;
    return countRefused(req, caller).then(
      () => error,
      (tooMany: unknown) => tooMany,
    );
  }

  /** Yoga's fetch layer takes more time than everything else, so the common case of a plain response goes without it. */
  async function sendResult(req: Request, res: Response, type: string, result: ExecutionResult): Promise<void> {
    const { status, headers } = httpOf(result);
    const text = await jsonContentOf({ ...result, ...(result.errors && { errors: result.errors.map(withoutHttp) }) });
    sendJson(req, res, { status, text, type, headers });
  }

  function refuse(req: Request, res: Response, error: unknown): void {
    if (res.headersSent || res.destroyed) return;
    if (!isApiError(error)) log.error({ requestId: requestIdOf(req), error }, 'a GraphQL request failed');
    const apiError = isApiError(error) ? error : new ApiError('SERVER_ERROR', 'Internal server error');
    const { code, message, details, retryAfter } = apiError;
    const extensions = { code, ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) };
    const text = JSON.stringify({ errors: [{ message, extensions }] });
    if (retryAfter !== undefined) res.setHeader('Retry-After', String(retryAfter));
    sendJson(req, res, { status: statusOfCode[code], text });
  }

  return handle;
}

/**
 * A stream of events that can send nothing, not even the ping that is due every 12 s, has lost its reader: Node ends its
 * connection, and that ends the subscription. Yoga switches the connection's timeout off as it begins to stream.
 */
function endWhenStalled({ socket }: Request, res: Response): void {
  const timeout = Math.min(socket.timeout || streamStalledMs, streamStalledMs);
  res.once('pipe', () => socket.setTimeout(timeout));
}

/** A browser that opens the address, and not a client that asks something. */
function wantsPage({ headers, originalUrl }: Request): boolean {
  const parameters = new URLSearchParams(originalUrl.split('?')[1]);
  return (headers.accept ?? '').includes('text/html') && !parameters.has('query') && !parameters.has('extensions');
}

/** Read here, where it is bounded; and no form of another site is JSON. Yoga takes a body that was read already. */
async function readRequest(req: Request, caller: Caller, readBody: ReadBody): Promise<Record<string, unknown>> {
  if (!hasBody(req)) throw invalid({ body: 'A POST needs a JSON body with a query' });
  const { principal } = caller;
  if (principal === null && req.headers['content-encoding'] !== undefined)
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding of the body is not supported');
  return readBody(req, principal === null ? anonymousBodyBytesMax : bodyBytesMax, caller);
}

const responseTypes =
  /application\/json|application\/graphql-response\+json|text\/event-stream|multipart\/mixed|application\/\*|\*\/\*/i;

/**
 * Yoga answers unsupported types with an empty 406 or 415. A JSON body is JSON under each of its names, and JSON serves
 * a client with an unsupported Accept better than an empty response (RFC 9110, 12.5.1).
 */
function settleTypes({ headers, method }: Request): void {
  if (method === 'POST') headers['content-type'] = 'application/json';
  if (headers.accept !== undefined && !responseTypes.test(headers.accept)) headers.accept = 'application/json';
}

/** The type of a plain response to a POST; null if the client prefers a stream, and for other methods. */
function plainType({ method, headers }: Request): string | null {
  if (method !== 'POST') return null;
  const [first] = (headers.accept ?? '*/*').split(',', 1);
  const type = first?.split(';', 1)[0]?.trim();
  if (type === '*/*') return 'application/json';
  return type === 'application/json' || type === 'application/graphql-response+json' ? type : null;
}

/** Parameters of a wrong type are left to Yoga, which has the words for them. */
function requestOf({ query, variables, operationName }: Record<string, unknown>): GraphqlRequest {
  return {
    query: query as string,
    variables: (variables ?? {}) as Record<string, unknown>,
    operationName: typeof operationName === 'string' ? operationName : null,
  };
}

/** Whether a body holds nothing but a query, variables and an operation name, each of the right type. */
function isPlain(body: Record<string, unknown>): boolean {
  const { query: _, variables = null, operationName = null, extensions = null, ...rest } = body;
  if (extensions !== null || Object.keys(rest).length > 0) return false;
  if (typeof variables !== 'object' || Array.isArray(variables)) return false;
  return operationName === null || typeof operationName === 'string';
}

function parametersOf({ method, body, originalUrl }: Request): Record<string, unknown> {
  if (method === 'POST') return body as Record<string, unknown>;
  const parameters = new URLSearchParams(originalUrl.split('?')[1]);
  const extensions = parameters.get('extensions');
  return {
    query: parameters.get('query'),
    operationName: parameters.get('operationName'),
    extensions: extensions ? parseJson(Buffer.from(extensions), anonymousJsonLimits) : null,
  };
}

interface HttpFacts {
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** What the errors of a result say about its response: the highest status of them, and 200 where none says one. */
function httpOf({ errors = [] }: ExecutionResult): { status: number; headers: Record<string, string> } {
  const facts = errors.map(({ extensions }) => (extensions.http ?? {}) as HttpFacts);
  return {
    status: Math.max(200, ...facts.map(({ status = 200 }) => status)),
    headers: Object.assign({}, ...facts.map(({ headers }) => headers)) as Record<string, string>,
  };
}

function withoutHttp(error: GraphQLError): object {
  const { extensions: { http: _, ...extensions } = {}, ...shown } = error.toJSON();
  return { ...shown, extensions };
}

/** @throws {ApiError} `VALIDATION_ERROR` for variables or extensions in the address that are no JSON object. */
function validateParameters(req: Request): void {
  const parameters = new URLSearchParams(req.originalUrl.split('?')[1]);
  for (const name of ['variables', 'extensions']) {
    const text = parameters.get(name);
    if (text !== null && text !== '' && !isJsonObject(text)) throw invalid({ [name]: `${name} must be a JSON object` });
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value = parseJson(Buffer.from(text), anonymousJsonLimits);
    return value === null || (typeof value === 'object' && !Array.isArray(value));
  } catch {
    return false;
  }
}
