import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import type { Caller } from '../../platform/caller.ts';
import { ApiError } from '../../platform/errors.ts';
import { invalid } from '../../platform/input/input.ts';
import { type RateLimits, spenderOf } from '../../platform/limits/rate-limits.ts';
import { createSlots, type Slots } from '../../platform/limits/slots.ts';
import { type BodyPace, endWhenSlow } from './body-pace.ts';
import type { BytesInFlight, Hold } from './bytes-in-flight.ts';
import { anonymousJsonLimits, InvalidJson, jsonLimits, parseJson, parseLargeJson } from './json.ts';

/** Bodies and messages up to this size cost nothing of the class `bodies`. */
const smallBytesMax = 256 * 1024;
/** A packed body may unpack to so many times its size, beyond the size of a small body. */
const unpackedRatioMax = 100;
/** And to so many bytes. A larger body is sent as it is: unpacking 13 MB takes more than half of what a request may cost. */
const unpackedBytesMax = 8_000_000;
/** Memory of the decompression itself. */
const unpackerBytes = 64 * 1024;

/**
 * Large bodies of one caller are read, parsed and answered one after the other: each takes milliseconds of the event loop at a time,
 * and many at once would leave no room between them for the requests of others.
 */
const largeBodySlots = { slots: 64, perCaller: 1, waitMs: 10_000 };
/** How long a large body holds its slot at most. */
const largeBodyMs = 2_000;

/** Of an HTML form. */
const formBytesMax = 16 * 1024;

export type ReadForm = (req: Request, caller: Caller) => Promise<URLSearchParams>;
export type ReadBody = (req: Request, bytesMax: number, caller: Caller) => Promise<Record<string, unknown>>;

/** Reads bodies within bounds of bytes, structure and time, of budgets, and of what may be in memory at once. */
export function createBodyReader(deps: {
  bytesInFlight: Pick<BytesInFlight, 'hold'>;
  rateLimits: RateLimits;
  pace: BodyPace;
}): { readBody: ReadBody; readForm: ReadForm } {
  const { bytesInFlight, rateLimits, pace } = deps;
  const largeBodies = createSlots({ ...largeBodySlots, message: 'Too many large bodies at once; try again' });

  /**
   * Reads a JSON object from a request and stops at the limit, whatever the announced length, the chunks or the
   * compression. (Express's parser reads a rejected body to its end.) The bytes count as held until the response is
   * sent.
   *
   * @param bytesMax Bytes after decompression.
   * @returns The object; an empty one for a missing body, whatever the content type.
   * @throws {ApiError} `UNSUPPORTED_MEDIA_TYPE` for another type, charset or encoding; `TOO_LARGE`; `VALIDATION_ERROR`
   * for a body that is not a JSON object; `RATE_LIMITED` and `UNAVAILABLE` without reading it.
   */
  async function readBody(req: Request, bytesMax: number, caller: Caller): Promise<Record<string, unknown>> {
    if (!hasBody(req)) return {};
    if (!isJson(req)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8');
    const bytes = await readWithin(req, bytesMax, caller);
    if (bytes.length === 0) return {};
    const limits = caller.principal === null ? anonymousJsonLimits : jsonLimits;
    try {
      // Most are small, and go without the promises that the others need.
      if (bytes.length <= smallBytesMax) return objectOf(parseJson(bytes, limits));
      await spendLarge(rateLimits, caller, bytes.length);
      // One that did not announce its size waits only now.
      if (announcedBytes(req) <= smallBytesMax && req.res) await takeTurn(largeBodies, caller, req.res);
      return objectOf(await parseLargeJson(bytes, limits));
    } catch (error) {
      if (!(error instanceof InvalidJson)) throw error;
      throw invalidBody(`The body ${error.message}`);
    }
  }

  /**
   * Reads the fields of an HTML form, of at most 16 kB.
   *
   * @throws {ApiError} `UNSUPPORTED_MEDIA_TYPE` for another type or encoding; `TOO_LARGE`; `RATE_LIMITED` and `UNAVAILABLE`.
   */
  async function readForm(req: Request, caller: Caller): Promise<URLSearchParams> {
    if (!hasBody(req)) return new URLSearchParams();
    if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(req.headers['content-type'] ?? ''))
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The form must be application/x-www-form-urlencoded');
    return new URLSearchParams((await readWithin(req, formBytesMax, caller)).toString());
  }

  async function readWithin(req: Request, bytesMax: number, caller: Caller): Promise<Buffer> {
    rateLimits.check('bodies', caller);
    // Before its bytes count as held: a waiting body has not been read.
    if (announcedBytes(req) > smallBytesMax && announcedBytes(req) <= bytesMax && req.res)
      await takeTurn(largeBodies, caller, req.res);
    const hold = bytesInFlight.hold(caller);
    req.res?.once('close', () => hold.give());
    return readBytes(req, bytesMax, hold, pace).catch((error: unknown) => {
      // Nothing of it is kept while the rest of the body comes in.
      hold.give();
      throw error;
    });
  }

  return { readBody, readForm };
}

/** Waits for a slot, and holds it until the response is out or the time for it is over: a stream may last for hours. */
async function takeTurn(slots: Slots, caller: Caller, res: ServerResponse): Promise<void> {
  const give = await slots.take(spenderOf('general', caller));
  const end = () => {
    clearTimeout(timer);
    res.off('close', end);
    give();
  };
  const timer = setTimeout(end, largeBodyMs);
  if (res.closed) end();
  else res.once('close', end);
}

