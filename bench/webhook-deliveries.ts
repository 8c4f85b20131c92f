import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/database/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createLocalEvents } from '../src/platform/messaging/events.ts';
import { createOutbox } from '../src/platform/messaging/outbox.ts';
import { encryptionKeysOf } from '../src/platform/security/encryption-keys.ts';
import { createSecrets } from '../src/platform/security/secrets.ts';
import { type Bench, median, printTable, shown } from './measure.ts';
import { cpuSecondsOf, startOnServerCore } from './server-process.ts';

interface Sender {
  /** Begins to send so many calls. */
  begin(count: number): Promise<void>;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/**
 * Calls to one receiver on this machine: the product's worker, from events that are committed to the outbox to the last call,
 * beside a loop that sends the same signed bytes and remembers nothing.
 */
export async function printWebhookDeliveries(bench: Bench): Promise<void> {
  const count = bench.isQuick ? 1_000 : 5_000;
  const rounds = bench.isQuick ? 1 : 3;
  const receiver = await startCountingReceiver();
  const secret = randomBytes(24).toString('base64url');
  const senders = {
    patchbay: await startWorker(bench, `${receiver.base}/patchbay`, secret),
    loop: await startLoop(`${receiver.base}/loop`, secret),
  };
  const results: Record<keyof typeof senders, { perSecond: number[]; perCpuSecond: number[]; statements: number[] }> = {
    patchbay: { perSecond: [], perCpuSecond: [], statements: [] },
    loop: { perSecond: [], perCpuSecond: [], statements: [] },
  };
  for (let round = -1; round < rounds; round++) {
    for (const name of ['patchbay', 'loop'] as const) {
      const sender = senders[name];
      await bench.pool.query('SELECT pg_stat_statements_reset()');
      const cpuBefore = sender.cpuSeconds();
      const arrived = receiver.expect(`/${name}`, count);
      await sender.begin(count);
      const seconds = await arrived;
      const cpu = sender.cpuSeconds() - cpuBefore;
      const { rows } = await bench.pool.query('SELECT sum(calls)::int AS calls FROM pg_stat_statements');
      if (round < 0) continue;
      results[name].perSecond.push(count / seconds);
      results[name].perCpuSecond.push(count / cpu);
      results[name].statements.push(name === 'loop' ? 0 : rows[0].calls / count);
    }
  }
  const rows = [['sender', 'deliveries/s', 'per CPU-s', 'SQL/delivery', 'ratio', 'goal']];
  const ratio = median(
    results.patchbay.perSecond.map((each, round) => each / (results.loop.perSecond[round] as number)),
  );
  for (const name of ['patchbay', 'loop'] as const)
    rows.push([
      name === 'loop' ? 'bare undici loop' : 'patchbay, at least once',
      shown(median(results[name].perSecond)),
      shown(median(results[name].perCpuSecond)),
      shown(median(results[name].statements)),
      name === 'loop' ? '' : shown(ratio),
      name === 'loop' ? '' : '>= 0.5',
    ]);
  console.log(`\n${count} webhook deliveries to one receiver; medians of ${rounds}`);
  printTable(rows);
  console.log('  from the first call to the last; the receiver shares a core with PostgreSQL');
  await senders.patchbay.stop();
  await senders.loop.stop();
  receiver.close();
}

async function startCountingReceiver() {
  let wanted: { path: string; left: number; first: number; resolve(seconds: number): void } | null = null;
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => {
      res.end('ok');
      const run = wanted;
      if (run === null || run.path !== req.url) return;
      run.first ||= performance.now();
      run.left -= 1;
      if (run.left === 0) run.resolve((performance.now() - run.first) / 1_000);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** @returns Seconds from the first call to the last. */
    expect: (path: string, count: number) =>
      new Promise<number>((resolve) => {
        wanted = { path, left: count, first: 0, resolve };
      }),
    close: () => server.close().closeAllConnections(),
  };
}

async function startLoop(url: string, secret: string): Promise<Sender> {
  const child = startOnServerCore('bench/webhook-loop.ts', [], { RECEIVER_URL: url, WEBHOOK_SECRET: secret });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return {
    begin: async (count) => void child.stdin?.write(String(count)),
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    stop: async () => void child.kill(),
  };
}

async function startWorker(bench: Bench, url: string, secret: string): Promise<Sender> {
  const [tenant] = await bench.newTenants(1);
  const profileUuid = tenant?.profileUuid as string;
  const keys = await encryptionKeysOf({ ENCRYPTION_KEYS: bench.encryptionKeys, DATA_DIR: '' });
  const secrets = createSecrets({ keys });
  const uuid = randomUUID();
  await bench.pool.query(
    `INSERT INTO webhooks (uuid, profile_uuid, url, events, active, secret, created_at, updated_at)
     VALUES ($1, $2, $3, '{document.deleted}', true, $4, now(), now())`,
    [uuid, profileUuid, url, secrets.seal(secret, `webhook ${uuid} secret`)],
  );
  const child = startOnServerCore('src/cli/worker.ts', [], {
    NODE_ENV: 'development',
    DATABASE_URL: bench.url,
    ENCRYPTION_KEYS: bench.encryptionKeys,
    EGRESS_ALLOW: '127.0.0.1/32',
    LOG_LEVEL: 'info',
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const log = createLogger('warn');
  const database = createDatabase({ url: bench.url, log });
  const outbox = createOutbox<Record<string, object>>({ clock: systemClock, events: createLocalEvents() });
  return {
    begin: (count) =>
      database.transaction(async (tx) => {
        for (let written = 0; written < count; written++)
          await outbox.write(tx, { profileUuid, type: 'document.deleted', data: { document_id: randomUUID() } });
      }),
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    async stop() {
      child.kill();
      await once(child, 'close');
      await database.close();
    },
  };
}
