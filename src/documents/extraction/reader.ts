import { fork } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../platform/logger.ts';
import {
  type ExtractedFile,
  ExtractionFailure,
  type ExtractionLimits,
  type FailureCode,
  tooMuchMemory,
  tooSlow,
} from './extracted.ts';

/** What the reading process is asked. */
export interface ReadingTask {
  readonly path: string;
  readonly fileName: string;
}

/** Its responses. After `limit` it must be killed: its thread still works on the file. */
export type ReadingResponse =
  | { readonly kind: 'extracted'; readonly extracted: ExtractedFile; readonly isSpent: boolean }
  | { readonly kind: 'failure' | 'limit'; readonly code: FailureCode; readonly reason: string; readonly cause?: string }
  | { readonly kind: 'error'; readonly message: string };

export type Outcome =
  | { readonly extracted: ExtractedFile }
  | { readonly failure: unknown; readonly mayBeMemory: boolean };

/** A process that reads files, one at a time. */
export interface Reader {
  readonly filesRead: number;
  /** It has ended, or is about to. */
  isOver(): boolean;
  read(file: string, fileName: string, signal: AbortSignal): Promise<Outcome>;
  end(): Promise<void>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started. */
  readonly error: unknown;
}

/** The process keeps to the limits by itself; this is for one that hangs. */
const graceMs = 5_000;

const program = fileURLToPath(new URL('./reading-process.ts', import.meta.url));

/** What the program itself is loaded from; `node_modules` may be a link. */
const ownFiles = () => {
  const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const packages = pathOf('node_modules');
  return [`${pathOf('src')}/*`, `${packages}/*`, `${realpathSync(packages)}/*`, pathOf('package.json')];
};

/** Signals by which V8 ends a process without memory, and the system's own. */
const memorySignals = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGKILL', 'SIGILL']);

export interface ReaderSettings {
  /** The only folder whose files the process can read, beside the program itself. */
  readonly folder: string;
  readonly limits: ExtractionLimits;
  readonly log: Logger;
}

/**
 * Starts a process that has no environment and may read the files of one folder, but not write files, start programs or load native code.
 * It ends by itself when this process ends.
 */
export function startReader({ folder, limits, log }: ReaderSettings): Reader {
  const readable = [...ownFiles(), `${folder}/*`].map((files) => `--allow-fs-read=${files}`);
  const child = fork(program, [JSON.stringify(limits)], {
    // Node lets threads read the working folder, whatever is permitted.
    cwd: path.dirname(program),
    env: {},
    execArgv: ['--permission', ...readable, '--allow-worker', '--no-warnings', '--max-old-space-size=128'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isOver = false;
  let filesRead = 0;
  const exited = once(child, 'exit').then(
    ([code, signal]): Exit => ({ code, signal, error: null }),
    (error: unknown): Exit => ({ code: null, signal: null, error }),
  );
  void exited.then(() => (isOver = true));
  child.on('error', (error) => log.warn({ error }, 'the process that reads documents failed'));

  const kill = async () => {
    isOver = true;
    child.kill('SIGKILL');
    await exited;
  };

  return {
    get filesRead() {
      return filesRead;
    },
    isOver: () => isOver,
    async read(file, fileName, signal) {
      const settled = Promise.withResolvers<ReadingResponse | 'late' | 'aborted'>();
      const late = setTimeout(() => settled.resolve('late'), limits.seconds * 1_000 + graceMs);
      const abort = () => settled.resolve('aborted');
      signal.addEventListener('abort', abort, { once: true });
      child.once('message', settled.resolve as (response: unknown) => void);
      child.send({ path: file, fileName } satisfies ReadingTask, (error) => {
        if (error) log.debug({ error }, 'the process that reads documents stopped before it received a file');
      });
      const response = await Promise.race([settled.promise, exited]);
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
      child.removeListener('message', settled.resolve);
      filesRead += 1;
      return outcomeOf(response, signal);
    },
    end: kill,
  };

  async function outcomeOf(
    response: ReadingResponse | 'late' | 'aborted' | Exit,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (response === 'aborted' || response === 'late') {
      await kill();
      if (response === 'late') return failed('TOO_SLOW', tooSlow(limits), false);
      return { failure: signal.reason, mayBeMemory: false };
    }
    if (!('kind' in response)) {
      log.warn(
        { code: response.code, signal: response.signal },
        'the process that reads documents stopped while it read a file',
      );
      if (response.error) return { failure: response.error, mayBeMemory: false };
      return memorySignals.has(response.signal)
        ? failed('TOO_MUCH_MEMORY', tooMuchMemory(limits), true)
        : failed('DAMAGED', 'The file is damaged: reading it ended the reader.', true);
    }
    if (response.kind === 'extracted') {
      if (response.isSpent) await kill();
      return { extracted: response.extracted };
    }
    if (response.kind === 'error') return { failure: new Error(response.message), mayBeMemory: false };
    if (response.kind === 'limit') await kill();
    if (response.cause !== undefined)
      log.info({ code: response.code, cause: response.cause }, 'a document could not be read');
    return failed(response.code, response.reason, response.code === 'TOO_MUCH_MEMORY');
  }
}

const failed = (code: FailureCode, reason: string, mayBeMemory: boolean): Outcome => ({
  failure: new ExtractionFailure(code, reason),
  mayBeMemory,
});
