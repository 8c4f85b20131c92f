import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What a piece of work cost the product, all of its processes together. */
export interface Cost {
  /** Milliseconds of CPU, of all threads: garbage collection, hashing and unpacking count. */
  readonly cpuMs: number;
  /** How far resident memory rose above where it stood before, at its highest. */
  readonly bytes: number;
}

/** Measures a product that runs in processes of its own on this machine. */
export interface CostMeter {
  /** Does a piece of work, alone, and tells what it cost: from a product at rest to one at rest again. */
  measure<Result>(work: () => Promise<Result>): Promise<{ result: Result; cost: Cost }>;
  /** CPU of the product so far, in milliseconds. Costs the product nothing. */
  cpuMs(): number;
  /** Resident memory now, in bytes. */
  residentBytes(): number;
  /** False once one of the processes that there were at the beginning is gone. */
  isWhole(): boolean;
}

/**
 * What to start a product with, so that its memory says something: its young generation has its full size from the start, and
 * large blocks go back to the system when they are freed. SIGUSR2 collects the garbage.
 */
export const measurable: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--expose-gc --max-semi-space-size=4 --import data:text/javascript,${encodeURIComponent(
    "process.on('SIGUSR2', () => { gc(); gc(); })",
  )}`,
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** At rest: so little CPU in a window. The product looks for work every second by itself. */
const restMs = 1.5;
const windowMs = 30;
const windowsAtRest = 3;
/** A product that does not come to rest is measured too. */
const patienceMs = 5_000;

/**
 * @param pid Of the process that was started; its children that run Node count, the database does not. It must have been
 *   started with `measurable`, and be ready.
 */
export async function createCostMeter(pid: number): Promise<CostMeter> {
  const first = nodeProcessesOf(pid);
  const cpuMs = () => sum(first.map(cpuMsOf));
  const residentBytes = () => sum(first.map((each) => statusOf(each, 'VmRSS')));

  async function comesToRest(): Promise<void> {
    const deadline = performance.now() + patienceMs;
    let before = cpuMs();
    for (let windows = 0; windows < windowsAtRest && performance.now() < deadline; ) {
      await delay(windowMs);
      const now = cpuMs();
      windows = now - before <= restMs ? windows + 1 : 0;
      before = now;
    }
  }

  /** CPU per millisecond of the product without requests. */
  async function idleShare(): Promise<number> {
    await comesToRest();
    const [begun, before] = [performance.now(), cpuMs()];
    await delay(2_000);
    return (cpuMs() - before) / (performance.now() - begun);
  }

  const share = await idleShare();

  return {
    cpuMs,
    residentBytes,
    isWhole: () => first.every((each) => existsSync(`/proc/${each}`)),
    async measure(work) {
      const processes = first.filter((each) => existsSync(`/proc/${each}`));
      for (const each of processes) process.kill(each, 'SIGUSR2');
      await delay(windowMs);
      await comesToRest();
      // 5 sets the highest mark back to what is resident now (proc(5)).
      for (const each of processes) writeFileSync(`/proc/${each}/clear_refs`, '5');
      const resident = new Map(processes.map((each) => [each, statusOf(each, 'VmRSS')]));
      const [begun, before] = [performance.now(), cpuMs()];
      const result = await work();
      await comesToRest();
      const idle = share * (performance.now() - begun);
      const rise = (each: number) => Math.max(0, statusOf(each, 'VmHWM') - (resident.get(each) ?? 0));
      const cost = { cpuMs: Math.max(0, cpuMs() - before - idle), bytes: sum(processes.map(rise)) };
      return { result, cost };
    },
  };
}

/** The process and its descendants, as far as they run Node. */
export function nodeProcessesOf(root: number): number[] {
  const childrenOf = Map.groupBy(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
    (each) => parentOf(each),
  );
  const found: number[] = [];
  for (const waiting = [root]; waiting.length > 0; ) {
    const each = waiting.pop() as number;
    waiting.push(...(childrenOf.get(each) ?? []));
    if (runsNode(each)) found.push(each);
  }
  return found;
}

function runsNode(pid: number): boolean {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('node');
  } catch {
    return false;
  }
}

/** Zero for one that is gone. The name of a process, in brackets, may hold anything. */
function parentOf(pid: number): number {
  return Number(textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0);
}

/** Of all threads, to the nanosecond; `stat` counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const threads = namesIn(`/proc/${pid}/task`);
  return sum(threads.map((thread) => Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6));
}

const statusOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  1_024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
