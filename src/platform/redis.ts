import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

/** Redis answers in less, or is held to be away: nobody waits for it longer. */
const answerTimeoutMs = 250;

/**
 * A connection for commands. While Redis is away they fail at once, and the loss is logged once until it is back.
 */
export function createRedis({ url, log }: { url: string; log: Logger }): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerTimeoutMs,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  let isAway = false;
  redis.on('error', (error) => {
    if (!isAway) log.warn({ error }, 'Redis cannot be reached');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info('Redis is back');
    isAway = false;
  });
  return redis;
}
