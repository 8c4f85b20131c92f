import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The program of a process and its arguments, each followed by a NUL. It shows whether a recorded process id still
 * belongs to the same process.
 *
 * @returns An empty string, or a lone NUL, for a process that has ended; also while it is a zombie.
 */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const { stdout } = await run('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return `${stdout.trim().replaceAll(' -', '\0-')}\0`;
}
