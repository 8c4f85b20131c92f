import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { eventually } from './deadline.ts';

/** Keeps everything waiting that changes the stack of a profile, and nothing else. */
export async function heldStack(url: string, profileUuid: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const lock = (name: string) => client.query(`SELECT ${name}(7265, hashtext($1::text))`, [profileUuid]);
  await lock('pg_advisory_lock');
  return {
    waits: (count: number) =>
      eventually(`${count} changes wait`, async () => {
        const { rows } = await client.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND classid = 7265
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return rows.length >= count;
      }),
    release: () => lock('pg_advisory_unlock'),
  };
}
