import { randomUUID } from 'node:crypto';
import type { securityEvents } from '../oauth/index.ts';
import type { Story } from './story.ts';

const server = 'vercel';
const issuer = 'https://vercel.com';
const scopes = ['openid', 'offline_access'];

/**
 * An authorization that was granted and has ended at the authorization server, so that the server must be authorized again. It holds no
 * tokens: nothing was asked of that authorization server.
 */
export function addOauth({ at }: Story): void {
  const sessionUuid = randomUUID();
  const clientUuid = randomUUID();

  const record =
    (type: keyof typeof securityEvents, ofSession: boolean) =>
    async ({ services, database, as, server: uuidOf }: Parameters<Parameters<Story['at']>[1]>[0]) => {
      const { userUuid = '', profileUuid = '' } = as('owner').principal ?? {};
      await services.oauth.securityEvents.record(database, {
        type,
        outcome: type === 'refresh_refused' ? 'failed' : 'succeeded',
        userUuid,
        profileUuid,
        actorUuid: type === 'refresh_refused' ? null : userUuid,
        serverUuid: await uuidOf(server),
        sessionUuid: ofSession ? sessionUuid : null,
        requestId: null,
      });
    };

  at(4.61, record('client_registered', false));
  at(4.6, async (stage) => {
    const { database, clock, as } = stage;
    const { userUuid = '', profileUuid = '' } = as('owner').principal ?? {};
    const serverUuid = await stage.server(server);
    const { slug, url } = await database.prisma.mcpServer.findUniqueOrThrow({ where: { uuid: serverUuid } });
    const redirectUri = 'http://localhost/api/oauth/callback';
    const [createdAt, endedAt] = [clock.now(), new Date(clock.now().getTime() + 4 * 86_400_000)];
    const client = { uuid: clientUuid, kind: 'registered', clientId: 'sample-client', authenticationMethod: 'none' };
    await database.prisma.oauthClient.create({
      data: { ...client, serverUuid, userUuid, issuer, redirectUri, createdAt },
    });
    await database.prisma.oauthSession.create({
      data: {
        ...{ uuid: sessionUuid, profileUuid, userUuid, serverUuid, serverUrl: url, provider: slug, clientUuid, issuer },
        ...{
          metadata: JSON.stringify({ issuer }),
          resource: url,
          redirectUri,
          scopes,
          status: 'expired',
          generation: 96,
        },
        error: 'The authorization server has ended the authorization. Authorize the server again',
        ...{ createdAt, updatedAt: endedAt, lastUsedAt: endedAt, expiresAt: endedAt, endedAt },
      },
    });
  });
  at(4.59, record('session_authorized', true));
  at(0.6, async (stage) => {
    await record('refresh_refused', true)(stage);
    const uuid = await stage.server(server);
    await stage.database.prisma.mcpServer.update({
      where: { uuid },
      data: { discoveryStatus: 'needs_authorization', discoveryError: 'The server asks for authorization' },
      select: { uuid: true },
    });
  });
}
