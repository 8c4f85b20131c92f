import { createHash, timingSafeEqual } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import { oauthErrors } from '../../../rest-adapter/errors.ts';
import {
  CleanUpOauthStatesDocument,
  type CleanUpOauthStatesMutation,
} from '../../../rest-adapter/generated/operations.ts';
import { anonymous, type Caller, type RouteCapability } from '../../platform/caller.ts';
import type { Config } from '../../platform/config.ts';
import { ApiError, isApiError, statusOfCode, unauthorized } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { apiErrorBehind } from '../graphql/errors.ts';
import type { Graphql } from '../graphql/graphql.ts';
import { bearerOf } from './identify.ts';
import { sendJson } from './json-response.ts';
import { requestIdOf } from './requests.ts';

const path = '/api/oauth/cleanup-pkce';

const capabilities: ReadonlySet<RouteCapability> = new Set(['run-maintenance']);

export interface MaintenanceDependencies {
  readonly graphql: Graphql;
  readonly config: Pick<Config, 'NODE_ENV' | 'CRON_SECRET'>;
  readonly log: Logger;
  addressOf(req: Request): string;
  /** Counts a wrong secret against the address. @throws {RateLimited} */
  countFailure(req: Request, caller: Caller): Promise<void>;
}

/**
 * POST /api/oauth/cleanup-pkce with `Authorization: Bearer <CRON_SECRET>`; outside production also GET, without
 * authentication. Its caller is a scheduler and not a user, so it is not a REST route. Source:
 * docs/specification/operations.md#maintenance.
 */
export function serveMaintenance(app: Express, deps: MaintenanceDependencies): void {
  const { graphql, config, log, addressOf, countFailure } = deps;
  const methods = config.NODE_ENV === 'production' ? ['POST'] : ['POST', 'GET'];

  app.all(path, async (req, res) => {
    try {
      if (!methods.includes(req.method)) {
        res.set('Allow', methods.join(', '));
        throw new ApiError('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
      }
      const caller = anonymous(addressOf(req));
      if (req.method === 'POST' && !isCronSecret(bearerOf(req.headers.authorization ?? ''), config.CRON_SECRET)) {
        await countFailure(req, caller);
        throw unauthorized();
      }
      sendJson(req, res, { status: 200, text: await cleanedUp(req, res, caller) });
    } catch (error) {
      refuse(error, req, res);
    }
  });

  async function cleanedUp(req: Request, res: Response, caller: Caller): Promise<string> {
    const context = graphql.contextOf({ caller, requestId: requestIdOf(req), res, capabilities });
    const result = await graphql.runRoute(CleanUpOauthStatesDocument, {}, context);
    const [failed] = result.errors ?? [];
    if (failed) throw apiErrorBehind(failed);
    const { deleted, gracePeriodMinutes, at } = (result.data as unknown as CleanUpOauthStatesMutation)
      .oauthStatesCleanup;
    const message = `Deleted ${deleted} expired PKCE ${deleted === 1 ? 'state' : 'states'}`;
    return JSON.stringify({
      success: true,
      deleted,
      deletedCount: deleted,
      gracePeriodMinutes,
      message,
      timestamp: at,
    });
  }

  function refuse(error: unknown, req: Request, res: Response): void {
    if (!isApiError(error)) log.error({ requestId: requestIdOf(req), error }, 'the cleanup of PKCE states failed');
    const apiError = isApiError(error) ? error : new ApiError('SERVER_ERROR', 'Internal server error');
    if (apiError.retryAfter !== undefined) res.set('Retry-After', String(apiError.retryAfter));
    if (apiError.code === 'UNAUTHORIZED') res.set('WWW-Authenticate', 'Bearer');
    sendJson(req, res, { status: statusOfCode[apiError.code], text: JSON.stringify(oauthErrors.body(apiError)) });
  }
}

/** Compares in constant time. Without a secret in the setting no text is right. */
function isCronSecret(given: string | null, secret: string | undefined): boolean {
  if (given === null || secret === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
