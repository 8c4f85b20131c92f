import type { EventPayloads } from '../event-catalogue/index.ts';
import type { OauthProviders } from '../platform/config.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Queue } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { createServerAccess } from './access.ts';
import { clientName, metadataDocumentAt } from './client-metadata.ts';
import { createClients } from './clients.ts';
import { createExchanges } from './exchanges/index.ts';
import type { OnAuthorized } from './flow-completion.ts';
import { createFlowFigures } from './flow-figures.ts';
import { createFlows } from './flows.ts';
import type { OauthMetrics } from './metrics.ts';
import { createProviders } from './providers.ts';
import { createRefreshAlerts, type Notify } from './refresh-alerts.ts';
import { createRefresher } from './refresher.ts';
import { createReports } from './report/reports.ts';
import { createReportRuns } from './report/runs.ts';
import { createRevocations } from './revocations.ts';
import { createSealedTokens } from './sealed-tokens.ts';
import { createSecurityEvents } from './security-events.ts';
import { createServerSettings } from './server-settings.ts';
import { createOauthServers } from './servers.ts';
import { createSessionWatch } from './session-watch.ts';
import { createSessions } from './sessions.ts';
import { createStates } from './states.ts';
import { createUpkeep } from './upkeep.ts';

export interface OauthTokenDependencies
  extends Pick<Platform, 'database' | 'clock' | 'events' | 'log' | 'egress' | 'secrets'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly notify: Notify;
  readonly queue: Pick<Queue, 'send'>;
  readonly metrics: OauthMetrics;
  /** The address of the platform, without a slash at the end. */
  readonly appUrl: string;
  readonly oauthProviders: OauthProviders;
}

export type OauthTokens = ReturnType<typeof createOauthTokens>;

/** The tokens that the platform holds: how they are refreshed, ended and used. */
export function createOauthTokens(deps: OauthTokenDependencies) {
  const { appUrl, metrics } = deps;
  const exchanges = createExchanges({
    egress: deps.egress,
    clientName,
    onDiscovery: ({ method, status, seconds }) => {
      metrics.oauth_discovery_attempts_total.inc({ method, status });
      metrics.oauth_discovery_duration_seconds.observe({ method, status }, seconds);
    },
    onRegistration: ({ status, seconds }) => {
      metrics.oauth_client_registrations_total.inc({ status });
      metrics.oauth_client_registration_duration_seconds.observe({ status }, seconds);
    },
  });
  const figures = createFlowFigures(deps);
  const providers = createProviders(deps.oauthProviders);
  const clients = createClients({ ...deps, exchanges, providers, metadataDocument: metadataDocumentAt(appUrl) });
  const sealedTokens = createSealedTokens(deps);
  const securityEvents = createSecurityEvents(deps);
  const watch = createSessionWatch(deps);
  const revocations = createRevocations({ ...deps, exchanges, clients, sealedTokens, watch });
  const alerts = createRefreshAlerts(deps);
  const refresher = createRefresher({
    ...deps,
    exchanges,
    clients,
    sealedTokens,
    revocations,
    securityEvents,
    alerts,
    watch,
  });
  const access = createServerAccess({ ...deps, sealedTokens, refresher });
  const upkeep = createUpkeep({ ...deps, refresher, clients });
  return {
    exchanges,
    figures,
    providers,
    clients,
    sealedTokens,
    securityEvents,
    watch,
    revocations,
    refresher,
    access,
    upkeep,
  };
}

export type Oauth = ReturnType<typeof createOauth>;

/** OAuth for MCP servers. Source: docs/specification/oauth.md. */
export function createOauth(deps: OauthTokenDependencies & { tokens: OauthTokens; onAuthorized: OnAuthorized }) {
  const { tokens } = deps;
  const servers = createOauthServers(deps);
  const states = createStates({ ...deps, figures: tokens.figures });
  const reports = createReports({ ...deps, servers });
  const parts = { ...deps, ...tokens, servers, states, reports };
  const flows = createFlows(parts);
  const { securityEvents, watch, upkeep } = tokens;
  return {
    flows,
    states,
    sessions: createSessions({ ...parts, flows }),
    serverSettings: createServerSettings(parts),
    securityEvents,
    reports,
    reportRuns: createReportRuns(parts),
    watch,
    upkeep,
  };
}
