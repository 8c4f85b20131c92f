import { Worker } from 'node:worker_threads';
import type { Logger } from '../../platform/logger.ts';

/**
 * Which operations are under way, in memory that the watchdog thread reads while this thread is blocked. A slot holds a number
 * (the order of the starts; 0 once it is over), the length of its label and the label in UTF-8. With more operations than slots
 * the newest stay.
 */
export const slotCount = 32;
const slotBytes = 256;
const headBytes = 8;

/** The first word is the beat of the event loop; the slots follow. */
export const memory = new SharedArrayBuffer(headBytes + slotCount * slotBytes);
const words = new Int32Array(memory);
const bytes = new Uint8Array(memory);
const labels = Array.from({ length: slotCount }, (_, slot) =>
  bytes.subarray(headBytes + slot * slotBytes + headBytes, headBytes + (slot + 1) * slotBytes),
);
const encoder = new TextEncoder();
let started = 0;

const wordOf = (slot: number) => (headBytes + slot * slotBytes) / 4;

/**
 * Notes that an operation starts. It takes about 0.2 µs.
 *
 * @param label The operation, without any value of a client: `query viewer, clipboard`, `POST /api/clipboard`.
 * @param requestId The request's id.
 * @param credentialUuid The caller's key or session, if there is one.
 * @returns The argument of {@link leave} when the operation ends.
 */
export function enter(label: string, requestId: string, credentialUuid?: string): number {
  started = (started + 1) & 0x7fff_ffff || 1;
  const slot = started % slotCount;
  const word = wordOf(slot);
  // The watchdog must not pair a new label with an old number.
  words[word] = 0;
  const text = credentialUuid ? `${requestId}\n${credentialUuid}\n${label}` : `${requestId}\n\n${label}`;
  words[word + 1] = encoder.encodeInto(text, labels[slot] as Uint8Array).written;
  words[word] = started;
  return started;
}

/** Notes that an operation is over. */
export function leave(operation: number): void {
  const word = wordOf(operation % slotCount);
  if (words[word] === operation) words[word] = 0;
}

export interface UnderWay {
  readonly requestId: string;
  readonly credentialUuid?: string;
  readonly operation: string;
}

/** The operations that have started and are not over, the newest first. */
export function underWay(of: SharedArrayBuffer): UnderWay[] {
  const table = new Int32Array(of);
  const decoder = new TextDecoder();
  return Array.from({ length: slotCount }, (_, slot) => ({ slot, number: table[wordOf(slot)] as number }))
    .filter(({ number }) => number !== 0)
    .sort((a, b) => b.number - a.number)
    .map(({ slot }) => {
      const start = headBytes + slot * slotBytes + headBytes;
      const text = decoder.decode(new Uint8Array(of, start, table[wordOf(slot) + 1]).slice());
      const [requestId = '', credentialUuid = '', operation = ''] = text.split('\n');
      return { requestId, ...(credentialUuid && { credentialUuid }), operation };
    });
}

/** The data of the watchdog thread. */
export interface WatchdogData {
  readonly memory: SharedArrayBuffer;
  readonly logLevel: string;
  readonly hangSeconds: number;
}

const beatMs = 250;

/**
 * Watches the event loop of this process from a separate thread. A block of over a second is logged with the running
 * operations, and again with its length when it ends.
 *
 * @param options.hangSeconds A process that is blocked for this time is killed: its supervisor starts another.
 */
export function watchEventLoop(options: { log: Logger; hangSeconds: number }): void {
  const { log, hangSeconds } = options;
  const workerData: WatchdogData = { memory, logLevel: log.level, hangSeconds };
  const watchdog = new Worker(new URL('./event-loop-watchdog.ts', import.meta.url), {
    workerData,
    // It runs a page of code, and needs nothing of what the process was started with.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  watchdog.on('error', (error) => log.error({ error }, 'the event loop is no longer watched'));
  watchdog.unref();
  setInterval(() => {
    Atomics.add(words, 0, 1);
    Atomics.notify(words, 0);
  }, beatMs).unref();
}
