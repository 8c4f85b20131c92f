import type { RequestChecks } from '../../rest-adapter/index.ts';
import type { Services } from '../../schema/context.ts';
import {
  type AgentAreaDependencies,
  type AgentMetrics,
  agentJobs,
  createAgentArea,
  type Orchestrator,
} from '../agents/index.ts';
import { analyticsJobs, createAnalytics } from '../analytics/index.ts';
import { authJobs, createAuth, issueAgentCredential, type PasswordCost } from '../auth/index.ts';
import { type ChatMetrics, chatJobs, chatReaders, createChat, type Models } from '../chat/index.ts';
import { clipboardJobs, createClipboard } from '../clipboard/index.ts';
import { createCollections } from '../collections/index.ts';
import { createDocumentArea, createExcerpts, type DocumentAreaDependencies, documentJobs } from '../documents/index.ts';
import { type EventPayloads, eventExamples, jsonSchemaOfEvents } from '../event-catalogue/index.ts';
import { createMcpServers, mcpServerJobs, slugOf, type ToolCallLimits } from '../mcp-servers/index.ts';
import { createNotifications, notificationJobs } from '../notifications/index.ts';
import { createOauth, createOauthTokens, type OauthMetrics, oauthJobs } from '../oauth/index.ts';
import type { OauthProviders } from '../platform/config.ts';
import { createIdempotency, idempotencyJobs } from '../platform/idempotency.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Job } from '../platform/messaging/jobs.ts';
import { createOutbox } from '../platform/messaging/outbox.ts';
import type { OutboxReader } from '../platform/messaging/outbox-relay.ts';
import type { Worker } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { createRegistry, type GithubSettings, registryJobs } from '../registry/index.ts';
import { createSearch, searchJobs } from '../search/index.ts';
import { createUsers, userJobs } from '../users/index.ts';
import { createWebhooks, testEvent, type WebhookMetrics, webhookJobs, webhookReaders } from '../webhooks/index.ts';
import { version } from './version.ts';

export interface Infrastructure extends Platform {
  readonly metrics: {
    readonly webhooks: WebhookMetrics;
    readonly oauth: OauthMetrics;
    readonly agents: AgentMetrics;
    readonly chat: ChatMetrics;
    readonly documents: DocumentAreaDependencies['metrics'];
  };
  readonly documents: DocumentAreaDependencies['settings'];
  /** The address of the platform, without a slash at the end. */
  readonly appUrl: string;
  readonly oauthProviders: OauthProviders;
  readonly github: GithubSettings;
  readonly orchestrator: Orchestrator;
  readonly agents: AgentAreaDependencies['settings'];
  readonly chatModels: Models;
  /** Tokens that the chat of a profile may use in a month; 0 for any number. */
  readonly chatMonthlyTokens: number;
  /** Of a call of an MCP server's tool, where they are not the product's own: tests only. */
  readonly toolCallLimits?: ToolCallLimits | undefined;
  /** Days that a notification is kept after it was read. */
  readonly notificationRetentionDays: number;
  readonly rateLimits: Pick<RateLimits, 'countGuess'>;
  /** The cost of a password hash, for tests; the product's own cost if left out. */
  readonly passwordCost?: PasswordCost | undefined;
}

const eventSchemas = jsonSchemaOfEvents();
const examples = { [testEvent]: { message: 'This is a test.' }, ...eventExamples };

/** The channel that signals the use of a server. */
const usesChannel = 'server-uses';

