import type { Logger } from '../logger.ts';
import type { Allowances } from './allowances.ts';
import { createConnect } from './connect.ts';
import { createConnections } from './connections.ts';
import { EgressError } from './egress-error.ts';
import { type EgressResponse, Exchange } from './exchange.ts';
import { requestHeaders } from './request-headers.ts';
import { type Resolve, resolveAsSystem, resolvePublic } from './resolve.ts';
import { createUrlJudge } from './urls.ts';

export interface EgressRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as they are; what frames the message cannot be set. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as UTF-8. */
  readonly body?: string | Buffer;
  /** From the call to the last byte of the answer: the name, the connection, the handshake, headers and body. */
  readonly totalTimeoutMs: number;
  /** How much of the answer's body is read; 65 536 if left out. */
  readonly responseBytesMax?: number;
  /** Whether the request may be sent again when a kept connection ended under it before a byte of the answer; false if left out. */
  readonly mayRepeat?: boolean;
  /** Whose request it is: each has connections of its own, so that one whose requests hang holds up nobody else at a place. */
  readonly lane?: string;
  readonly signal?: AbortSignal;
}

/** The only way out for HTTP: to public hosts, without redirects, proxies, cookies or credentials of ours. */
export interface Egress {
  /**
   * Judges a URL by its text: scheme, host, port, form. No name is resolved, so a name may still turn out to be forbidden.
   *
   * @returns The URL, or what is wrong: the rest of a sentence that begins with the name of the field ("must use https").
   */
  judgeUrl(text: string): { url: URL; mistake?: undefined } | { url?: undefined; mistake: string };
  /**
   * Sends a request over HTTP/1.1, and reads the answer up to the cap.
   *
   * @returns The answer, whatever its status; 3xx are not followed.
   * @throws {EgressError} With a reason of a closed list, and a message that tells nothing of what is inside.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** Ends what is under way with `closed`, and all connections. Later requests are refused. */
  close(): void;
}

/**
 * @param options.isProduction Whether http is refused.
 * @param options.allow What EGRESS_ALLOW lets through.
 * @param options.log Names with addresses that are not public are logged, with the addresses.
 * @param options.resolve All addresses of a name; the name servers of the machine if left out.
 * @param options.connectionsPerOriginMax Connections to one scheme, host and port for one lane; 64 if left out. Further requests wait.
 * @param options.connectionsMax Connections in all; 1 024 if left out. Unused ones make room, and origins take turns.
 * @param options.idleMs How long an unused connection is kept, in milliseconds; 4 000 if left out.
 * @param options.ageMsMax After how long a connection is no longer used again, in milliseconds; 60 000 if left out.
 */
export function createEgress(options: {
  isProduction: boolean;
  allow: Allowances;
  log?: Logger;
  resolve?: Resolve;
  connectionsPerOriginMax?: number;
  connectionsMax?: number;
  idleMs?: number;
  ageMsMax?: number;
}): Egress {
  const { isProduction, allow, log, connectionsPerOriginMax = 64, connectionsMax = 1_024 } = options;
  const { resolve = resolvePublic, idleMs = 4_000, ageMsMax = 60_000 } = options;
  const judge = createUrlJudge({ isProduction, allow });
  const connect = createConnect({ allow, log, resolve, resolveAllowed: options.resolve ?? resolveAsSystem });
  const connections = createConnections(connect, { connectionsPerOriginMax, connectionsMax, idleMs, ageMsMax });
  let isClosed = false;

  return {
    judgeUrl(text) {
      const { destination, mistake } = judge(text);
      return mistake === undefined ? { url: new URL(destination.href) } : { mistake };
    },

    async request({ url, method, headers = {}, body = '', ...call }) {
      if (isClosed) throw new EgressError('closed');
      if (call.signal?.aborted) throw new EgressError('aborted');
      const { destination } = judge(url);
      if (!destination) throw new EgressError('forbidden');
      const message = { path: destination.path, method, headers: requestHeaders(headers), body };
      return new Promise((resolve, reject) => {
        const exchange = new Exchange({
          destination,
          request: message,
          totalTimeoutMs: call.totalTimeoutMs,
          responseBytesMax: call.responseBytesMax ?? 65_536,
          mayRepeat: call.mayRepeat ?? false,
          lane: call.lane ?? '',
          signal: call.signal,
          resolve,
          reject,
          repeat: connections.send,
        });
        connections.send(exchange);
      });
    },

    close() {
      isClosed = true;
      connections.close();
    },
  };
}
