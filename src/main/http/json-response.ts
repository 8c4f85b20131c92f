import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonContent } from '../../platform/json/json-content.ts';
import { endResponse, isUnread } from './body.ts';
import { withLineFeed } from './line-feed.ts';

export interface JsonResponse {
  readonly status: number;
  readonly text: JsonContent;
  /** `application/json` by default; always in UTF-8. */
  readonly type?: string;
  /** Beside the type, the length and those that are set already. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a JSON text, with a line feed after it. */
export function sendJson(req: IncomingMessage, res: ServerResponse, response: JsonResponse): void {
  const { status, type = 'application/json', headers } = response;
  // The rest of a body that was not read would be taken for the next request.
  if (isUnread(req)) res.setHeader('Connection', 'close');
  res.writeHead(status, {
    ...headers,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(response.text) + 1,
  });
  if (typeof response.text === 'string') endResponse(req, res, withLineFeed(response.text));
  else {
    res.write(response.text);
    endResponse(req, res, withLineFeed(''));
  }
}
