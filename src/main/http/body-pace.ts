import type { IncomingMessage } from 'node:http';
import { refuseConnection } from './refused-connection.ts';

/** The rate at which a body must arrive, so that a slow sender cannot hold memory. */
export interface BodyPace {
  /** Milliseconds that every body has. */
  readonly graceMs: number;
  /** After them, bytes that must have come for each further second, on average and as sent. */
  readonly bytesPerSecond: number;
}

/**
 * Ends the connection of a body that comes too slowly, with 408.
 *
 * @returns Stops the watch.
 */
export function endWhenSlow(req: IncomingMessage, { graceMs, bytesPerSecond }: BodyPace): () => void {
  if (req.complete) return () => {};
  const startedAt = performance.now();
  let bytes = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const msLeft = () => graceMs + (1_000 * bytes) / bytesPerSecond - (performance.now() - startedAt);
  const wait = () => {
    // A process that was busy first reads the bytes that arrived in the meantime.
    timer = setTimeout(() => setImmediate(look), Math.max(1, msLeft()));
  };
  const look = () => {
    if (isOver) return;
    if (msLeft() > 0) return wait();
    stop();
    // A body that was refused must not be completed and run.
    req.unpipe();
    req.pause();
    refuseConnection(req.socket, '408 Request Timeout');
  };
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
    req.off('data', count);
  };
  wait();
  req.on('data', count);
  return stop;
}
