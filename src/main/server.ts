import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../schema/context.ts';
import type { Orchestrator } from '../agents/index.ts';
import type { PasswordCost } from '../auth/index.ts';
import type { ToolCallLimits } from '../mcp-servers/index.ts';
import { registerOauthGauges } from '../oauth/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database, DatabaseTimeouts } from '../platform/database/database.ts';
import type { PrismaOver } from '../platform/database/prisma-client.ts';
import { createRateLimits } from '../platform/limits/rate-limits.ts';
import type { Logger } from '../platform/logger.ts';
import { eventsSetAside, oldestEventSeconds } from '../platform/messaging/outbox.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createGraphql } from './graphql/graphql.ts';
import { createLiveCredentials } from './graphql/live-credentials.ts';
import { createApp, type HttpTimeouts, httpTimeouts } from './http/app.ts';
import { type BytesInFlightLimits, createBytesInFlight } from './http/bytes-in-flight.ts';
import { createIdempotentCalls } from './http/idempotent-calls.ts';
import { createIdentify } from './http/identify.ts';
import { type PageAges, pageAges } from './http/pages/page-ages.ts';
import { openInfrastructure } from './infrastructure.ts';
import { type Connections, ownPort } from './process/connections.ts';
import { metricsOfAll } from './process/process-metrics.ts';
import { startWorkers } from './process/workers.ts';
import { createServices, jobsOf, requestChecksOf } from './services.ts';
import { serveSockets } from './sockets/socket.ts';
import type { SocketLimits } from './sockets/socket-limits.ts';

export interface RunningProduct {
  readonly services: Services;
  readonly database: Database;
  /** The port that it listens on; null if another process owns the port. */
  readonly port: number | null;
  /** Lets running requests finish, then ends. Not ready from the first moment. */
  stop(): Promise<void>;
}

/** Between being not ready and refusing connections. */
const noticeMs = 250;
/** Requests under way when the stop begins have this long. */
const drainTimeoutMs = 25_000;
/** A connection on which nothing moves for so long while a request is under way ends: its response is not read. */
const stalledMs = 60_000;

/**
 * Builds the product over a database that is migrated, and listens.
 *
 * @param options.url Of the database.
 * @param options.clock The system's, unless a test stands at another time.
 * @param options.timeouts Those of app.ts, unless a test has less patience.
 * @param options.noticeMs From the beginning of a stop until connections are refused; 250 by default.
 * @param options.passwordCost That of auth/passwords.ts, unless a test signs up many people.
 * @param options.toolCallLimits Those of tool-calls.ts, unless a test has less patience.
 * @param options.databaseTimeouts Those of database.ts, unless a test runs beside busy neighbours.
 * @param options.prismaOver `openPrisma`, unless tests lend the same clients to one server after another.
 * @param options.orchestrator The one that the settings name, unless a test has its own.
 * @param options.connections Those of a port of its own (`PORT`) if left out.
 */
