import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { migrate } from '../src/platform/database/migrate.ts';
import { installQueues } from '../src/platform/messaging/queue.ts';
import { nodeProcessesOf } from '../test/support/process-cost.ts';
import { areas } from './growth/areas.ts';
import { bufferOf, type GrowthOperation, makeCrowd, newOwner, type Owner, send } from './growth/stage.ts';
import { converse, responseTo } from './load.ts';
import { type Bench, printTable, shown } from './measure.ts';
import { subscribe } from './notification-fan-out.ts';
import type { ServerProcess } from './server-process.ts';

/** Each has its own profile, rows and connection, so that calls of an operation keep their order. */
const ownersCount = 8;
const rowsOwn = 160;
const socketsCount = 200;
/** Share of the highest rate at which the load goes on. */
const shareOfRate = 0.7;
/** Growth of the heap from which the bench fails. */
const growthMbPerHourMax = 5;
/** One-sided certainty of 95 %. */
const deviations = 1.645;

interface Answered {
  readonly name: string;
  readonly milliseconds: number;
  readonly status: string;
}

interface Sample {
  readonly minutes: number;
  /** Live after two full collections, of all processes together. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly files: number;
}

/**
 * All operations of the table of growth in turn, for some minutes at 70 % of the rate that the product reaches, with live sockets, webhooks and
 * discovery.
 *
 * The memory that is measured is the heap with its buffers after two full collections, while no request is under way: it holds live objects
 * only. Resident memory also holds garbage and what the allocator keeps, and goes up and down by more than a leak in ten minutes.
 *
 * @returns false after a status of 5xx, a socket that was closed, or growth over 5 MB an hour with a certainty of 95 %.
 */
export async function printMixedLoad(bench: Bench, minutes: number): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-heap-'));
  const outside = await startOutside();
  const url = new URL(bench.url);
  url.pathname = '/mixed_load';
  await bench.pool.query('CREATE DATABASE mixed_load');
  await migrate({ url: url.href, directory: path.resolve(import.meta.dirname, '../prisma/migrations') });
  await installQueues(url.href);
  const pool = new Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => {});
  const sockets: Awaited<ReturnType<typeof subscribe>>[] = [];
  try {
    await makeCrowd(pool, 10);
    const owners = await Promise.all(Array.from({ length: ownersCount }, (_, n) => newOwner(pool, `owner-${n}`)));
    for (const area of areas) for (const owner of owners) await area.fill(pool, { owner, own: rowsOwn, others: 0 });
    await pool.query('VACUUM ANALYZE');
    const product = await bench.startProduct({
      DATABASE_URL: url.href,
      // Only development may call this machine.
      NODE_ENV: 'development',
      EGRESS_ALLOW: '127.0.0.0/8',
      HEAP_FOLDER: folder,
      NODE_OPTIONS: `--expose-gc --import data:text/javascript,${encodeURIComponent(tellsHeap)}`,
    });
    const plans = await Promise.all(owners.map((owner) => planOf(pool, product, owner, outside.base)));
    const workers = owners.map((owner, n) => ({ owner, operations: plans[n] as GrowthOperation[], turns: new Map() }));

    await runFor(product, workers, bench.isQuick ? 5_000 : 20_000, null);
    const reached = await runFor(product, workers, bench.isQuick ? 5_000 : 20_000, null);
    const perSecond = shareOfRate * reached.perSecond;
    let closed = 0;
    let heard = 0;
    for (let n = 0; n < socketsCount; n++) {
      const socket = await subscribe(product.port, (owners[n % ownersCount] as Owner).key, () => {
        heard += 1;
      });
      socket.on('close', () => {
        closed += 1;
      });
      sockets.push(socket);
    }
    console.log(
      `\nA mix of ${plans[0]?.length} operations of all areas, ${minutes} minutes at ${shown(perSecond)} a second (${shareOfRate * 100} % of ${shown(reached.perSecond)}), ${socketsCount} sockets`,
    );
    const samples: Sample[] = [];
    const pace: Pace = {
      perSecond,
      everyMs: minutes >= 5 ? 10_000 : 5_000,
      sample: async (milliseconds) => {
        samples.push({ minutes: milliseconds / 60_000, ...(await memoryOf(product, folder)) });
      },
    };
    const run = await runFor(product, workers, minutes * 60_000, pace);
    const closedEarly = closed;
    printLatencies(run.answered);
    printMinutes(samples, run.answered);
    const { received, discoveries } = outside.counted();
    console.log(
      `  ${received} webhook deliveries, ${discoveries} discoveries, ${heard} messages on sockets, ${closedEarly} sockets closed`,
    );
    const failed = run.answered.filter(({ status }) => status[0] === '5').length;
    if (failed > 0) console.log(`  ${failed} answers of 5xx`);
    const isSteady = printGrowthOf(samples.filter((sample) => sample.minutes >= Math.min(2, minutes / 3)));
    await product.stop();
    return isSteady && failed === 0 && closedEarly === 0 && received > 0 && discoveries > 0;
  } finally {
    for (const socket of sockets) socket.terminate();
    outside.close();
    await pool.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs in each process of the product: on a signal it collects the garbage and writes down what is left. */
const tellsHeap = `
import { renameSync, writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => {
  gc();
  gc();
  const file = process.env.HEAP_FOLDER + '/' + process.pid;
  writeFileSync(file + '.new', JSON.stringify(process.memoryUsage()));
  renameSync(file + '.new', file);
});`;

/** What an owner does: the operations of every area, and the discovery of a server on this machine. */
async function planOf(pool: Pool, product: ServerProcess, owner: Owner, base: string): Promise<GrowthOperation[]> {
  const plan: GrowthOperation[] = [];
  for (const area of areas) {
    const operations = await area.operations(pool, { owner, own: rowsOwn, others: 0 });
    plan.push(...operations.map(({ name, calls }) => ({ name: `${area.name}: ${name}`, calls })));
  }
  const { rows } = await pool.query(
    `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, transports, url, args, env_names, header_names, tags, created_at, updated_at)
      VALUES (gen_random_uuid(), $1, $2, 'live', 'http', '{http}', $3, '{}', '{}', '{}', '{}', now(), now()) RETURNING uuid`,
    [owner.profileUuid, `live-${owner.username}`, `${base}/mcp`],
  );
  plan.push({ name: 'mcp-servers: discover', calls: [send('POST', `/api/discover/${rows[0].uuid}`)] });
  // A profile has 50 webhooks at most, and all of them are taken.
  await pool.query(
    `DELETE FROM webhooks w WHERE uuid = (SELECT uuid FROM webhooks o WHERE profile_uuid = $1
      AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE webhook_uuid = o.uuid) LIMIT 1)`,
    [owner.profileUuid],
  );
  const webhook = { url: `${base}/webhook`, events: ['notification.created'] };
  await responseTo(bufferOf(send('POST', '/api/webhooks', webhook), owner), product.port);
  return plan;
}

interface Worker {
  readonly owner: Owner;
  readonly operations: readonly GrowthOperation[];
  /** How often each operation was called. */
  readonly turns: Map<string, number>;
}

interface Pace {
  readonly perSecond: number;
  readonly everyMs: number;
  /** Called so often, while no request is under way. */
  sample(milliseconds: number): Promise<void>;
}

/**
 * Each worker goes through its operations, from another one on. With a pace a request has its instant, from which its latency counts even
 * if no connection was free then.
 */
async function runFor(
  product: ServerProcess,
  workers: readonly Worker[],
  milliseconds: number,
  pace: Pace | null,
): Promise<{ perSecond: number; answered: (Answered & { minute: number })[] }> {
  const answered: (Answered & { minute: number })[] = [];
  const start = performance.now();
  let paused = 0;
  const elapsed = () => performance.now() - start - paused;
  let scheduled = 0;
  let underWay = 0;
  let pause: Promise<void> | null = null;
  let nextSampleMs = pace?.everyMs ?? Number.POSITIVE_INFINITY;

  /** The first worker that is due for a sample waits for the requests of the others, and the others wait for it. */
  async function sampled(): Promise<void> {
    const begun = performance.now();
    while (underWay > 0) await delay(2);
    await pace?.sample(elapsed());
    paused += performance.now() - begun;
  }

  await Promise.all(
    workers.map(({ owner, operations, turns }, place) => {
      let turn = Math.floor((place * operations.length) / workers.length);
      let name = '';
      let due = 0;
      const next = async (): Promise<Buffer | null> => {
        if (elapsed() >= milliseconds) return null;
        if (elapsed() >= nextSampleMs) {
          nextSampleMs += pace?.everyMs ?? 0;
          pause = sampled().finally(() => {
            pause = null;
          });
        }
        while (pause) await pause;
        due = pace ? (1_000 * scheduled++) / pace.perSecond : elapsed();
        while (due - elapsed() > 1) {
          await delay(due - elapsed());
          while (pause) await pause;
        }
        const operation = operations[turn++ % operations.length] as GrowthOperation;
        name = operation.name;
        const called = turns.get(name) ?? 0;
        turns.set(name, called + 1);
        underWay += 1;
        return bufferOf(operation.calls[called % operation.calls.length] as never, owner);
      };
      return converse(
        { port: product.port, next },
        {
          answered(_milliseconds, status) {
            underWay -= 1;
            const now = elapsed();
            answered.push({ name, milliseconds: now - due, status, minute: Math.floor(now / 60_000) });
          },
        },
      );
    }),
  );
  return { perSecond: answered.length / (elapsed() / 1_000), answered };
}

async function memoryOf(product: ServerProcess, folder: string): Promise<Omit<Sample, 'minutes'>> {
  const processes = nodeProcessesOf(product.pid);
  let [heapBytes, residentBytes, files] = [0, 0, 0];
  for (const pid of processes) {
    const file = path.join(folder, String(pid));
    await rm(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    const usage = await toldBy(file);
    heapBytes += usage.heapUsed + usage.external;
    residentBytes += 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    files += readdirSync(`/proc/${pid}/fd`).length;
  }
  return { heapBytes, residentBytes, files };
}

/** @throws {Error} when the process does not say it within ten seconds. */
async function toldBy(file: string): Promise<NodeJS.MemoryUsage> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text);
    await delay(10);
  }
  throw new Error(`a process did not write ${file}`);
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

