import { Gauge, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { serveWorkerStatus } from '../../../src/main/process/worker-status.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { createTestServices } from '../../support/services.ts';

const { database } = await createTestServices();

/** The status of a worker that remembers an answer for so long, and what its answers have cost. */
async function statusOf(ageMs: number) {
  const cost = { pings: 0, scrapes: 0 };
  const registry = new Registry();
  new Gauge({
    name: 'a_gauge',
    help: 'Anything.',
    registers: [registry],
    collect() {
      cost.scrapes += 1;
      this.set(cost.scrapes);
    },
  });
  const ping = () => {
    cost.pings += 1;
    return database.ping();
  };
  const ages = { metrics: ageMs, ready: ageMs };
  const { port, close } = await serveWorkerStatus({ port: 0, database: { ping }, registry, ages });
  cleanUp(close);
  return { cost, get: (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method }) };
}

it('a flood of requests to a worker asks the database once, and collects the figures once', async () => {
  const { cost, get } = await statusOf(3_600_000);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => get(index % 2 === 0 ? '/readyz' : '/metrics')),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200));
  expect(cost).toEqual({ pings: 1, scrapes: 1 });
  for (const answer of answers) await answer.arrayBuffer();
});

it('later requests ask again', async () => {
  const { cost, get } = await statusOf(0);
  for (let time = 1; time <= 2; time++) {
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' });
    expect(await (await get('/metrics')).text()).toContain(`a_gauge ${time}`);
  }
  expect(cost).toEqual({ pings: 2, scrapes: 2 });
});

it('other paths and methods are 404, and cost nothing', async () => {
  const { cost, get } = await statusOf(0);
  expect((await get('/')).status).toBe(404);
  expect((await get('/metrics', 'POST')).status).toBe(404);
  expect((await get('/healthz')).status).toBe(200);
  expect(cost).toEqual({ pings: 0, scrapes: 0 });
});
