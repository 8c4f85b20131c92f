import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonContent } from '../../platform/json/json-content.ts';
import { endAnswer, isUnread } from './body.ts';
import { withLineFeed } from './line-feed.ts';

export interface JsonAnswer {
  readonly status: number;
  readonly text: JsonContent;
  /** `application/json` by default; always in UTF-8. */
  readonly type?: string;
  /** Beside the type, the length and those that are set already. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a JSON text, with a line feed after it. */
export function answerJson(req: IncomingMessage, res: ServerResponse, answer: JsonAnswer): void {
  const { status, type = 'application/json', headers } = answer;
  // The rest of a body that was not read would be taken for the next request.
  if (isUnread(req)) res.setHeader('Connection', 'close');
  res.writeHead(status, {
    ...headers,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(answer.text) + 1,
  });
  if (typeof answer.text === 'string') endAnswer(req, res, withLineFeed(answer.text));
  else {
    res.write(answer.text);
    endAnswer(req, res, withLineFeed(''));
  }
}