function printLatencies(answered: readonly Answered[]): void {
  const row = (name: string, some: readonly Answered[]) => {
    const times = some.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    const refused = some.filter(({ status }) => status[0] !== '2' && status[0] !== '5').length;
    const failed = some.filter(({ status }) => status[0] === '5').length;
    return [
      name,
      String(some.length),
      ...[0.5, 0.99, 0.999].map((share) => shown(quantile(times, share))),
      String(refused),
      String(failed),
    ];
  };
  printTable([
    ['operation', 'requests', 'p50 ms', 'p99 ms', 'p99.9 ms', '4xx', '5xx'],
    ...[...Map.groupBy(answered, ({ name }) => name)].map(([name, some]) => row(name, some)),
    row('all', answered),
  ]);
}

/** The last sample of each minute. */
function printMinutes(samples: readonly Sample[], answered: readonly { minute: number; status: string }[]): void {
  const byMinute = new Map(samples.map((sample) => [Math.floor(sample.minutes), sample]));
  printTable([
    ['minute', 'requests', 'not 2xx', 'heap after GC MB', 'resident MB', 'open files'],
    ...[...byMinute].map(([minute, { heapBytes, residentBytes, files }]) => {
      const some = answered.filter((each) => each.minute === minute);
      return [
        String(minute + 1),
        String(some.length),
        String(some.filter(({ status }) => status[0] !== '2').length),
        (heapBytes / 1e6).toFixed(2),
        shown(residentBytes / 1e6),
        String(files),
      ];
    }),
  ]);
}

