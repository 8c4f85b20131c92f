import type { Request, Response } from 'express';
import type { ExecutionResult } from 'graphql';
import type { StreamedEvent } from '../../../rest-adapter/index.ts';

/** Between two comments that keep a silent connection open through proxies. */
const pingEveryMs = 12_000;
/** A client that takes nothing for so long is gone. */
const stalledMs = 30_000;

/**
 * The value of `Last-Event-ID` after the last event: a client that reconnects receives no further events. Source: HTML,
 * Server-sent events.
 */
const endOfEvents = 'end';

/**
 * Sends the results of a subscription as server-sent events, and ends with them. The subscription ends with the
 * connection.
 *
 * @param eventOf The event of a result.
 */
export async function sendEvents(
  { req, res }: { readonly req: Request; readonly res: Response },
  results: AsyncGenerator<ExecutionResult, void, void>,
  eventOf: (result: ExecutionResult) => StreamedEvent,
): Promise<void> {
  const end = () => void results.return();
  res.once('close', end);
  if (req.headers['last-event-id'] === endOfEvents) {
    end();
    return void res.writeHead(204).end();
  }
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  if (req.method === 'HEAD') return void res.end(end);
  res.flushHeaders();
  req.socket.setTimeout(stalledMs);
  const ping = setInterval(() => res.write(':\n\n'), pingEveryMs);
  try {
    for await (const result of results) {
      const { id, event, data } = eventOf(result);
      const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      if (!res.write(text) && !res.closed) await drained(res);
    }
  } finally {
    clearInterval(ping);
    res.end();
  }
}

/** Resolves when the written bytes were accepted, or the connection is closed. */
function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      res.off('drain', go).off('close', go);
      resolve();
    };
    res.on('drain', go).on('close', go);
  });
}
