import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const { clock } = server;

type Tenant = Awaited<ReturnType<typeof tenantOf>>;
const someone = () => tenantOf(server);
const globalId = (uuid: string) => Buffer.from(`Notification:${uuid}`).toString('base64');
const fields = 'id uuid type title message severity read readAt completed completedAt metadata createdAt';
const createDocument = `mutation ($input: NotificationCreateInput!) {
  notificationCreate(input: $input) { emailSent notification { ${fields} } } }`;

async function dataOf({ graphql }: Pick<Tenant, 'graphql'>, query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await graphql(query, variables);
  expect(errors).toBeUndefined();
  return data;
}
async function errorOf({ graphql }: Pick<Tenant, 'graphql'>, query: string, variables: Record<string, unknown> = {}) {
  const { errors } = await graphql(query, variables);
  expect(errors).toHaveLength(1);
  return { message: errors[0].message, ...errors[0].extensions };
}
const make = async (tenant: Tenant, message = 'm') =>
  (await dataOf(tenant, createDocument, { input: { message } })).notificationCreate.notification;

describe('the graph', () => {
  it('makes, shows and deletes notifications', verifies('notifications.create', 'graph.node'), async () => {
    const tenant = await someone();
    const input = {
      title: 't',
      message: '<b>m</b>',
      severity: 'WARNING',
      metadata: { server_id: 's' },
      sendEmail: true,
    };
    const { notificationCreate } = await dataOf(tenant, createDocument, { input });
    const { notification } = notificationCreate;
    expect(notificationCreate).toEqual({
      emailSent: true,
      notification: {
        id: globalId(notification.uuid),
        uuid: expect.any(String),
        type: 'CUSTOM',
        title: 't',
        message: '<b>m</b>',
        severity: 'WARNING',
        read: false,
        readAt: null,
        completed: false,
        completedAt: null,
        metadata: { server_id: 's' },
        createdAt: clock.now().toISOString(),
      },
    });
    const query = `query ($id: ID!) { node(id: $id) { ... on Notification { ${fields} } } }`;
    expect((await dataOf(tenant, query, { id: notification.id })).node).toEqual(notification);
    const remove = 'mutation ($input: NotificationDeleteInput!) { notificationDelete(input: $input) { deletedUuid } }';
    const { uuid } = notification;
    expect(await dataOf(tenant, remove, { input: { uuid } })).toEqual({ notificationDelete: { deletedUuid: uuid } });
    expect(await errorOf(tenant, remove, { input: { uuid } })).toMatchObject({
      code: 'NOT_FOUND',
      message: 'Notification not found',
    });
    expect((await dataOf(tenant, query, { id: notification.id })).node).toBeNull();
  });

  it('shows every type under its own name', verifies('notifications.types'), async () => {
    const tenant = await someone();
    const profileUuid = String(tenant.caller.principal?.profileUuid);
    const { notifications } = server.services;
    await server.database.transaction(async (tx) => {
      await notifications.notify(tx, profileUuid, { type: 'webhook_failed', message: 'm' });
      await notifications.notify(tx, profileUuid, { type: 'server_installed', message: 'm', severity: 'SUCCESS' });
    });
    const { data } = await tenant.graphql('{ notifications { nodes { type severity } } }');
    expect(data.notifications.nodes).toEqual([
      { type: 'SERVER_INSTALLED', severity: 'SUCCESS' },
      { type: 'WEBHOOK_FAILED', severity: null },
    ]);
    const { body } = await tenant.call('GET', '/api/notifications');
    expect(body.notifications.map(({ type }: { type: string }) => type)).toEqual([
      'server_installed',
      'webhook_failed',
    ]);
  });

  it(
    'pages by cursor and by offset, counts, marks and completes',
    verifies('graph.connections', 'notifications.list', 'notifications.read-all'),
    async () => {
      const tenant = await someone();
      for (let i = 1; i <= 3; i++) await make(tenant, String(i));
      const query = `query ($after: String, $unread: Boolean) { notifications(first: 2, after: $after, unread: $unread) {
      totalCount nodes { message } edges { cursor node { message } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
      const { notifications: first } = await dataOf(tenant, query);
      expect(first).toMatchObject({ totalCount: 3, nodes: [{ message: '3' }, { message: '2' }] });
      expect(first.pageInfo).toEqual({
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: first.edges[0].cursor,
        endCursor: first.edges[1].cursor,
      });
      const { notifications: rest } = await dataOf(tenant, query, { after: first.pageInfo.endCursor });
      expect(rest).toMatchObject({ totalCount: 3, nodes: [{ message: '1' }], pageInfo: { hasNextPage: false } });
      const mark =
        'mutation ($uuid: String!) { notificationMarkRead(input: { uuid: $uuid }) { notification { read readAt } } }';
      const { uuid } = (await dataOf(tenant, '{ notifications(first: 1) { nodes { uuid } } }')).notifications.nodes[0];
      expect(await dataOf(tenant, mark, { uuid })).toEqual({
        notificationMarkRead: { notification: { read: true, readAt: clock.now().toISOString() } },
      });
      expect((await dataOf(tenant, query, { unread: true })).notifications).toMatchObject({ totalCount: 2 });
      const numbers =
        '{ unreadNotificationCount notificationPage(limit: 1, offset: 1, unread: true) { notifications { message } total unreadCount limit offset } }';
      expect(await dataOf(tenant, numbers)).toEqual({
        unreadNotificationCount: 2,
        notificationPage: { notifications: [{ message: '1' }], total: 2, unreadCount: 2, limit: 1, offset: 1 },
      });
      const complete =
        'mutation ($uuid: String!, $completed: Boolean) { notificationComplete(input: { uuid: $uuid, completed: $completed }) { notification { completed completedAt } } }';
      const completed = async (wish?: boolean) =>
        (await dataOf(tenant, complete, { uuid, completed: wish })).notificationComplete.notification.completed;
      expect([await completed(), await completed(true), await completed(), await completed(false)]).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(await dataOf(tenant, 'mutation { notificationMarkAllRead { updatedCount } }')).toEqual({
        notificationMarkAllRead: { updatedCount: 2 },
      });
    },
  );

  it.each([
    ['first', '{ notifications(first: 101) { totalCount } }'],
    ['first', '{ notifications(first: -1) { totalCount } }'],
    ['after', '{ notifications(after: "x") { totalCount } }'],
    ['limit', '{ notificationPage(limit: 0) { total } }'],
    ['title', 'mutation { notificationCreate(input: { message: "m", title: "a\\r\\nBcc: b" }) { emailSent } }'],
    ['metadata', 'mutation { notificationCreate(input: { message: "m", metadata: { a: "\\u0000" } }) { emailSent } }'],
    ['metadata', 'mutation { notificationCreate(input: { message: "m", metadata: { a: 1e999 } }) { emailSent } }'],
  ])(
    'refuses a wrong %s by name (%#)',
    verifies('notifications.create.form', 'everywhere.pages'),
    async (field, query) => {
      expect(await errorOf(await someone(), query)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { [field]: expect.any(String) },
      });
    },
  );

  it('asks the database once for each list field, and not at all for fields that are not selected', async () => {
    const tenant = await someone();
    await make(tenant);
    const statementsOf = async (query: string) => {
      const before = server.statements.length;
      await dataOf(tenant, query);
      return server.statements.slice(before).filter((text) => text.includes('notification')).length;
    };
    expect(await statementsOf(`{ notifications { nodes { ${fields} } } }`)).toBe(1);
    expect(await statementsOf(`{ notifications { totalCount nodes { ${fields} } } }`)).toBe(2);
    expect(await statementsOf(`{ notificationPage { total unreadCount notifications { ${fields} } } }`)).toBe(1);
    expect(await statementsOf('{ unreadNotificationCount }')).toBe(1);
    const ids = Array.from({ length: 20 }, () => `"${globalId(randomUUID())}"`);
    expect(await statementsOf(`{ nodes(ids: [${ids.join()}]) { id } }`)).toBe(1);
  });

  it('holds at most 16 MB of messages and metadata in one answer', async () => {
    const tenant = await someone();
    await server.database.query({
      text: `INSERT INTO notifications (uuid, profile_uuid, seq, type, message, metadata, created_at)
        SELECT gen_random_uuid(), $1, n, 'CUSTOM', repeat('m', 5000), '{}', $2 FROM generate_series(1, 100) n`,
      values: [tenant.caller.principal?.profileUuid, server.clock.now()],
    });
    const pages = Array.from(
      { length: 10 },
      (_, i) => `p${i}: notifications(first: 100) { nodes { message metadata } }`,
    );
    const { errors } = await tenant.graphql(`{ ${pages.join(' ')} }`);
    expect(errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toContain('TOO_LARGE');
    expect(await dataOf(tenant, `{ ${pages.slice(0, 4).join(' ')} }`)).toHaveProperty('p3');
  });
});
