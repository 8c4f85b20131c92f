import { existsSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutated } from './mutation.ts';
import { mutations } from './mutations.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What `npm run test:mutations` needs; it runs the mutations themselves. */
describe('the list of mutations (J12)', () => {
  it('has at least 80, of each area at least ten, each with a name of its own', () => {
    const counts = Map.groupBy(mutations, ({ name }) => name.split('/')[0]);
    expect([...counts].filter(([, { length }]) => length < 10)).toEqual([]);
    expect([...counts.keys()]).toEqual([
      'platform',
      'main',
      'auth',
      'webhooks',
      'clipboard',
      'chat',
      'mcp-servers',
      'search',
      'oauth',
      'agents',
      'documents',
    ]);
    expect(mutations.length).toBeGreaterThanOrEqual(80);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  it.each(mutations)('$name still applies', async (mutation) => {
    const text = await mutated(root, mutation);
    expect(text, `the text of the mutation must stand exactly once in ${mutation.file}`).not.toBeNull();
    // A file that cannot be read at all is noticed by every test, and shows nothing.
    if (mutation.file.endsWith('.ts')) expect(() => stripTypeScriptTypes(String(text))).not.toThrow();
    expect(mutation.tests.filter((test) => !existsSync(path.join(root, test)))).toEqual([]);
    expect(mutation.tests).not.toEqual([]);
  });
});
