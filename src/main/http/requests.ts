import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Where a request keeps its id. A WeakMap would keep each value alive through a collection more, which costs a tenth of the CPU. */
const idKey = Symbol('request id');

/** The request's id: the client's own `X-Request-Id` where it is fit to be repeated (docs/specification/general.md#request-id), else a new one. */
export function requestIdOf(req: IncomingMessage & { [idKey]?: string }): string {
  let id = req[idKey];
  if (id === undefined) {
    const given = req.headers['x-request-id'];
    id = typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
    req[idKey] = id;
  }
  return id;
}

/**
 * A path for the log. A segment that is longer than a uuid is not an id: it may be a key that was sent in place of an
 * id.
 */
export const loggedPath = (path: string): string => path.replaceAll(/[^/]{37,}/g, '…');