/** The areas in the order of their dependencies, a line each: this page is the dependency graph. */
export function createServices(infrastructure: Infrastructure): Services {
  const { database, clock, events, log, egress, secrets, mail, queue, metrics, github, rateLimits } = infrastructure;
  const outbox = createOutbox<EventPayloads>({ clock, events });
  const clipboard = createClipboard({ database, clock, events });
  const notifications = createNotifications({
    database,
    clock,
    events,
    outbox,
    mail,
    retentionDays: infrastructure.notificationRetentionDays,
  });
  const { notify, notifyAll } = notifications;
  const onUse = () => events.publish(usesChannel, null);
  const oauthParts = { ...infrastructure, outbox, notify, metrics: metrics.oauth };
  const tokens = createOauthTokens(oauthParts);
  const search = createSearch({ database, clock, secrets });
  const mcpServers = createMcpServers({
    database,
    clock,
    events,
    log,
    egress,
    secrets,
    queue,
    outbox,
    notifyAll,
    onUse,
    onOpened: search.statistics.opened,
    access: tokens.access,
    toolCallLimits: infrastructure.toolCallLimits,
  });
  const oauth = createOauth({ ...oauthParts, tokens, onAuthorized: mcpServers.discoveries.afterAuthorization });
  const { publicServersOf, installAll } = mcpServers.usage;
  const collections = createCollections({ database, clock, events, outbox, secrets, installAll });
  const analytics = createAnalytics({ database, clock, events, usesChannel });
  const webhooks = createWebhooks({
    database,
    clock,
    events,
    egress,
    secrets,
    notify,
    metrics: metrics.webhooks,
    examples,
    eventSchemas,
  });
  const agents = createAgentArea({
    ...infrastructure,
    outbox,
    notifyAll,
    metrics: metrics.agents,
    issueCredential: issueAgentCredential,
    settings: infrastructure.agents,
  });
  const documents = createDocumentArea({
    ...infrastructure,
    outbox,
    notify,
    metrics: metrics.documents,
    settings: infrastructure.documents,
  });
  const chat = createChat({
    database,
    clock,
    events,
    log,
    models: infrastructure.chatModels,
    retrieve: documents.passages,
    toolCalls: mcpServers.toolCalls,
    metrics: metrics.chat,
    ...createExcerpts({ database }),
    outbox,
    notify,
    monthlyTokens: infrastructure.chatMonthlyTokens,
  });
  const contents = [
    documents.changes.removeContents,
    agents.removeContents,
    chat.removeContents,
    clipboard.removeContents,
    notifications.removeContents,
    webhooks.removeContents,
  ];
  const auth = createAuth({ database, clock, log, rateLimits, passwordCost: infrastructure.passwordCost, contents });
  const registry = createRegistry({
    database,
    clock,
    log,
    egress,
    secrets,
    outbox,
    notify,
    slugOf,
    profileOf: auth.internalAccounts.profileOf,
    version,
    githubSettings: github,
    exchanges: tokens.exchanges,
    figures: tokens.figures,
  });
  const users = createUsers({ database, clock, outbox, notify, usernames: auth.usernames, publicServersOf });
  return {
    agents,
    auth,
    clipboard,
    documents,
    notifications,
    users,
    webhooks,
    mcpServers,
    oauth,
    search,
    chat,
    registry,
    collections,
    analytics,
  };
}

/** The rules for bodies that depend on settings, a catalogue or the time, for REST to name all wrong fields of a body at once. */
export const requestChecksOf = ({ agents, auth, chat, webhooks, mcpServers, registry }: Services): RequestChecks => ({
  newAgent: agents.mistakesOf,
  signUp: auth.accounts.mistakesOf,
  newApiKey: auth.apiKeys.mistakesOf,
  webhook: webhooks.registrations.mistakesOf,
  newServer: mcpServers.configurations.mistakesOf,
  submission: registry.submissions.mistakesOf,
  newChatSession: chat.sessions.mistakesOf,
});

/** The scheduled jobs of every area. */
export const jobsOf = (services: Services, infrastructure: Infrastructure): Job[] => [
  ...idempotencyJobs(createIdempotency(infrastructure)),
  ...agentJobs(services.agents),
  ...authJobs(services.auth),
  ...chatJobs(services.chat),
  ...clipboardJobs(services.clipboard),
  ...documentJobs(services.documents),
  ...notificationJobs(services.notifications),
  ...userJobs(services.users),
  ...webhookJobs(services.webhooks),
  ...mcpServerJobs(services.mcpServers),
  ...oauthJobs(services.oauth),
  ...searchJobs(services.search),
  ...registryJobs(services.registry),
  ...analyticsJobs(services.analytics),
];

/** The queue workers of every area. */
export const workersOf = (
  { documents, mcpServers, oauth }: Services,
  { mail }: Pick<Infrastructure, 'mail'>,
): Worker[] => [mail.worker, documents.ingestion.worker, mcpServers.discoveries.worker, oauth.reportRuns.worker];

/** The outbox readers of every area. */
export const readersOf = ({ chat, webhooks }: Services): OutboxReader[] => [
  ...webhookReaders(webhooks),
  ...chatReaders(chat),
];
