import { mediaTypeEssence } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError } from '../platform/egress/egress-error.ts';

/** Of one discovery: a server that sends requests itself would have each answered. */
const requestsMax = 60;
/** Of all event streams together: the SDK parses each event, which takes more time and memory than its bytes. */
const linesMax = 10_000;
/** Statuses whose response has no body. Source: Fetch, null body status. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
/** What may stand before a JSON text: white space, and the bytes of a byte order mark (U+FEFF), which decoders drop. */
const blanks: ReadonlySet<number> = new Set([...Buffer.from(' \t\n\r\ufeff')]);
const bracket = '['.charCodeAt(0);

/**
 * A `fetch` for the MCP SDK over the guarded way out. One deadline and one number of bytes hold for all its responses together.
 *
 * @param options.isStreamable Whether it is streamable HTTP: its stream of what a server says unasked is not opened.
 */
export function createGuardedFetch(options: {
  egress: Pick<Egress, 'stream'>;
  signal: AbortSignal;
  totalTimeoutMs: number;
  bytesMax: number;
  isStreamable: boolean;
  /** Hears of the first failure underneath; the SDK would wait for a response that cannot come any more. */
  onFailure: (error: EgressError) => void;
  /** Is called for a response that asks for authorization, with its header `WWW-Authenticate`. */
  onChallenge: (status: 401 | 403, header: string) => void;
}) {
  const { egress, signal, totalTimeoutMs, bytesMax, isStreamable, onFailure, onChallenge } = options;
  const endsAt = performance.now() + totalTimeoutMs;
  let bytesLeft = bytesMax;
  let requestsLeft = requestsMax;
  let linesLeft = linesMax;

  const failed = (error: unknown): unknown => {
    if (error instanceof EgressError && error.reason !== 'aborted') onFailure(error);
    return error;
  };

  async function guardedFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET';
    if (isStreamable && method === 'GET') return new Response(null, { status: 405 });
    try {
      if (requestsLeft-- <= 0 || bytesLeft <= 0) throw new EgressError('oversized');
      const response = await egress.stream({
        url: String(input),
        method: method as 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === 'string' && { body: init.body }),
        totalTimeoutMs: Math.max(1, endsAt - performance.now()),
        responseBytesMax: bytesLeft,
        signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
      });
      const headers = new Headers();
      for (const [name, value] of Object.entries(response.headers))
        if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
      if (response.status === 401 || response.status === 403)
        onChallenge(response.status, headers.get('www-authenticate') ?? '');
      if (bodiless.has(response.status)) {
        await response.body.cancel();
        return new Response(null, { status: response.status, headers });
      }
      return new Response(counted(response.body, headers.get('content-type') ?? ''), {
        status: response.status,
        headers,
      });
    } catch (error) {
      throw failed(error);
    }
  }

  /** The same body, whose bytes count towards all of them. */
  function counted(body: ReadableStream<Uint8Array>, type: string): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    // Decided as the SDK does: a content type of JSON can be spelled in many ways.
    const isJson = mediaTypeEssence(type) === 'application/json';
    const linesIn = lineCounter();
    let hasBegun = false;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) return controller.close();
          bytesLeft -= value.length;
          if (!isJson) linesLeft -= linesIn(value);
          // A batch answers a batch, and the platform sends none: a hundred thousand messages would be parsed one by
          // one.
          const first = hasBegun ? undefined : value.find((byte) => !blanks.has(byte));
          hasBegun ||= first !== undefined;
          const isBatch = isJson && first === bracket;
          if (bytesLeft < 0 || linesLeft < 0 || isBatch) {
            await reader.cancel();
            throw new EgressError(isBatch ? 'protocol' : 'oversized');
          }
          controller.enqueue(value);
        } catch (error) {
          controller.error(failed(error));
        }
      },
      cancel: () => reader.cancel(),
    });
  }

  return guardedFetch as typeof globalThis.fetch;
}

/** Counts the ends of lines in the pieces of one stream: LF, CR, or both together. Source: HTML, event streams. */
function lineCounter(): (piece: Uint8Array) => number {
  const [lf, cr] = [10, 13];
  let last = 0;
  return (piece) => {
    let lines = 0;
    for (const byte of piece) {
      if (byte === cr || (byte === lf && last !== cr)) lines += 1;
      last = byte;
    }
    return lines;
  };
}
