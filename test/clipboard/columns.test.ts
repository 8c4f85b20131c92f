import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { columns } from '../../prisma/generated/columns.ts';

type Column = (typeof columns.ClipboardEntry)[keyof typeof columns.ClipboardEntry];

/** The columns that SQL names beside the lists that the model makes. One that is renamed or goes does not compile here. */
const named: readonly Column[] = [
  'content_type',
  'created_at',
  'expires_at',
  'profile_uuid',
  'size_bytes',
  'updated_at',
];

it('the columns that statements name are listed here, so that the compiler sees a renamed one', () => {
  const source = readFileSync(new URL('../../src/clipboard/statements.ts', import.meta.url), 'utf8');
  const code = source.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '');
  const words = new Set(code.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
  const found = Object.values(columns.ClipboardEntry).filter((column) => words.has(column));
  expect([...found].sort()).toEqual(named);
});
