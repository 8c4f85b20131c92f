import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createQueue } from '../../../src/platform/messaging/queue.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/deadline.ts';
import { createWebhookStage } from '../../support/delivery-stage.ts';
import { createTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { startWorkerProcess } from '../../support/worker-process.ts';

const log = createLogger('silent');

async function stageWithProxy() {
  const stage = await createWebhookStage();
  const receiver = await startReceiver();
  await stage.register(receiver.base);
  const proxy = await createTcpProxy(stage.url);
  onTestFinished(() => proxy.close());
  const start = () => {
    const worker = startWorkerProcess({ ...stage.environment, DATABASE_URL: proxy.url });
    onTestFinished(() => worker.kill());
    return worker;
  };
  const arrived = (ids: readonly string[]) => {
    const known = new Set(receiver.received.map(({ body }) => body.id));
    return ids.every((id) => known.has(id));
  };
  return { ...stage, receiver, proxy, start, arrived };
}

describe('when the database goes away', () => {
  it.each<[string, (proxy: TcpProxy) => Promise<void>]>([
    ['refuses every connection', (proxy) => proxy.cut()],
    ['ends every connection and takes new ones', (proxy) => proxy.restore()],
  ])('and %s, a worker pauses, loses nothing, and goes on by itself', async (_title, harm) => {
    const { proxy, start, happen, arrived, receiver, attempts } = await stageWithProxy();
    const worker = start();
    await worker.ready;
    const before = await happen(3);
    await eventually('what happened before arrives', () => arrived(before));
    await harm(proxy);
    const meanwhile = await happen(20);
    // It looks about once a second: it has met the database away, and gone on.
    if (!arrived(meanwhile))
      await eventually(
        'it says so',
        () => /does not answer|trouble|could not/.test(worker.output()) || arrived(meanwhile),
      );
    await proxy.restore();
    const after = await happen(3);
    await eventually('everything arrives', () => arrived([...meanwhile, ...after]));
    await eventually('and is written down', async () => (await attempts()).every(([, how]) => how === 'succeeded'));
    expect(receiver.received).toHaveLength(26);
    expect(worker.child.exitCode).toBeNull();
    expect(await worker.stop()).toBe(0);
  });

  it('in the middle of an attempt, how it went is written down once the database is back', async () => {
    const { proxy, start, happen, receiver, attempts } = await stageWithProxy();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    receiver.answerWith((_call, res) => void answered.then(() => res.end()));
    const worker = start();
    await worker.ready;
    await happen();
    await eventually('the request is under way', () => receiver.received.length === 1);
    await proxy.cut();
    answer();
    await eventually('it cannot be written', () => worker.output().includes('the database does not answer'));
    await proxy.restore();
    await eventually('it is written', async () => (await attempts())[0]?.[1] === 'succeeded');
    expect(receiver.received).toHaveLength(1);
    expect(await attempts()).toEqual([[1, 'succeeded']]);
  });
});

it('a worker that is started while the database is away delivers once it is there', async () => {
  const { proxy, start, happen, arrived } = await stageWithProxy();
  await proxy.cut();
  const worker = start();
  const ids = await happen(5);
  await eventually('it has tried', () => worker.output().includes('the database does not answer'));
  await proxy.restore();
  await eventually('they arrive', () => arrived(ids));
  expect(worker.child.exitCode).toBeNull();
});

it('a queue whose start failed halfway does at the next try all that it does: schedules too', async () => {
  const url = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const queue = createQueue({ url, log, report: () => undefined, isWorker: true });
  onTestFinished(() => queue.stop());
  // What is looked at first is there; what the schedules need is not.
  await client.query('ALTER TABLE pgboss.queue RENAME TO queue_away');
  await expect(queue.work('mail', async () => undefined)).rejects.toThrow();
  await client.query('ALTER TABLE pgboss.queue_away RENAME TO queue');
  await queue.work('mail', async () => undefined);
  await eventually('the schedules are looked at', async () => {
    const { rows } = await client.query<{ cron_on: Date | null }>('SELECT cron_on FROM pgboss.version');
    return rows[0]?.cron_on;
  });
});

it('a batch that finds the database away is dealt with when it is back, and not handed out again later', async () => {
  const { url, database } = await createWebhookStage();
  const queue = createQueue({ url, log, report: database.report, isWorker: true });
  onTestFinished(() => queue.stop());
  let calls = 0;
  await queue.work('mail', async () => {
    calls += 1;
    if (calls < 3) throw new ApiError('UNAVAILABLE', 'away');
  });
  await database.transaction((tx) => queue.send(tx, 'mail', [{ n: 1 }]));
  const stateOf = async () => {
    const [job] = await database.query<{ state: string; retry_count: number }>({
      text: `SELECT state, retry_count FROM pgboss.job WHERE name = 'mail'`,
    });
    return job;
  };
  await eventually('it is dealt with', async () => (await stateOf())?.state === 'completed');
  expect([calls, (await stateOf())?.retry_count]).toEqual([3, 0]);
});

it('`npm run worker` makes first what the sources need, as `npm start` does: it may be the only command on its machine', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(scripts.preworker).toBe(scripts.prestart);
});
