import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/event-catalogue/index.ts';
import { type Call, startTestServer, type TestServer, type tenantOf } from './server.ts';

export const webhooksPath = '/api/webhooks';

/** A server whose webhooks may call this machine. Nothing is sent before a test says `sendDue`. */
export const startWebhookServer = (environment: Record<string, string> = {}) =>
  startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', ...environment });

/** Where nobody listens: what is sent there fails at once. */
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
