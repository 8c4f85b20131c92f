import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabaseTimeouts } from '../../src/platform/database/database.ts';
import { cleanUp } from './cleanup.ts';
import { patienceMs } from './deadline.ts';

/** A busy machine makes the database slow, which is no failure of the product. Tests of these timeouts use the product's. */
export const patientTimeouts: DatabaseTimeouts = { connectMs: patienceMs, responseMs: patienceMs };

/**
 * A migrated, empty database of its own, dropped when the test or its file is over.
 *
 * @returns Its URL.
 */
export async function createTestDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = inject('postgresUrl');
  // Copying the files takes less than logging their pages, which is the default.
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE patchbay_template STRATEGY FILE_COPY`);
  cleanUp(() => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Copies of one template queue up behind each other; PostgreSQL refuses instead of waiting.
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== '55006' || attempt === 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  } finally {
    await client.end();
  }
}
