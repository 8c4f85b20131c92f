import { Redis as Client } from 'ioredis';
import type { Logger } from './logger.ts';

/** Redis answers in less, or counts as away: no call waits for it longer. */
const replyTimeoutMs = 200;
/** Probe interval: an outage is noticed also without traffic. */
const probeEveryMs = 250;
/** A connection that is silent for this time is opened again: its other end may have moved, or be gone silently. */
const silenceMsMax = 5_000;

/** A connection to Redis that knows whether it works. */
export interface RedisConnection {
  /** For sending commands, inside of `attempt`. */
  readonly client: Client;
  /** Whether the last thing that was asked of it was answered. */
  isUp(): boolean;
  /**
   * Runs commands, unless Redis is away. Nothing is ever sent twice: a command whose reply does not come may have run.
   *
   * @throws {RedisAway} at once while Redis is away, and after 200 ms without a reply.
   */
  attempt<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when it is known whether Redis is there: at a start, before the first request is counted. */
  settled(): Promise<void>;
  close(): void;
}

/** Redis is not there, or does not answer, or not in time. */
class RedisAway extends Error {
  override name = 'RedisAway';
}

/**
 * Connects, and keeps trying. The loss and the return of Redis are logged once each.
 *
 * @param options.use The purpose, for the log.
 * @param options.probe The command that shows whether Redis works: of the kind that the connection is used for.
 */
export function connectToRedis(options: {
  url: string;
  log: Logger;
  use: string;
  probe: (client: Client) => Promise<unknown>;
}): RedisConnection {
  const { url, log, use, probe } = options;
  const client = new Client(url, {
    // A command that waits for a connection would be a request that hangs, and one that is sent again is counted twice.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(times * 50, 500),
  });
  let isUp = false;
  let hasComplained = false;
  let lastSignOfLife = performance.now();
  let probing: Promise<void> | null = null;
  const known = Promise.withResolvers<void>();

  function away(error: unknown): void {
    isUp = false;
    if (!hasComplained) log.warn({ use, error: withoutArguments(error) }, 'Redis is away');
    hasComplained = true;
    known.resolve();
  }

  function back(): void {
    isUp = true;
    lastSignOfLife = performance.now();
    if (hasComplained) log.info({ use }, 'Redis is back');
    hasComplained = false;
    known.resolve();
  }

  const ask = (): Promise<void> => {
    probing ??= (client.status === 'ready' ? inTime(probe(client)) : Promise.reject(new RedisAway(client.status)))
      .then(back, away)
      .finally(() => {
        probing = null;
      });
    return probing;
  };

  // The first error of a connection; the probes decide the state.
  client.on('error', away);
  client.on('close', () => {
    isUp = false;
  });
  client.on('ready', ask);
  const timer = setInterval(() => {
    void ask();
    const isOpen = client.status === 'ready' || client.status === 'connect';
    if (isUp || !isOpen || performance.now() - lastSignOfLife < silenceMsMax) return;
    lastSignOfLife = performance.now();
    client.disconnect(true);
  }, probeEveryMs).unref();

  return {
    client,
    isUp: () => isUp,
    async attempt(work) {
      if (!isUp) throw new RedisAway('Redis is away');
      try {
        return await inTime(work());
      } catch (error) {
        if (error instanceof Error) {
          // One rejected command does not show whether the next would be; the probe does.
          isUp = false;
          void ask();
        }
        throw error;
      }
    },
    settled: () => known.promise,
    close() {
      clearInterval(timer);
      client.disconnect();
    },
  };
}

/** For commands. The probe writes: a replica, or a server whose memory is full, answers what only reads. */
export const createRedis = ({ url, log }: { url: string; log: Logger }): RedisConnection =>
  connectToRedis({ url, log, use: 'counting', probe: (client) => client.set('patchbay:probe', '1', 'EX', 60) });

/** The response, unless it takes too long; the command may still run then. */
function inTime<Result>(reply: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new RedisAway(`no reply within ${replyTimeoutMs} ms`));
    // Where this process itself was busy for so long, the reply is there already and only has to be read.
    const timer = setTimeout(() => setImmediate(late), replyTimeoutMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Redis repeats commands that it does not understand, including the password of a connection: only the code of its
 * replies is logged.
 */
function withoutArguments(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return error;
  return new RedisAway(/^[A-Z]+\b/.exec(error.message)?.[0] ?? 'refused');
}
