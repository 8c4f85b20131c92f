import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { installQueues } from '../../src/platform/queue.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for this run, whose database `patchbay_template` is migrated and empty. */
    postgresUrl: string;
  }
}

/** In bytes: what the largest suites write, several times over. */
const roomNeeded = 4 * 1024 ** 3;

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
  project.provide('postgresUrl', server.url);
  end = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/**
 * A database of 300 files is copied and dropped again for nearly every test file, which takes a quarter of the time in
 * memory. A container may have little of it.
 */
function quickFolder(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomNeeded ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

let end = async () => {};

export const teardown = () => end();