/** Spends what a large body or message costs, before it is parsed. @throws {RateLimited} */
export async function spendLarge(rateLimits: RateLimits, caller: Caller, bytes: number): Promise<void> {
  if (bytes > smallBytesMax) await rateLimits.spend('bodies', caller, Math.ceil(bytes / 1_000_000));
}

function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('The body must be a JSON object');
  return body as Record<string, unknown>;
}

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Whether a body is still being received. A request without one is not complete either while its headers are processed.
 */
export const isUnread = (req: IncomingMessage) => !req.complete && hasBody(req);

const announcedBytes = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

/** JSON between systems is UTF-8 (RFC 8259, 8.1). */
function isJson({ headers }: IncomingMessage): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"', '"utf8"'].includes(charset)) return false;
  return type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type);
}

async function readBytes(req: Request, bytesMax: number, hold: Hold, pace: BodyPace): Promise<Buffer> {
  const { res } = req;
  const unpacker = unpackerOf(req);
  const announced = unpacker ? 0 : Number(req.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw tooLarge();
  hold.take(unpacker ? unpackerBytes : announced);
  const admit = (bytes: number, size: number) => {
    if (size > bytesMax) throw tooLarge();
    if (unpacker && size > unpackedBytesMax)
      throw new ApiError('TOO_LARGE', 'The body unpacks to more than 8 MB: send it without Content-Encoding');
    if (announced === 0) hold.take(bytes);
    if (unpacker && size > smallBytesMax && size > unpackedRatioMax * unpacker.bytesWritten)
      throw new ApiError('TOO_LARGE', `The body unpacks to more than ${unpackedRatioMax} times its size`);
  };
  if (req.headers.expect?.toLowerCase() === '100-continue') res?.writeContinue();
  const stopWatch = endWhenSlow(req, pace);
  try {
    if (unpacker) {
      req.once('error', (error) => unpacker.destroy(error));
      req.pipe(unpacker);
    }
    return await collect(unpacker ?? req, { announced, piecesMax: 1_000 + bytesMax / 500, admit });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidBody(req.errored ? 'The body ended early' : 'The body cannot be unpacked');
  } finally {
    stopWatch();
    if (unpacker) {
      req.unpipe();
      unpacker.destroy();
    }
  }
}

/**
 * Collects a stream in one block of memory: a million pieces of one byte take a hundred times their bytes. It uses
 * events: an async iterator takes longer than most bodies.
 *
 * @param options.announced The size, if it is known.
 * @param options.piecesMax A sender of more pieces than this costs more time than bytes.
 * @param options.admit Receives each piece, with the size so far, before it is kept. An exception ends the reading.
 */
function collect(
  stream: Readable,
  {
    announced,
    piecesMax,
    admit,
  }: { announced: number; piecesMax: number; admit: (bytes: number, size: number) => void },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let block: Buffer = Buffer.alloc(0);
    let size = 0;
    let pieces = 0;
    const settle = (settled: () => void) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settled();
    };
    const onData = (chunk: Buffer) => {
      const end = size + chunk.length;
      pieces += 1;
      try {
        if (pieces > piecesMax) throw invalidBody('The body comes in too many pieces');
        admit(chunk.length, end);
      } catch (error) {
        // The request stays open: it still has to be answered.
        stream.pause();
        return settle(() => reject(error as Error));
      }
      if (size === 0) block = chunk;
      else {
        if (end > block.length) block = grown(block, size, Math.max(announced, end, 2 * size));
        chunk.copy(block, size);
      }
      size = end;
    };
    const onEnd = () => settle(() => resolve(block.subarray(0, size)));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => onError(new Error('closed before its end'));
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** A larger block with the same beginning. */
function grown(block: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  block.copy(larger, 0, 0, size);
  return larger;
}

const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** @returns null for a body that is not packed. */
function unpackerOf(req: IncomingMessage): ReturnType<typeof createGunzip> | null {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return null;
  if (!Object.hasOwn(unpackers, encoding))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding of the body is not supported');
  return unpackers[encoding as keyof typeof unpackers]();
}

const tooLarge = () => new ApiError('TOO_LARGE', 'The body is too large');
const invalidBody = (message: string) => invalid({ body: message });

/** Characters from which a text is encoded before it is written. */
const largeTextLength = 64 * 1024;

/**
 * How much of the rest of a refused body is taken in: many clients write a whole body before they read. More than twice the largest body
 * that is ever taken.
 */
const lingerBytesMax = 32_000_000;
/** For how long, in all and since its last bytes: a sender that waits for the response sends no more. */
const lingerMs = 30_000;
const lingerSilentMs = 1_000;

/**
 * Ends a response. If the request's body was not read to its end, the connection closes, but not at once: a sender whose
 * bytes are answered by a reset loses the response too (RFC 9112, 9.6).
 */
export function endResponse(req: IncomingMessage, res: ServerResponse, text: string): void {
  // Node reserves three bytes for each character of a string that it writes.
  const content = text.length > largeTextLength ? Buffer.from(text) : text;
  if (!isUnread(req) || req.destroyed) return void res.end(content);
  res.write(content);
  let bytes = 0;
  const end = () => {
    clearTimeout(timer);
    clearTimeout(silence);
    req.pause();
    res.end();
  };
  const timer = setTimeout(end, lingerMs);
  // A process that was busy first reads the bytes that arrived in the meantime.
  const silence = setTimeout(() => setImmediate(() => (isSilent ? end() : awaitBytes())), lingerSilentMs);
  let isSilent = true;
  const awaitBytes = () => {
    isSilent = true;
    silence.refresh();
  };
  req.once('end', end);
  req.once('close', end);
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    isSilent = false;
    if (bytes > lingerBytesMax) end();
  });
  // Reading stopped at the limit.
  req.resume();
}
