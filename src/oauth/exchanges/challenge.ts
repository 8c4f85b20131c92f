import { scopesOf } from './scopes.ts';

/** Characters of all `WWW-Authenticate` headers of a response together; the rest is not read. */
const lengthMax = 8_192;
const parametersMax = 64;
/** How often one call steps up: a server that challenges again and again would send its owner from consent to consent. */
export const stepUpsMax = 2;

/** The authorization that a protected server requires. */
export interface Challenge {
  readonly scheme: 'bearer' | 'dpop';
  /** The URL of its metadata. @see RFC 9728, 5.1 */
  readonly resourceMetadata: string | null;
  /** @see RFC 6750, 3 */
  readonly scopes: readonly string[] | null;
  /** `insufficient_scope` asks for a step-up. Not to be shown: text of the other side. */
  readonly error: string | null;
}

/**
 * Reads a challenge of the schemes Bearer and DPoP: the first that names the server's metadata, else the first. The
 * header is read once, character by character, because the other side chooses its length.
 *
 * @returns Null if there is none. Text after a syntax error is not read.
 * @see RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1
 */
export function readChallenge(header: string | null): Challenge | null {
  if (header === null) return null;
  const challenges = challengesOf(header.slice(0, lengthMax)).filter(
    ({ scheme }) => scheme === 'bearer' || scheme === 'dpop',
  );
  const chosen = challenges.find(({ parameters }) => parameters.has('resource_metadata')) ?? challenges[0];
  if (!chosen) return null;
  const { scheme, parameters } = chosen;
  return {
    scheme: scheme as Challenge['scheme'],
    resourceMetadata: parameters.get('resource_metadata') ?? null,
    scopes: scopesOf(parameters.get('scope')),
    error: parameters.get('error') ?? null,
  };
}

interface Parsed {
  readonly scheme: string;
  /** Names in lower case; of a name that comes twice the first value counts. */
  readonly parameters: Map<string, string>;
}

function challengesOf(text: string): Parsed[] {
  const challenges: Parsed[] = [];
  let at = 0;
  const skip = (characters: string) => {
    while (at < text.length && characters.includes(text[at] as string)) at += 1;
  };
  const token = () => {
    const from = at;
    while (at < text.length && isTokenCharacter(text.charCodeAt(at))) at += 1;
    return text.slice(from, at).toLowerCase();
  };
  for (let read = 0; read < parametersMax; read += 1) {
    skip(' \t,');
    const name = token();
    if (name === '') return challenges;
    const end = at;
    skip(' \t');
    const current = challenges.at(-1);
    // A name and "=" belong to the scheme before; a name alone is a scheme. The padding of a token68 looks like a name and "=".
    if (text[at] !== '=' || current === undefined) {
      if (at === end && at < text.length && text[at] !== ',') return challenges;
      challenges.push({ scheme: name, parameters: new Map() });
      continue;
    }
    at += 1;
    skip(' \t');
    const value = text[at] === '"' ? quoted() : token68();
    if (value === null) return challenges;
    if (!current.parameters.has(name)) current.parameters.set(name, value);
  }
  return challenges;

  /** A quoted string; null where its end is missing. @see RFC 9110, 5.6.4 */
  function quoted(): string | null {
    let value = '';
    for (at += 1; at < text.length; at += 1) {
      if (text[at] === '"') {
        at += 1;
        return value;
      }
      if (text[at] === '\\') at += 1;
      value += text[at] ?? '';
    }
    return null;
  }

  /** A token in its own case, or the rest of a token68. */
  function token68(): string {
    const from = at;
    while (at < text.length && !' \t,'.includes(text[at] as string)) at += 1;
    return text.slice(from, at);
  }
}

/** A character of a token or of a token68 without its padding. @see RFC 9110, 5.6.2 and 11.2 */
function isTokenCharacter(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isDigit || isLetter || "!#$%&'*+-.^_`|~/".includes(String.fromCharCode(code));
}
