import { afterAll } from 'vitest';

const steps: (() => Promise<unknown>)[] = [];

/** After the last test of the file, latest first. Unlike vitest's own `afterAll` it may be called from within a hook or a test. */
export const cleanUp = (step: () => Promise<unknown>): void => void steps.push(step);

afterAll(async () => {
  const failures: unknown[] = [];
  for (const step of steps.splice(0).reverse()) await step().catch((error) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be cleaned up');
});
