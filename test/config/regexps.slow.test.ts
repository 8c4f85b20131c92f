import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';

/** What `npm run check -- regexps` says about a source. */
async function checked(source: string): Promise<{ passed: boolean; lines: string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-regexps-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'source.ts');
  await writeFile(file, source);
  const script = path.resolve(import.meta.dirname, '../../.config/regexps.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return { passed: status === 0, lines: stdout.trim().split('\n') };
}

it('the check of regular expressions finds those of more than linear time, wherever they stand', async () => {
  const { passed, lines } = await checked(
    [
      String.raw`export const isPlain = (text: string) => /^\w+$/.test(text);`,
      String.raw`export const trimmed = (text: string) => text.replace(/\s+$/, '');`,
      '// /(a+)+$/ in a comment is none, and neither is "/(a+)+$/" in a text.',
      String.raw`export const words = { of: (text: string) => text.match(/cannot represent (?:non[\w -]+ )?value:? .*?(\. Did you mean \w+)?$/s) };`,
      "export const built = (name: string) => new RegExp('^' + name);",
    ].join('\n'),
  );
  expect(passed).toBe(false);
  expect(lines.map((line) => /source\.ts:(\d+): /.exec(line)?.[1] ?? line)).toEqual([
    '2',
    '4',
    '5',
    '4 regular expressions, 3 of more than linear time',
  ]);
});

it('the check of regular expressions passes those of linear time', async () => {
  const source = String.raw`export const emails = [/^[^@\s]{1,64}@[a-z]+$/, /"[^"]*"/g];`;
  expect(await checked(source)).toEqual({
    passed: true,
    lines: ['2 regular expressions, 0 of more than linear time'],
  });
});
