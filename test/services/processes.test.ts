import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { isWebProcess, newDataDir, type Product, removeDataDir, startProduct } from '../support/product.ts';
import { countByStatus, gaugeOf } from './products.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

const limit = 20;
const count = 4;
let redis: RedisServer;
let dataDir: string;
let product: Product;
let key: string;

const settings = () => ({
  REDIS_URL: redis.url,
  PROCESSES: String(count),
  RATE_LIMITS: JSON.stringify({ '*': 'off', 'clipboard.delete': `${limit}/1m` }),
});

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
  dataDir = await newDataDir();
  cleanUp(() => removeDataDir(dataDir));
  product = await startProduct(dataDir, settings());
  cleanUp(() => product.kill());
  key = product.demoKey();
});

/** Calls on a connection of its own, so that the processes answer in turn. */
function call(method: string, path: string, body?: unknown, secret = key) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', Connection: 'close' };
    const sent = request(`${product.base}${path}`, { method, headers, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const times = <Result>(many: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: many }, (_, i) => work(i)));

describe(`PROCESSES=${count}`, verifies('platform.processes'), () => {
  it('answers on one port from as many processes, and shows their figures together', async () => {
    expect(product.webProcesses()).toHaveLength(count);
    await times(40, () => call('GET', '/healthz'));
    const series = 'patchbay_http_requests_total{method="GET",route="/healthz",status="2xx"}';
    for (let i = 0; i < count; i++)
      await eventually('all forty are counted', async () => (await gaugeOf(product, series)) === 40);
    expect(await gaugeOf(product, 'patchbay_redis_up{use="limits"}')).toBe(1);
  });

  it('E01: of four times a limit in parallel exactly the limit passes', async () => {
    const answers = await times(count * limit, () => call('DELETE', '/api/clipboard/pop'));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(limit);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength((count - 1) * limit);
  });

  it('a subscription hears what every process writes, exactly once', async () => {
    const stream = await openEventStream(product.base, 'subscription { clipboardChanged { name } }', {
      Authorization: `Bearer ${key}`,
    });
    onTestFinished(() => stream.close());
    const names = Array.from({ length: 40 }, (_, i) => `live-${i}`);
    await times(names.length, (i) => call('POST', '/api/clipboard', { name: names[i], value: 'v' }));
    await call('POST', '/api/clipboard', { name: 'last', value: 'v' });
    const heard: string[] = [];
    while (heard.at(-1) !== 'last') heard.push((await stream.next())?.data.data.clipboardChanged.name);
    expect(heard.slice(0, -1).sort()).toEqual([...names].sort());
  });

  it('B05: a revoked key is refused by all of them within a second', async () => {
    const made = JSON.parse((await call('POST', '/api/api-keys', { name: 'short' })).text);
    const ask = () => call('GET', '/api/clipboard?name=none', undefined, made.secret);
    // Every process has it in mind.
    expect(new Set((await times(20, ask)).map(({ status }) => status))).toEqual(new Set([404]));
    await call('DELETE', `/api/api-keys/${made.apiKey.uuid}`);
    await delay(1_000);
    expect(countByStatus(await times(20, ask))).toEqual({ 401: 20 });
  });

  it('A01, A02: pushes and pops over all of them are one strict stack', async () => {
    const pushed = await times(200, (i) => call('POST', '/api/clipboard/push', { value: String(i) }));
    expect(pushed.every(({ status, text }) => status === 200 && JSON.parse(text).entry.idx === 0)).toBe(true);
    const { entries } = JSON.parse((await call('GET', '/api/clipboard')).text);
    const stack = entries.filter(({ idx }: { idx: number | null }) => idx !== null);
    expect(stack.map(({ idx }: { idx: number }) => idx)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  it('replaces one that is killed; meanwhile the others answer', async () => {
    const [victim] = product.webProcesses();
    process.kill(victim as number, 'SIGKILL');
    await eventually('it is gone', async () => !isWebProcess(victim as number));
    const answers = await times(20, () => call('GET', '/healthz'));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (let i = 0; i < 20; i++) expect((await call('GET', '/healthz')).status).toBe(200);
    await eventually('another takes its place', async () => product.webProcesses().length === count);
    expect(product.lines.join('\n')).toContain('a web process stopped; a replacement is started');
  });

  it('stops all of them on SIGTERM with exit code 0, and none outlives a first that is killed', async () => {
    await call('POST', '/api/clipboard', { name: 'kept', value: 'v' });
    const before = product.webProcesses();
    expect(await product.terminate()).toBe(0);
    expect(before.filter(isWebProcess)).toEqual([]);
    product = await startProduct(dataDir, settings());
    cleanUp(() => product.kill());
    expect((await call('GET', '/api/clipboard?name=kept')).status).toBe(200);
    const orphans = product.webProcesses();
    product.child.kill('SIGKILL');
    await eventually('they end', async () => orphans.filter(isWebProcess).length === 0);
  });
});
