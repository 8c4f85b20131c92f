import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/platform/database/migrate.ts';
import { createTestDatabase } from '../support/database.ts';

const migrations = path.join(import.meta.dirname, '../../prisma/migrations');
const migration = 'webhook_events';

it('the migration that stores events once moves the data of deliveries, and joins retries to what they repeat', async () => {
  const url = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const folders = (await readdir(migrations)).filter((name) => /^\d/.test(name)).sort();
  const before = folders.slice(
    0,
    folders.findIndex((name) => name.endsWith(migration)),
  );
  for (const name of before) await cp(path.join(migrations, name), path.join(directory, name), { recursive: true });
  await migrate({ url, directory });
  const at = '2026-03-01T12:00:00.000Z';
  // The profiles of the webhooks do not matter here.
  await client.query('SET session_replication_role = replica');
  await client.query(`
    INSERT INTO webhooks (uuid, profile_uuid, url, events, active, secret, created_at, updated_at)
      SELECT uuid, gen_random_uuid(), 'https://example.com', '{document.deleted}', true, 's', '${at}', '${at}'
      FROM unnest('{10000000-0000-4000-8000-000000000000,20000000-0000-4000-8000-000000000000}'::uuid[]) uuid;
    INSERT INTO webhook_deliveries (uuid, webhook_uuid, event_uuid, event, data, event_at, attempt, status, due_at, next_retry_at, created_at, updated_at)
      SELECT d.*, '${at}', '${at}' FROM (VALUES
        ('a1000000-0000-4000-8000-000000000000'::uuid, '10000000-0000-4000-8000-000000000000'::uuid, 'e0000000-0000-4000-8000-000000000000'::uuid,
          'document.deleted', '{"a":1}', '${at}'::timestamptz, 1, 'failed', '${at}'::timestamptz, '2026-03-01T12:01:00Z'::timestamptz),
        ('a2000000-0000-4000-8000-000000000000', '10000000-0000-4000-8000-000000000000', 'e0000000-0000-4000-8000-000000000000',
          'document.deleted', '{"a":1}', '${at}', 2, 'failed', '2026-03-01T12:01:00Z', '2026-03-01T12:06:00Z'),
        ('a3000000-0000-4000-8000-000000000000', '10000000-0000-4000-8000-000000000000', 'e0000000-0000-4000-8000-000000000000',
          'document.deleted', '{"a":1}', '${at}', 3, 'pending', '2026-03-01T12:06:00Z', NULL),
        ('b1000000-0000-4000-8000-000000000000', '20000000-0000-4000-8000-000000000000', 'e0000000-0000-4000-8000-000000000000',
          'document.deleted', '{"a":1}', '${at}', 1, 'succeeded', '${at}', NULL),
        ('b2000000-0000-4000-8000-000000000000', '20000000-0000-4000-8000-000000000000', 'f0000000-0000-4000-8000-000000000000',
          'document.deleted', '{"b":2}', '${at}', 1, 'pending', '${at}', NULL)) d`);

  await migrate({ url, directory: migrations });

  const events = await client.query('SELECT uuid, data, event_at FROM webhook_events ORDER BY uuid');
  expect(events.rows).toEqual([
    { uuid: 'e0000000-0000-4000-8000-000000000000', data: '{"a":1}', event_at: new Date(at) },
    { uuid: 'f0000000-0000-4000-8000-000000000000', data: '{"b":2}', event_at: new Date(at) },
  ]);
  const deliveries = await client.query(
    `SELECT left(uuid::text, 2) AS uuid, left(retry_of::text, 2) AS retry_of, next_retry_at, losses FROM webhook_deliveries ORDER BY 1`,
  );
  expect(deliveries.rows).toEqual([
    { uuid: 'a1', retry_of: null, next_retry_at: null, losses: 0 },
    { uuid: 'a2', retry_of: null, next_retry_at: new Date('2026-03-01T12:06:00Z'), losses: 0 },
    { uuid: 'a3', retry_of: 'a2', next_retry_at: null, losses: 0 },
    { uuid: 'b1', retry_of: null, next_retry_at: null, losses: 0 },
    { uuid: 'b2', retry_of: null, next_retry_at: null, losses: 0 },
  ]);
});
