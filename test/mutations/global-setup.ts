import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { quickFolder } from '../support/quick-folder.ts';

let sharedFolder = '';

/** The server that run.ts has started for all of its runs; what files share is of one run, since each has another product. */
export function setup(project: TestProject): void {
  sharedFolder = mkdtempSync(path.join(quickFolder(), 'patchbay-shared-'));
  chmodSync(sharedFolder, 0o711);
  project.provide('postgresUrl', String(process.env.TEST_POSTGRES_URL));
  project.provide('sharedFolder', sharedFolder);
}

export const teardown = (): void => rmSync(sharedFolder, { recursive: true, force: true });
