import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventPayloads } from '../../src/event-catalogue/index.ts';
import { createServices } from '../../src/main/services.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Statement } from '../../src/platform/database/database.ts';
import { createLocalEvents } from '../../src/platform/messaging/events.ts';
import { createOutbox } from '../../src/platform/messaging/outbox.ts';
import { eventually } from '../support/deadline.ts';
import { createWebhookStage, webhookSecret } from '../support/delivery-stage.ts';
import { prepareProduct } from '../support/prepared-product.ts';
import { databaseUrlOf, postmasterOf } from '../support/product.ts';
import { callerOf } from '../support/server.ts';
import { openTestInfrastructure } from '../support/services.ts';
import { type Received, startReceiver, status } from '../support/webhook-receiver.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const prepared = prepareProduct();

/** Writes events into a product's database, beside it. */
async function commitEvents(url: string, count: number): Promise<string[]> {
  const outbox = createOutbox<EventPayloads>({ clock: systemClock, events: createLocalEvents() });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ profile_uuid: string }>('SELECT profile_uuid FROM webhooks');
    const profileUuid = String(rows[0]?.profile_uuid);
    const tx = {
      query: async ({ text, values = [] }: Statement) => (await client.query(text, [...values])).rows,
    } as Parameters<typeof outbox.write>[0];
    await client.query('BEGIN');
    const ids: string[] = [];
    for (let n = 0; n < count; n++)
      ids.push(await outbox.write(tx, { profileUuid, type: 'document.deleted', data: { document_id: `${n}` } }));
    await client.query('COMMIT');
    return ids;
  } finally {
    await client.end();
  }
}

it('a worker tells what it did, and whether it is ready, where it is told to', async () => {
  const stage = await createWebhookStage();
  const receiver = await startReceiver();
  await stage.register(receiver.base);
  const worker = startWorkerProcess({ ...stage.environment, WORKER_PORT: '0', LOG_LEVEL: 'info' });
  onTestFinished(() => worker.kill());
  await worker.ready;
  const port = await eventually('it says where', () => /"port":(\d+)/.exec(worker.output())?.[1]);
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, await answer.text()] as const;
  };
  expect((await ask('/healthz'))[0]).toBe(200);
  expect((await ask('/readyz'))[0]).toBe(200);
  expect((await ask('/api/webhooks'))[0]).toBe(404);
  await stage.happen(3);
  await eventually('they are told, and counted', async () =>
    (await ask('/metrics'))[1].includes('patchbay_webhook_attempts_total{outcome="succeeded"} 3'),
  );
  expect((await ask('/metrics'))[1]).toMatch(/^patchbay_outbox_oldest_event_seconds 0$/m);
  expect(await worker.stop()).toBe(0);
});

const idsOf = (received: readonly Received[]) => received.map(({ body }) => body.id as string).toSorted();

it('D01: events whose process was killed after their commit and before anything was sent are delivered after the next start', async () => {
  const receiver = await startReceiver();
  const dataDir = await prepared.dataDirOf();
  const environment = { EGRESS_ALLOW: '127.0.0.0/8' };
  const product = await prepared.start(dataDir, environment);
  const input = { url: `${receiver.base}/hook`, events: ['document.deleted'], secret: webhookSecret };
  const { status: answered } = await callerOf(product, prepared.key)('POST', '/api/webhooks', input);
  expect(answered).toBe(200);
  // From here on it does nothing any more; its database does.
  for (const pid of product.webProcesses()) process.kill(pid, 'SIGSTOP');
  const ids = await commitEvents(databaseUrlOf(dataDir), 5);
  await product.kill();
  expect(receiver.received).toEqual([]);
  await prepared.start(dataDir, environment);
  await eventually('all have arrived', () => receiver.received.length >= ids.length);
  expect(idsOf(receiver.received)).toEqual(ids.toSorted());
});

it('D01: events that are committed around a kill -9 of the database are delivered once it is back, by the same process', async () => {
  const receiver = await startReceiver();
  const product = await prepared.start(await prepared.dataDirOf(), { EGRESS_ALLOW: '127.0.0.0/8' });
  const { dataDir } = product;
  const input = { url: receiver.base, events: ['document.deleted'], secret: webhookSecret };
  await callerOf(product, prepared.key)('POST', '/api/webhooks', input);
  const before = await commitEvents(databaseUrlOf(dataDir), 5);
  process.kill(postmasterOf(dataDir) as number, 'SIGKILL');
  // Until it is back it has no address either.
  const again = async () => {
    try {
      return await commitEvents(databaseUrlOf(dataDir), 5);
    } catch {
      return null;
    }
  };
  const after = await eventually('the database is back', again);
  const ids = [...before, ...after];
  const arrived = () => new Set(idsOf(receiver.received));
  await eventually('all have arrived', () => ids.every((id) => arrived().has(id)));
  expect(product.child.exitCode).toBeNull();
});

