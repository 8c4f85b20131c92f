import type { CostMeter } from '../support/process-cost.ts';

/** What is attacked, and as whom. */
export interface Target {
  /** http://host:port */
  readonly base: string;
  /** A key with the scopes read and write. */
  readonly key: string;
  /** The cookie of a signed-in browser; null where there is none to borrow: what needs it is skipped. */
  readonly session: string | null;
  /** Guesses count here as they do in production. */
  readonly countsGuesses: boolean;
  /** Of a product in processes of this machine; null for any other: then time alone is measured. */
  readonly meter: CostMeter | null;
  /**
   * Waits for so many seconds after a 429, and the request is sent again; otherwise the run's own use of the rate limits would look
   * like an attack that was refused. Null where limits are off, or are what is attacked: a 429 is a reply like any other.
   */
  readonly waitForLimit: ((seconds: number) => Promise<void>) | null;
}

/** A rate limit that lasts longer than a run waits for. The check says nothing about the server then. */
export class StillLimited extends Error {
  override name = 'StillLimited';
}

export interface Reply {
  /** 0 when there was no answer in time. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  readonly json: any;
  readonly milliseconds: number;
}

export interface Outgoing {
  readonly method?: string;
  /** `/graphql` if left out. */
  readonly path?: string;
  /** Behind the path. */
  readonly search?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array | FormData;
  /** With the key unless it says otherwise. */
  readonly as?: 'key' | 'nobody' | 'session';
}

const timeoutMs = 15_000;
/** Most rate limits are per minute. */
const waitSecondsMax = 90;
const triesMax = 4;

/** Sends a request as it is. @throws {StillLimited} and nothing else, and only where the target has `waitForLimit`. */
export async function send(target: Target, request: Outgoing): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await sendOnce(target, request);
    if (reply.status !== 429 || target.waitForLimit === null) return reply;
    const seconds = Number(reply.headers.get('retry-after') ?? 1);
    if (tries === triesMax || seconds > waitSecondsMax)
      throw new StillLimited(`the rate limit of the server lasts ${seconds} s more`);
    await target.waitForLimit(seconds);
  }
}

async function sendOnce({ base, key, session }: Target, request: Outgoing): Promise<Reply> {
  const { method = 'POST', path = '/graphql', search = '', headers = {}, body, as = 'key' } = request;
  const credential: Record<string, string> =
    as === 'key' ? { Authorization: `Bearer ${key}` } : as === 'session' ? { Cookie: `session_token=${session}` } : {};
  const startedAt = performance.now();
  try {
    const response = await fetch(base + path + search, {
      method,
      headers: { ...credential, ...headers },
      ...(body !== undefined && { body: body as BodyInit }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await firstOf(response);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: jsonOf(text),
      milliseconds: performance.now() - startedAt,
    };
  } catch (error) {
    const text = String(error instanceof Error ? (error.cause ?? error) : error);
    return { status: 0, headers: new Headers(), text, json: undefined, milliseconds: performance.now() - startedAt };
  }
}

/** Asks as a well-behaved client does. */
export const ask = (
  target: Target,
  query: string,
  { as, ...rest }: { as?: Outgoing['as']; variables?: unknown; extensions?: unknown; operationName?: string } = {},
): Promise<Reply> =>
  send(target, {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, ...rest }),
    ...(as && { as }),
  });

/** The whole answer; of a stream that does not end by itself what comes at once. */
async function firstOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const enough = setTimeout(() => void reader?.cancel(), 300);
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) break;
    text += chunk.value;
  }
  clearTimeout(enough);
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
