import { createHmac } from 'node:crypto';

/**
 * How a delivery is written and signed. Source: docs/specification/webhooks.md#signature; docs/webhooks.md.
 *
 * The body's members have one order: id, event, timestamp, signature, data, retry_count; an agent's event has
 * agent_uuid and agent_name after event. The member `signature` signs the body without that member, the header signs
 * the bytes sent. Every text is canonical, that is `JSON.stringify(JSON.parse(body)) === body`: a receiver that signs
 * the parsed and serialized body gets the same signature.
 */

/** Lowercase hex HMAC-SHA256 of the bytes sent, with the webhook's secret. */
export const signatureHeader = 'X-Service-Signature';
/** The same with the secret before a rotation; sent until that one ends, 24 hours after. */
export const previousSignatureHeader = 'X-Service-Signature-Previous';

/**
 * The headers of Standard Webhooks (standardwebhooks.com, 1.0.0), by which ready libraries verify a delivery.
 *
 * @param at When this attempt is sent: libraries refuse a timestamp that is more than five minutes away.
 * @param secrets The current secret, and during a rotation the one before: each gives a signature.
 */
export function standardHeaders(id: string, at: Date, body: string, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', standardKeyOf(secret)).update(signed).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const standardPrefix = 'whsec_';

/** The bytes that `whsec_` and base64 stand for; of any other secret its own bytes, which libraries call its raw format. */
function standardKeyOf(secret: string): Buffer {
  const encoded = secret.startsWith(standardPrefix) ? secret.slice(standardPrefix.length) : '';
  const key = Buffer.from(encoded, 'base64');
  return key.length > 0 && key.toString('base64') === encoded ? key : Buffer.from(secret);
}

interface EventHead {
  /** The same on every attempt: receivers detect duplicates by it. */
  readonly id: string;
  /** Such as `server.installed`. */
  readonly event: string;
  /** The subject of the event, if the specification has it beside `data`: members that come after `event`. */
  readonly subject?: Readonly<Record<string, string>> | undefined;
  /** When it happened, ISO 8601; the same on every attempt. */
  readonly timestamp: string;
}

/** An event with its data as a value, or as text that `canonicalData` or `canonicalText` has made, which is sent as it is. */
export type SignableEvent = EventHead &
  ({ readonly data: object; readonly dataText?: undefined } | { readonly dataText: string; readonly data?: undefined });

export interface SignedBody {
  /** Must be sent as it is, in UTF-8. */
  readonly body: string;
  /** The value of `X-Service-Signature`. */
  readonly signature: string;
}

/**
 * Writes an event down once, for any number of attempts and receivers; an attempt then costs two HMACs (5 µs for 600 bytes).
 *
 * @throws {TypeError} For data that JSON cannot express.
 * @returns Signs one attempt. `retryCount` is 0 for the first; the secret is the key as it is written, `whsec_` included.
 */
export function signable(event: SignableEvent): (retryCount: number, secret: string) => SignedBody {
  const { id, event: name, subject = {}, timestamp } = event;
  const head = canonicalData({ id, event: name, ...subject, timestamp }).slice(0, -1);
  const rest = `,"data":${event.dataText ?? canonicalData(event.data)},"retry_count":`;
  return (retryCount, secret) => {
    const tail = `${rest}${wholeNumber(retryCount)}}`;
    const body = `${head},"signature":"sha256=${signatureOf(head + tail, secret)}"${tail}`;
    return { body, signature: signatureOf(body, secret) };
  };
}

/** Lowercase hex HMAC-SHA256 of the UTF-8 bytes: the header's value for a body, as with the secret before a rotation. */
export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/**
 * The JSON text of a value that a receiver's `JSON.stringify(JSON.parse(text))` reproduces. `JSON.stringify` alone sees to
 * the order of integer-like keys, to -0, 1e21 and escapes. A lone surrogate has no UTF-8 form, so that a receiver in another
 * language could not write it again: it becomes U+FFFD, in a key as in a string.
 *
 * @throws {TypeError} For what JSON cannot express: undefined, a function, a bigint, a circle.
 */
export function canonicalData(data: unknown): string {
  const text = JSON.stringify(data);
  if (text === undefined) throw new TypeError('The data of an event must be a JSON value');
  return mayHoldLoneSurrogate(text) ? JSON.stringify(wellFormed(JSON.parse(text))) : text;
}

/**
 * The same of JSON text from elsewhere, such as `jsonb`, which has blanks, its own order of keys and numbers like `1.0`.
 *
 * @throws {SyntaxError} For text that is not JSON.
 */
export const canonicalText = (json: string): string => canonicalData(JSON.parse(json));

/** `JSON.stringify` writes a lone surrogate as `\udXXX`, and nothing else so; an escaped backslash before `ud` only costs time. */
const mayHoldLoneSurrogate = (text: string): boolean => text.includes('\\ud');

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  // Unlike assignment, fromEntries makes a member of `__proto__` too.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
}

/** @throws {RangeError} For what would not be written as digits. */
function wholeNumber(retryCount: number): number {
  if (Number.isSafeInteger(retryCount) && retryCount >= 0) return retryCount;
  throw new RangeError('retry_count must be a whole number from 0');
}
