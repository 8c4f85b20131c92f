import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sessionOf } from '../people.ts';
import { type Answer, type Call, callerOf, startTestServer, type TestServer } from '../server.ts';
import { consent, type Decision } from './consent.ts';
import { discover } from './discovery.ts';
import { startHostileAuthorizationServer } from './hostile-authorization-server.ts';
import type { Behaviour } from './hostile-behaviours.ts';
import { appUrl } from './stage.ts';

/** The product, which may call this machine, and whose callback is at `appUrl`. */
export const startOauthServer = (environment: Record<string, string> = {}, ...more: [string?]): Promise<TestServer> =>
  startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl, ...environment }, ...more);

export type HostileStage = Awaited<ReturnType<typeof startHostileStage>>;

type Person = Awaited<ReturnType<typeof sessionOf>>;

/**
 * A signed-in user of a product with an MCP server of its own, which a hostile authorization server protects. It is much quicker than
 * the stage of a real one, and as long as it is honest it is a correct one.
 *
 * @param options.person A new user if left out.
 */
export async function startHostileStage(
  server: TestServer,
  { behaviour, person }: { behaviour?: Behaviour; person?: Person } = {},
) {
  const hostile = await startHostileAuthorizationServer(behaviour, { now: server.clock.now });
  const signedIn = person ?? (await sessionOf(server));
  const { user, call: browser, token } = signedIn;
  const { uuid: serverUuid } = await server.services.mcpServers.configurations.create(user, {
    name: `Notes ${randomUUID().slice(0, 8)}`,
    transport: 'http',
    url: hostile.url,
  });
  const initiate = (): Promise<Answer> => browser('POST', '/api/oauth/initiate', { serverUuid });
  const { prisma } = server.database;
  const stage = {
    server,
    hostile,
    person: signedIn,
    user,
    browser,
    /** The same browser at another process of the product. */
    browserAt: (other: Pick<TestServer, 'base'>): Call => {
      const bare = callerOf(other, null);
      return (method, path, body) => bare(method, path, body, { Cookie: `session_token=${token}` });
    },
    serverUuid,
    initiate,
    /** Starts a flow and goes through the consent. @returns The path of the callback, which was not called. */
    async consented(decision?: Decision): Promise<string> {
      const { status, body, text } = await initiate();
      expect(status, text).toBe(200);
      const back = new URL(await consent(body.authorizationUrl, decision));
      return back.pathname + back.search;
    },
    /** Calls a callback. @returns Where it leads. */
    async ended(path: string, call = browser): Promise<string> {
      const { status, headers, text } = await call('GET', path);
      expect(status, text).toBe(302);
      return headers.get('location') ?? '';
    },
    /** A whole flow. @returns Where it ends. */
    authorize: async (decision?: Decision): Promise<string> => stage.ended(await stage.consented(decision)),
    refresh: (): Promise<Answer> => browser('POST', '/api/oauth/refresh', { serverUuid }),
    discover: () => discover(server, user, serverUuid),
    /** The session of the server that is not over, else the one that ended last, as it is stored. */
    session: () =>
      prisma.oauthSession.findFirstOrThrow({
        where: { serverUuid },
        orderBy: [{ endedAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }],
      }),
    /** The types of the security events of the user, the oldest first. */
    async events(): Promise<string[]> {
      const profileUuid = String(user.principal?.profileUuid);
      const rows = await prisma.oauthSecurityEvent.findMany({ where: { profileUuid }, orderBy: { createdAt: 'asc' } });
      return rows.map(({ type }) => type);
    },
    success: `/mcp-servers?oauth_success=true&server_uuid=${serverUuid}`,
    failure: (error: string) => `/mcp-servers?oauth_error=${error}&server_uuid=${serverUuid}`,
  };
  return stage;
}

/** A callback that belongs to no flow of the user who comes back. */
export const strayFailure = (error: string): string => `/mcp-servers?oauth_error=${error}`;

/** The value of a series of /metrics, as it is printed there; 0 for one that is not there. */
export async function counted({ base }: Pick<TestServer, 'base'>, series: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length));
}
