import path from 'node:path';
import { Registry } from 'prom-client';
import { agentPolicyOf, createAgentMetrics, type Orchestrator, unhealthyAgents } from '../agents/index.ts';
import type { PasswordCost } from '../auth/index.ts';
import { createChatMetrics } from '../chat/index.ts';
import { createDocumentMetrics, createEmbeddingProviders, createExtractor, createStorage } from '../documents/index.ts';
import type { ToolCallLimits } from '../mcp-servers/index.ts';
import { createOauthMetrics } from '../oauth/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { createDatabase, type DatabaseTimeouts } from '../platform/database/database.ts';
import type { PrismaOver } from '../platform/database/prisma-client.ts';
import { createEgress } from '../platform/egress/egress.ts';
import { uncounted } from '../platform/limits/rate-limits.ts';
import type { Logger } from '../platform/logger.ts';
import { createMail } from '../platform/mail/mail.ts';
import { createLocalEvents, publishedAfterCommit } from '../platform/messaging/events.ts';
import { createQueue } from '../platform/messaging/queue.ts';
import { checkEncryptionKeys } from '../platform/security/encryption-check.ts';
import { encryptionKeysOf } from '../platform/security/encryption-keys.ts';
import { createSecrets } from '../platform/security/secrets.ts';
import { createWebhookMetrics } from '../webhooks/index.ts';
import { openChatModels } from './chat-models.ts';
import { openOrchestrator } from './orchestrator.ts';
import type { Infrastructure } from './services.ts';

/** A request waits so long for the orchestrator: less than clients wait for a response. */
const settleMs = 5_000;

export interface OpenInfrastructure extends Infrastructure {
  /** Counts nothing: only the server signs users in, and it has its own limits. */
  readonly rateLimits: Infrastructure['rateLimits'];
  /** The metrics of the areas. */
  readonly registry: Registry;
  /** Whether events reach other processes; null without Redis. */
  readonly areEventsShared: (() => boolean) | null;
  close(): Promise<void>;
}

/**
 * What the areas stand on, over a database that is migrated.
 *
 * @throws {ConfigError} When the database's secrets were sealed by other keys.
 */