describe('D02: a worker that ends in the middle of a request', () => {
  /** A receiver that holds its first answer back. */
  async function holdingReceiver() {
    const receiver = await startReceiver();
    const held: (() => void)[] = [];
    receiver.answerWith((call, res) => {
      if (receiver.received.length > 1) status(200)(call, res);
      else held.push(() => status(200)(call, res));
    });
    return { receiver, answer: () => held[0]?.() };
  }

  const startedWorker = (environment: Record<string, string>, program?: string) => {
    const worker = startWorkerProcess(environment, program);
    onTestFinished(() => worker.kill());
    return worker;
  };

  it('by SIGTERM lets it finish, and writes down how it went', async () => {
    const stage = await createWebhookStage();
    const { receiver, answer } = await holdingReceiver();
    await stage.register(receiver.base);
    const worker = startedWorker(stage.environment);
    await worker.ready;
    await stage.happen();
    await eventually('the request is under way', () => receiver.received.length === 1);
    const stopped = worker.stop();
    await eventually('it stops', () => worker.output().includes('"msg":"stopping"'));
    answer();
    expect(await stopped).toBe(0);
    expect(await stage.attempts()).toEqual([[1, 'succeeded']]);
    expect(receiver.received).toHaveLength(1);
  });

  it('by SIGKILL leaves it to another, under the same id and number, once its claim has ended', async () => {
    const stage = await createWebhookStage();
    const { receiver } = await holdingReceiver();
    await stage.register(receiver.base);
    const fast = { ...stage.environment, CLOCK_SINCE: systemClock.now().toISOString(), CLOCK_FACTOR: '10' };
    const worker = startedWorker(fast, 'test/faults/delivery-worker.ts');
    await worker.ready;
    const [id] = await stage.happen();
    await eventually('the request is under way', () => receiver.received.length === 1);
    await worker.kill();
    startedWorker(fast, 'test/faults/delivery-worker.ts');
    await eventually('it is written down', async () => (await stage.attempts()).at(-1)?.[1] === 'succeeded');
    expect(receiver.received.map(({ body }) => [body.id, body.retry_count])).toEqual([
      [id, 0],
      [id, 0],
    ]);
    expect(await stage.attempts()).toEqual([
      [1, 'failed'],
      [1, 'succeeded'],
    ]);
  });
});

it('D03: two workers over one database send each of 500 due deliveries once', async () => {
  const stage = await createWebhookStage();
  const webhooks = 10;
  const arrived: string[] = [];
  const server = createServer((req, res) => {
    let raw = '';
    req.on('data', (chunk) => {
      raw += chunk;
    });
    req.on('end', () => {
      arrived.push(`${req.url} ${JSON.parse(raw).id}`);
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  for (let n = 0; n < webhooks; n++) await stage.register(`http://127.0.0.1:${port}/${n}`);
  const occurredAt = stage.clock.now();
  const { profileUuid } = stage;
  const told = Array.from({ length: 500 / webhooks }, () => ({
    id: randomUUID(),
    profileUuid,
    type: 'document.deleted',
    data: {},
    occurredAt,
  }));
  await stage.database.transaction((tx) => stage.services.webhooks.fanOut(tx, told));
  const sent = [0, 0];
  const workers = await Promise.all(
    sent.map(async (_, index) => {
      const infrastructure = await openTestInfrastructure({ url: stage.url, clock: stage.clock });
      const { egress } = infrastructure;
      const request: typeof egress.request = (given) => {
        sent[index] = (sent[index] ?? 0) + 1;
        return egress.request(given);
      };
      return createServices({ ...infrastructure, egress: { ...egress, request } }).webhooks;
    }),
  );
  const stops = await Promise.all(workers.map((worker) => worker.start()));
  await eventually('nothing waits', async () => (await stage.attempts()).every(([, how]) => how !== 'pending'), {
    everyMs: 100,
  });
  await Promise.all(stops.map((stop) => stop()));
  expect(arrived).toHaveLength(500);
  expect(new Set(arrived).size).toBe(500);
  expect((await stage.attempts()).filter(([attempt, how]) => attempt !== 1 || how !== 'succeeded')).toEqual([]);
  // Where one of them does everything, nothing is shown.
  expect(Math.min(...sent)).toBeGreaterThan(0);
});
