import type { AgentArea } from '../src/agents/index.ts';
import type { Analytics } from '../src/analytics/index.ts';
import type { Auth } from '../src/auth/index.ts';
import type { Chat } from '../src/chat/index.ts';
import type { Clipboard } from '../src/clipboard/index.ts';
import type { Collections } from '../src/collections/index.ts';
import type { DocumentArea } from '../src/documents/index.ts';
import type { McpServers } from '../src/mcp-servers/index.ts';
import type { Notifications } from '../src/notifications/index.ts';
import type { Oauth } from '../src/oauth/index.ts';
import type { Caller, RouteCapability } from '../src/platform/caller.ts';
import type { Registry } from '../src/registry/index.ts';
import type { Search } from '../src/search/index.ts';
import type { Users } from '../src/users/index.ts';
import type { Webhooks } from '../src/webhooks/index.ts';

/** The areas, as src/main/services.ts builds them. */
export interface Services {
  readonly agents: AgentArea;
  readonly auth: Auth;
  readonly clipboard: Clipboard;
  readonly notifications: Notifications;
  readonly users: Users;
  readonly webhooks: Webhooks;
  readonly documents: DocumentArea;
  readonly mcpServers: McpServers;
  readonly oauth: Oauth;
  readonly analytics: Analytics;
  readonly collections: Collections;
  readonly registry: Registry;
  readonly search: Search;
  readonly chat: Chat;
}

/** The context of every resolver. It is created for each operation, so data of one caller cannot reach another. */
export interface Context {
  /** Changes when the operation signs a user in or out: the fields after it run as that user. */
  caller: Caller;
  readonly services: Services;
  /** Also in the response's header `X-Request-Id` and in every log line of the request. */
  readonly requestId: string;
  /** Sets the cookie `session_token` on the response, or removes it with null. Null on a socket, whose responses carry none. */
  readonly setSession: ((session: { token: string; expiresAt: Date } | null) => void) | null;
  /** What the REST route may do that runs the operation. Empty for every other entry point: no request can ask for any. */
  readonly capabilities: ReadonlySet<RouteCapability>;
  /** For schema/builder.ts alone. Not typed here: the client's type makes every check of a resolver slow. */
  readonly prisma: unknown;
}
