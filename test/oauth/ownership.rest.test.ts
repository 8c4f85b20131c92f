import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type HostileStage,
  startHostileStage,
  startOauthServer,
  strayFailure,
} from '../support/oauth/hostile-stage.ts';
import { secondProfileOf, sessionOf } from '../support/people.ts';
import { callerOf } from '../support/server.ts';

const server = await startOauthServer();
const { prisma } = server.database;

/** A user who is signed in to one profile and authorizes a server of another one, in a project of its own. */
async function apart(): Promise<HostileStage & { profileUuid: string; projectUuid: string; userUuid: string }> {
  const person = await sessionOf(server);
  const { profileUuid } = await secondProfileOf(server, person.user, 'new project');
  const stage = await startHostileStage(server, { person });
  await prisma.mcpServer.update({ where: { uuid: stage.serverUuid }, data: { profileUuid } });
  const { projectUuid } = await prisma.profile.findUniqueOrThrow({ where: { uuid: profileUuid } });
  return { ...stage, profileUuid, projectUuid, userUuid: String(person.user.principal?.userUuid) };
}

/** Each breaks one link of the chain server, profile, project, user. @returns The statuses of initiate and refresh from then on. */
const breaks: Record<string, (stage: Awaited<ReturnType<typeof apart>>) => Promise<[number, number]>> = {
  'server to profile: it belongs to a profile of another user': async ({ serverUuid }) => {
    const { user } = await sessionOf(server);
    const profileUuid = String(user.principal?.profileUuid);
    await prisma.mcpServer.update({ where: { uuid: serverUuid }, data: { profileUuid } });
    return [404, 403];
  },
  'profile: it is deleted': async ({ profileUuid }) => {
    await prisma.profile.update({ where: { uuid: profileUuid }, data: { deletedAt: server.clock.now() } });
    return [404, 403];
  },
  'profile to project: it belongs to a project of another user': async ({ profileUuid }) => {
    const { user } = await sessionOf(server);
    const projectUuid = String(user.principal?.projectUuid);
    await prisma.profile.update({ where: { uuid: profileUuid }, data: { projectUuid, name: randomUUID() } });
    return [404, 403];
  },
  'project: it is deleted': async ({ projectUuid }) => {
    await prisma.project.update({ where: { uuid: projectUuid }, data: { deletedAt: server.clock.now() } });
    return [404, 403];
  },
  'project to user: it belongs to another user': async ({ projectUuid }) => {
    const { user } = await sessionOf(server);
    const userUuid = String(user.principal?.userUuid);
    await prisma.project.update({ where: { uuid: projectUuid }, data: { userUuid } });
    return [404, 403];
  },
  'user: it is disabled': async ({ userUuid }) => {
    await prisma.user.update({ where: { uuid: userUuid }, data: { disabledAt: server.clock.now() } });
    return [401, 401];
  },
  'user: it is deleted': async ({ userUuid }) => {
    await prisma.user.update({ where: { uuid: userUuid }, data: { deletedAt: server.clock.now() } });
    return [404, 403];
  },
};

describe('C21: the chain server, profile, project, user, broken at', () => {
  it.each(Object.keys(breaks))('%s', async (name) => {
    const stage = await apart();
    const { hostile } = stage;
    expect(await stage.authorize()).toBe(stage.success);
    const path = await stage.consented();
    const asked = hostile.requests.length;
    const statuses = await breaks[name]?.(stage);
    const [initiated, refreshed] = [await stage.initiate(), await stage.refresh()];
    expect([initiated.status, refreshed.status]).toEqual(statuses);
    expect(await stage.ended(path)).toBe(strayFailure('state_invalid'));
    // The same of a server that does not exist, by the same words.
    const none = { serverUuid: randomUUID() };
    expect((await stage.browser('POST', '/api/oauth/initiate', none)).text).toBe(initiated.text);
    expect((await stage.browser('POST', '/api/oauth/refresh', none)).text).toBe(refreshed.text);
    expect(await stage.session()).toMatchObject({ generation: 0 });
    expect(hostile.requests).toHaveLength(asked);
  });

  it('nothing: a server of another project of the user is authorized and refreshed', async () => {
    const stage = await apart();
    expect(await stage.authorize()).toBe(stage.success);
    expect((await stage.refresh()).status).toBe(200);
  });
});

describe('C21: the callers of initiate and refresh', () => {
  it('without a session, and with a key, are refused before the authorization server is asked', async () => {
    const stage = await startHostileStage(server);
    const { secret } = await server.services.auth.apiKeys.create(stage.user, {
      name: 'k',
      scopes: ['read', 'write', 'admin'],
    });
    for (const call of [callerOf(server, null), callerOf(server, secret)])
      for (const path of ['/api/oauth/initiate', '/api/oauth/refresh']) {
        const { status, body } = await call('POST', path, { serverUuid: stage.serverUuid });
        expect([status, Object.keys(body)]).toEqual([401, ['error', 'message']]);
      }
    expect(stage.hostile.requests).toEqual([]);
  });

  it('get 400 for an invalid UUID, and 404 for a server without a url', async () => {
    const stage = await startHostileStage(server);
    for (const path of ['/api/oauth/initiate', '/api/oauth/refresh'])
      for (const body of [
        {},
        { serverUuid: 'x' },
        { serverUuid: null },
        { serverUuid: 1 },
        { serverUuid: [stage.serverUuid] },
        [],
      ])
        expect((await stage.browser('POST', path, body)).status, JSON.stringify(body)).toBe(400);
    const { uuid: serverUuid } = await server.services.mcpServers.configurations.create(stage.user, {
      name: 'Local',
      command: 'npx',
    });
    expect((await stage.browser('POST', '/api/oauth/initiate', { serverUuid })).status).toBe(404);
    expect((await stage.browser('POST', '/api/oauth/refresh', { serverUuid })).status).toBe(400);
  });
});

describe('C09: the redirect URI of initiate', () => {
  it.each([
    '//evil.example/api/oauth/callback',
    '/\\evil.example',
    'https://evil.example/api/oauth/callback',
    'http://127.0.0.1:9/api/oauth/callback',
    'javascript:alert(1)',
    '/api/oauth/callback/',
    '/api/oauth/callback?next=//evil.example',
    '/api/oauth/callback#x',
    '/API/oauth/callback',
    '/api/oauth/../oauth/callback',
    '/mcp-servers',
    '',
    ' /api/oauth/callback',
    '/api/oauth/callback\n',
  ])('%j is 400, and nothing is asked', async (redirectUri) => {
    const { browser, hostile, serverUuid } = await startHostileStage(server);
    const { status, body } = await browser('POST', '/api/oauth/initiate', { serverUuid, redirectUri });
    expect([status, body.details]).toEqual([400, { redirectUri: 'redirectUri must be /api/oauth/callback' }]);
    expect(hostile.requests).toEqual([]);
  });

  it('is the callback of the platform where it is left out, null or exactly that path', async () => {
    const stage = await startHostileStage(server);
    for (const over of [{}, { redirectUri: null }, { redirectUri: '/api/oauth/callback' }]) {
      const { body } = await stage.browser('POST', '/api/oauth/initiate', { serverUuid: stage.serverUuid, ...over });
      const { searchParams } = new URL(body.authorizationUrl);
      expect(searchParams.get('redirect_uri')).toBe('http://127.0.0.1:9/api/oauth/callback');
      expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      expect(Object.keys(body)).toEqual(['authorizationUrl', 'state', 'expiresAt']);
      expect(Date.parse(body.expiresAt) - server.clock.now().getTime()).toBe(300_000);
    }
  });
});
