import { agents } from './agents.ts';
import { analytics } from './analytics.ts';
import { auth } from './auth.ts';
import { chat } from './chat.ts';
import { clipboard } from './clipboard.ts';
import { collections } from './collections.ts';
import { documents } from './documents.ts';
import { mcpServers } from './mcp-servers.ts';
import { notifications } from './notifications.ts';
import { oauth } from './oauth.ts';
import { registry } from './registry.ts';
import { search } from './search.ts';
import type { GrowthArea } from './stage.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** Every area. */
export const areas: readonly GrowthArea[] = [
  clipboard,
  notifications,
  auth,
  users,
  chat,
  webhooks,
  oauth,
  agents,
  documents,
  mcpServers,
  // These use the public servers of the area before.
  search,
  registry,
  analytics,
  collections,
];

/** Areas whose servers others use. */
export const sharesServers = new Set([search, registry, analytics, collections]);
