import { describe, expect, it } from 'vitest';
import { hungSentence, reasonOf } from '../../../src/main/process/ending.ts';
import { pauseBefore } from '../../../src/main/process/supervisor.ts';

describe('the pause before a process is started again', () => {
  /** The pauses of one place in which processes live for so long, one after the other. */
  function pausesOf(livesMs: readonly number[]): number[] {
    const pauses: number[] = [];
    for (const livedMs of livesMs) pauses.push(pauseBefore(livedMs, pauses.at(-1) ?? null));
    return pauses;
  }

  it('is none at the first end, and doubles from a second to thirty in a crash loop', () => {
    expect(pausesOf(Array(9).fill(500))).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('starts again after a process that lived for a minute', () => {
    expect(pausesOf([500, 500, 500, 60_000, 500, 500])).toEqual([0, 1_000, 2_000, 0, 1_000, 2_000]);
  });
});

describe('the reason of an end', () => {
  const heap = [
    '<--- Last few GCs --->',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    '----- Native stack trace -----',
    ' 1: 0xb9a330 node::Abort() [node]',
  ].join('\n');
  const cases: [string, Parameters<typeof reasonOf>[0], string | RegExp][] = [
    ['a full heap', { code: null, signal: 'SIGABRT', stderr: heap }, /^Out of memory: the JavaScript heap/],
    ['a hang', { code: null, signal: 'SIGKILL', stderr: `x\n${hungSentence(30)}\n` }, hungSentence(30)],
    ['SIGKILL without output', { code: null, signal: 'SIGKILL', stderr: '' }, /^Signal SIGKILL: .*memory ran out/],
    ['another signal', { code: null, signal: 'SIGSEGV', stderr: '' }, 'Signal SIGSEGV'],
    ['an exit code', { code: 1, signal: null, stderr: '' }, 'Exit code 1'],
    [
      'an exit code with a last line',
      { code: 1, signal: null, stderr: 'first\nPort 3000 is in use.\n\n' },
      'Exit code 1: Port 3000 is in use.',
    ],
  ];
  it.each(cases)('names %s', (_what, ending, reason) => {
    if (typeof reason === 'string') expect(reasonOf(ending)).toBe(reason);
    else expect(reasonOf(ending)).toMatch(reason);
  });
});
