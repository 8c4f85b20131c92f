import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { type Allowances, isAllowedPort, isInAllowedRange } from './allowances.ts';
import { isOpenPort } from './ports.ts';

/** The destination of a request, validated without resolving addresses. */
export interface Destination {
  readonly href: string;
  /** Scheme, host and port: what connections are kept by. */
  readonly origin: string;
  readonly isTls: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Whether EGRESS_ALLOW names this host and port, so that whatever address it has is good. */
  readonly isAllowed: boolean;
}

/** The destination, or the rest of a sentence that begins with the name of the field: "must use https". */
export type UrlValidation =
  | { readonly destination: Destination; readonly mistake?: undefined }
  | { readonly destination?: undefined; readonly mistake: string };

/** Characters of a URL, also of its percent-encoded form. */
const urlLengthMax = 2_048;

/** URLs whose validation is cached: it depends only on the text. */
const rememberedMax = 1_000;

const notPublic = 'must point to a public host';

/** Made for use inside of a network; some of them resolve to what runs beside the platform. RFC 6761, 6762, 8375, ICANN's `internal`. */
const privateSuffix =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|home\.arpa|onion)$/;

/**
 * A name in the form that DNS has, with two labels or more. A name of one label would be completed by the search list of the
 * machine, and one that ends with a dot would escape the comparison of its end.
 */
const publicForm = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

/**
 * Validates URLs by their text. The host is validated in the form that the WHATWG parser gives it, which is the one
 * that is connected to: 127.1, 0x7f000001, ①②⑦.⓪.⓪.①, `%31%32%37.0.0.1` and `127。0。0。1` are all 127.0.0.1.
 */
export function createUrlValidator({ isProduction, allow }: { isProduction: boolean; allow: Allowances }) {
  const remembered = new Map<string, UrlValidation>();

  return function validateUrl(text: string): UrlValidation {
    const known = remembered.get(text);
    if (known) return known;
    const validation = validate(text, isProduction, allow);
    if (text.length > urlLengthMax) return validation;
    if (remembered.size >= rememberedMax) remembered.delete(remembered.keys().next().value as string);
    remembered.set(text, validation);
    return validation;
  };
}

function validate(text: string, isProduction: boolean, allow: Allowances): UrlValidation {
  if (text.length > urlLengthMax) return { mistake: 'must be at most 2048 characters' };
  // The parser silently drops tabs and line ends, and turns backslashes into slashes: other readers would see another URL.
  if (/[\p{Z}\p{C}\\]/u.test(text))
    return { mistake: 'must not contain white space, control characters or backslashes' };
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (!scheme || !authority || !URL.canParse(text)) return { mistake: 'must be a valid URL' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && (isProduction || url.protocol !== 'http:'))
    return { mistake: isProduction ? 'must use https' : 'must use https or http' };
  if (authority.includes('@')) return { mistake: 'must not contain user information' };
  if (text.includes('#')) return { mistake: 'must not have a fragment' };
  if (url.href.length > urlLengthMax) return { mistake: 'must be at most 2048 characters in its encoded form' };
  // A receiver that decodes its path would read injected lines.
  if (/%(?:[01][0-9a-f]|7f)/i.test(url.pathname)) return { mistake: 'must not contain encoded control characters' };

  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (isTls ? 443 : 80));
  const isAllowed = allow.hosts.has(`${url.hostname}:${port}`);
  if (!isAllowed) {
    if (!isOpenPort(port) && !isAllowedPort(allow, host, port))
      return {
        mistake: 'must use port 80, 443 or a port from 1024 that is not the well-known port of another service',
      };
    if (!isPublicHost(host, port, allow)) return { mistake: notPublic };
  }
  const path = url.pathname + url.search;
  return { destination: { href: url.href, origin: url.origin, isTls, host, port, path, isAllowed } };
}

function isPublicHost(host: string, port: number, allow: Allowances): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host) || isInAllowedRange(allow, host, port);
  return host.length <= 253 && publicForm.test(host) && !privateSuffix.test(host);
}
