import { onTestFinished, TestRunner } from 'vitest';

const stepsOfFile: (() => unknown)[] = [];

/**
 * Closes what a test opened: connections, servers, processes, folders. One process runs many test files, so nothing closes
 * by itself. The helpers that open something call this; a test calls it for what it opens itself.
 *
 * The step runs
 * - when the test is over, where `cleanUp` is called within a test or a `beforeEach`;
 * - when the file is over, where it is called at the top of a file, in a `describe` or in a `beforeAll`;
 * - latest first, and after the file's own `afterEach` and `afterAll` hooks.
 *
 * A helper must not call `afterAll`: within a hook or a test, vitest accepts the call and never runs the step.
 */
export function cleanUp(step: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await step()));
  else stepsOfFile.push(step);
}

/**
 * Runs the steps of the file that is over.
 *
 * @throws {AggregateError} when some failed, after all have run.
 */
export async function cleanUpFile(): Promise<void> {
  const failures: unknown[] = [];
  for (const step of stepsOfFile.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be cleaned up');
}
