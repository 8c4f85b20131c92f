import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectedSocket, type GraphqlSocket } from '../support/graphql-socket.ts';
import { liveConnections } from '../support/live-connections.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

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
  it(`makes, shows and deletes notifications ${verifies('notifications.create', 'graph.node')}`, async () => {
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

  it(`shows every type under its own name ${verifies('notifications.types')}`, async () => {
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

  it(`pages by cursor and by offset, counts, marks and completes ${verifies('graph.connections', 'notifications.list', 'notifications.read-all')}`, async () => {
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
  });

  it.each([
    ['first', '{ notifications(first: 101) { totalCount } }'],
    ['first', '{ notifications(first: -1) { totalCount } }'],
    ['after', '{ notifications(after: "x") { totalCount } }'],
    ['limit', '{ notificationPage(limit: 0) { total } }'],
    ['title', 'mutation { notificationCreate(input: { message: "m", title: "a\\r\\nBcc: b" }) { emailSent } }'],
    ['metadata', 'mutation { notificationCreate(input: { message: "m", metadata: { a: "\\u0000" } }) { emailSent } }'],
    ['metadata', 'mutation { notificationCreate(input: { message: "m", metadata: { a: 1e999 } }) { emailSent } }'],
  ])(
    `refuses a wrong %s by name (%#) ${verifies('notifications.create.form', 'everywhere.pages')}`,
    async (field, query) => {
      expect(await errorOf(await someone(), query)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { [field]: expect.any(String) },
      });
    },
  );

  it('asks the database once for each field that lists, and not at all for what nobody asked for', async () => {
    const tenant = await someone();
    await make(tenant);
    const statementsOf = async (query: string) => {
      const before = server.statements.length;
      await dataOf(tenant, query);
      return server.statements.slice(before).filter((text) => text.includes('notifications')).length;
    };
    expect(await statementsOf(`{ notifications { nodes { ${fields} } } }`)).toBe(1);
    expect(await statementsOf(`{ notifications { totalCount nodes { ${fields} } } }`)).toBe(2);
    expect(await statementsOf(`{ notificationPage { total unreadCount notifications { ${fields} } } }`)).toBe(1);
    expect(await statementsOf('{ unreadNotificationCount }')).toBe(1);
    const ids = Array.from({ length: 20 }, () => `"${globalId(randomUUID())}"`);
    expect(await statementsOf(`{ nodes(ids: [${ids.join()}]) { id } }`)).toBe(1);
  });

  it('holds at most 32 MB of messages and metadata in one answer', async () => {
    const tenant = await someone();
    const pages = Array.from(
      { length: 10 },
      (_, i) => `p${i}: notifications(first: 100) { nodes { message metadata } }`,
    );
    const { errors } = await tenant.graphql(`{ ${pages.join(' ')} }`);
    expect(errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toContain('TOO_LARGE');
    expect(await dataOf(tenant, `{ ${pages.slice(0, 8).join(' ')} }`)).toHaveProperty('p7');
  });
});

const added = 'subscription ($sinceId: ID) { notificationAdded(sinceId: $sinceId) { uuid message } }';
const unreadCount = 'subscription { unreadCountChanged }';
let subscriptions = 0;

/** Subscribes, and waits until it is heard by the server. */
async function subscribe(connection: GraphqlSocket, query: string, variables = {}): Promise<string> {
  const id = String(++subscriptions);
  const before = await liveConnections(server, 'subscription');
  connection.send({ type: 'subscribe', id, payload: { query, variables } });
  await eventually('it listens', async () => (await liveConnections(server, 'subscription')) > before);
  return id;
}
/** What a subscription that is refused is told, until it is over. */
async function refused(connection: GraphqlSocket, query: string, variables = {}): Promise<string> {
  connection.send({ type: 'subscribe', id: 'refused', payload: { query, variables } });
  const { type, payload } = await connection.next();
  if (type !== 'error') expect(await connection.next()).toEqual({ type: 'complete', id: 'refused' });
  return JSON.stringify(payload);
}
const dataIn = async (connection: GraphqlSocket) => (await connection.next()).payload.data;

describe('live, over graphql-ws', () => {
  it(`tells each its own, whichever door they came by, and nobody else's (F07) ${verifies('notifications.live', 'notifications.live.unread', 'access.tenants')}`, async () => {
    const [one, other] = [await someone(), await someone()];
    const connections = [
      await connectedSocket(server.base, one.secret),
      await connectedSocket(server.base, other.secret),
    ] as const;
    for (const connection of connections) await subscribe(connection, added);
    const byGraph = await make(one, 'by the graph');
    const byRest = (await one.call('POST', '/api/notifications', { message: 'by REST' })).body.notification;
    const once = { 'Idempotency-Key': randomUUID() };
    for (let i = 0; i < 2; i++) await one.call('POST', '/api/notifications', { message: 'once' }, once);
    const theirs = await make(other, 'theirs');
    expect(await dataIn(connections[0])).toEqual({
      notificationAdded: { uuid: byGraph.uuid, message: 'by the graph' },
    });
    expect(await dataIn(connections[0])).toEqual({ notificationAdded: { uuid: byRest.id, message: 'by REST' } });
    expect(await dataIn(connections[0])).toMatchObject({ notificationAdded: { message: 'once' } });
    expect(await dataIn(connections[1])).toEqual({ notificationAdded: { uuid: theirs.uuid, message: 'theirs' } });
    await subscribe(connections[0], unreadCount);
    expect(await dataIn(connections[0])).toEqual({ unreadCountChanged: 3 });
    await one.call('PATCH', `/api/notifications/${byRest.id}/read`);
    expect(await dataIn(connections[0])).toEqual({ unreadCountChanged: 2 });
    await one.call('PATCH', '/api/notifications/read-all');
    expect(await dataIn(connections[0])).toEqual({ unreadCountChanged: 0 });
    for (const { socket, waiting } of connections) {
      expect(waiting).toEqual([]);
      socket.close();
    }
  });

  it(`takes up after a lost connection where it was, by id or by uuid ${verifies('notifications.live.resume')}`, async () => {
    const tenant = await someone();
    const first = await connectedSocket(server.base, tenant.secret);
    await subscribe(first, added);
    const last = await make(tenant, 'received');
    expect(await dataIn(first)).toMatchObject({ notificationAdded: { message: 'received' } });
    first.socket.terminate();
    await make(tenant, 'missed 1');
    await make(tenant, 'missed 2');
    for (const sinceId of [last.id, last.uuid]) {
      const again = await connectedSocket(server.base, tenant.secret);
      await subscribe(again, added, { sinceId });
      const { message } = await make(tenant, `live ${sinceId}`);
      const heard: string[] = [];
      while (heard.at(-1) !== message) heard.push((await dataIn(again)).notificationAdded.message);
      expect(heard.slice(0, 2)).toEqual(['missed 1', 'missed 2']);
      expect(new Set(heard).size).toBe(heard.length);
      again.socket.close();
    }
  });

  it(`answers a sinceId of another tenant as one that never was (F07) ${verifies('notifications.not-found', 'everywhere.foreign-ids')}`, async () => {
    const [tenant, stranger] = [await someone(), await someone()];
    const foreign = await make(stranger);
    const connection = await connectedSocket(server.base, tenant.secret);
    const answers: string[] = [];
    for (const sinceId of [foreign.uuid, foreign.id, randomUUID(), globalId('x'), 'x', '']) {
      answers.push(await refused(connection, added, { sinceId }));
    }
    expect(answers[0]).toContain('"message":"Notification not found"');
    expect(answers[0]).toContain('"code":"NOT_FOUND"');
    expect(new Set(answers).size).toBe(1);
    connection.socket.close();
  });

  it(`refuses a key without the scope read (F07) ${verifies('identity.key.scopes')}`, async () => {
    const { secret } = await tenantOf(server, { scopes: ['write'] });
    const connection = await connectedSocket(server.base, secret);
    for (const query of [added, unreadCount]) {
      expect(await refused(connection, query)).toContain('FORBIDDEN');
    }
    connection.socket.close();
  });

  it(`ends with the key, and what comes afterwards is not told (F07) ${verifies('graph.socket.credentials')}`, async () => {
    const tenant = await someone();
    const spare = await keyOf(server.services, tenant.user);
    const connection = await connectedSocket(server.base, tenant.secret);
    await subscribe(connection, added);
    await subscribe(connection, unreadCount);
    expect(await dataIn(connection)).toEqual({ unreadCountChanged: 0 });
    await server.services.auth.apiKeys.revoke(tenant.user, { uuid: tenant.uuid });
    expect((await connection.closed).code).toBe(4403);
    await server.services.notifications.create(spare.caller, { message: 'afterwards' });
    expect(JSON.stringify(connection.waiting)).not.toContain('afterwards');
  });

  it(`leaves nothing behind when clients go in any way (F06) ${verifies('graph.no-trace')}`, async () => {
    const tenant = await someone();
    const { uuid: sinceId } = await make(tenant);
    await eventually('nobody listens', async () => (await liveConnections(server, 'subscription')) === 0);
    for (let round = 0; round < 12; round++) {
      const connection = await connectedSocket(server.base, tenant.secret);
      for (const query of [added, unreadCount])
        connection.send({ type: 'subscribe', id: query, payload: { query, variables: { sinceId } } });
      if (round % 3 === 0) await connection.next();
      if (round % 2) connection.socket.terminate();
      else connection.socket.close();
      await connection.closed;
    }
    await eventually('nobody listens', async () => (await liveConnections(server, 'subscription')) === 0);
    const before = server.statements.length;
    await make(tenant);
    const reads = server.statements
      .slice(before)
      .filter((text) => text.startsWith('SELECT') && text.includes('notifications'));
    expect(reads).toEqual([]);
  });
});

describe('live, over server-sent events', () => {
  it(`tells, and takes up where a lost connection was ${verifies('notifications.live', 'notifications.live.resume', 'graph.sse')}`, async () => {
    const tenant = await someone();
    const headers = { Authorization: `Bearer ${tenant.secret}` };
    const { uuid: sinceId } = await make(tenant, 'received');
    await make(tenant, 'missed');
    const stream = await openEventStream(server.base, added, headers, { sinceId });
    const heard = async () => (await stream.next())?.data.data.notificationAdded.message;
    expect(await heard()).toBe('missed');
    await make(tenant, 'live');
    expect(await heard()).toBe('live');
    stream.close();
    const counting = await openEventStream(server.base, unreadCount, headers);
    expect((await counting.next())?.data).toEqual({ data: { unreadCountChanged: 3 } });
    await tenant.call('PATCH', '/api/notifications/read-all');
    expect((await counting.next())?.data).toEqual({ data: { unreadCountChanged: 0 } });
    counting.close();
    await eventually('nobody listens', async () => (await liveConnections(server, 'subscription')) === 0);
  });

  it(`refuses who shows no credential ${verifies('access.anonymous')}`, async () => {
    for (const query of [added, unreadCount]) {
      const stream = await openEventStream(server.base, query, {});
      expect(JSON.stringify(await stream.next())).toContain('UNAUTHORIZED');
      stream.close();
    }
  });
});
