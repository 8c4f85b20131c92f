import { setImmediate as turn } from 'node:timers/promises';

/** Runs work. @returns The errors of promises that were rejected meanwhile without a handler: each would end the product. */
export async function unhandledIn(work: () => Promise<unknown>): Promise<unknown[]> {
  const errors: unknown[] = [];
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error) => errors.push(error));
  try {
    await work();
    await turn();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
  return errors;
}
