import { mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastLines, openPodLog, readPodLog } from '../../../src/agents/orchestrator/local/pod-log.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { createManualClock } from '../../support/manual-clock.ts';

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-log-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('the log of a pod', () => {
  it('is read line by line with its instants, each line once', async () => {
    const folder = await openFolder();
    const clock = createManualClock();
    const log = openPodLog(folder, clock);
    const reader = readPodLog(folder);
    expect(await reader.rest()).toEqual([]);
    log.write('first');
    log.write('');
    expect(await reader.rest()).toEqual([
      { at: clock.now(), text: 'first' },
      { at: clock.now(), text: '' },
    ]);
    clock.advance(1);
    log.write('äöü');
    expect(await reader.rest()).toEqual([{ at: clock.now(), text: 'äöü' }]);
    expect(await reader.rest()).toEqual([]);
    await reader.close();
    log.close();
  });

  it('is bounded, and a reader misses no line when it goes on in a new file', async () => {
    const folder = await openFolder();
    const log = openPodLog(folder, createManualClock(), 1_000);
    const reader = readPodLog(folder);
    const read: string[] = [];
    for (let number = 0; number < 500; number++) {
      log.write(`line ${number}`);
      // 1000 bytes are some 28 lines.
      if (number % 20 === 0) read.push(...(await reader.rest()).map(({ text }) => text));
    }
    read.push(...(await reader.rest()).map(({ text }) => text));
    expect(read).toEqual(Array.from({ length: 500 }, (_, number) => `line ${number}`));
    await reader.close();
    log.close();
    expect((await readdir(folder)).toSorted()).toEqual(['log', 'log.1']);
    for (const name of ['log', 'log.1']) expect((await stat(path.join(folder, name))).size).toBeLessThanOrEqual(1_000);
    expect(await lastLines(folder, 30)).toEqual(Array.from({ length: 30 }, (_, number) => `line ${470 + number}`));
  });

  it('goes on after a runner that has ended', async () => {
    const folder = await openFolder();
    const clock = createManualClock();
    for (const text of ['one', 'two']) {
      const log = openPodLog(folder, clock, 1_000);
      log.write(text);
      log.close();
    }
    expect(await lastLines(folder, 20)).toEqual(['one', 'two']);
  });

  it('loses what a full disk does not take, and nothing else', async () => {
    const folder = await openFolder();
    const log = openPodLog(folder, createManualClock());
    await symlink('/dev/full', path.join(folder, 'log'));
    log.write('lost');
    await rm(path.join(folder, 'log'));
    log.write('kept');
    expect(await lastLines(folder, 20)).toEqual(['kept']);
    log.close();
  });
});
