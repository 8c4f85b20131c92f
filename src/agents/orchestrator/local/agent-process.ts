import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** An agent's program that runs. */
export interface AgentProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Resolves with a sentence on how it ended, after its last line of output. */
  readonly ended: Promise<string>;
  /** SIGTERM, and SIGKILL after the grace period. Resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
}

/** A longer line is cut into several. */
const lineCharactersMax = 16_384;
/** The output may stay open this long after the end, for child processes of the agent that still write. */
const lastOutputMs = 200;

const endsWithRunner = new URL('./ends-with-runner.ts', import.meta.url).href;

/**
 * Starts an agent's program, a Node script.
 *
 * @param options.podId Stands on the command line, so that the process can be recognised by its id later.
 * @param options.environment The whole environment.
 */
export function startAgent(options: {
  program: string;
  podId: string;
  environment: Readonly<Record<string, string>>;
  onLine: (text: string) => void;
}): AgentProcess {
  const child = spawn(process.execPath, ['--import', endsWithRunner, options.program, options.podId], {
    env: options.environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = Promise.withResolvers<string>();
  child.once('error', (error) => ended.resolve(`it could not be started: ${error.message}`));
  const closed = once(child, 'close').catch(() => undefined);
  child.once('exit', async (code, signal) => {
    await Promise.race([closed, delay(lastOutputMs)]);
    ended.resolve(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`);
  });
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) readLines(stream, options.onLine);
  return {
    pid: child.pid,
    ended: ended.promise,
    async stop(graceMs) {
      child.kill('SIGTERM');
      const harder = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended.promise;
      clearTimeout(harder);
    },
  };
}

/**
 * Passes on each line of a stream. A line without an end is passed on in pieces, so that output cannot fill the memory.
 */
function readLines(stream: Readable, onLine: (text: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.replace(/\r$/, ''));
    while (rest.length > lineCharactersMax) {
      onLine(rest.slice(0, lineCharactersMax));
      rest = rest.slice(lineCharactersMax);
    }
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}
