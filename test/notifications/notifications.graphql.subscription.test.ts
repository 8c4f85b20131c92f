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

type Tenant = Awaited<ReturnType<typeof tenantOf>>;
const someone = () => tenantOf(server);
const globalId = (uuid: string) => Buffer.from(`Notification:${uuid}`).toString('base64');
const createDocument =
  'mutation ($message: String!) { notificationCreate(input: { message: $message }) { notification { id uuid message } } }';
const make = async ({ graphql }: Tenant, message = 'm') =>
  (await graphql(createDocument, { message })).data.notificationCreate.notification;

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
  it(
    'deliver each profile its own, whichever entry point it uses, and no others (F07)',
    verifies('notifications.live', 'notifications.live.unread', 'access.tenants'),
    async () => {
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
    },
  );

  it(
    'takes up after a lost connection where it was, by id or by uuid',
    verifies('notifications.live.resume'),
    async () => {
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
    },
  );

  it(
    'answers a sinceId of another tenant as one that never was (F07)',
    verifies('notifications.not-found', 'everywhere.foreign-ids'),
    async () => {
      const [tenant, otherTenant] = [await someone(), await someone()];
      const foreign = await make(otherTenant);
      const connection = await connectedSocket(server.base, tenant.secret);
      const answers: string[] = [];
      for (const sinceId of [foreign.uuid, foreign.id, randomUUID(), globalId('x'), 'x', '']) {
        answers.push(await refused(connection, added, { sinceId }));
      }
      expect(answers[0]).toContain('"message":"Notification not found"');
      expect(answers[0]).toContain('"code":"NOT_FOUND"');
      expect(new Set(answers).size).toBe(1);
      connection.socket.close();
    },
  );

  it('refuses a key without the scope read (F07)', verifies('identity.key.scopes'), async () => {
    const { secret } = await tenantOf(server, { scopes: ['write'] });
    const connection = await connectedSocket(server.base, secret);
    for (const query of [added, unreadCount]) {
      expect(await refused(connection, query)).toContain('FORBIDDEN');
    }
    connection.socket.close();
  });

  it('ends with the key, and later events are not delivered (F07)', verifies('graph.socket.credentials'), async () => {
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

  it('leaves nothing behind when clients go in any way (F06)', verifies('graph.no-trace'), async () => {
    const tenant = await someone();
    const { uuid: sinceId } = await make(tenant);
    await eventually('nothing listens there', async () => (await liveConnections(server, 'subscription')) === 0);
    for (let round = 0; round < 12; round++) {
      const connection = await connectedSocket(server.base, tenant.secret);
      for (const query of [added, unreadCount])
        connection.send({ type: 'subscribe', id: query, payload: { query, variables: { sinceId } } });
      if (round % 3 === 0) await connection.next();
      if (round % 2) connection.socket.terminate();
      else connection.socket.close();
      await connection.closed;
    }
    await eventually('nothing listens there', async () => (await liveConnections(server, 'subscription')) === 0);
    const before = server.statements.length;
    await make(tenant);
    const reads = server.statements
      .slice(before)
      .filter((text) => text.startsWith('SELECT') && text.includes('notifications'));
    expect(reads).toEqual([]);
  });
});

describe('live, over server-sent events', () => {
  it(
    'delivers, and resumes after a lost connection',
    verifies('notifications.live', 'notifications.live.resume', 'graph.sse'),
    async () => {
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
      await eventually('nothing listens there', async () => (await liveConnections(server, 'subscription')) === 0);
    },
  );

  it('refuses who shows no credential', verifies('access.anonymous'), async () => {
    for (const query of [added, unreadCount]) {
      const stream = await openEventStream(server.base, query, {});
      expect(JSON.stringify(await stream.next())).toContain('UNAUTHORIZED');
      stream.close();
    }
  });
});
