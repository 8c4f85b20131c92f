import { agentRoutes } from './agents/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { chatRoutes } from './chat/routes.ts';
import { clipboardRoutes } from './clipboard/routes.ts';
import { collectionRoutes } from './collections/routes.ts';
import { documentReadingRoutes } from './documents/reading-routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { documentSearchRoutes } from './documents/search-routes.ts';
import { proxyRoutes } from './mcp-servers/proxy-routes.ts';
import { mcpServerRoutes } from './mcp-servers/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { sessionRoutes } from './oauth/session-routes.ts';
import { officialRoutes } from './registry/official-routes.ts';
import { registryRoutes } from './registry/routes.ts';
import type { Route } from './route.ts';
import { searchRoutes } from './search/routes.ts';
import { userRoutes } from './users/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export type { RequestChecks, StreamedEvent } from './route.ts';
export { createRestRouter, type RestCall } from './router.ts';

/** Every documented HTTP operation. */
export const routes: readonly Route[] = [
  ...agentRoutes,
  ...authRoutes,
  ...clipboardRoutes,
  ...documentReadingRoutes,
  ...documentRoutes,
  ...documentSearchRoutes,
  ...notificationRoutes,
  ...userRoutes,
  ...webhookRoutes,
  ...mcpServerRoutes,
  ...oauthRoutes,
  ...sessionRoutes,
  ...searchRoutes,
  ...proxyRoutes,
  ...analyticsRoutes,
  ...collectionRoutes,
  ...registryRoutes,
  ...officialRoutes,
  ...chatRoutes,
];
