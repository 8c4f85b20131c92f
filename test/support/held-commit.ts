import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { blockade } from './blockade.ts';

/** Commits of requests with a key wait until `release`; a trigger stands in for a slow disk. */
export async function heldCommit(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.query('DROP TRIGGER IF EXISTS hold ON idempotent_answers');
    await client.end();
  });
  await client.query(`CREATE TABLE IF NOT EXISTS held ();
    CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN LOCK TABLE held IN SHARE MODE; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER hold AFTER INSERT OR UPDATE ON idempotent_answers DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION hold()`);
  return blockade(url, 'held');
}
