import { renameSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node';

/** One thing that failed in a run. */
export type Failure = {
  /** `file > describe > test`; the file alone where it could not be loaded; or `outside of any test`. */
  name: string;
  /** With what was expected and received, and the places in our own files. */
  message: string;
};

type AnyError = Pick<SerializedError, 'message' | 'stack'> & { readonly diff?: string };

const isOfOthers = (line: string) => /^ +at /.test(line) && /node_modules|node:internal|<anonymous>/.test(line);

const textOf = ({ stack, message, diff }: AnyError): string =>
  [...(stack || message).split('\n').filter((line) => !isOfOthers(line)), ...(diff?.split('\n') ?? [])].join('\n');

const messageOf = (errors: readonly AnyError[]): string => stripVTControlCharacters(errors.map(textOf).join('\n'));

/**
 * Writes what passed and what failed to a file, as JSON `{ passed, failures }`, for `.ci/summary.mjs`. Vitest's own JSON has neither the
 * failure of a hook of a `describe` nor an error outside of the tests.
 */
export class RunReport implements Reporter {
  readonly #file: string;

  /** @param file is written when the run ends. */
  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = modules.flatMap(failuresOf);
    for (const error of unhandled) failures.push({ name: 'outside of any test', message: messageOf([error]) });
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    // A report is whole or not there.
    writeFileSync(`${this.#file}.part`, JSON.stringify({ passed, failures }));
    renameSync(`${this.#file}.part`, this.#file);
  }
}

function failuresOf(module: TestModule): Failure[] {
  const file = relative('', module.moduleId);
  if (module.state() === 'pending' || module.state() === 'queued') {
    return [{ name: file, message: 'did not end: its process was lost' }];
  }
  const failures: Failure[] = [];
  for (const part of [module, ...module.children.allSuites()]) {
    if (part.errors().length > 0) failures.push({ name: nameOf(file, part), message: messageOf(part.errors()) });
  }
  for (const test of module.children.allTests()) {
    const result = test.result();
    if (result.state === 'failed') {
      failures.push({ name: `${file} > ${test.fullName}`, message: messageOf(result.errors) });
    }
  }
  return failures;
}

const nameOf = (file: string, part: TestModule | TestSuite): string =>
  part.type === 'module' ? file : `${file} > ${part.fullName}`;
