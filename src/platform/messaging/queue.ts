import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss, type Queue as QueueOptions, type WorkOptions } from 'pg-boss';
import { queueConnectionsMax } from '../database/connection-counts.ts';
import { type Database, isUnavailable } from '../database/database.ts';
import type { ReportFailure } from '../database/outages.ts';
import { isApiError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Job } from './jobs.ts';

/**
 * The durable queues, kept by pg-boss in the product's database: a job that is added in a transaction exists if the
 * transaction commits, and is handed out until a worker has finished it.
 */
export interface Queue {
  /**
   * Adds jobs to a queue as part of a transaction.
   *
   * @param waiting Jobs of the same owner that are already queued, 0 by default: owners with fewer come first, so that
   * a tenant's thousand jobs do not delay another tenant's one.
   * @param ids Of the jobs, new ones by default. A job whose id is already queued stays unchanged.
   */
  send(
    tx: Pick<Database, 'query'>,
    name: QueueName,
    jobs: readonly object[],
    waiting?: number,
    ids?: readonly string[],
  ): Promise<void>;
  /**
   * Processes the jobs of a queue, at least once. A batch whose handler throws is handed out again later, with growing
   * pauses.
   */
  work<Data extends object>(name: QueueName, handle: (batch: readonly Data[]) => Promise<void>): Promise<void>;
  /** Runs each job on its schedule, once for all processes together. */
  schedule(jobs: readonly Job[]): Promise<void>;
  /** Checks a queue now rather than at the next second. A lost call only delays it. */
  wake(name: QueueName): void;
  /** Lets running work finish, then ends. */
  stop(): Promise<void>;
}

/** A batch that was taken and not finished is handed out again after so long: its worker has died. */
const takenSeconds = 30;
/** Finished jobs have no further use, and permanently failed ones are in the log. */
const keptSeconds = 600;

const queues = {
  /** Letters to people. */
  mail: { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3_600 },
  /** Discoveries of MCP servers: 5 seconds each. An error of a server is not a failure of the job. */
  discoveries: { retryLimit: 3, retryDelay: 5, retryBackoff: true },
  /** Documents that are read. The document itself says how often that was tried, and who does it. */
  documents: { retryLimit: 3, retryDelay: 5, retryBackoff: true },
  /** Hosts whose servers are checked: 20 seconds each. A run that is lost is not made up for: a host is asked once a week. */
  'authorization-reports': { retryLimit: 0 },
  /** One job for each tick of a schedule. A tick that fails is not run again: the next one comes. */
  schedules: { retryLimit: 0 },
} as const satisfies Record<string, Omit<QueueOptions, 'name'>>;

export type QueueName = keyof typeof queues;

/** The handler of one queue. */
export interface Worker {
  readonly name: QueueName;
  handle(batch: readonly object[]): Promise<void>;
}

/** The channel on which a writer to a queue publishes the queue's name, for the workers of all processes. */
export const queuesChannel = 'queues';

const names = Object.keys(queues) as QueueName[];

const workOptions = {
  mail: { batchSize: 1, pollingIntervalSeconds: 2 },
  discoveries: { batchSize: 8, pollingIntervalSeconds: 2 },
  // Two at once, so that a long one does not hold up all others.
  documents: { batchSize: 1, localConcurrency: 2, pollingIntervalSeconds: 2 },
  'authorization-reports': { batchSize: 4, pollingIntervalSeconds: 5 },
  schedules: { batchSize: 1, pollingIntervalSeconds: 5 },
} as const satisfies Record<QueueName, WorkOptions>;

/** How long a batch waits while the database is unavailable: less than the time until it is handed to another worker. */
const patienceMs = 20_000;
const retryMs = 500;

const settingsOf = (url: string) => ({
  connectionString: url,
  application_name: 'patchbay-queue',
  schema: 'pgboss',
  max: queueConnectionsMax,
  connectionTimeoutMillis: 1_500,
  keepAlive: true,
  // A dead connection would hold up its caller for ever.
  query_timeout: 16_000,
  options: '-c statement_timeout=15000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=30000',
  persistWarnings: false,
});

