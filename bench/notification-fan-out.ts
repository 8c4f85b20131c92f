import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import WebSocket from 'ws';
import { newApiKey } from '../src/auth/api-key-format.ts';
import { secretHash } from '../src/auth/secret-hash.ts';
import { type Bench, median, printTable, shown } from './measure.ts';
import type { ServerProcess } from './server-process.ts';

const subscribersCount = 200;
/** A key may hold a hundred sockets. */
const perKey = 50;
const postersCount = 4;
/** Whose messages are read one by one; of the others they are counted. */
const sampledEvery = 20;

/**
 * New notifications of one profile to 200 sockets that follow them: how many a second, and how long from the request that makes
 * one to the socket. Beside a server that inserts and broadcasts by hand.
 */
export async function printNotificationFanOut(bench: Bench): Promise<void> {
  const events = bench.isQuick ? 100 : 400;
  const rounds = bench.isQuick ? 1 : 3;
  const [tenant] = await bench.newTenants(1);
  const keys = Array.from({ length: subscribersCount / perKey }, newApiKey);
  await bench.pool.query(
    `INSERT INTO api_keys (uuid, profile_uuid, name, prefix, key_hash, scopes, created_at)
      SELECT gen_random_uuid(), $1, 'bench', 'pbk_bench', hash, '{read,write}', now() FROM unnest($2::bytea[]) hash`,
    [tenant?.profileUuid, keys.map(secretHash)],
  );
  await bench.pool.query(
    'CREATE SEQUENCE bench_seq; CREATE TABLE bench_notifications (LIKE notifications INCLUDING ALL)',
  );
  const servers = { patchbay: await bench.startProduct(), byHand: await bench.startBaseline('fan-out-ws.ts') };
  const results = { patchbay: [] as FanOut[], byHand: [] as FanOut[] };
  for (let round = -1; round < rounds; round++)
    for (const name of ['patchbay', 'byHand'] as const) {
      const result = await fanOut(servers[name], keys, tenant?.key as string, events);
      if (round >= 0) results[name].push(result);
    }
  const rows = [['server', 'events/s', 'messages/s', 'per CPU-s', 'p50 ms', 'p99 ms', 'ratio']];
  const ratio = median(
    results.patchbay.map((ours, i) => ours.perCpuSecond / (results.byHand[i] as FanOut).perCpuSecond),
  );
  for (const [name, title] of [
    ['patchbay', 'patchbay'],
    ['byHand', 'express + pg + ws'],
  ] as const) {
    const of = (figure: keyof FanOut) => median(results[name].map((each) => each[figure]));
    rows.push([
      title,
      shown(of('perSecond')),
      shown(of('perSecond') * subscribersCount),
      shown(of('perCpuSecond')),
      shown(of('p50Ms')),
      shown(of('p99Ms')),
      name === 'patchbay' ? shown(ratio) : '',
    ]);
  }
  console.log(
    `\n${events} notifications to ${subscribersCount} subscribers, by ${postersCount} clients; medians of ${rounds}`,
  );
  printTable(rows);
  console.log('  per CPU-s: messages by second of CPU of the server; the ratio is of these');
  for (const server of Object.values(servers)) await server.stop();
}

interface FanOut {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function fanOut(server: ServerProcess, keys: readonly string[], key: string, events: number): Promise<FanOut> {
  const origin = `http://127.0.0.1:${server.port}`;
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  let left = events * subscribersCount;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const sockets: WebSocket[] = [];
  for (let n = 0; n < subscribersCount; n++) {
    const hear = (text: string) => {
      left -= 1;
      if (n % sampledEvery === 0) {
        const sent = sentAt.get(/event-\d+/.exec(text)?.[0] ?? '');
        if (sent !== undefined) latencies.push(performance.now() - sent);
      }
      if (left === 0) finish();
    };
    sockets.push(await subscribe(server.port, keys[n % keys.length] as string, hear));
  }
  await delay(300);
  const pool = new Pool(origin, { connections: postersCount });
  const cpuBefore = server.cpuSeconds();
  const begun = performance.now();
  let next = 0;
  const post = async () => {
    while (next < events) {
      const message = `event-${next++}`;
      sentAt.set(message, performance.now());
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ message });
      const answer = await pool.request({ path: '/api/notifications', method: 'POST', headers, body });
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${await answer.body.text()}`);
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: postersCount }, post));
  await finished;
  const seconds = (performance.now() - begun) / 1_000;
  const cpu = server.cpuSeconds() - cpuBefore;
  for (const socket of sockets) socket.terminate();
  await pool.close();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: events / seconds,
    perCpuSecond: (events * subscribersCount) / cpu,
    p50Ms: latencies[Math.floor(latencies.length / 2)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

/** Opens a socket that follows the notifications of a key's profile. */
export async function subscribe(port: number, key: string, onEvent: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }));
  await once(socket, 'message');
  socket.on('message', (data) => {
    const text = String(data);
    if (text.includes('"next"')) onEvent(text);
    else if (text.includes('"ping"')) socket.send('{"type":"pong"}');
  });
  const query = 'subscription { notificationAdded { uuid type message severity createdAt } }';
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
  return socket;
}
