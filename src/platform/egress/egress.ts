import type { Logger } from '../logger.ts';
import type { Allowances } from './allowances.ts';
import { createConnect } from './connect.ts';
import { createConnections } from './connections.ts';
import { EgressError } from './egress-error.ts';
import { type EgressResponse, Exchange, type ExchangeOptions } from './exchange.ts';
import { requestHeaders } from './request-headers.ts';
import { type Resolve, resolveAsSystem, resolvePublic } from './resolve.ts';
import { createUrlValidator } from './urls.ts';

export interface EgressRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as they are; what frames the message cannot be set. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as UTF-8. */
  readonly body?: string | Buffer;
  /** From the call to the last byte of the response: the name, the connection, the handshake, headers and body. */
  readonly totalTimeoutMs: number;
  /** How much of the response's body is read; 65 536 if left out. */
  readonly responseBytesMax?: number;
  /** Whether the request may be sent again when a kept connection ended under it before a byte of the response; false if left out. */
  readonly mayRepeat?: boolean;
  /**
   * The owner of the request: each has its own connections, so that hanging requests of one owner do not delay others
   * at the same host.
   */
  readonly pool?: string;
  readonly signal?: AbortSignal;
}

/** A response as it arrives. */
export interface EgressStream {
  readonly status: number;
  /** Names in lower case; a header that came several times is a list. */
  readonly headers: EgressResponse['headers'];
  /** Fails with an EgressError; `oversized` beyond `responseBytesMax`. Cancelling it ends the connection. */
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * The only HTTP client for outgoing requests: to public hosts, without redirects, proxies, cookies or credentials of
 * ours.
 */
export interface Egress {
  /**
   * Validates a URL by its text: scheme, host, port, form. No name is resolved, so a name may still be forbidden later.
   *
   * @returns The URL, or the mistake: the rest of a sentence that begins with the name of the field ("must use https").
   */
  validateUrl(text: string): { url: URL; mistake?: undefined } | { url?: undefined; mistake: string };
  /**
   * Sends a request over HTTP/1.1, and reads the response up to the cap.
   *
   * @returns The response, whatever its status; 3xx are not followed.
   * @throws {EgressError} With a reason of a closed list, and a message that reveals nothing about the network.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /**
   * The same, resolved after the headers. The deadline covers the body, too. Unread bytes wait in memory, at most
   * `responseBytesMax`.
   *
   * @throws {EgressError} Until the headers; afterwards the body fails with it.
   */
  stream(request: Omit<EgressRequest, 'mayRepeat'>): Promise<EgressStream>;
  /** Ends running exchanges with `closed`, and all connections. Later requests are rejected. */
  close(): void;
}

/**
 * @param options.isProduction Whether http is rejected.
 * @param options.allow The exceptions of EGRESS_ALLOW.
 * @param options.log Names with addresses that are not public are logged, with the addresses.
 * @param options.resolve All addresses of a name; the name servers of the machine by default.
 * @param options.connectionsPerOriginMax Connections to one scheme, host and port for one owner; 128 by default.
 * Further requests wait.
 * @param options.connectionsMax Connections in all; 1 024 by default. Unused ones are closed, and origins take turns.
 * @param options.idleMs How long an unused connection is kept, in milliseconds; 4 000 by default.
 * @param options.ageMsMax Age after which a connection is not used again, in milliseconds; 60 000 by default.
 * @param options.isInTransaction Whether the running code holds a database transaction; never by default. Outside of
 * production a request is then an error: a slow host would hold one of few connections.
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
  isInTransaction?: () => boolean;
}): Egress {
  const {
    isProduction,
    allow,
    log,
    isInTransaction = () => false,
    connectionsPerOriginMax = 128,
    connectionsMax = 1_024,
  } = options;
  const { resolve = resolvePublic, idleMs = 4_000, ageMsMax = 60_000 } = options;
  const validate = createUrlValidator({ isProduction, allow });
  const connect = createConnect({ allow, log, resolve, resolveAllowed: options.resolve ?? resolveAsSystem });
  const connections = createConnections(connect, { connectionsPerOriginMax, connectionsMax, idleMs, ageMsMax });
  let isClosed = false;

  /** @returns Makes the exchange of a request that may be sent. */
  function prepared({ url, method, headers = {}, body = '', ...call }: EgressRequest) {
    if (isClosed) throw new EgressError('closed');
    if (!isProduction && isInTransaction())
      throw new Error('A network request was made in a transaction. Make it before the first write.');
    if (call.signal?.aborted) throw new EgressError('aborted');
    const { destination } = validate(url);
    if (!destination) throw new EgressError('forbidden');
    const request = { path: destination.path, method, headers: requestHeaders(headers), body };
    return (ends: Pick<ExchangeOptions, 'resolve' | 'reject'> & Partial<ExchangeOptions>) =>
      new Exchange({
        destination,
        request,
        totalTimeoutMs: call.totalTimeoutMs,
        responseBytesMax: call.responseBytesMax ?? 65_536,
        mayRepeat: call.mayRepeat ?? false,
        pool: call.pool ?? '',
        signal: call.signal,
        repeat: connections.send,
        ...ends,
      });
  }

  return {
    validateUrl(text) {
      const { destination, mistake } = validate(text);
      return mistake === undefined ? { url: new URL(destination.href) } : { mistake };
    },

    async request(request) {
      const exchange = prepared(request);
      return new Promise((resolve, reject) => connections.send(exchange({ resolve, reject })));
    },

    async stream(request) {
      const exchange = prepared(request);
      return new Promise((resolve, reject) => {
        const given = new AbortController();
        const signal = request.signal ? AbortSignal.any([request.signal, given.signal]) : given.signal;
        let body: ReadableStreamDefaultController<Uint8Array> | null = null;
        const sink = {
          begin: (status: number, headers: EgressResponse['headers']) =>
            resolve({
              status,
              headers,
              body: new ReadableStream<Uint8Array>({
                start: (controller) => {
                  body = controller;
                },
                // Who cancels hears no error of it.
                cancel: () => {
                  body = null;
                  given.abort();
                },
              }),
            }),
          chunk: (piece: Buffer) => body?.enqueue(piece),
          end: () => body?.close(),
        };
        const fail = (error: EgressError) => (body ? body.error(error) : reject(error));
        connections.send(exchange({ resolve: () => undefined, reject: fail, sink, signal, mayRepeat: false }));
      });
    },

    close() {
      isClosed = true;
      connections.close();
    },
  };
}
