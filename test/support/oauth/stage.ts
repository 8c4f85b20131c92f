import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sessionOf } from '../people.ts';
import { type Answer, type Call, callerOf, startTestServer, type TestServer } from '../server.ts';
import { keyOf } from '../services.ts';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server.ts';
import { consent, type Decision } from './consent.ts';
import { discover } from './discovery.ts';
import {
  type ProtectedMcpServer,
  type ProtectedMcpServerOptions,
  startProtectedMcpServer,
} from './protected-mcp-server.ts';

/** Where the authorization server sends the browser back to. Nothing listens there: tests call the product's path themselves. */
export const appUrl = 'http://127.0.0.1:9';

export interface OauthStage {
  readonly server: TestServer;
  readonly authorizationServer: AuthorizationServer;
  readonly mcp: ProtectedMcpServer;
  /** The signed-in owner of the MCP server, by cookie. */
  readonly browser: Call;
  /** The same profile by a key. */
  readonly withKey: Call;
  readonly serverUuid: string;
  readonly user: Awaited<ReturnType<typeof sessionOf>>['user'];
  /** Starts a flow. */
  initiate(): Promise<Answer>;
  /** Goes through the consent of an authorization request. @returns The path of the callback with its query. */
  consented(authorizationUrl: string, decision?: Decision): Promise<string>;
  /** A whole flow of the browser. @returns Where it ends: the header `Location`. */
  authorize(decision?: Decision): Promise<string>;
  refresh(): Promise<Answer>;
  /** Runs the discoveries that are queued. @returns The status of the latest one. */
  discover(): Promise<string>;
}

/** The product, an authorization server and an MCP server that asks for its tokens, with one user who owns the MCP server. */
export async function startOauthStage(
  options: {
    authorizationServer?: AuthorizationServerOptions;
    mcp?: Omit<ProtectedMcpServerOptions, 'authorizationServer'>;
    environment?: Record<string, string>;
    server?: TestServer;
  } = {},
): Promise<OauthStage> {
  const server =
    options.server ?? (await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl, ...options.environment }));
  const authorizationServer = await startAuthorizationServer(options.authorizationServer);
  const mcp = await startProtectedMcpServer({ ...options.mcp, authorizationServer });
  const { user, call: browser } = await sessionOf(server);
  const { secret } = await keyOf(server.services, user, { scopes: ['read', 'write', 'admin'] });
  const withKey = callerOf(server, secret);
  const { mcpServers } = server.services;
  const { uuid: serverUuid } = await mcpServers.configurations.create(user, {
    name: `Notes ${randomUUID().slice(0, 8)}`,
    transport: 'http',
    url: mcp.url,
  });
  const stage: OauthStage = {
    server,
    authorizationServer,
    mcp,
    browser,
    withKey,
    serverUuid,
    user,
    initiate: () => browser('POST', '/api/oauth/initiate', { serverUuid }),
    consented: async (authorizationUrl, decision) => {
      const back = new URL(await consent(authorizationUrl, decision));
      return back.pathname + back.search;
    },
    async authorize(decision) {
      const { status, body, text } = await stage.initiate();
      expect(status, text).toBe(200);
      const answer = await browser('GET', await stage.consented(body.authorizationUrl, decision));
      expect(answer.status, answer.text).toBe(302);
      return answer.headers.get('location') ?? '';
    },
    refresh: () => browser('POST', '/api/oauth/refresh', { serverUuid }),
    discover: () => discover(server, user, serverUuid),
  };
  return stage;
}