/** Makes or updates what pg-boss keeps in the database. For the start, after the migrations. */
export async function installQueues(url: string): Promise<void> {
  const boss = new PgBoss({ ...settingsOf(url), supervise: false, schedule: false });
  // Errors during the start are thrown as well.
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const name of names) {
      const options = { ...queues[name], expireInSeconds: takenSeconds, deleteAfterSeconds: keptSeconds };
      if (known.has(name)) await boss.updateQueue(name, options);
      else await boss.createQueue(name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** @param options.isWorker False for a process that only puts something into the queues. */
export function createQueue(options: { url: string; log: Logger; report: ReportFailure; isWorker: boolean }): Queue {
  const { url, log, report, isWorker } = options;
  const boss = new PgBoss({
    ...settingsOf(url),
    migrate: false,
    createSchema: false,
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    // Left to itself it clears up once a day, all that a day brought in one statement.
    maintenanceIntervalSeconds: 300,
  });
  let isStopping = false;
  boss.on('error', (error) => {
    if (!isStopping) report(error, 'the queues failed');
  });
  let starting: Promise<unknown> | null = null;
  /** Nothing connects before it is used; a start that failed is tried again by the next use. */
  const started = async () => {
    starting ??= boss.start().catch(async (error: unknown) => {
      // A started instance does not start again, nor do its schedules.
      await boss.stop({ graceful: false }).catch(() => undefined);
      starting = null;
      throw error;
    });
    await starting;
  };
  const workers = new Map<QueueName, string>();

  async function work<Data extends object>(
    name: QueueName,
    handle: (batch: readonly Data[]) => Promise<void>,
  ): Promise<void> {
    await started();
    if (workers.has(name)) return;
    const worker = await boss.work<Data>(name, workOptions[name], async (batch) => {
      const data = batch.map((job) => job.data);
      try {
        for (const begun = performance.now(); ; await delay(retryMs)) {
          const isDone = await handle(data).then(
            () => true,
            (error: unknown) => {
              // Otherwise it would be handed out again at the end of the claim: the queue cannot be notified either.
              const mayWait = isApiError(error) && error.code === 'UNAVAILABLE' && !isStopping;
              if (!mayWait || performance.now() - begun > patienceMs) throw error;
              return false;
            },
          );
          if (isDone) return;
        }
      } catch (error) {
        const facts = { queue: name, jobs: batch.length };
        if (isUnavailable(error)) report(error, 'a batch of the queue failed', facts);
        else log.error({ ...facts, error }, 'a batch of the queue failed');
        throw error;
      }
    });
    workers.set(name, worker);
  }

  return {
    async send(tx, name, jobs, waiting = 0, ids = []) {
      await started();
      const db = {
        executeSql: async (text: string, values: unknown[] = []) => ({ rows: await tx.query({ text, values }) }),
      };
      await boss.insert(
        name,
        jobs.map((data, place) => {
          const id = ids[place];
          return { data, priority: -(waiting + place), ...(id !== undefined && { id }) };
        }),
        { db },
      );
    },
    work,
    async schedule(jobs) {
      const byName = new Map(jobs.map((job) => [job.name, job]));
      await work<{ job: string }>('schedules', async ([tick]) => {
        const job = tick && byName.get(tick.job);
        const count = await job?.run();
        if (count) log.info({ job: job?.name, count }, 'job done');
      });
      for (const { key } of await boss.getSchedules('schedules'))
        if (!byName.has(key)) await boss.unschedule('schedules', key);
      for (const { name, cron } of jobs)
        await boss.schedule('schedules', cron, { job: name }, { key: name, tz: 'UTC', retryLimit: 0 });
    },
    wake(name) {
      const worker = workers.get(name);
      if (worker) boss.notifyWorker(worker);
    },
    async stop() {
      isStopping = true;
      if (starting) await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}
