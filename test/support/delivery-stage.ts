import type { EventPayloads } from '../../src/event-catalogue/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createOutbox } from '../../src/platform/messaging/outbox.ts';
import { createTestServices, encryptionKeys, keyOf, signUp } from './services.ts';

export const webhookSecret = 'a-secret-of-the-tests,-long';

/** A profile whose webhooks other processes tell, over a database of the test's. */
export async function createWebhookStage() {
  const stage = await createTestServices();
  const { database, infrastructure, services, url } = stage;
  const outbox = createOutbox<EventPayloads>(infrastructure);
  const { caller } = await keyOf(services, await signUp(services));

  return {
    ...stage,
    caller,
    profileUuid: profileOf(caller),
    /** What a worker process is started with. */
    environment: { NODE_ENV: 'test', DATABASE_URL: url, ENCRYPTION_KEYS: encryptionKeys, EGRESS_ALLOW: '127.0.0.0/8' },
    async register(target: string, events: readonly (keyof EventPayloads)[] = ['document.deleted']): Promise<string> {
      const input = { url: target, events: [...events], secret: webhookSecret };
      return (await services.webhooks.registrations.create(caller, input)).webhook.uuid;
    },
    /** Events that happen in one transaction. @returns Their ids. */
    happen: (count = 1): Promise<string[]> =>
      database.transaction(async (tx) => {
        const ids: string[] = [];
        for (let n = 0; n < count; n++)
          ids.push(
            await outbox.write(tx, {
              profileUuid: profileOf(caller),
              type: 'document.deleted',
              data: { document_id: `${n}` },
            }),
          );
        return ids;
      }),
    attempts: () => attemptsIn(database),
  };
}

const profileOf = (caller: Caller) => String(caller.principal?.profileUuid);

/** Every attempt that is stored, with how it went, in its order. */
async function attemptsIn(database: Pick<Database, 'query'>): Promise<[attempt: number, status: string][]> {
  const rows = await database.query<{ attempt: number; status: string }>({
    text: 'SELECT attempt, status FROM webhook_deliveries ORDER BY event_uuid, attempt, created_at',
  });
  return rows.map(({ attempt, status }) => [attempt, status]);
}
