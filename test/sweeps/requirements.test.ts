import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements, verifies } from '../requirements.ts';

const folder = path.resolve(import.meta.dirname, '..');

const testFiles = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));

/** Ids that test files cite, each with the files that do. */
function citations(): Map<string, string[]> {
  const cited = new Map<string, string[]>();
  for (const file of testFiles()) {
    const source = readFileSync(path.join(folder, file), 'utf8');
    for (const [, ids = ''] of source.matchAll(/\bverifies\(([^)]*)\)/g))
      for (const [, id = ''] of ids.matchAll(/'([^']*)'/g)) cited.set(id, [...(cited.get(id) ?? []), file]);
  }
  return cited;
}

describe('requirements', () => {
  const cited = citations();

  it('are each cited by a test', () => {
    expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
  });

  it('are known wherever a test cites one', () => {
    const unknown = [...cited].filter(([id]) => !Object.hasOwn(requirements, id));
    expect(unknown).toEqual([]);
  });

  it('stand in no title', () => {
    const named = testFiles().filter((file) => /\$\{verifies\(/.test(readFileSync(path.join(folder, file), 'utf8')));
    expect(named).toEqual([]);
  });

  it('have readable ids and whole sentences', () => {
    for (const [id, sentence] of Object.entries(requirements)) {
      expect(id).toMatch(/^[a-z]+(\.[a-z0-9-]+)+$/);
      expect(sentence, id).toMatch(/^(\S.*)\.$/);
    }
  });

  it('are in the metadata of the test, where reporters find them', verifies('rest.answers'), ({ task }) => {
    expect(task.meta.requirements).toEqual(['rest.answers']);
  });
});
