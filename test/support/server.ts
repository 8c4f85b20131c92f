import { Writable } from 'node:stream';
import type { Orchestrator } from '../../src/agents/index.ts';
import type { HttpTimeouts } from '../../src/main/http/app.ts';
import type { BytesInFlightLimits } from '../../src/main/http/bytes-in-flight.ts';
import type { PageAges } from '../../src/main/http/pages/page-ages.ts';
import { startServer } from '../../src/main/server.ts';
import { type SocketLimits, socketLimits } from '../../src/main/sockets/socket-limits.ts';
import type { ToolCallLimits } from '../../src/mcp-servers/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { DatabaseTimeouts } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase, patientTimeouts } from './database.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { lentPrisma } from './prisma-clients.ts';
import { cheapPasswords, encryptionKeys, keyOf, signUp, type TestServices, testFolder } from './services.ts';

export interface TestServer extends Pick<TestServices, 'services' | 'database' | 'url' | 'statements'> {
  /** http://127.0.0.1:port */
  readonly base: string;
  readonly clock: ManualClock;
  /** Everything that was logged, as text. */
  readonly logged: string[];
  stop(): Promise<void>;
}

/**
 * The whole product, listening, over a database of its own, at a time that stands still.
 *
 * @param options.isRealTime Time passes as everywhere else, and what is remembered for a second is remembered.
 * @param options.sockets Of connections, where a test needs smaller ones.
 * @param options.databaseTimeouts Very long ones by default; a test in which the database is away gives the product's.
 * @param options.noticeMs How long it goes on answering when it is told to stop. 0, where the product takes 250.
 */
export async function startTestServer(
  environment: Record<string, string> = {},
  databaseUrl?: string,
  {
    timeouts,
    isRealTime = false,
    sockets = {},
    stalledMs,
    noticeMs = 0,
    bytesInFlight,
    // Each look at the figures sees those of its moment.
    pageAges = { metrics: 0, ready: 0 },
    databaseTimeouts = patientTimeouts,
    orchestrator,
    toolCallLimits,
  }: {
    timeouts?: HttpTimeouts;
    isRealTime?: boolean;
    sockets?: Partial<SocketLimits>;
    stalledMs?: number;
    noticeMs?: number;
    bytesInFlight?: BytesInFlightLimits;
    pageAges?: PageAges;
    databaseTimeouts?: DatabaseTimeouts;
    orchestrator?: Orchestrator;
    toolCallLimits?: ToolCallLimits;
  } = {},
): Promise<TestServer> {
  const url = databaseUrl ?? (await createTestDatabase());
  const clock = createManualClock();
  const statements: string[] = [];
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: testFolder,
    RATE_LIMITS: '{"*": "off"}',
    WORKERS: 'separate',
    ENCRYPTION_KEYS: encryptionKeys,
    ...environment,
  });
  const server = await startServer({
    config,
    url,
    log: createLogger('debug', sink),
    clock: isRealTime ? systemClock : clock,
    ...(timeouts && { timeouts }),
    onStatement: (text) => statements.push(text),
    ...(stalledMs !== undefined && { stalledMs }),
    ...(bytesInFlight && { bytesInFlight }),
    pageAges,
    socketLimits: { ...socketLimits, ...sockets },
    noticeMs,
    databaseTimeouts,
    ...(orchestrator && { orchestrator }),
    passwordCost: cheapPasswords,
    prismaOver: lentPrisma,
    toolCallLimits,
  });
  let hasStopped = false;
  const stop = async () => {
    if (!hasStopped) await server.stop();
    hasStopped = true;
  };
  cleanUp(stop);
  const { services, database } = server;
  return { services, database, url, statements, clock, logged, base: `http://127.0.0.1:${server.port}`, stop };
}

/** What a call was answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Calls REST with a key (or with none), sending JSON as existing clients do: with the content type on every request. */
export function callerOf({ base }: Pick<TestServer, 'base'>, secret: string | null): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json', ...(secret && { Authorization: `Bearer ${secret}` }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : undefined,
      text,
    };
  };
}

/** A new tenant: a user, a key of its first profile, and a way to call with it. */
export async function tenantOf(
  server: TestServer,
  key: Parameters<typeof keyOf>[2] = {},
): Promise<{
  user: Caller;
  secret: string;
  uuid: string;
  caller: Caller;
  call: Call;
  graphql: ReturnType<typeof graphqlOf>;
}> {
  const user = await signUp(server.services);
  const { secret, caller, uuid } = await keyOf(server.services, user, key);
  return { user, secret, uuid, caller, call: callerOf(server, secret), graphql: graphqlOf(server, secret) };
}

/** Runs a document over HTTP. */
export function graphqlOf(server: Pick<TestServer, 'base'>, secret: string | null) {
  const call = callerOf(server, secret);
  return async (query: string, variables: Record<string, unknown> = {}) =>
    (await call('POST', '/graphql', { query, variables })).body;
}
