import type { Express, Request, Response } from 'express';
import type { DocumentNode } from 'graphql';
import { oauthErrors } from '../../../rest-adapter/errors.ts';
import {
  CompleteGithubLinkDocument,
  type CompleteGithubLinkMutation,
  CompleteOauthFlowDocument,
  type CompleteOauthFlowMutation,
} from '../../../rest-adapter/generated/operations.ts';
import { readQuery } from '../../../rest-adapter/query.ts';
import type { Caller } from '../../platform/caller.ts';
import { ApiError, isApiError, statusOfCode } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { apiErrorBehind } from '../graphql/errors.ts';
import type { Graphql } from '../graphql/graphql.ts';
import { sendJson } from './json-response.ts';
import { requestIdOf } from './requests.ts';

interface CallbackDependencies {
  readonly graphql: Graphql;
  identify(req: Request): Promise<Caller>;
  /** Counts a callback that leads to no operation. @throws {RateLimited} */
  countRefused(req: Request, caller: Caller): Promise<void>;
  readonly log: Logger;
}

/**
 * A path to which an authorization server redirects the browser. It responds with a page, so it is not a REST route.
 */
interface Callback {
  readonly path: string;
  /** For the log: the operation that failed. */
  readonly failure: string;
  readonly operation: DocumentNode;
  /** The parameters of the redirect that the operation takes. */
  readonly parameters: readonly string[];
  /** Where the browser goes: relative, with fixed codes; nothing of the request is repeated. */
  location(data: unknown): string;
  /** The same for a failure that has a code of our own. */
  failed(code: string): string;
}

const githubCallback: Callback = {
  path: '/api/registry/github/callback',
  failure: 'a GitHub account was not linked',
  operation: CompleteGithubLinkDocument,
  parameters: ['state', 'code', 'error'],
  location(data) {
    const { error } = (data as CompleteGithubLinkMutation).githubLinkComplete;
    return error === null ? '/registry?linked=true' : this.failed(error.toLowerCase());
  },
  failed: (code) => `/registry?link_error=${code}`,
};

/** Source: docs/specification/oauth.md#callback. */
const flowCallback: Callback = {
  path: '/api/oauth/callback',
  failure: 'an MCP server was not authorized',
  operation: CompleteOauthFlowDocument,
  parameters: ['state', 'code', 'error', 'iss'],
  location(data) {
    const { error, serverUuid } = (data as CompleteOauthFlowMutation).oauthFlowComplete;
    const outcome = error === null ? 'oauth_success=true' : `oauth_error=${error.toLowerCase()}`;
    return `/mcp-servers?${outcome}${serverUuid === null ? '' : `&server_uuid=${serverUuid}`}`;
  },
  /** Of the documented codes: a query that cannot be read belongs to no flow, and whatever else fails leaves no tokens. */
  failed: (code) =>
    `/mcp-servers?oauth_error=${['state_invalid', 'validation_error'].includes(code) ? 'state_invalid' : 'code_exchange_failed'}`,
};

/** The callbacks of authorization servers. Each ends in a redirect to a page. */
export function serveOauthCallbacks(
  app: Express,
  { graphql, identify, countRefused, log }: CallbackDependencies,
): void {
  for (const callback of [githubCallback, flowCallback])
    app.all(callback.path, async (req, res) => {
      // The query of the URL is secret until it is used.
      res.set('Cache-Control', 'no-store');
      res.set('Referrer-Policy', 'no-referrer');
      // A HEAD would use up the state.
      if (req.method !== 'GET') {
        res.set('Allow', 'GET');
        return refuse(new ApiError('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`), callback, req, res);
      }
      try {
        res.set('Location', await locationOf(callback, req, res));
      } catch (error) {
        if (isApiError(error) && error.code === 'RATE_LIMITED') return refuse(error, callback, req, res);
        if (!isApiError(error)) log.error({ requestId: requestIdOf(req), error }, callback.failure);
        res.set('Location', callback.failed(codeOf(error)));
      }
      res.status(302).end();
    });

  async function locationOf(callback: Callback, req: Request, res: Response): Promise<string> {
    const caller = await identify(req);
    // Without a session the state stays, for the browser that has one.
    if (caller.principal?.kind !== 'session') {
      await countRefused(req, caller);
      return callback.failed('state_invalid');
    }
    const query = await readCounted(req, caller);
    const input = Object.fromEntries(callback.parameters.map((name) => [name, query[name]]));
    const context = graphql.contextOf({ caller, requestId: requestIdOf(req), res });
    const result = await graphql.runRoute(callback.operation, { input }, context);
    const [failed] = result.errors ?? [];
    if (failed) throw apiErrorBehind(failed);
    return callback.location(result.data);
  }

  /** Reads the query. A malformed query is counted like a valid one. @throws {ApiError} `VALIDATION_ERROR`, `RATE_LIMITED`. */
  async function readCounted(req: Request, caller: Caller): Promise<Record<string, string>> {
    try {
      return readQuery(req.originalUrl);
    } catch (error) {
      await countRefused(req, caller);
      throw error;
    }
  }
}

function codeOf(error: unknown): string {
  if (!isApiError(error)) return 'server_error';
  return error.code === 'UNAUTHORIZED' ? 'state_invalid' : error.code.toLowerCase();
}

function refuse(error: ApiError, { path }: Callback, req: Request, res: Response): void {
  const { code, message, retryAfter } = error;
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
  const body = path === flowCallback.path ? oauthErrors.body(error) : { error: { code, message } };
  sendJson(req, res, { status: statusOfCode[code], text: JSON.stringify(body) });
}
