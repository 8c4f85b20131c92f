import type { z } from 'zod';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import { createFlowCompletion, type FlowCompletionDependencies } from './flow-completion.ts';
import { createFlowRequests, type FlowRequestDependencies } from './flow-requests.ts';
import { callbackPath, FlowStart, RefreshCall } from './input.ts';
import type { OauthMetrics } from './metrics.ts';
import type { Refresher } from './refresher.ts';
import * as statements from './session-statements.ts';

export interface FlowDependencies extends FlowRequestDependencies, FlowCompletionDependencies {
  readonly appUrl: string;
  readonly refresher: Refresher;
  readonly metrics: OauthMetrics;
}

/** Flows of the platform's own application, in the user's session. Source: docs/specification/oauth.md. */
export function createFlows(deps: FlowDependencies) {
  const { database, clock, appUrl, servers, states, metrics } = deps;
  const { prepared } = createFlowRequests(deps);

  /**
   * Starts the authorization of an MCP server of the signed-in user.
   *
   * @returns The URL to send the browser to, its state, and when that expires: after five minutes.
   * @throws {ApiError} `UNAUTHORIZED` without a session; `VALIDATION_ERROR`; `NOT_FOUND` for a server that is not the user's or has no
   *   OAuth; `SERVER_ERROR` when discovery or registration failed.
   * @see docs/specification/oauth.md#initiate
   */
  async function begin(
    caller: Caller,
    input: z.input<typeof FlowStart>,
  ): Promise<{ authorizationUrl: string; state: string; expiresAt: Date }> {
    const { userUuid } = signedIn(caller);
    const { serverUuid } = parse(FlowStart, input);
    const server = await servers.ofUser(serverUuid, userUuid);
    if (server === null) throw new ApiError('NOT_FOUND', 'Server not found');
    const redirectUri = `${appUrl}${callbackPath}`;
    const { request, pending } = await prepared(caller, server, redirectUri);
    const expiresAt = await states.store(database, request.state, { ...pending, sessionUuid: null });
    return { authorizationUrl: request.url, state: request.state, expiresAt };
  }

  /**
   * Refreshes the tokens of a server of the signed-in user.
   *
   * @returns When the new access token expires; null where the authorization server does not say.
   * @throws {ApiError} `UNAUTHORIZED` without a session; `FORBIDDEN` for a server that is not the user's, and for one that does not exist;
   *   otherwise as `Refresher.refresh`.
   * @see docs/specification/oauth.md#refresh
   */
  async function refresh(
    caller: Caller,
    input: z.input<typeof RefreshCall>,
  ): Promise<{ expiresAt: Date | null; sessionUuid: string }> {
    const { userUuid } = signedIn(caller);
    const { serverUuid } = parse(RefreshCall, input);
    const server = await servers.ofUser(serverUuid, userUuid);
    if (server === null) throw new ApiError('FORBIDDEN', 'This server does not belong to you');
    const [session] = await database.query<statements.SessionRow>(statements.ofServer(serverUuid, clock.pinned()));
    if (!session) {
      metrics.oauth_token_refresh_total.inc({ status: 'failure', reason: 'no_refresh_token' });
      throw new ApiError('VALIDATION_ERROR', 'No refresh token is available');
    }
    return deps.refresher.refresh(session.uuid, {
      trigger: 'request',
      actorUuid: userUuid,
      requestId: caller.requestId ?? null,
    });
  }

  return { begin, prepared, refresh, ...createFlowCompletion(deps) };
}

export type Flows = ReturnType<typeof createFlows>;

/** The user of a session; API keys are not for these endpoints. @throws {ApiError} `UNAUTHORIZED`. */
function signedIn(caller: Caller): Principal {
  if (caller.principal?.kind !== 'session') throw unauthorized();
  return authorize(caller, 'oauth:authorize');
}
