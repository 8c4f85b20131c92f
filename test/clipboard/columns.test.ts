import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { columns } from '../../prisma/generated/columns.ts';

type Column = (typeof columns.ClipboardEntry)[keyof typeof columns.ClipboardEntry];

/** The columns that SQL names beside the lists that the model makes. One that is renamed or goes does not compile here. */
const named = [
  'content_type',
  'created_at',
  'expires_at',
  'profile_uuid',
  'size_bytes',
  'updated_at',
] as const satisfies readonly Column[];

/** Functions of PostgreSQL, a column of profiles, names that a statement gives itself, and options of the client. */
const others = [
  'both_parts',
  'bytes_before',
  'clock_timestamp',
  'json_populate_recordset',
  'make_interval',
  'project_uuid',
  'query_timeout',
  'row_number',
  'statement_timestamp',
  'ttl_seconds',
];

it('the statements name only columns that are listed here, so that the compiler sees a renamed one', () => {
  const source = readFileSync(new URL('../../src/clipboard/statements.ts', import.meta.url), 'utf8');
  const code = source.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '');
  const words = new Set(code.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
  const found = [...words].filter((word) => !word.startsWith('clipboard_')).sort();
  expect(found, 'add a column to `named`, and any other word to `others`').toEqual([...named, ...others].sort());
});
