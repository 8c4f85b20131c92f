import { setTimeout as delay } from 'node:timers/promises';
import type { LogLine } from '../orchestrator.ts';
import { podFolderOf, readSpec } from './deployment-folder.ts';
import { type PodLogReader, readPodLog } from './pod-log.ts';

/**
 * The log of a deployment's current pod, and of the pods that take its place.
 *
 * @param options.tailLines At most this many of the existing lines.
 * @param options.followMs Milliseconds between two looks for new lines, until the signal is aborted; null for the existing lines alone.
 */
export async function* readLog(
  folder: string,
  { tailLines, followMs }: { readonly tailLines: number; readonly followMs: number | null },
  signal: AbortSignal,
): AsyncGenerator<LogLine, void, void> {
  let podId: string | null = null;
  let reader: PodLogReader | null = null;
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const current = (await readSpec(folder))?.podId ?? null;
      if (current !== podId) {
        yield* until(signal, (await reader?.rest()) ?? []);
        await reader?.close();
        podId = current;
        reader = podId === null ? null : readPodLog(podFolderOf(folder, podId));
      }
      const lines = (await reader?.rest()) ?? [];
      yield* until(signal, isFirst ? lines.slice(Math.max(0, lines.length - tailLines)) : lines);
      if (followMs === null) return;
      await delay(followMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await reader?.close();
  }
}

/** Lines that were read at once come one by one: none after the signal was aborted. */
function* until(signal: AbortSignal, lines: readonly LogLine[]): Generator<LogLine, void, void> {
  for (const line of lines) {
    if (signal.aborted) return;
    yield line;
  }
}