export async function openInfrastructure(options: {
  config: Config;
  url: string;
  log: Logger;
  /** Whether this process deals with the queues. */
  isWorker: boolean;
  clock?: Clock;
  onStatement?: (text: string) => void;
  passwordCost?: PasswordCost;
  toolCallLimits?: ToolCallLimits | undefined;
  databaseTimeouts?: DatabaseTimeouts;
  prismaOver?: PrismaOver;
  /** The one that the settings name, unless a test has its own. */
  orchestrator?: Orchestrator;
}): Promise<OpenInfrastructure> {
  const { config, url, log, isWorker, clock = systemClock, onStatement, passwordCost, toolCallLimits } = options;
  const keys = await encryptionKeysOf(config);
  const database = createDatabase({
    url,
    log,
    processes: config.PROCESSES,
    ...(onStatement && { onStatement }),
    ...(options.databaseTimeouts && { timeouts: options.databaseTimeouts }),
    ...(options.prismaOver && { prismaOver: options.prismaOver }),
  });
  await checkEncryptionKeys({ database, clock, log, keys }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const redisEvents = config.REDIS_URL ? await openRedisEvents(config.REDIS_URL, log) : null;
  const events = publishedAfterCommit(redisEvents ?? createLocalEvents(), database);
  const queue = createQueue({ url, log, report: database.report, isWorker });
  const isInTransaction = () => database.unit?.isInTransaction === true;
  const egress = createEgress({
    isProduction: config.NODE_ENV === 'production',
    allow: config.EGRESS_ALLOW,
    log,
    isInTransaction,
  });
  const chat = openChatModels({ config, log, isInTransaction });
  const registry = new Registry();
  const mail = createMail({ database, queue, clock, log, config });
  const embeddings = createEmbeddingProviders({ egress, clock, log, endpoint: embeddingEndpointOf(config) });
  const documents = { ...documentSettingsOf(config, { clock, log }), embeddings };
  await redisEvents?.settled();
  return {
    database,
    clock,
    events,
    log,
    queue,
    mail,
    egress,
    secrets: createSecrets({ keys }),
    registry,
    metrics: {
      webhooks: createWebhookMetrics(registry),
      oauth: createOauthMetrics(registry),
      documents: createDocumentMetrics({ registry, database }),
      chat: createChatMetrics(registry),
      agents: createAgentMetrics({ registry, unhealthyAgents: () => unhealthyAgents(database) }),
    },
    appUrl: config.APP_URL,
    oauthProviders: config.OAUTH_PROVIDERS,
    github: {
      url: config.GITHUB_URL,
      apiUrl: config.GITHUB_API_URL,
      clientId: config.GITHUB_CLIENT_ID ?? null,
      clientSecret: config.GITHUB_CLIENT_SECRET ?? null,
      redirectUri: `${config.APP_URL}/api/registry/github/callback`,
    },
    orchestrator: options.orchestrator ?? (await openOrchestrator({ config, clock, log, registry })),
    agents: {
      domain: config.AGENT_DOMAIN,
      policy: agentPolicyOf(config),
      quotas: config.AGENT_QUOTAS,
      telemetryDays: config.AGENT_TELEMETRY_DAYS,
      seriesDays: config.AGENT_SERIES_DAYS,
      usageDays: config.AGENT_USAGE_DAYS,
      drainSeconds: config.AGENT_DRAIN_SECONDS,
      settleMs: isWorker || config.WORKERS === 'separate' || config.PROCESSES > 1 ? settleMs : 0,
      platformUrl: config.AGENT_PLATFORM_URL?.replace(/\/$/, '') ?? config.APP_URL,
    },
    chatModels: chat.models,
    chatMonthlyTokens: config.CHAT_MONTHLY_TOKENS,
    documents,
    notificationRetentionDays: config.NOTIFICATION_RETENTION_DAYS,
    rateLimits: uncounted,
    passwordCost,
    toolCallLimits,
    areEventsShared: redisEvents?.isUp ?? null,
    async close() {
      await queue.stop();
      await Promise.all([documents.extractor.close(), embeddings.close()]);
      mail.close();
      egress.close();
      chat.close();
      await events.close();
      await database.close();
    },
  };
}

/** Where the files of documents are, and who reads them. */
function documentSettingsOf(
  config: Config,
  { clock, log }: { clock: Clock; log: Logger },
): Omit<Infrastructure['documents'], 'embeddings'> {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = config;
  const bucket = S3_BUCKET
    ? {
        name: S3_BUCKET,
        endpoint: S3_ENDPOINT ?? null,
        region: S3_REGION,
        accessKeyId: S3_ACCESS_KEY_ID,
        secretAccessKey: S3_SECRET_ACCESS_KEY,
      }
    : null;
  const storage = createStorage({ folder: path.join(config.DATA_DIR, 'documents'), bucket, clock });
  return {
    storage,
    extractor: createExtractor({ folder: storage.readingFolder, log }),
    limits: { bytes: config.DOCUMENT_STORAGE_MB * 1_000_000, documents: config.DOCUMENTS_MAX },
  };
}

/** The endpoint that makes embeddings; null for the offline model. */
function embeddingEndpointOf(config: Config) {
  const { EMBEDDINGS_BASE_URL, EMBEDDINGS_API_KEY, EMBEDDINGS_MODEL, EMBEDDINGS_DIMS, EMBEDDINGS_PER_HOUR } = config;
  if (!EMBEDDINGS_BASE_URL) return null;
  return {
    baseUrl: EMBEDDINGS_BASE_URL.replace(/\/$/, ''),
    apiKey: EMBEDDINGS_API_KEY ?? null,
    model: EMBEDDINGS_MODEL,
    dims: EMBEDDINGS_DIMS,
    textsPerHour: EMBEDDINGS_PER_HOUR,
  };
}

/** Loaded where it is used: the client of Redis takes 18 MB of memory. */
async function openRedisEvents(url: string, log: Logger) {
  const { createRedisEvents } = await import('../platform/messaging/redis-events.ts');
  return createRedisEvents({ url, log });
}
