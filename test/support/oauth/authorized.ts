import type { Services } from '../../../schema/context.ts';
import type { Caller } from '../../../src/platform/caller.ts';
import { cleanUp } from '../cleanup.ts';
import { consent } from './consent.ts';
import { startHostileAuthorizationServer } from './hostile-authorization-server.ts';
import { appUrl } from './stage.ts';

let running: Promise<string> | null = null;

/**
 * The url of an MCP server that asks for authorization; its authorization server is honest. It is started for the test or file that
 * asks first, and closed with it: one process runs many files, so a server that a module starts would be closed with the first.
 */
export async function protectedUrl(): Promise<string> {
  if (running === null) {
    running = startHostileAuthorizationServer().then(({ url }) => url);
    cleanUp(() => {
      running = null;
    });
  }
  return running;
}

type Some = Pick<Services, 'mcpServers' | 'oauth'>;

/** A server of the user's that can be authorized. @returns Its uuid. */
export async function authorizableServer({ mcpServers }: Some, user: Caller, name = 'protected'): Promise<string> {
  const input = { name, transport: 'http' as const, url: await protectedUrl() };
  return (await mcpServers.configurations.create(user, input)).uuid;
}

/** One that is authorized. @param user Signed in. @param known The server; a new one if left out. */
export async function authorizedServer(services: Some, user: Caller, name?: string, known?: string): Promise<string> {
  const serverUuid = known ?? (await authorizableServer(services, user, name));
  const { authorizationUrl } = await services.oauth.flows.begin(user, { serverUuid });
  const back = new URL(await consent(authorizationUrl));
  const { error } = await services.oauth.flows.complete(user, Object.fromEntries(back.searchParams));
  if (error !== null) throw new Error(`not authorized: ${error}`);
  return serverUuid;
}

/** A public one that has an authorization report. @returns Its uuid. */
export async function checkedServer(services: Some, user: Caller, name?: string): Promise<string> {
  const uuid = await authorizableServer(services, user, name);
  await services.mcpServers.configurations.setVisibility(user, uuid, { isPublic: true });
  await services.oauth.reportRuns.runDue();
  await services.oauth.reportRuns.worker.handle([{ origin: new URL(await protectedUrl()).origin, serverUuid: uuid }]);
  return uuid;
}

/** A pending session of the general API, and the body that completes it. */
export async function pendingSession(services: Some, user: Caller, name?: string, known?: string) {
  const provider = known ?? (await authorizableServer(services, user, name));
  const redirect_uri = `${appUrl}/back`;
  const { authorizationUrl, uuid } = await services.oauth.sessions.create(user, { provider, redirect_uri });
  const { code = '', state = '', iss } = Object.fromEntries(new URL(await consent(authorizationUrl)).searchParams);
  return { uuid, callback: { session_id: uuid, code, state, iss } };
}
