import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createLogger } from '../../platform/logger.ts';
import { hungSentence } from './ending.ts';
import { underWay, type WatchdogData } from './event-loop-watch.ts';

// The thread that watches the main thread of its process (event-loop-watch.ts). It writes to the log by itself, because a line
// that goes through the main thread arrives only after the block.

const blockedMs = 1_000;

const { memory, logLevel, hangSeconds } = workerData as WatchdogData;
const log = createLogger(logLevel, { write: (line) => write(1, line) });
const beats = new Int32Array(memory);

for (;;) {
  const seen = Atomics.load(beats, 0);
  const since = performance.now();
  if (Atomics.wait(beats, 0, seen, blockedMs) !== 'timed-out') continue;
  log.warn({ underWay: underWay(memory) }, `the event loop has been blocked for ${blockedMs / 1_000} s`);
  if (Atomics.wait(beats, 0, seen, hangSeconds * 1_000 - blockedMs) === 'timed-out') {
    write(2, `${hungSentence(hangSeconds)}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
  log.warn({ ms: Math.round(performance.now() - since) }, 'the event loop is free again');
}

/** A full pipe costs the line, not the process. */
function write(descriptor: number, line: string): void {
  try {
    writeSync(descriptor, line);
  } catch {}
}
