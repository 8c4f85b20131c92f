import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded.ts';
import { installQueues } from '../../src/platform/messaging/queue.ts';
import { quickFolder } from './quick-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for this run, whose database `patchbay_template` is migrated and empty. */
    postgresUrl: string;
    /** An empty folder for what files of this run share (support/prepared-product.ts). */
    sharedFolder: string;
  }
}

/** One PostgreSQL for the whole run; every test file copies the template (support/database.ts). */
export async function setup(project: TestProject): Promise<void> {
  const dataDir = mkdtempSync(path.join(quickFolder(), 'patchbay-test-'));
  // Root's database runs as another user, who passes through; elsewhere it would outlive the folder.
  chmodSync(dataDir, 0o711);
  // What the tests write need not outlive a power cut; the tests of durability start servers of their own.
  // Statistics change plans of statements, so that a test makes them itself (ANALYZE) or has none.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: '200',
  };
  const server = await startEmbeddedPostgres({ dataDir, settings });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE DATABASE patchbay_template');
  await client.end();
  const url = new URL(server.url);
  url.pathname = '/patchbay_template';
  await migrate({ url: url.href, directory: fileURLToPath(new URL('../../prisma/migrations', import.meta.url)) });
  await installQueues(url.href);
  const sharedFolder = mkdtempSync(path.join(quickFolder(), 'patchbay-shared-'));
  chmodSync(sharedFolder, 0o711);
  project.provide('postgresUrl', server.url);
  project.provide('sharedFolder', sharedFolder);
  end = async () => {
    await server.stop();
    for (const folder of [dataDir, sharedFolder]) rmSync(folder, { recursive: true, force: true });
  };
}

let end = async () => {};

export const teardown = () => end();
