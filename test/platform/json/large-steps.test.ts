import { describe, expect, it } from 'vitest';
import { eachPart, largeStep, largeTextUnits, partsOf } from '../../../src/platform/json/large-steps.ts';

describe('largeStep', () => {
  it('runs one step in a turn of the event loop, in the order of their calls', async () => {
    const seen: string[] = [];
    const turn = () => {
      seen.push('|');
      if (!seen.includes('c')) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all(['a', 'b', 'c'].map((name) => largeStep(() => void seen.push(name))));
    expect(seen.filter((each) => each !== '|')).toEqual(['a', 'b', 'c']);
    expect(seen.join('')).toMatch(/a\|+b\|+c/);
  });

  it('gives what a step returns or throws, and goes on after one that throws', async () => {
    const failed = largeStep(() => {
      throw new Error('broken');
    });
    const next = largeStep(() => 7);
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe(7);
  });
});

describe('the parts of a text', () => {
  it.each([
    ['', 0],
    ['x'.repeat(largeTextUnits), 1],
    ['x'.repeat(largeTextUnits + 1), 2],
    [`${'x'.repeat(largeTextUnits - 1)}😀`, 2],
    [`x${'😀'.repeat(largeTextUnits)}`, 3],
  ])('are whole characters, and make up the text (%#)', async (text, count) => {
    const parts: string[] = [];
    await eachPart(partsOf(text), (part) => void parts.push(part));
    expect(parts.join('')).toBe(text);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(parts.length).toBe(count);
  });
});
