import { EgressError } from './egress-error.ts';

/**
 * What frames a message, names its receiver or belongs to the connection is ours to write: with two lengths, or two hosts, one
 * request could be read as two (RFC 9112, section 11.2). `Accept-Encoding` too, because nothing is decompressed.
 */
const ourNames: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
]);

// A name: RFC 9110, section 5.6.2. A value: one line of Latin-1, as it is sent.
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const oneLine = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A caller's headers as names and values in turn, with what is always sent.
 *
 * @throws {EgressError} `header` for a name that is ours or none, and for a value with a line end or beyond Latin-1.
 */
export function requestHeaders(headers: Readonly<Record<string, string>>): string[] {
  const list = ['accept-encoding', 'identity'];
  let hasAgent = false;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const key = name.toLowerCase();
    if (ourNames.has(key) || !token.test(name) || typeof value !== 'string' || !oneLine.test(value))
      throw new EgressError('header');
    hasAgent ||= key === 'user-agent';
    list.push(name, value);
  }
  // Some receivers reject requests without a User-Agent.
  if (!hasAgent) list.push('user-agent', 'Patchbay');
  return list;
}
