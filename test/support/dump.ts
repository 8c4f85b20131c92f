import { Client } from 'pg';

/** Every row of every table, as PostgreSQL writes it. */
export async function dumpOf(client: Client): Promise<[place: string, text: string][]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const places: [string, string][] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`SELECT each::text AS text FROM ${name} each`);
    places.push([`table ${name}`, rows.map(({ text }) => text).join('\n')]);
  }
  return places;
}

/** The same of the database at an address. */
export async function dumpAt(url: string): Promise<[place: string, text: string][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await dumpOf(client);
  } finally {
    await client.end();
  }
}
