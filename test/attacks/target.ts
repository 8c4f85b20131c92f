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
  readonly body?: string | Uint8Array;
  /** With the key unless it says otherwise. */
  readonly as?: 'key' | 'nobody' | 'session';
}

const timeoutMs = 15_000;

/** Sends a request as it is, and never throws. */
export async function send({ base, key, session }: Target, request: Outgoing): Promise<Reply> {
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
