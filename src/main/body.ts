import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Refusal } from '../platform/errors.ts';

/**
 * Reads a JSON object from a request and stops at the limit: neither a length, nor chunks without one, nor a small body that
 * unpacks to a large one makes more be read. (Express's parser reads what it refuses to its end.)
 *
 * @param bytesMax Bytes after decompression.
 * @returns The object; an empty one for no body at all, whatever the content type says.
 * @throws {Refusal} `UNSUPPORTED_MEDIA_TYPE` for another type, charset or encoding; `TOO_LARGE`; `VALIDATION_ERROR` for
 *   what is no JSON object.
 */
export async function readBody(req: IncomingMessage, bytesMax: number): Promise<Record<string, unknown>> {
  if (!hasBody(req)) return {};
  if (!isJson(req)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8');
  const bytes = await readBytes(req, bytesMax);
  if (bytes.length === 0) return {};
  // Decoding would put U+FFFD in place of what is no UTF-8, and store what nobody sent.
  if (!isUtf8(bytes)) throw invalidBody('The body is not valid UTF-8');
  const body = parseJson(bytes.toString());
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('The body must be a JSON object');
  return body as Record<string, unknown>;
}

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** JSON between systems is UTF-8 (RFC 8259, 8.1). */
function isJson({ headers }: IncomingMessage): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"', '"utf8"'].includes(charset)) return false;
  return type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type);
}

async function readBytes(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const unpacked = unpackedOf(req);
  if (unpacked === req && Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
  try {
    return await bytesOf(unpacked, bytesMax);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalidBody(req.errored ? 'The body ended early' : 'The body cannot be unpacked');
  } finally {
    if (unpacked !== req) {
      req.unpipe();
      unpacked.destroy();
    }
  }
}

/** Collects to the end or to the limit. By events: an async iterator takes longer than most bodies. */
function bytesOf(stream: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (settled: () => void) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settled();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= bytesMax) return;
      // The request stays open: it still has to be answered.
      stream.pause();
      settle(() => reject(tooLarge()));
    };
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => onError(new Error('closed before its end'));
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

function unpackedOf(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return req;
  const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  if (!Object.hasOwn(unpackers, encoding))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The content encoding of the body is not supported');
  const unpacker = unpackers[encoding as keyof typeof unpackers]();
  req.once('error', (error) => unpacker.destroy(error));
  return req.pipe(unpacker);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody('The body is not valid JSON');
  }
}

const tooLarge = () => new Refusal('TOO_LARGE', 'The body is too large');
const invalidBody = (message: string) =>
  new Refusal('VALIDATION_ERROR', 'Validation error', { details: { body: message } });

/** How much of a refused body is taken in, and for how long, so that its sender comes to read the answer. */
const lingerBytesMax = 16_000_000;
const lingerMs = 1_000;

/**
 * Ends an answer. If the request's body was not read to its end, the connection closes, but not at once: a sender whose
 * bytes are answered by a reset loses the answer too (RFC 9112, 9.6).
 */
export function endAnswer(req: IncomingMessage, res: ServerResponse, text: string): void {
  if (req.complete || req.destroyed) return void res.end(text);
  res.write(text);
  let bytes = 0;
  const end = () => {
    clearTimeout(timer);
    req.pause();
    res.end();
  };
  const timer = setTimeout(end, lingerMs);
  req.once('end', end);
  req.once('close', end);
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > lingerBytesMax) end();
  });
  // Reading stopped at the limit.
  req.resume();
}
