import { describe, expect, it } from 'vitest';
import { startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { type OauthStage, startOauthStage } from '../support/oauth/stage.ts';

const server = await startOauthServer();
const { prisma } = server.database;
const scopes = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Beside `offline_access`, which the authorization server lists. */
const askedScopes = (url: string) => {
  const asked = new URL(url).searchParams.get('scope')?.split(' ') ?? [];
  return asked.filter((scope) => scope !== 'offline_access').toSorted();
};

async function newStage(): Promise<OauthStage> {
  const stage = await startOauthStage({ server, mcp: { scopes, challengedScope: 'a', listsScopes: false } });
  expect(await stage.authorize()).toContain('oauth_success');
  expect(await stage.discover()).toBe('succeeded');
  return stage;
}

describe('a server that asks for more scopes', () => {
  it('needs authorization; the next one asks for the granted and the challenged scopes, three times in a row at most', async () => {
    const stage = await newStage();
    const { mcp, serverUuid } = stage;
    for (const [at, scope] of ['b', 'c', 'd'].entries()) {
      mcp.demandScope('tools/list', scope);
      expect(await stage.discover()).toBe('needs_authorization');
      const { body } = await stage.initiate();
      expect(askedScopes(body.authorizationUrl)).toEqual(scopes.slice(0, at + 2));
      const { headers } = await stage.browser('GET', await stage.consented(body.authorizationUrl));
      expect(headers.get('location')).toContain('oauth_success');
      expect(await stage.discover()).toBe('succeeded');
    }
    mcp.demandScope('tools/list', 'e');
    expect(await stage.discover()).toBe('needs_authorization');
    const { discoveryError } = await prisma.mcpServer.findUniqueOrThrow({ where: { uuid: serverUuid } });
    expect(discoveryError).toContain('after several authorizations');
    // It is not asked for: the owner who starts a flow is asked for what the server names by itself.
    expect(askedScopes((await stage.initiate()).body.authorizationUrl)).toEqual(['a']);
  });

  it('is authorized again at another url: neither the challenge nor the scopes of the old one are used', async () => {
    const stage = await newStage();
    stage.mcp.demandScope('tools/list', 'b');
    expect(await stage.discover()).toBe('needs_authorization');
    const other = await startHostileStage(server);
    await server.services.mcpServers.configurations.update(stage.user, stage.serverUuid, { url: other.hostile.url });
    const { status, body, text } = await stage.initiate();
    expect(status, text).toBe(200);
    expect(new URL(body.authorizationUrl).origin).toBe(other.hostile.issuer);
    expect(askedScopes(body.authorizationUrl)).toEqual([]);
  });
});

describe('tokens of a server whose url was changed', () => {
  it('are sent to no other url, whether they are fresh, expiring or refused', async () => {
    const stage = await newStage();
    const other = await startHostileStage(server);
    const { configurations } = server.services.mcpServers;
    await configurations.update(stage.user, stage.serverUuid, { url: other.hostile.url });
    expect(await stage.discover()).toBe('needs_authorization');
    server.clock.advance(3_590_000);
    expect(await stage.discover()).toBe('needs_authorization');
    const calls = other.hostile.requests.filter(({ path }) => path === '/mcp');
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    expect(stage.authorizationServer.tokenRequests('refresh_token')).toEqual([]);
  });

  it('a flow that began before the change gives none', async () => {
    const stage = await startHostileStage(server);
    const other = await startHostileStage(server);
    const path = await stage.consented();
    await server.services.mcpServers.configurations.update(stage.user, stage.serverUuid, { url: other.hostile.url });
    expect(await stage.ended(path)).toBe(stage.failure('state_invalid'));
    expect(stage.hostile.tokenRequests()).toEqual([]);
    expect(await prisma.oauthSession.count({ where: { serverUuid: stage.serverUuid } })).toBe(0);
  });
});
