import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../platform/clock.ts';
import type { LogLine } from '../orchestrator.ts';

/** A log is kept in two files of at most this size. */
const logBytesMax = 1_000_000;

const files = (folder: string) => ({ current: path.join(folder, 'log'), before: path.join(folder, 'log.1') });

/** Writes the log of a pod. */
export interface PodLog {
  /** Adds a line. What cannot be written, as on a full disk, is lost: an agent does not end because of its log. */
  write(text: string): void;
  close(): void;
}

export function openPodLog(folder: string, clock: Clock, bytesMax: number = logBytesMax): PodLog {
  const { current, before } = files(folder);
  let file: number | null = null;
  let bytes = 0;

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  return {
    write(text) {
      const line = Buffer.from(`${clock.now().toISOString()} ${text}\n`);
      try {
        if (file !== null && bytes + line.length > bytesMax) {
          close();
          renameSync(current, before);
        }
        if (file === null) {
          file = openSync(current, 'a', 0o600);
          bytes = fstatSync(file).size;
        }
        writeSync(file, line);
        bytes += line.length;
      } catch {
        close();
      }
    },
    close,
  };
}

/** Reads the log of a pod while it grows, each line once. */
export interface PodLogReader {
  /** All lines since the last call. */
  rest(): Promise<LogLine[]>;
  close(): Promise<void>;
}

/** Opens a log that need not exist yet. */
export function readPodLog(folder: string): PodLogReader {
  const { current, before } = files(folder);
  let handle: FileHandle | null = null;
  let isFirst = true;
  let partial: Buffer = Buffer.alloc(0);

  /** The whole lines that stand in a file from where it was read last. */
  async function linesOf(file: FileHandle): Promise<LogLine[]> {
    const chunks = [partial];
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, null);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
    }
    const all = Buffer.concat(chunks);
    const end = all.lastIndexOf(10) + 1;
    partial = all.subarray(end);
    return end === 0
      ? []
      : all
          .toString('utf8', 0, end - 1)
          .split('\n')
          .map(lineOf);
  }

  async function linesOfPath(file: string): Promise<LogLine[]> {
    const opened = await openIfAny(file);
    if (opened === null) return [];
    try {
      return await linesOf(opened);
    } finally {
      await opened.close();
    }
  }

  return {
    async rest() {
      const lines = isFirst ? await linesOfPath(before) : [];
      isFirst = false;
      for (;;) {
        handle ??= await openIfAny(current);
        if (handle === null) return lines;
        lines.push(...(await linesOf(handle)));
        if (await isSameFile(handle, current)) return lines;
        // The log continues in a new file. All earlier text has been read, except for the last moment.
        lines.push(...(await linesOf(handle)));
        await handle.close();
        handle = null;
      }
    },
    async close() {
      await handle?.close();
      handle = null;
    },
  };
}

/** The last lines of a log, out of at most 64 kB. */
export async function lastLines(folder: string, count: number): Promise<string[]> {
  const lines: string[] = [];
  const { current, before } = files(folder);
  for (const file of [current, before]) {
    if (lines.length >= count) break;
    lines.unshift(...(await endOf(file)));
  }
  return lines.slice(-count).map((line) => lineOf(line).text);
}

const endBytes = 65_536;

async function endOf(file: string): Promise<string[]> {
  const handle = await openIfAny(file);
  if (handle === null) return [];
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - endBytes);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(endBytes), 0, endBytes, start);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, -1);
    // The first one is a piece of a line.
    return start > 0 ? lines.slice(1) : lines;
  } finally {
    await handle.close();
  }
}

/** Each line begins with its instant, as `kubectl logs --timestamps` writes it. */
function lineOf(line: string): LogLine {
  const at = new Date(line.slice(0, 24));
  return Number.isNaN(at.getTime()) ? { at: null, text: line } : { at, text: line.slice(25) };
}

const openIfAny = (file: string): Promise<FileHandle | null> =>
  open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

async function isSameFile(handle: FileHandle, file: string): Promise<boolean> {
  const other = await stat(file).catch(() => null);
  return other === null || other.ino === (await handle.stat()).ino;
}
