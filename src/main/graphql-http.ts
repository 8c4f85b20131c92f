import type { Express, Request, Response } from 'express';
import { isRefusal, Refusal, statusOfCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { endAnswer, readBody } from './body.ts';
import type { Graphql } from './graphql.ts';
import { requestIdOf } from './requests.ts';

/** A document with a value of 2 MB in which every character is escaped is 12.6 MB of JSON, as over REST. */
const bodyBytesMax = 13_500_000;

/** The graph at /graphql: queries by GET, everything by POST with a JSON body, subscriptions as server-sent events. */
export function serveGraphql(app: Express, { graphql, log }: { graphql: Graphql; log: Logger }): void {
  app.all('/graphql', async (req, res) => {
    try {
      if (!['GET', 'HEAD', 'POST'].includes(req.method)) {
        res.set('Allow', 'GET, POST');
        throw new Refusal('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
      }
      // Read here, where it is bounded; and no form of another site is JSON. Yoga takes a body that was read already.
      if (req.method === 'POST') req.body = await readBody(req, bodyBytesMax);
      await graphql.yoga.handle(req, res, { req, res });
    } catch (error) {
      refuse(req, res, error);
    }
  });

  function refuse(req: Request, res: Response, error: unknown): void {
    if (res.headersSent || res.destroyed) return;
    if (!isRefusal(error)) log.error({ requestId: requestIdOf(req), error }, 'a GraphQL request failed');
    const { code, message, details } = isRefusal(error) ? error : new Refusal('SERVER_ERROR', 'Internal server error');
    const text = JSON.stringify({ errors: [{ message, extensions: { code, ...(details && { details }) } }] });
    if (!req.complete) res.set('Connection', 'close');
    res.writeHead(statusOfCode[code], {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    });
    endAnswer(req, res, text);
  }
}
