import type { Express, Request, Response } from 'express';
import { anonymous, type Caller } from '../platform/caller.ts';
import { isRefusal, Refusal, statusOfCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { endAnswer, hasBody, readBody } from './body.ts';
import { serveGraphiql } from './graphiql.ts';
import type { Graphql } from './graphql.ts';
import { requestIdOf } from './requests.ts';

export interface GraphqlHttpDependencies {
  readonly graphql: Graphql;
  identify(req: Request): Promise<Caller>;
  /** Counts a call of somebody unknown before it costs anything. @throws {Refusal} `RATE_LIMITED` when there are too many. */
  countRefused(caller: Caller): Promise<void>;
  readonly log: Logger;
}

/** A document with a value of 2 MB in which every character is escaped is 12.6 MB of JSON, as over REST. */
const bodyBytesMax = 13_500_000;
/** Who is unknown has no values to store. */
const anonymousBodyBytesMax = 64 * 1024;
const streamStalledMs = 30_000;

/** The graph at /graphql: queries by GET, everything by POST with a JSON body, subscriptions as server-sent events. */
export function serveGraphql(app: Express, deps: GraphqlHttpDependencies): void {
  const { graphql, identify, countRefused, log } = deps;

  app.all('/graphql', async (req, res) => {
    try {
      if (!['GET', 'HEAD', 'POST'].includes(req.method)) {
        res.set('Allow', 'GET, POST');
        throw new Refusal('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
      }
      if (req.method !== 'POST' && wantsPage(req)) return serveGraphiql(req, res);
      const caller = await identify(req);
      if (caller.principal === null) await countRefused(anonymous(caller.address));
      if (req.method === 'POST') req.body = await readRequest(req, caller);
      else judgeParameters(req);
      settleTypes(req);
      endWhenStalled(req, res);
      await graphql.yoga.handle(req, res, { req, res, identified: caller });
    } catch (error) {
      refuse(req, res, error);
    }
  });

  function refuse(req: Request, res: Response, error: unknown): void {
    if (res.headersSent || res.destroyed) return;
    if (!isRefusal(error)) log.error({ requestId: requestIdOf(req), error }, 'a GraphQL request failed');
    const refusal = isRefusal(error) ? error : new Refusal('SERVER_ERROR', 'Internal server error');
    const { code, message, details, retryAfter } = refusal;
    const extensions = { code, ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) };
    const text = JSON.stringify({ errors: [{ message, extensions }] });
    if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
    if (!req.complete) res.set('Connection', 'close');
    res.writeHead(statusOfCode[code], {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    });
    endAnswer(req, res, text);
  }
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
const wantsPage = (req: Request) =>
  (req.headers.accept ?? '').includes('text/html') && !new URLSearchParams(req.originalUrl.split('?')[1]).has('query');

/** Read here, where it is bounded; and no form of another site is JSON. Yoga takes a body that was read already. */
async function readRequest(req: Request, { principal }: Caller): Promise<Record<string, unknown>> {
  if (!hasBody(req)) throw invalid({ body: 'A POST needs a JSON body with a query' });
  if (principal === null && req.headers['content-encoding'] !== undefined)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The content encoding of the body is not supported');
  const body = await readBody(req, principal === null ? anonymousBodyBytesMax : bodyBytesMax);
  if (typeof body.query !== 'string') throw invalid({ query: 'query is required and must be a string' });
  return body;
}

const answerTypes =
  /application\/json|application\/graphql-response\+json|text\/event-stream|multipart\/mixed|application\/\*|\*\/\*/i;

/**
 * Yoga answers what it cannot serve with an empty 406 or 415. A JSON body is JSON under each of its names, and a client that
 * accepts nothing that we have is better served by JSON than by nothing (RFC 9110, 12.5.1).
 */
function settleTypes({ headers, method }: Request): void {
  if (method === 'POST') headers['content-type'] = 'application/json';
  if (headers.accept !== undefined && !answerTypes.test(headers.accept)) headers.accept = 'application/json';
}

/** @throws {Refusal} `VALIDATION_ERROR` for variables or extensions in the address that are no JSON object. */
function judgeParameters(req: Request): void {
  const parameters = new URLSearchParams(req.originalUrl.split('?')[1]);
  for (const name of ['variables', 'extensions']) {
    const text = parameters.get(name);
    if (text !== null && text !== '' && !isJsonObject(text)) throw invalid({ [name]: `${name} must be a JSON object` });
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || (typeof value === 'object' && !Array.isArray(value));
  } catch {
    return false;
  }
}

const invalid = (details: Record<string, string>) => new Refusal('VALIDATION_ERROR', 'Validation error', { details });
