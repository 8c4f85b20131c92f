import { agents } from './agents.ts';
import { agentsKubernetes } from './agents-kubernetes.ts';
import { agentsLocal } from './agents-local.ts';
import { agentsTelemetry } from './agents-telemetry.ts';
import { auth } from './auth.ts';
import { chat } from './chat.ts';
import { clipboard } from './clipboard.ts';
import { documentsExtraction } from './documents-extraction.ts';
import { documentsSearch } from './documents-search.ts';
import { documentsUploads } from './documents-uploads.ts';
import { main } from './main.ts';
import { mcpServers } from './mcp-servers.ts';
import type { Mutation } from './mutation.ts';
import { oauth } from './oauth.ts';
import { oauthExchanges } from './oauth-exchanges.ts';
import { oauthReports } from './oauth-reports.ts';
import { platform } from './platform.ts';
import { search } from './search.ts';
import { webhooks } from './webhooks.ts';

/** Changes of lines that guard tenants, secrets, delivery and cost. Where a line moves, its mutation moves along. */
export const mutations: readonly Mutation[] = [
  ...platform,
  ...main,
  ...auth,
  ...webhooks,
  ...clipboard,
  ...chat,
  ...mcpServers,
  ...search,
  ...oauth,
  ...oauthExchanges,
  ...oauthReports,
  ...agents,
  ...agentsKubernetes,
  ...agentsLocal,
  ...agentsTelemetry,
  ...documentsExtraction,
  ...documentsSearch,
  ...documentsUploads,
];
