import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A change of one line of the product that at least one test must notice. */
export interface Mutation {
  /** Unique; what `--only` takes. */
  readonly name: string;
  /** From the root of the project. */
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What holds because of the line. */
  readonly guards: string;
  /** The test files that should notice, from the root of the project. */
  readonly tests: readonly string[];
}

/** A mutation as an area lists it: the file and the tests are names in the folders of the area. */
export type ShortMutation = readonly [
  name: string,
  file: string,
  find: string,
  replace: string,
  guards: string,
  tests: readonly string[],
];

/** @param area A folder of src. Test files without a slash are in the folder of tests of that name. */
export const mutationsOf = (area: string, list: readonly ShortMutation[]): Mutation[] =>
  list.map(([name, file, find, replace, guards, tests]) => ({
    name: `${area}/${name}`,
    file: `src/${area}/${file}`,
    find,
    replace,
    guards,
    tests: tests.map((test) => `test/${test.includes('/') ? test : `${area}/${test}`}.test.ts`),
  }));

/** The text of the changed file; null when `find` does not stand in it exactly once: the mutation is stale. */
export async function mutated(root: string, { file, find, replace }: Mutation): Promise<string | null> {
  const text = await readFile(path.join(root, file), 'utf8').catch(() => '');
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0) return null;
  return before + replace + after;
}
