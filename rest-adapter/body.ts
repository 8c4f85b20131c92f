import { type IncomingMessage, STATUS_CODES } from 'node:http';
import express, { type Request, type Response } from 'express';
import { Refusal } from '../src/platform/errors.ts';

/** Bodies are small but for those that carry values. */
export const bodyBytesMaxDefault = 256 * 1024;

const parsers = new Map<number, ReturnType<typeof express.json>>();

/**
 * Reads a JSON object from a request, at most `bytesMax` bytes after decompression.
 *
 * @returns The object; an empty one for no body at all, whatever the content type says.
 * @throws {Refusal} `UNSUPPORTED_MEDIA_TYPE` for another type, charset or encoding; `TOO_LARGE`; `VALIDATION_ERROR` for
 *   what is no JSON object.
 */
export async function readBody(req: Request, res: Response, bytesMax: number): Promise<Record<string, unknown>> {
  if (!hasBody(req)) return {};
  if (!isJson(req)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json');
  let parser = parsers.get(bytesMax);
  if (!parser) {
    // An array or a bare value is JSON too; it gets our own words below.
    parser = express.json({ limit: bytesMax, strict: false, type: () => true });
    parsers.set(bytesMax, parser);
  }
  const parseBody = parser;
  await new Promise<void>((resolve, reject) => {
    parseBody(req, res, (error?: unknown) => (error ? reject(refusalOfBody(error)) : resolve()));
  });
  const body: unknown = req.body;
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('The body must be a JSON object');
  return body as Record<string, unknown>;
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function isJson(req: IncomingMessage): boolean {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type);
}

/** Express's own parser errors, in our words. Source: the `type` property that body-parser documents. */
function refusalOfBody(error: unknown): Refusal {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new Refusal('TOO_LARGE', 'The body is too large');
  if (type === 'charset.unsupported')
    return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The charset of the body is not supported');
  if (type === 'encoding.unsupported')
    return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The content encoding of the body is not supported');
  if (type === 'entity.parse.failed') return invalidBody('The body is not valid JSON');
  return invalidBody(`The body cannot be read: ${STATUS_CODES[status ?? 400] ?? 'Bad Request'}`);
}

const invalidBody = (message: string) =>
  new Refusal('VALIDATION_ERROR', 'Validation error', { details: { body: message } });

/**
 * The values of a query string by name.
 *
 * @throws {Refusal} `VALIDATION_ERROR` for a name that is given twice, bad percent-encoding, or text that cannot be stored.
 */
export function readQuery(url: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return values;
  const refuse = (field: string, message: string) =>
    new Refusal('VALIDATION_ERROR', 'Validation error', { details: { [field]: message } });
  const text = url.slice(start + 1);
  try {
    decodeURIComponent(text);
  } catch {
    throw refuse('query', 'The query string is not valid percent-encoding');
  }
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in values) throw refuse(name, `${name} must be given once`);
    if (value.includes('\u0000')) throw refuse(name, `${name} must not contain NUL characters`);
    values[name] = value;
  }
  return values;
}
