import { Client } from 'pg';

export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

/** What a statement did, and all that the functions did which it called. */
export interface Explained {
  readonly nodes: readonly Plan[];
  /** Rows that were read from tables and indexes, those among them that a filter refused too. */
  readonly rowsRead: number;
  /** Pages of 8 KB that were asked for, in memory or not. */
  readonly pages: number;
}

export interface Asked {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

/** Rows that one loop of a scan reads, those among them that it refuses. */
const rowsOf = (scan: Plan): number =>
  (scan['Actual Rows'] ?? 0) + (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);

/**
 * The scans of a plan that read rows. A single bitmap of an index does not count: its rows count where they are read
 * from the table, as in a plain scan of an index. Otherwise replaced rows would count too, which stay until no older
 * transaction is left. If several bitmaps are joined, each counts.
 */
const scansOf = (plan: Plan): Plan[] => {
  const isRead = / Scan$/.test(plan['Node Type']) && (plan['Relation Name'] || plan['Index Name']);
  const isOneBitmap = (child: Plan) =>
    plan['Node Type'] === 'Bitmap Heap Scan' && child['Node Type'] === 'Bitmap Index Scan';
  const below = (plan.Plans ?? []).filter((child) => !isOneBitmap(child)).flatMap(scansOf);
  return isRead ? [plan, ...below] : below;
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** A connection whose server tells the plan of everything it runs, also of what functions run. */
export async function connectExplaining(url: string, planCacheMode: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`LOAD 'auto_explain';
    SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = on;
    SET auto_explain.log_buffers = on; SET auto_explain.log_timing = off; SET auto_explain.log_format = json;
    SET auto_explain.log_level = notice; SET plan_cache_mode = ${planCacheMode}`);
  return client;
}

/** Runs a statement, takes back what it did, and tells how it was done. */
export async function explain(client: Client, { name, text, values }: Asked): Promise<Explained> {
  const plans: Plan[] = [];
  let pages = 0;
  const hear = ({ message = '' }: { message?: string | undefined }) => {
    const { Plan: plan } = JSON.parse(message.slice(message.indexOf('{'))) as { Plan: Plan };
    plans.push(plan);
    // The pages of a statement hold those of the functions that it calls.
    pages = Math.max(pages, (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
  };
  await client.query('BEGIN');
  client.on('notice', hear);
  try {
    await client.query({ ...(name && { name }), text, values: [...(values ?? [])] });
    // The end of a statement, and with it its plan, comes when the next takes its place.
    await client.query('SELECT');
  } finally {
    client.off('notice', hear);
    await client.query('ROLLBACK');
  }
  const nodes = plans.flatMap(nodesOf);
  const rowsRead = plans.flatMap(scansOf).reduce((sum, scan) => sum + rowsOf(scan) * (scan['Actual Loops'] ?? 1), 0);
  return { nodes, rowsRead: Math.round(rowsRead), pages };
}

/** As it is from the second time on: at first a connection reads the catalogue too. */
export async function explainAgain(client: Client, asked: () => Asked): Promise<Explained> {
  await explain(client, asked());
  return explain(client, asked());
}
