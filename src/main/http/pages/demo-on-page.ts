import { existsSync } from 'node:fs';
import type { Database } from '../../../platform/database/database.ts';
import { demoFiles, demoProfileOf, demoUsername } from '../../../sample-data/demo.ts';
import { sampleDataStateOf } from '../../../sample-data/sample-data-state.ts';
import { shownPath } from '../../process/shown-path.ts';
import type { DemoOnPage } from './home-page.ts';

/** @returns null if there is no demo account, or its key is not in this data folder. */
export async function demoOnPage(database: Pick<Database, 'prisma'>, dataDir: string): Promise<DemoOnPage | null> {
  const { keyFile, passwordFile } = demoFiles(dataDir);
  const profileUuid = existsSync(keyFile) ? await demoProfileOf(database) : null;
  if (profileUuid === null) return null;
  return {
    username: demoUsername,
    keyFile: shownPath(keyFile),
    passwordFile: shownPath(passwordFile),
    sampleData: await sampleDataStateOf(database, profileUuid),
  };
}
