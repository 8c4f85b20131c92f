import { afterAll, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { verifies } from '../requirements.ts';
import { answering, createReceiver, type Receiver } from '../support/receiver.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { happens } from '../support/webhook-stage.ts';

const { EGRESS_ALLOW: allow } = readConfig({ NODE_ENV: 'test', EGRESS_ALLOW: '127.0.0.0/8' });
const urlOf = ({ port }: Receiver) => `http://127.0.0.1:${port}/`;

it(
  'an attempt for which there is no connection, because others have them all, is none of the six, and is made later',
  verifies('webhooks.postponed'),
  async () => {
    await using silent = await createReceiver(() => undefined);
    await using receiver = await createReceiver(answering('ok'));
    const { infrastructure, clock, database } = await createTestServices();
    const egress = createEgress({ isProduction: false, allow, connectionsMax: 1 });
    afterAll(() => egress.close());
    const impatient: typeof egress = { ...egress, request: (call) => egress.request({ ...call, totalTimeoutMs: 100 }) };
    const services = createServices({ ...infrastructure, egress: impatient });
    const { caller } = await keyOf(services, await signUp(services));
    const input = { url: urlOf(receiver), events: ['document.deleted'] };
    await services.webhooks.registrations.create(caller, input);
    const told = await happens({ services, clock, database }, { caller });
    const stored = () =>
      database.query({ text: 'SELECT event_uuid, attempt, status, claim, due_at FROM webhook_deliveries' });

    const others = new AbortController();
    const taking = egress
      .request({
        url: urlOf(silent),
        method: 'GET',
        totalTimeoutMs: 60_000,
        responseBytesMax: 1,
        signal: others.signal,
      })
      .catch((error: unknown) => error);
    await services.webhooks.sendDue();
    expect(await stored()).toEqual([
      { event_uuid: told, attempt: 1, status: 'pending', claim: null, due_at: new Date(clock.now().getTime() + 5_000) },
    ]);

    others.abort();
    await taking;
    clock.advance(5_000);
    await services.webhooks.sendDue();
    expect(await stored()).toMatchObject([{ attempt: 1, status: 'succeeded' }]);
    expect([silent.requests.length, receiver.requests.length]).toEqual([1, 1]);
  },
);