export async function startServer(options: {
  config: Config;
  url: string;
  log: Logger;
  clock?: Clock;
  timeouts?: HttpTimeouts;
  onStatement?: (text: string) => void;
  socketLimits?: SocketLimits;
  stalledMs?: number;
  noticeMs?: number;
  passwordCost?: PasswordCost;
  toolCallLimits?: ToolCallLimits | undefined;
  bytesInFlight?: BytesInFlightLimits;
  pageAges?: PageAges;
  databaseTimeouts?: DatabaseTimeouts;
  prismaOver?: PrismaOver;
  orchestrator?: Orchestrator;
  connections?: Connections;
}): Promise<RunningProduct> {
  const { config, log, timeouts = httpTimeouts, connections = ownPort(config.PORT) } = options;
  const isWorker = config.WORKERS === 'web';
  const infrastructure = await openInfrastructure({ ...options, isWorker });
  const { database } = infrastructure;
  const redis = config.REDIS_URL ? await openRedis(config.REDIS_URL, log) : null;
  const rateLimits = createRateLimits({ overrides: config.RATE_LIMITS, redis, processes: config.PROCESSES });
  const services = createServices({ ...infrastructure, rateLimits });
  const { auth } = services;
  const identify = createIdentify({
    auth,
    rateLimits,
    appOrigin: new URL(config.APP_URL).origin,
    trustedProxies: config.TRUST_PROXY,
  });
  const bytesInFlight = createBytesInFlight(options.bytesInFlight);
  const metrics = createMetrics({
    registry: infrastructure.registry,
    outboxSeconds: () => oldestEventSeconds(infrastructure),
    outboxSetAside: () => eventsSetAside(infrastructure),
    pool: database.pool,
    bodyBytes: bytesInFlight.total,
    ...(redis &&
      infrastructure.areEventsShared && { redis: { limits: redis.isUp, events: infrastructure.areEventsShared } }),
  });
  registerOauthGauges(metrics.registry, {
    activeTokens: services.oauth.upkeep.activeTokens,
    activeStates: async () => (await services.oauth.states.active()) + (await services.registry.links.active()),
  });
  const liveCredentials = createLiveCredentials({ auth, metrics, log, report: database.report });
  const graphql = createGraphql({
    services,
    prisma: database.prisma,
    liveCredentials,
    rateLimits,
    metrics,
    config,
    log,
  });
  const idempotentCalls = createIdempotentCalls(infrastructure, graphql);
  let isOpen = true;
  const server = createApp({
    graphql,
    idempotentCalls,
    identify,
    auth,
    checks: requestChecksOf(services),
    documents: services.documents,
    mail: infrastructure.mail,
    database,
    metrics: { ...metrics, text: await metricsOfAll(metrics.registry, config.PROCESSES) },
    rateLimits,
    bytesInFlight,
    config,
    log,
    isOpen: () => isOpen,
    timeouts,
    pageAges: options.pageAges ?? pageAges,
  });
  server.timeout = options.stalledMs ?? stalledMs;
  const closeSockets = serveSockets(server, {
    graphql,
    identify,
    liveCredentials,
    bytesInFlight,
    rateLimits,
    metrics,
    log,
    ...(options.socketLimits && { limits: options.socketLimits }),
  });
  const stopWorkers = isWorker
    ? startWorkers({ services, infrastructure, jobs: jobsOf(services, infrastructure) })
    : async () => {};
  // Counted by all processes together.
  await redis?.settled();
  const openResponses = new Set<ServerResponse>();
  server.on('request', (_req, res) => {
    openResponses.add(res);
    res.once('close', () => openResponses.delete(res));
  });
  let port: number | null;
  try {
    port = await connections.open(server);
  } catch (error) {
    liveCredentials.stop();
    redis?.close();
    await stopWorkers();
    await infrastructure.close();
    throw error;
  }

  async function stop(): Promise<void> {
    isOpen = false;
    for (const res of openResponses) if (!res.headersSent) res.setHeader('Connection', 'close');
    // Still answering, with "Connection: close" and not ready: load balancers and kept connections have time to go.
    await delay(options.noticeMs ?? noticeMs);
    // Requests wait for answers of the chat.
    await services.chat.close();
    const { ended } = await connections.close(server);
    await closeSockets();
    // A stream of server-sent events is a request that would never finish.
    liveCredentials.stop();
    const late = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
    // A kept connection turns idle once its response is sent. Bytes that have arrived on it are read before it is
    // closed.
    const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), 50);
    await ended;
    clearTimeout(late);
    clearInterval(sweep);
    server.close();
    await stopWorkers();
    redis?.close();
    // Searches of the last second; without the database they are lost.
    await services.search.statistics.flush().catch(() => {});
    await infrastructure.close();
    // The observers of the process's own figures keep the registry for good: without this it would keep the whole server.
    metrics.registry.clear();
  }

  return { services, database, port, stop };
}

/** Loaded where it is used: the client of Redis takes 18 MB of memory. */
async function openRedis(url: string, log: Logger) {
  const { createRedis } = await import('../platform/redis.ts');
  return createRedis({ url, log });
}
