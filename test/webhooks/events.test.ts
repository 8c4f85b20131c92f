import { expect, it } from 'vitest';
import { z } from 'zod';
import { readersOf } from '../../src/main/services.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createOutboxRelay } from '../../src/platform/messaging/outbox-relay.ts';
import { verifies } from '../requirements.ts';
import { secondProfileOf } from '../support/people.ts';
import { tenantOf } from '../support/server.ts';
import { added, documents } from '../support/server-stage.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { registered, startWebhookServer } from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { database, clock, services } = server;
const relay = createOutboxRelay({
  database,
  clock,
  log: createLogger('silent'),
  readers: readersOf(services),
  // It is asked by hand here.
  events: { subscribe: () => Promise.reject(new Error('nothing listens there')) },
});
const told = [
  'server.installed',
  'server.uninstalled',
  'server.updated',
  'user.followed',
  'user.unfollowed',
  'notification.created',
];

/** A user with a webhook for all events of servers and users. */
async function listening() {
  const tenant = await tenantOf(server);
  const receiver = await startReceiver();
  await registered(tenant.call, { url: `${receiver.base}/in`, events: told });
  await tenant.call('PATCH', '/api/users/profile', { is_public: true });
  const { username } = (await tenant.call('GET', '/api/auth/session')).body.user;
  const { userUuid, profileUuid } = tenant.caller.principal ?? {};
  return { ...tenant, receiver, username: username as string, userUuid, profileUuid };
}

const [owner, other] = [await listening(), await listening()];
const published = (await owner.call('GET', '/api/webhooks/events')).body.events;

/** What each has been sent since it was last asked, on the way that it goes in production; each held against its schema. */
async function sent() {
  await relay.relay();
  await services.webhooks.sendDue();
  return [owner, other].map(({ receiver }) =>
    receiver.received
      .splice(0)
      .map(({ body: { id, event, timestamp, signature, retry_count, data, ...rest } }) => {
        expect({ rest, retry_count, timestamp }).toEqual({
          rest: {},
          retry_count: 0,
          timestamp: clock.now().toISOString(),
        });
        expect([id, signature]).toEqual([
          expect.stringMatching(/^[0-9a-f-]{36}$/),
          expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
        ]);
        expect(z.fromJSONSchema(published[event]).safeParse(data).error, event).toBeUndefined();
        return [event, data];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

it(
  'installing and removing reach the webhooks of who does it, and its owner as a notification',
  verifies('servers.install', 'webhooks.tenants'),
  async () => {
    const { uuid } = await added(owner.call, { version: '1.2.3' });
    await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
    expect(await sent()).toEqual([[['server.updated', { server_uuid: uuid, changes: { is_public: true } }]], []]);
    const who = { server_uuid: uuid, user_id: other.userUuid, profile_uuid: other.profileUuid };
    const installed = ['server.installed', { ...who, metadata: { source: 'community', version: '1.2.3' } }];
    const notified = ['notification.created', { notification_id: expect.any(String), type: 'server_installed' }];
    await other.graphql(documents.install, { input: { uuid } });
    expect(await sent()).toEqual([[notified], [installed]]);
    const { notifications } = (await owner.call('GET', '/api/notifications')).body;
    expect(notifications).toMatchObject([
      { type: 'server_installed', metadata: { server_id: uuid, user_id: other.userUuid } },
    ]);
    // A change without effect publishes nothing.
    await other.graphql(documents.install, { input: { uuid } });
    expect(await sent()).toEqual([[], []]);
    await other.graphql(documents.uninstall, { input: { uuid } });
    await other.graphql(documents.uninstall, { input: { uuid } });
    expect(await sent()).toEqual([[], [['server.uninstalled', who]]]);
    // The owner's list does not fill by installing and removing in turn.
    await other.graphql(documents.install, { input: { uuid } });
    expect(await sent()).toEqual([[], [installed]]);
    const { call } = await secondProfileOf(server, other.user, 'new project');
    const again = 'mutation ($input: ServerInstallInput!) { serverInstall(input: $input) { server { uuid } } }';
    expect((await call('POST', '/graphql', { query: again, variables: { input: { uuid } } })).status).toBe(200);
    expect(await sent()).toEqual([[], []]);
    await owner.graphql(documents.install, { input: { uuid } });
    const own = { server_uuid: uuid, user_id: owner.userUuid, profile_uuid: owner.profileUuid };
    expect(await sent()).toEqual([
      [['server.installed', { ...own, metadata: { source: 'community', version: '1.2.3' } }]],
      [],
    ]);
  },
);

it(
  'a change of a configuration reaches the webhooks of its owner, masked, and no users who installed it',
  verifies('servers.update', 'servers.secrets'),
  async () => {
    const { uuid } = await added(owner.call, { env: { TOKEN: 'top secret' } });
    await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
    await other.graphql(documents.install, { input: { uuid } });
    await sent();
    await owner.graphql(documents.update, {
      input: { uuid, title: 'T', env: { TOKEN: 'another secret' }, tags: ['x'] },
    });
    const changes = { title: 'T', env: { TOKEN: '********' }, tags: ['x'] };
    expect(await sent()).toEqual([[['server.updated', { server_uuid: uuid, changes }]], []]);
    await owner.graphql(documents.update, { input: { uuid, title: 'T' } });
    expect(await sent()).toEqual([[], []]);
  },
);

it(
  'following reaches the webhooks of the followed user, and the person as a notification',
  verifies('users.follow.events', 'users.follow.notice'),
  async () => {
    const data = { follower_id: other.userUuid, followed_id: owner.userUuid };
    const path = `/api/users/${owner.username}/follow`;
    await other.call('POST', path);
    await other.call('POST', path);
    const notified = ['notification.created', { notification_id: expect.any(String), type: 'INFO' }];
    expect(await sent()).toEqual([[notified, ['user.followed', data]], []]);
    const { notifications } = (await owner.call('GET', '/api/notifications')).body;
    expect(notifications[0]).toMatchObject({ type: 'INFO', metadata: { user_id: other.userUuid } });
    await other.call('DELETE', path);
    await other.call('DELETE', path);
    expect(await sent()).toEqual([[['user.unfollowed', data]], []]);
  },
);