/** The median of all slopes between two samples (Theil and Sen), which single outliers do not move, and how certain it is (Kendall). */
function printGrowthOf(samples: readonly Sample[]): boolean {
  const slopes = samples
    .flatMap((a, place) =>
      samples.slice(place + 1).map((b) => (b.heapBytes - a.heapBytes) / 1e6 / ((b.minutes - a.minutes) / 60)),
    )
    .sort((a, b) => a - b);
  const n = samples.length;
  const spread = deviations * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (place: number) => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(place)))] ?? Number.NaN;
  const [least, middle, most] = [(slopes.length - spread) / 2, slopes.length / 2, (slopes.length + spread) / 2].map(at);
  console.log(
    `  growth of the heap: ${middle?.toFixed(1)} MB an hour, from ${least?.toFixed(1)} to ${most?.toFixed(1)} by ${n} samples; at most ${growthMbPerHourMax}`,
  );
  return n > 2 && (least as number) <= growthMbPerHourMax;
}

/** A receiver of webhooks and an MCP server, on this machine. */
async function startOutside() {
  let received = 0;
  let discoveries = 0;
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (req.url === '/webhook') {
      received += 1;
      res.end();
      return;
    }
    const request = req.method === 'POST' ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const result = results[request.method as keyof typeof results];
    if (request.id === undefined) {
      res.writeHead(req.method === 'POST' ? 202 : 405).end();
      return;
    }
    if (request.method === 'tools/list') discoveries += 1;
    const error = { code: -32_601, message: 'Method not found' };
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...(result ? { result } : { error }) }));
  };
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counted: () => ({ received, discoveries }),
    close: () => server.close().closeAllConnections(),
  };
}

const results = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  },
  'tools/list': { tools: [{ name: 'tool', description: 'a tool', inputSchema: { type: 'object', properties: {} } }] },
} as const;
