import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blockade } from '../support/blockade.ts';
import { openEventStream } from '../support/event-stream.ts';
import { consent } from '../support/oauth/consent.ts';
import { type HostileStage, startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { appUrl } from '../support/oauth/stage.ts';
import { secondProfileOf } from '../support/people.ts';
import { type Call, callerOf, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

const server = await startOauthServer();
const { prisma } = server.database;
const path = '/api/mcp/oauth/session';

type KeyStage = HostileStage & { readonly withKey: Call; readonly secret: string };

async function newStage(): Promise<KeyStage> {
  const stage = await startHostileStage(server);
  const { secret } = await keyOf(server.services, stage.user, { scopes: ['read', 'write', 'admin'] });
  return { ...stage, secret, withKey: callerOf(server, secret) };
}

/** Starts a session of the general API. @returns The body with which it is completed. */
async function begun({ withKey, serverUuid }: KeyStage) {
  const { body } = await withKey('POST', path, { provider: serverUuid, redirect_uri: `${appUrl}/back` });
  const { code, state, iss } = Object.fromEntries(new URL(await consent(body.authorization_url)).searchParams);
  return { session_id: body.session_id as string, code, state, iss };
}

describe('C24: a session of the general API', () => {
  it('of another user or profile is the same as none', async () => {
    const stage = await newStage();
    const completion = await begun(stage);
    const { session_id: id } = completion;
    const otherTenant = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    const neighbour = await secondProfileOf(server, stage.user, 'same project');
    const unknown = randomUUID();
    for (const { call } of [otherTenant, neighbour])
      for (const [method, of] of [
        ['GET', (uuid: string) => [`${path}/${uuid}`]],
        ['DELETE', (uuid: string) => [`${path}/${uuid}`]],
        ['POST', (uuid: string) => ['/api/mcp/oauth/callback', { ...completion, session_id: uuid }]],
      ] as const) {
        const [at, body] = of(id) as [string, unknown];
        const [elsewhere, other] = of(unknown) as [string, unknown];
        const [theirs, none] = [await call(method, at, body), await call(method, elsewhere, other)];
        expect([theirs.status, theirs.text], method).toEqual([none.status, none.text]);
        expect([403, 404]).toContain(theirs.status);
      }
    expect(stage.hostile.tokenRequests()).toEqual([]);
    expect((await stage.withKey('POST', '/api/mcp/oauth/callback', completion)).status).toBe(200);
  });

  it('answers tokens that are of no use to anyone else, here or at the server', async () => {
    const stage = await newStage();
    const completion = await begun(stage);
    const { body } = await stage.withKey('POST', '/api/mcp/oauth/callback', completion);
    const answered = [body.access_token, body.refresh_token];
    for (const token of answered) {
      expect(token).toMatch(/^1\.test\./);
      expect(stage.hostile.secrets).not.toContain(token);
      expect((await callerOf(server, token)('GET', path)).status).toBe(401);
      const call = await fetch(stage.hostile.url, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
      expect(call.status).toBe(401);
    }
    // Nor are they what is stored: a copy in its place does not open.
    const [access_token, refreshToken] = answered;
    expect(await stage.session()).not.toMatchObject({ accessToken: access_token });
    await prisma.oauthSession.update({ where: { uuid: completion.session_id }, data: { refreshToken } });
    expect((await stage.refresh()).status).toBe(500);
    expect(stage.hostile.tokenRequests()).toHaveLength(1);
  });

  it('ends on both sides, once, also where the authorization server fails', async () => {
    for (const behaviour of ['honest', 'revocation:status-500', 'revocation:reset'] as const) {
      const stage = await newStage();
      const completion = await begun(stage);
      const { session_id: id } = completion;
      await stage.withKey('POST', '/api/mcp/oauth/callback', completion);
      stage.hostile.behave(behaviour);
      for (let times = 0; times < 2; times++) {
        const { status, body } = await stage.withKey('DELETE', `${path}/${id}`);
        expect([status, body]).toEqual([200, { success: true, message: 'OAuth session revoked' }]);
      }
      expect(stage.hostile.revocations().map(({ body }) => body.token_type_hint)).toEqual([
        'refresh_token',
        'access_token',
      ]);
      expect((await stage.withKey('GET', `${path}/${id}`)).body.status).toBe('revoked');
      expect(await stage.session()).toMatchObject({ accessToken: null, refreshToken: null });
      expect((await stage.refresh()).status).toBe(400);
      expect((await stage.withKey('POST', '/api/mcp/oauth/callback', completion)).status).toBe(400);
    }
  });

  it('that is revoked while its code is exchanged gets no tokens, and the new ones end', async () => {
    const stage = await newStage();
    const completion = await begun(stage);
    const release = stage.hostile.holdTokenAnswers();
    const completing = stage.withKey('POST', '/api/mcp/oauth/callback', completion);
    await expect.poll(() => stage.hostile.tokenRequests().length).toBe(1);
    expect((await stage.withKey('DELETE', `${path}/${completion.session_id}`)).status).toBe(200);
    release();
    expect((await completing).status).toBe(400);
    expect(await stage.session()).toMatchObject({ status: 'revoked', accessToken: null });
    expect(stage.hostile.revocations().map(({ body }) => body.token)).toEqual(
      stage.hostile.secrets.slice(-2).toReversed(),
    );
  });

  it('that another authorization replaces is shown as revoked, live too', async () => {
    const stage = await newStage();
    expect(await stage.authorize()).toBe(stage.success);
    const { uuid } = await stage.session();
    const stream = await openEventStream(server.base, 'subscription { oauthSessionChanged { uuid status } }', {
      Authorization: `Bearer ${stage.secret}`,
    });
    server.clock.advance(1_000);
    expect(await stage.authorize()).toBe(stage.success);
    const changes: Record<string, string> = {};
    while (Object.keys(changes).length < 2) {
      const { oauthSessionChanged: change } = (await stream.next())?.data.data ?? {};
      changes[change.uuid] = change.status;
    }
    expect(changes).toEqual({ [uuid]: 'REVOKED', [(await stage.session()).uuid]: 'ACTIVE' });
    expect((await stage.withKey('GET', `${path}/${uuid}`)).body.status).toBe('revoked');
    expect(stage.hostile.revocations()).toEqual([]);
  });
});

it('C14: where tokens cannot be stored the flow fails, and they end', async () => {
  const stage = await newStage();
  const back = await stage.consented();
  const release = stage.hostile.holdTokenAnswers();
  const ending = stage.ended(back);
  await expect.poll(() => stage.hostile.tokenRequests().length).toBe(1);
  const block = await blockade(server.url, 'oauth_sessions');
  release();
  await block.kill(await block.waits());
  await block.release();
  expect(await ending).toBe(stage.failure('code_exchange_failed'));
  expect(await prisma.oauthSession.count({ where: { serverUuid: stage.serverUuid } })).toBe(0);
  expect(stage.hostile.revocations().map(({ body }) => body.token)).toEqual(
    stage.hostile.secrets.slice(-2).toReversed(),
  );
});

describe('C22: a registration', () => {
  it('is used until its secret has less than ten minutes left', async () => {
    const stage = await startHostileStage(server, { behaviour: 'secret-expires' });
    const registrations = async () => {
      expect((await stage.initiate()).status).toBe(200);
      return stage.hostile.registrations().length;
    };
    expect(await registrations()).toBe(1);
    server.clock.advance(49 * 60_000);
    expect(await registrations()).toBe(1);
    server.clock.advance(2 * 60_000);
    expect(await registrations()).toBe(2);
    expect(await registrations()).toBe(2);
  });

  it('is of one redirect URI: at another address of the platform there is another', async () => {
    const stage = await newStage();
    await stage.initiate();
    const moved = await startOauthServer({ APP_URL: 'http://127.0.0.1:10' }, server.url);
    const { body } = await stage.browserAt(moved)('POST', '/api/oauth/initiate', { serverUuid: stage.serverUuid });
    expect(stage.hostile.registrations().map(({ body: { redirect_uris: uris } }) => uris)).toEqual([
      [`${appUrl}/api/oauth/callback`],
      ['http://127.0.0.1:10/api/oauth/callback'],
    ]);
    const ids = await prisma.oauthClient.findMany({ where: { serverUuid: stage.serverUuid } });
    expect(new Set(ids.map(({ clientId }) => clientId)).size).toBe(2);
    expect(new URL(body.authorizationUrl).searchParams.get('redirect_uri')).toBe(
      'http://127.0.0.1:10/api/oauth/callback',
    );
  });

  it('belongs to one issuer: if a server names another, its client is registered again, and the old secret is not sent', async () => {
    const [stage, other] = [await newStage(), await startHostileStage(server)];
    expect(await stage.authorize()).toBe(stage.success);
    const { configurations } = server.services.mcpServers;
    server.clock.advance(1_000);
    await configurations.update(stage.user, stage.serverUuid, { url: other.hostile.url });
    expect(await stage.authorize()).toBe(stage.success);
    expect(other.hostile.registrations()).toHaveLength(1);
    const [old, fresh] = [stage.hostile, other.hostile];
    const sent = JSON.stringify(fresh.requests);
    expect(old.secrets.filter((secret) => sent.includes(secret) || sent.includes(btoa(secret)))).toEqual([]);
    expect(await stage.session()).toMatchObject({ issuer: fresh.issuer, serverUrl: fresh.url });
    // Back again, the first registration is still good.
    await configurations.update(stage.user, stage.serverUuid, { url: old.url });
    expect(await stage.authorize()).toBe(stage.success);
    expect(old.registrations()).toHaveLength(1);
  });
});
