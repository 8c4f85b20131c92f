import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { startWorkers } from '../../src/main/process/workers.ts';
import { createServices, type Infrastructure } from '../../src/main/services.ts';
import type { Statement } from '../../src/platform/database/database.ts';
import type { EgressRequest } from '../../src/platform/egress/egress.ts';
import { createQueue } from '../../src/platform/messaging/queue.ts';
import { eventually } from '../support/deadline.ts';
import { createWebhookStage } from '../support/delivery-stage.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const many = 10_000;

/** The platform whose requests are counted where they leave, by their URL. */
function counted(infrastructure: Infrastructure) {
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  /** How many were under way to a URL, each time that one began. */
  const begun = new Map<string, number[]>();
  const request = async (given: EgressRequest) => {
    const { url } = given;
    const count = (now.get(url) ?? 0) + 1;
    now.set(url, count);
    most.set(url, Math.max(most.get(url) ?? 0, count));
    const counts = begun.get(url);
    if (counts) counts.push(count);
    else begun.set(url, [count]);
    try {
      return await infrastructure.egress.request(given);
    } finally {
      now.set(url, (now.get(url) ?? 0) - 1);
    }
  };
  return { infrastructure: { ...infrastructure, egress: { ...infrastructure.egress, request } }, most, begun };
}

const quantile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? Number.NaN;

it('D16: a receiver that never answers, with 10 000 events waiting for it, delays no other, and has at most eight attempts at a time, then two', async () => {
  const stage = await createWebhookStage();
  const [healthy, dead] = [await startReceiver(), await startReceiver()];
  dead.answerWith(() => undefined);
  const deadUrl = `${dead.base}/dead`;
  const { infrastructure, begun } = counted(stage.infrastructure);
  const { webhooks } = createServices(infrastructure);
  await stage.register(`${healthy.base}/healthy`, ['document.deleted']);
  const deadUuid = await stage.register(deadUrl, ['document.created']);
  const stop = await webhooks.start();
  onTestFinished(async () => {
    await dead.close();
    await stop();
  });

  /** Milliseconds from events to their arrivals, one after the other, for as long as it is not enough. */
  async function latencies(isEnough: (count: number) => boolean): Promise<number[]> {
    const times: number[] = [];
    while (!isEnough(times.length)) {
      const [begunAt, before] = [performance.now(), healthy.received.length];
      const occurredAt = stage.clock.now();
      const { profileUuid } = stage;
      const event = { id: randomUUID(), profileUuid, type: 'document.deleted', data: {}, occurredAt };
      const after = await stage.database.transaction((tx) => webhooks.fanOut(tx, [event]));
      after();
      await eventually('it arrives', () => healthy.received.length > before, { everyMs: 1 });
      times.push(performance.now() - begunAt);
    }
    return times;
  }

  await latencies((count) => count >= 30);
  const alone = await latencies((count) => count >= 100);
  await stage.database.query({
    text: `WITH e AS (
        INSERT INTO webhook_events (uuid, data, event_at, created_at)
        SELECT gen_random_uuid(), '{}', $2, $2 FROM generate_series(1, $3::int) RETURNING uuid)
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, created_at, updated_at)
      SELECT gen_random_uuid(), $1, e.uuid, 'document.created', 1, 'pending', $2, $2, $2 FROM e`,
    values: [deadUuid, stage.clock.now(), many],
    query_timeout: 9_000,
  });
  const attempts = () => begun.get(deadUrl) ?? [];
  // Eight are not answered within five seconds; what begins afterwards shows what is left of its window.
  const beside = await latencies((count) => count >= 100 && attempts().length >= 10);
  expect(Math.max(...attempts())).toBeLessThanOrEqual(8);
  expect(Math.max(...attempts().slice(8))).toBeLessThanOrEqual(2);
  // A delivery behind the dead receiver would wait for seconds; other work of the machine may cost some.
  expect(quantile(beside, 0.95)).toBeLessThan(5 * quantile(alone, 0.95) + 100);
});

it('D18: a burst of 10 000 events goes through the outbox to a healthy receiver, wholly, and by a window at a time', async () => {
  const stage = await createWebhookStage();
  const { url } = stage;
  const arrived = new Map<string, number>();
  const target = 'http://127.0.0.1:18080/burst';
  const queue = createQueue({ url, log: stage.infrastructure.log, report: stage.database.report, isWorker: true });
  let held = 0;
  let mostHeld = 0;
  const query = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    const rows = (await stage.database.query(statement)) as Row[];
    if (statement.name === 'webhooks_claim') held += rows.length;
    if (statement.name === 'webhooks_record') held -= rows.length;
    mostHeld = Math.max(mostHeld, held);
    return rows;
  };
  const { infrastructure, most } = counted({
    ...stage.infrastructure,
    queue,
    database: { ...stage.database, query } as Infrastructure['database'],
    egress: {
      ...stage.infrastructure.egress,
      // The network is not what is looked at here.
      async request({ body }) {
        await new Promise((resolve) => setImmediate(resolve));
        const { id } = JSON.parse(String(body));
        arrived.set(id, (arrived.get(id) ?? 0) + 1);
        return { status: 200, headers: {}, body: Buffer.from('ok') } as never;
      },
    },
  });
  await stage.register(target);
  const stopWorkers = startWorkers({ services: createServices(infrastructure), infrastructure, jobs: [] });
  onTestFinished(async () => {
    await stopWorkers();
    await queue.stop();
  });
  const ids: string[] = [];
  for (let batch = 0; batch < many / 500; batch++) ids.push(...(await stage.happen(500)));
  const counts = async () => {
    const [row] = await stage.database.query<{ told: number; waits: number }>({
      text: `SELECT count(*) FILTER (WHERE status = 'succeeded')::int AS told, count(*) FILTER (WHERE status = 'pending')::int AS waits
        FROM webhook_deliveries`,
    });
    return row;
  };
  await eventually(
    'everything has been told',
    async () => {
      const row = await counts();
      return row?.told === many && row.waits === 0;
    },
    { everyMs: 100 },
  );
  expect(ids.filter((id) => arrived.get(id) !== 1)).toEqual([]);
  expect(arrived.size).toBe(many);
  expect(most.get(target)).toBeLessThanOrEqual(128);
  expect(mostHeld).toBeLessThanOrEqual(1_024);
});
