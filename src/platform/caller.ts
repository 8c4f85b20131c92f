import { ApiError, unauthorized } from './errors.ts';

/** What a key may do. A session may do everything its user may. */
export type Scope = 'read' | 'write' | 'admin';

/** The rate tier of a project. Source: docs/specification/identity.md#rate-tiers. */
export type Tier = 'free' | 'pro' | 'enterprise';

/** Where a write comes from: the web interface, an SDK, or an MCP proxy. Source: docs/specification/clipboard.md#entries. */
export type Source = 'ui' | 'sdk' | 'mcp';

/** An authenticated user, acting as one profile. */
export interface Principal {
  readonly kind: 'key' | 'session' | 'agent';
  /** The key's or the session's own id; an agent's credential has the id of the agent. */
  readonly credentialUuid: string;
  readonly userUuid: string;
  readonly projectUuid: string;
  readonly profileUuid: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly source: Source;
  /** An administrator of the platform. */
  readonly isAdmin: boolean;
  /** The rate tier of the project, which its agents' limits depend on. */
  readonly tier: Tier;
  /** Of an agent's credential: whether the agent has missed its heartbeat or is suspended, so that it may do nothing but report. */
  readonly isSuspended?: boolean;
}

/**
 * A capability of a single REST route. The route names it in its entry; no request, credential or other entry point can
 * get it.
 *
 * - `reveal-server-secrets`: show a key that may write the secrets of its MCP servers.
 * - `run-maintenance`: run scheduled work now. The router has checked CRON_SECRET.
 * - `list-whole-inventory`: respond with all MCP servers of a profile, or all their capabilities, beyond the size of
 *   other responses.
 */
export type RouteCapability = 'reveal-server-secrets' | 'list-whole-inventory' | 'run-maintenance';

/**
 * The caller: a principal, or unauthenticated. `address` is the client's address, according to the configured proxies.
 */
export interface Caller {
  readonly principal: Principal | null;
  readonly address: string;
  /** Id of the request, as in the logs; left out for work without a request. */
  readonly requestId?: string;
}

/** A caller without a valid credential. */
export const anonymous = (address = ''): Caller => ({ principal: null, address });

/** The scope that each action needs; `session` means that no key may do it. */
const needOf = {
  'agents:read': 'read',
  'agents:write': 'write',
  'agents:report': 'write',
  'clipboard:read': 'read',
  'clipboard:write': 'write',
  'documents:read': 'read',
  'documents:write': 'write',
  'notifications:read': 'read',
  'notifications:write': 'write',
  'webhooks:read': 'read',
  'webhooks:write': 'write',
  'users:read': 'read',
  'users:write': 'write',
  'mcp-servers:read': 'read',
  'mcp-servers:write': 'write',
  'analytics:read': 'read',
  'collections:read': 'read',
  'collections:write': 'write',
  'registry:read': 'read',
  'registry:write': 'write',
  'registry:review': 'admin',
  'search:read': 'read',
  'chat:read': 'read',
  'chat:write': 'write',
  'projects:read': 'read',
  'projects:write': 'session',
  'profiles:read': 'read',
  'profiles:write': 'admin',
  'api-keys:read': 'admin',
  'api-keys:write': 'admin',
  'oauth:read': 'read',
  'oauth:write': 'write',
  'oauth:authorize': 'session',
  'account:read': 'read',
  'account:write': 'session',
  'platform:administer': 'admin',
} as const satisfies Record<string, Scope | 'session'>;

export type Action = keyof typeof needOf;

/** The actions that an agent's credential permits. Source: docs/decisions/0035-agents.md. */
const agentActions: ReadonlySet<Action> = new Set<Action>([
  'agents:report',
  'clipboard:read',
  'clipboard:write',
  'documents:read',
  'documents:write',
  'notifications:read',
  'notifications:write',
]);

/** All actions, for the sweep that proves that every service function rejects a caller without permissions. */
export const actions = Object.keys(needOf) as Action[];

/**
 * Whether a caller may see the secrets of its objects, such as a token in the query of a url: a signed-in user, and a
 * key that may write.
 */
export const maySeeSecrets = ({ principal }: Caller): boolean =>
  principal !== null && (principal.kind === 'session' || principal.scopes.has('write'));

/**
 * The first line of every service function.
 *
 * @returns The principal, so that what follows cannot forget whose data it touches.
 * @throws {ApiError} `UNAUTHORIZED` without a principal, `FORBIDDEN` for a key without the scope.
 */
export function authorize(caller: Caller, action: Action): Principal {
  const { principal } = caller;
  if (principal === null) throw unauthorized();
  const need = needOf[action];
  if (principal.kind === 'session') return principal;
  if (principal.kind === 'agent') return authorizeAgent(principal, action);
  if (need === 'session') throw new ApiError('FORBIDDEN', 'This needs a signed-in user; an API key cannot do it');
  if (!principal.scopes.has(need)) throw new ApiError('FORBIDDEN', `This needs an API key with the scope "${need}"`);
  return principal;
}

/** An agent that is late or suspended may only report, so that its next heartbeat gives it back the rest. */
function authorizeAgent(principal: Principal, action: Action): Principal {
  if (!agentActions.has(action)) throw new ApiError('FORBIDDEN', "An agent's credential does not permit this");
  if (principal.isSuspended && action !== 'agents:report')
    throw new ApiError(
      'FORBIDDEN',
      'The credential of the agent is blocked: the agent is suspended or has missed its heartbeat. The next heartbeat of a running agent unblocks it',
    );
  return principal;
}
