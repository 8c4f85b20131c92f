import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { connectedSocket } from '../support/graphql-socket.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf, graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

const server = await startTestServer();
const password = 'correct horse battery';

it(
  'DELETE /api/profiles/{uuid} deletes a profile, but not the last one',
  verifies('identity.removal.profile'),
  async () => {
    const { call, user } = await sessionOf(server);
    const { body } = await call('POST', '/api/profiles', { name: 'work' });
    const key = await keyOf(server.services, user, { profileUuid: body.profile.uuid });
    const socket = await connectedSocket(server.base, key.secret);
    const deleted = await call('DELETE', `/api/profiles/${body.profile.uuid}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ success: true, message: 'Profile deleted' });
    expect((await callerOf(server, key.secret)('GET', '/api/clipboard')).status).toBe(401);
    expect((await socket.closed).code).toBe(4403);
    expect((await call('DELETE', `/api/profiles/${body.profile.uuid}`)).status).toBe(404);
    const last = await call('DELETE', `/api/profiles/${user.principal?.profileUuid}`);
    expect(last.status).toBe(409);
    expect(last.body.error.code).toBe('CONFLICT');
  },
);

it(
  'DELETE /api/projects/{uuid} deletes a project with its profiles',
  verifies('identity.removal.project'),
  async () => {
    const { call, user } = await sessionOf(server);
    const { body } = await call('POST', '/api/projects', { name: 'work' });
    await call('POST', '/api/profiles', { name: 'x', projectUuid: body.project.uuid });
    expect((await call('DELETE', `/api/projects/${body.project.uuid}`)).body).toEqual({
      success: true,
      message: 'Project deleted',
    });
    expect((await call('GET', '/api/projects')).body.total).toBe(1);
    expect((await call('DELETE', `/api/projects/${user.principal?.projectUuid}`)).status).toBe(409);
  },
);

it(
  'DELETE /api/auth/account deletes the account with its password alone',
  verifies('identity.removal.account'),
  async () => {
    const { call, token, user } = await sessionOf(server);
    const key = await keyOf(server.services, user);
    const missing = await call('DELETE', '/api/auth/account', {});
    expect(missing.status).toBe(400);
    expect(missing.body.error.details).toHaveProperty('password');
    const wrong = await call('DELETE', '/api/auth/account', { password: 'wrong' });
    expect(wrong.body.error.details).toEqual({ password: 'password is wrong' });
    const deleted = await call('DELETE', '/api/auth/account', { password });
    expect(deleted.body).toEqual({ success: true, message: 'Account deleted' });
    expect(deleted.headers.get('set-cookie')).toMatch(/^session_token=;/);
    expect(await server.services.auth.sessions.verify(token)).toBeNull();
    expect((await callerOf(server, key.secret)('GET', '/api/clipboard')).status).toBe(401);
  },
);

it('counts the deletion of an account among sensitive operations', async () => {
  const limited = await startTestServer({ RATE_LIMITS: '{"sensitive":"2/1h","*":"off"}' });
  const { call } = await sessionOf(limited);
  const guess = async () => (await call('DELETE', '/api/auth/account', { password: 'wrong' })).status;
  expect([await guess(), await guess(), await guess()]).toEqual([400, 400, 429]);
});

it(
  'administrators set tiers and disable users in the graph, and other callers cannot',
  verifies('identity.administration'),
  async () => {
    const admin = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    const target = await tenantOf(server);
    const { username } = await server.services.auth.accounts.current(target.user);
    const projectUuid = target.user.principal?.projectUuid;
    const tier =
      'mutation ($projectUuid: String!) { projectTierSet(input: { projectUuid: $projectUuid, tier: PRO }) { projectUuid tier } }';
    const disable =
      'mutation ($username: String!) { userDisable(input: { username: $username, isDisabled: true }) { username disabledAt } }';
    const codes = async () => [
      (await admin.graphql(tier, { projectUuid })).errors?.[0].extensions.code,
      (await admin.graphql(disable, { username })).errors?.[0].extensions.code,
    ];
    expect(await codes()).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    await server.database.prisma.user.updateMany({
      where: { uuid: String(admin.user.principal?.userUuid) },
      data: { isAdmin: true },
    });
    expect(await codes()).toEqual([undefined, undefined]);
    expect((await graphqlOf(server, admin.secret)(tier, { projectUuid })).data.projectTierSet).toEqual({
      projectUuid,
      tier: 'PRO',
    });
    expect((await target.call('GET', '/api/clipboard')).status).toBe(401);
  },
);
