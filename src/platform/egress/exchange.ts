import type { Dispatcher } from 'undici';
import { EgressError, type EgressReason } from './egress-error.ts';
import type { Destination } from './urls.ts';

/** The response. Redirects are not followed: 3xx is a status like any other. */
export interface EgressResponse {
  readonly status: number;
  /** Names in lower case; a header that came several times is a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was sent: nothing is decompressed. */
  readonly body: Buffer;
  /** Whether the body went on beyond `responseBytesMax`; its rest was not read. */
  readonly isTruncated: boolean;
  /** Whole milliseconds from the call to the last byte. */
  readonly ms: number;
}

/** Where a body goes as it arrives. */
export interface BodySink {
  /** The response has begun: once, before everything else. */
  begin(status: number, headers: EgressResponse['headers']): void;
  /** A piece with its own memory, not empty. */
  chunk(piece: Buffer): void;
  end(): void;
}

/** The interface of the connection that carries an exchange. */
export interface Carrier {
  /** Counts a request that goes out over the socket. */
  started(): void;
  /** Whether the socket had carried another request before the one of now. */
  isReused(): boolean;
  /** The response is complete: the connection may carry the next one. */
  finished(): void;
  /** The connection must carry nothing any more; its socket is destroyed. */
  abandon(): void;
}

/** Where exchanges wait for a connection to their origin. */
export interface Line {
  leave(exchange: Exchange): void;
  /** Whether connections to other origins are in the way; otherwise it is its own, which are not answered. */
  isHeldUpByOthers(): boolean;
}

export interface ExchangeOptions {
  readonly destination: Destination;
  readonly request: Dispatcher.DispatchOptions;
  readonly totalTimeoutMs: number;
  readonly responseBytesMax: number;
  readonly mayRepeat: boolean;
  readonly pool: string;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: EgressResponse) => void;
  readonly reject: (error: EgressError) => void;
  /** For a response that is streamed: then nothing is collected, `resolve` is not called, and too much of it is an error. */
  readonly sink?: BodySink;
  /** Puts it in line again, from the start. */
  readonly repeat: (exchange: Exchange) => void;
}

/** A request on its way and the response as it arrives, from the call to the last byte or the deadline. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly options: ExchangeOptions;
  /** The connection that carries it; null while it waits for one. */
  carrier: Carrier | null = null;
  /** Where it waits for a connection; null before and after. */
  line: Line | null = null;
  isSettled = false;
  #startedAt = performance.now();
  #timer: NodeJS.Timeout;
  #status: number | null = null;
  #headers: EgressResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(options: ExchangeOptions) {
    this.options = options;
    this.#timer = setTimeout(outOfTime, options.totalTimeoutMs, this);
    options.signal?.addEventListener('abort', this);
  }

  /** Ends it without a response, and whatever carries it with it. */
  fail(reason: EgressReason): void {
    if (this.isSettled) return;
    this.#settle();
    this.line?.leave(this);
    this.carrier?.abandon();
    this.options.reject(new EgressError(reason, this.#status));
  }

  onRequestStart(): void {
    this.carrier?.started();
  }

  onResponseStart(_controller: unknown, status: number, headers: EgressResponse['headers']): void {
    // 1xx: the response is still to come.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (!this.isSettled) this.options.sink?.begin(status, headers);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.isSettled) return;
    const room = this.options.responseBytesMax - this.#bytes;
    this.#bytes += chunk.length;
    const { sink } = this.options;
    if (sink) {
      if (chunk.length > room) this.fail('oversized');
      // Copied: a chunk is a part of the buffer that was read from the socket.
      else if (chunk.length > 0) sink.chunk(Buffer.from(chunk));
      return;
    }
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length <= room) return;
    this.#succeed(true);
    this.carrier?.abandon();
  }

  onResponseEnd(): void {
    if (this.isSettled) return;
    // First the connection, then the caller: its next request then finds the connection free.
    this.#settle();
    this.carrier?.finished();
    this.#succeed(false);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.isSettled) return;
    const reason = reasonOf(error, this.#status !== null);
    const { mayRepeat, repeat } = this.options;
    // A kept connection may have been closed by its other end at the moment of the request: that says nothing about the receiver.
    if (mayRepeat && reason === 'interrupted' && this.#status === null && this.carrier?.isReused()) {
      this.carrier.abandon();
      this.carrier = null;
      repeat(this);
    } else this.fail(reason);
  }

  /** The caller's signal. */
  handleEvent(): void {
    this.fail('aborted');
  }

  #settle(): void {
    this.isSettled = true;
    clearTimeout(this.#timer);
    this.options.signal?.removeEventListener('abort', this);
  }

  #succeed(isTruncated: boolean): void {
    this.#settle();
    if (this.options.sink) {
      this.options.sink.end();
      return;
    }
    this.options.resolve({
      status: this.#status ?? 0,
      headers: this.#headers,
      // Copied: a chunk is a part of the buffer that was read from the socket, headers included, and would keep the
      // whole buffer alive.
      body: Buffer.concat(this.#chunks),
      isTruncated,
      ms: Math.round(performance.now() - this.#startedAt),
    });
  }
}

function outOfTime(exchange: Exchange): void {
  // Where this process itself was busy for so long, the response is there already and only has to be read.
  if (exchange.carrier) setImmediate(() => exchange.fail('timeout'));
  else exchange.fail(exchange.line?.isHeldUpByOthers() ? 'busy' : 'timeout');
}

/** The reason behind an error of undici or of a socket. */
function reasonOf(error: Error & { code?: string }, hasBegun: boolean): EgressReason {
  if (error instanceof EgressError) return error.reason;
  const { code = '', name, message } = error;
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return 'header';
  // A server that requires a client certificate reports it after the handshake.
  if (code.startsWith('ERR_SSL')) return 'tls';
  if (message === 'bad response' || message === 'bad upgrade') return 'protocol';
  if (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'protocol';
  // Two lengths that differ; once the response has begun, the connection that ended before its length.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !hasBegun) return 'protocol';
  return 'interrupted';
}
