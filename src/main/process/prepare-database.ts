import { fileURLToPath } from 'node:url';
import { migrate } from '../../platform/database/migrate.ts';
import { installQueues } from '../../platform/messaging/queue.ts';

/**
 * Brings a database up to what this version expects.
 *
 * @param name What an error calls it.
 * @returns The migrations that were applied.
 */
export async function prepareDatabase(url: string, name: string): Promise<readonly string[]> {
  const directory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
  const { applied } = await migrate({ url, directory, name });
  await installQueues(url);
  return applied;
}
