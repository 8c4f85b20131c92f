/**
 * The process that reads files: a thread reads, and this one watches time and memory. So a file that never ends, and one whose reader
 * crashes, ends this process alone; and it ends when its parent has ended, whatever the thread does.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ExtractionLimits, placeOf, tooMuchMemory, tooSlow } from './extracted.ts';
import type { ReadingResponse, ReadingTask } from './reader.ts';

const limits = JSON.parse(process.argv[2] ?? '{}') as ExtractionLimits;
const watchMs = 50;
/** From which share of the memory on this process is replaced after a file. */
const spentShare = 0.5;
const bytesPerMb = 1024 * 1024;

const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
  env: {},
  workerData: limits,
  // Without the permission to start threads: one that is started with other flags has all permissions.
  execArgv: process.execArgv.filter((flag) => flag === '--permission' || flag.startsWith('--allow-fs-read=')),
  resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb * 0.7, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
});

/** The time in which the program itself loads does not count for a file. */
const loaded = once(thread, 'message');
let watch: NodeJS.Timeout | undefined;

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', async (task: ReadingTask) => {
  await loaded;
  const begun = { cpu: process.cpuUsage(), ms: performance.now() };
  watch = setInterval(() => {
    const { user, system } = process.cpuUsage(begun.cpu);
    const isLate = (user + system) / 1e6 > limits.cpuSeconds || performance.now() - begun.ms > limits.seconds * 1_000;
    if (isLate) respond({ kind: 'limit', code: 'TOO_SLOW', reason: tooSlow(limits) });
    else if (process.memoryUsage.rss() > limits.memoryMb * bytesPerMb) respondOutOfMemory();
  }, watchMs);
  thread.postMessage(task);
});

thread.on('message', (read: ReadingResponse | 'loaded') => {
  if (read === 'loaded') return;
  const isSpent = process.memoryUsage.rss() > limits.memoryMb * bytesPerMb * spentShare;
  respond(read.kind === 'extracted' ? { ...read, isSpent } : read);
});

thread.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') respondOutOfMemory();
  else
    respond({
      kind: 'limit',
      code: 'DAMAGED',
      reason: 'The file is damaged: it could not be read.',
      cause: placeOf(error),
    });
});

const respondOutOfMemory = () => respond({ kind: 'limit', code: 'TOO_MUCH_MEMORY', reason: tooMuchMemory(limits) });

/** Once for each task: after a limit the parent kills this process. */
function respond(outcome: ReadingResponse): void {
  if (watch === undefined) return;
  clearInterval(watch);
  watch = undefined;
  process.send?.(outcome);
}
