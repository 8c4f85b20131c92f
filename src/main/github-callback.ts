import type { Express, Request, Response } from 'express';
import {
  CompleteGithubLinkDocument,
  type CompleteGithubLinkMutation,
} from '../../rest-adapter/generated/operations.ts';
import { readQuery } from '../../rest-adapter/query.ts';
import type { Caller } from '../platform/caller.ts';
import { isRefusal } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { refusalBehind } from './errors.ts';
import type { Graphql } from './graphql.ts';
import { answerJson } from './json-answer.ts';
import { requestIdOf } from './requests.ts';

const path = '/api/registry/github/callback';

/**
 * GET /api/registry/github/callback: where GitHub sends the browser back to. No route of REST's, because a page is what follows:
 * `/registry?linked=true`, or `/registry?link_error=<code>`. The codes are ours; nothing of the request is repeated.
 */
export function serveGithubCallback(
  app: Express,
  deps: { graphql: Graphql; identify(req: Request): Promise<Caller>; log: Logger },
): void {
  const { graphql, identify, log } = deps;

  app.all(path, async (req, res) => {
    // A look at the headers alone would use up the state.
    if (req.method !== 'GET') {
      res.set('Allow', 'GET');
      const error = { code: 'METHOD_NOT_ALLOWED', message: `${req.method} is not allowed here` };
      answerJson(req, res, { status: 405, text: JSON.stringify({ error }) });
      return;
    }
    const error = await outcomeOf(req, res).catch((failure: unknown) => {
      if (isRefusal(failure)) return failure.code === 'UNAUTHORIZED' ? 'state_invalid' : failure.code.toLowerCase();
      log.error({ requestId: requestIdOf(req), error: failure }, 'a GitHub account was not linked');
      return 'server_error';
    });
    res.set('Location', error === null ? '/registry?linked=true' : `/registry?link_error=${error}`);
    res.status(302).end();
  });

  /** @returns What was in the way; null if nothing. */
  async function outcomeOf(req: Request, res: Response): Promise<string | null> {
    const caller = await identify(req);
    // Whoever has no session cannot be told from a stranger: the state stays, for the one who has.
    if (caller.principal?.kind !== 'session') return 'state_invalid';
    const { state, code, error } = readQuery(req.originalUrl);
    const context = graphql.contextOf({ caller, requestId: requestIdOf(req), res });
    const result = await graphql.runRoute(CompleteGithubLinkDocument, { input: { state, code, error } }, context);
    const [failed] = result.errors ?? [];
    if (failed) throw refusalBehind(failed);
    const { githubLinkComplete } = result.data as unknown as CompleteGithubLinkMutation;
    return githubLinkComplete.error?.toLowerCase() ?? null;
  }
}
