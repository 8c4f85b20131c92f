import type { IncomingHttpHeaders } from 'node:http';

/** What the user decides in the browser. */
export interface Decision {
  /** Denied instead of allowed. */
  readonly deny?: boolean;
  /** Who signs in; `alice` by default. */
  readonly account?: string;
  /** The user allows these alone, of those that are asked for; all by default. */
  readonly scopes?: readonly string[];
}

const header = 'x-decision';
const hopsMax = 10;

/**
 * Plays the browser of a user, a new one each time: follows an authorization request through sign-in and consent, with cookies.
 * The decision is sent to the authorization server as a header, where a person would click.
 *
 * @returns The URL of the callback, which is not called, with `code`, `state` and `iss`, or with `error`.
 * @throws {Error} Where the authorization server shows a page instead: status and text.
 */
export async function consent(authorizationUrl: string, decision: Decision = {}): Promise<string> {
  const redirectUri = new URL(authorizationUrl).searchParams.get('redirect_uri');
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  for (let hop = 0; hop < hopsMax; hop++) {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: {
        [header]: JSON.stringify(decision),
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    const text = await answer.text();
    for (const cookie of answer.headers.getSetCookie()) keep(cookies, cookie);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The authorization server answered ${answer.status}: ${text}`);
    url = new URL(location, url).href;
    if (redirectUri !== null && url.split('?')[0] === redirectUri.split('?')[0]) return url;
  }
  throw new Error(`No redirect to ${redirectUri} after ${hopsMax} steps: ${url}`);
}

/** A cookie without a value is one that is taken back. */
function keep(cookies: Map<string, string>, cookie: string): void {
  const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}

/** The decision of the user whose browser has sent the request. */
export function decisionOf(
  headers: IncomingHttpHeaders,
): Required<Omit<Decision, 'scopes'>> & Pick<Decision, 'scopes'> {
  const sent = headers[header];
  const { deny = false, account = 'alice', scopes } = JSON.parse(typeof sent === 'string' ? sent : '{}') as Decision;
  return { deny, account, ...(scopes && { scopes }) };
}
