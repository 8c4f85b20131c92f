import { expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import type { Route } from '../../rest-adapter/route.ts';
import { verifies } from '../requirements.ts';
import { sessionOf } from './people.ts';
import { type Answer, type Call, startTestServer, type TestServer, tenantOf } from './server.ts';

/** A server with a key of every scope and a signed-in browser, all of whose answers are kept. */
export interface HttpStage {
  readonly server: TestServer;
  readonly secret: string;
  /** Of the session. */
  readonly token: string;
  readonly call: Call;
  readonly withCookie: Call;
  /** Every answer so far, headers and body, for what must never stand in one. */
  readonly answers: readonly string[];
  /** Calls a route with the credentials that it takes. */
  callRoute(route: Route, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export async function startHttpStage(
  databaseUrl?: string,
  options: Parameters<typeof startTestServer>[2] = {},
): Promise<HttpStage> {
  const server = await startTestServer({ LOG_LEVEL: 'trace' }, databaseUrl, options);
  const answers: string[] = [];
  const recording =
    (inner: Call): Call =>
    async (...request) => {
      const answer = await inner(...request);
      answers.push([...answer.headers].join('\n') + answer.text);
      return answer;
    };
  const tenant = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
  const session = await sessionOf(server);
  const call = recording(tenant.call);
  const withCookie = recording(session.call);
  return {
    server,
    secret: tenant.secret,
    token: session.token,
    call,
    withCookie,
    answers,
    callRoute: (route, ...rest) =>
      (route.access === 'session' ? withCookie : call)(route.method, pathOf(route), ...rest),
  };
}

const isClipboard = (path: string) => path === '/api/clipboard' || path.startsWith('/api/clipboard/');

/** What only existing proxies call. Source: docs/specification/errors.md#proxy-errors. */
const isOfProxies = (path: string) =>
  /^\/api\/(notifications\/(custom|mcp-activity)|tools|resources|resource-templates|prompts|resolve\/.+|discover\/.+)$/.test(
    path,
  );

/** The documented error of a path: one shape for the clipboard, for what editors read and for proxies, one for everything else. */
export function expectApiError(
  answer: Pick<Answer, 'status' | 'body' | 'headers'>,
  status: number,
  path: string,
): void {
  const label = `${path}: ${JSON.stringify(answer.body)}`;
  expect(answer.status, label).toBe(status);
  expect(answer.headers.get('content-type'), label).toBe('application/json; charset=utf-8');
  if (isClipboard(path)) {
    expect(answer.body, label).toMatchObject({ success: false, error: expect.any(String) });
    for (const key of Object.keys(answer.body)) expect(['success', 'error', 'details', 'retryAfter']).toContain(key);
  } else if (path.startsWith('/v0.1/')) {
    expect(answer.body, label).toMatchObject({ title: expect.any(String), status, detail: expect.any(String) });
    for (const key of Object.keys(answer.body)) expect(['title', 'status', 'detail', 'errors']).toContain(key);
  } else if (path.startsWith('/api/oauth/')) {
    expect(answer.body, label).toMatchObject({
      error: expect.stringMatching(/^[a-z_]+$/),
      message: expect.any(String),
    });
    for (const key of Object.keys(answer.body)) expect(['error', 'message', 'details', 'retryAfter']).toContain(key);
  } else if (path.startsWith('/api/agents')) {
    expect(answer.body, label).toEqual({ error: expect.any(String) });
  } else if (isOfProxies(path)) {
    expect(answer.body, label).toEqual({ error: expect.any(String), code: expect.any(String) });
  } else {
    expect(Object.keys(answer.body), label).toEqual(['error']);
    expect(answer.body.error, label).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    for (const key of Object.keys(answer.body.error)) expect(['code', 'message', 'details']).toContain(key);
  }
}

/** A path of the route, whose ids lead nowhere. */
export const pathOf = ({ path }: Route) => path.replace(/:\w+/g, 'b0b0b0b0-0000-4000-8000-000000000000');

/** Each method and path once. */
export const distinctRoutes = [...Map.groupBy(routes, ({ method, path }) => `${method} ${path}`).values()].map(
  ([first]) => first as Route,
);

/** The routes whose requests have a body. */
/** Those that take JSON. */
export const bodied = distinctRoutes.filter(({ method, takesFile }) => method !== 'GET' && !takesFile);

/** Rows for `it.each`. */
export const titled = (list: readonly Route[]) =>
  list.map((route) => [`${route.method} ${route.path}`, route] as const);

/** Two tests about everything that was answered before them: they stand last in a file. */
export function itAnswersWithoutSecrets(stage: () => HttpStage): void {
  it('no answer holds a stack trace, a path of ours, a key or a cookie', verifies('everywhere.never-html'), () => {
    const { answers, secret, token } = stage();
    expect(answers.length).toBeGreaterThan(10);
    for (const answer of answers) {
      for (const word of [
        secret,
        token,
        'node_modules',
        process.cwd(),
        'file://',
        'node:internal',
        'postgres://',
        '    at ',
        '.ts:',
      ])
        expect(answer.includes(word), `${word} in ${answer.slice(0, 500)}`).toBe(false);
    }
  });

  it('every answer says what it is and may not be sniffed, and none names the software', () => {
    for (const answer of stage().answers) {
      expect(answer).toContain('x-content-type-options,nosniff');
      expect(answer).not.toMatch(/^x-powered-by/m);
      expect(answer).not.toContain('<!DOCTYPE');
    }
  });
}
