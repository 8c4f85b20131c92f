import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/event-catalogue/index.ts';
import { type Call, startTestServer, type TestServer, tenantOf } from './server.ts';
import { type Receiver, startReceiver, status } from './webhook-receiver.ts';

export const webhooksPath = '/api/webhooks';

/** A server whose webhooks may call this machine. Nothing is sent before a test says `sendDue`. */
export const startWebhookServer = (environment: Record<string, string> = {}) =>
  startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', ...environment });

/** No listener: deliveries fail at once. */
export const deadUrl = 'http://127.0.0.1:65531/hook';

/** A body that is good. */
export const newWebhook = (over: Record<string, unknown> = {}) => ({
  url: 'https://hooks.example.com/in',
  events: ['document.deleted'],
  ...over,
});

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
export async function registered(call: Call, over: Record<string, unknown> = {}): Promise<any> {
  const { status, body, text } = await call('POST', webhooksPath, newWebhook(over));
  if (status !== 200) throw new Error(`not registered: ${text}`);
  return body;
}

export type Tenant = Awaited<ReturnType<typeof tenantOf>>;

/** Hands an event of the tenant over, as the outbox does. @returns The event's id. */
export async function happens(
  { services, clock, database }: Pick<TestServer, 'services' | 'clock' | 'database'>,
  { caller }: Pick<Tenant, 'caller'>,
  type: EventType = 'document.deleted',
): Promise<string> {
  const id = randomUUID();
  const data = { document_id: randomUUID() };
  const profileUuid = String(caller.principal?.profileUuid);
  const event = { id, profileUuid, type, data, occurredAt: clock.now() };
  await database.transaction((tx) => services.webhooks.fanOut(tx, [event]));
  return id;
}

/** A uuid that leads to nothing. */
export const nowhere = 'b0b0b0b0-0000-4000-8000-000000000000';

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A tenant with a webhook at a receiver of its own. */
export async function stagedWebhook(server: TestServer, over: Record<string, unknown> = {}) {
  const tenant = await tenantOf(server);
  const receiver = await startReceiver();
  const { id } = await registered(tenant.call, { url: `${receiver.base}/in`, ...over });
  return { tenant, call: tenant.call, receiver, id: id as string, hook: `${webhooksPath}/${id}` };
}

/** Lets an event happen whose every attempt fails; the receiver answers well again afterwards. @returns The event's id. */
export async function failsForGood(
  server: TestServer,
  { tenant, receiver }: { tenant: Tenant; receiver: Receiver },
): Promise<string> {
  receiver.answerWith(status(500, 'no'));
  const event = await happens(server, tenant);
  for (let attempt = 0; attempt < 6; attempt++) {
    await server.services.webhooks.sendDue();
    server.clock.advance(12 * 3_600_000);
  }
  receiver.received.length = 0;
  receiver.answerWith(status(200, 'ok'));
  return event;
}
