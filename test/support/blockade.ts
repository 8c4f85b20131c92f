import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { eventually } from './deadline.ts';

/** Another connection that keeps every write to a table of the database waiting until `release`. */
export async function blockade(url: string, table = 'clipboard_entries') {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`BEGIN; LOCK TABLE ${client.escapeIdentifier(table)} IN EXCLUSIVE MODE`);
  const waiting = async () => {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT DISTINCT l.pid FROM pg_locks l WHERE NOT l.granted AND l.relation = $1::regclass',
      [table],
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    /** Resolves with the backends that wait, when there are so many. */
    waits: (count = 1) =>
      eventually(`${count} writes wait`, async () => {
        const pids = await waiting();
        return pids.length >= count ? pids : null;
      }),
    kill: (pids: number[]) => client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [pids]),
    release: () => client.query('COMMIT'),
  };
}
