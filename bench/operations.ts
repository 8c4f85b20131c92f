import { type LoadConnection, requestOf } from './load.ts';
import { type Bench, type Measured, measure, medianOf, printTable, ratioOf, shown } from './measure.ts';
import { fill, type Tenant, value } from './seed.ts';
import type { ServerProcess } from './server-process.ts';

const connectionCount = 32;
const names = 1_000;

type ServerName = 'patchbay' | 'express + pg' | 'mercurius + pg' | 'node:http';

interface Operation {
  readonly name: string;
  /** Ours first, then what it is held against. */
  readonly servers: readonly ServerName[];
  /** At least this much of the baseline, on requests per CPU-second. */
  readonly goal?: number;
  /** What must be there before each slot. */
  readonly prepare?: () => Promise<void>;
  /** The requests of one connection. */
  readonly requests: (connection: number) => Buffer[];
}

/** Every operation against its baseline, in interleaved rounds. */
export async function printOperations(bench: Bench, only: readonly string[] = ['']): Promise<void> {
  const rounds = bench.isQuick ? 1 : 3;
  const slotMs = bench.isQuick ? 500 : 1_400;
  const servers: Record<ServerName, ServerProcess | null> = {
    patchbay: await bench.startProduct(),
    'express + pg': await bench.startBaseline('express-pg.ts'),
    'mercurius + pg': await bench.startBaseline('mercurius-pg.ts').catch((error: Error) => {
      if (!error.message.includes('ERR_MODULE_NOT_FOUND')) throw error;
      return null;
    }),
    'node:http': await bench.startBaseline('hello.ts'),
  };
  const operations = (await operationsOf(bench)).filter(({ name }) => only.some((part) => name.includes(part)));
  const results = new Map<string, Measured[]>();

  const slot = async (operation: Operation, server: ServerProcess, milliseconds: number) => {
    await operation.prepare?.();
    const connections: LoadConnection[] = Array.from({ length: connectionCount }, (_, connection) => {
      const requests = operation.requests(connection);
      return { port: server.port, next: (turn) => requests[turn % requests.length] as Buffer };
    });
    return measure(bench, [server], connections, milliseconds);
  };

  for (let round = -1; round < rounds; round++) {
    for (const operation of operations) {
      for (const name of operation.servers) {
        const server = servers[name];
        if (!server) continue;
        const key = `${operation.name}/${name}`;
        const measured = await slot(operation, server, round < 0 ? slotMs / 2 : slotMs);
        // The round before the first makes the compilers warm.
        if (round >= 0) results.set(key, [...(results.get(key) ?? []), measured]);
      }
    }
  }

  console.log(
    `\n${connectionCount} connections, values of ${value.length} bytes, key checked; medians of ${rounds} x ${slotMs / 1_000} s`,
  );
  const rows = [
    ['operation', 'server', 'req/s', 'p50 ms', 'p99 ms', 'req/CPU-s', 'ratio', 'goal', 'SQL/op', 'SQL ms/op'],
  ];
  for (const { name, servers: contenders, goal } of operations) {
    const ours = results.get(`${name}/patchbay`);
    for (const server of contenders) {
      const measured = results.get(`${name}/${server}`);
      if (!measured) {
        rows.push([name, server, 'not installed']);
        continue;
      }
      const ratio = ours && server !== 'patchbay' ? shown(ratioOf(ours, measured, 'perCpuSecond')) : '';
      rows.push([
        name,
        server,
        shown(medianOf(measured, 'perSecond')),
        shown(medianOf(measured, 'p50Ms')),
        shown(medianOf(measured, 'p99Ms')),
        shown(medianOf(measured, 'perCpuSecond')),
        ratio,
        ratio === '' || goal === undefined ? '' : `>= ${goal}`,
        shown(medianOf(measured, 'statements')),
        shown(medianOf(measured, 'databaseMs')),
      ]);
    }
  }
  printTable(rows);
  console.log('  ratio: ours to that server, on requests per CPU-second of the server, within each round');
  for (const server of Object.values(servers)) await server?.stop();
}

async function operationsOf({ pool, newTenants }: Bench): Promise<Operation[]> {
  const [reader, writer, lister] = (await newTenants(3)) as [Tenant, Tenant, Tenant];
  const stackOwners = await newTenants(connectionCount);
  const stackOwner = (connection: number) => stackOwners[connection] as Tenant;
  await fill(pool, 'named', [reader], 100_000);
  await fill(pool, 'named', [lister], 10);
  await fill(pool, 'stack', [lister], 10);
  await pool.query('VACUUM ANALYZE');

  // Spread over the table, and another part of it for each connection.
  const overNames = (request: (name: string) => Buffer) => (connection: number) =>
    Array.from({ length: names }, (_, turn) => request(`n${1 + ((connection * 7_919 + turn * 101) % 100_000)}`));
  const entry = { value, contentType: 'text/plain', createdByTool: 'bench', ttlSeconds: 3_600 };
  const hand = ['patchbay', 'express + pg'] as const;

  return [
    { name: 'hello', servers: ['node:http'], requests: () => [requestOf('GET', '/', null)] },
    {
      name: 'get by name',
      servers: hand,
      goal: 1,
      requests: overNames((name) => requestOf('GET', `/api/clipboard?name=${name}`, reader.key)),
    },
    {
      name: 'get by POST',
      servers: hand,
      goal: 1,
      requests: overNames((name) => requestOf('POST', '/api/clipboard/get', reader.key, { name })),
    },
    {
      name: 'set',
      servers: hand,
      goal: 0.9,
      requests: overNames((name) => requestOf('POST', '/api/clipboard', writer.key, { name, ...entry })),
    },
    {
      name: 'push',
      servers: hand,
      goal: 0.9,
      requests: (connection) => [requestOf('POST', '/api/clipboard/push', stackOwner(connection).key, entry)],
    },
    {
      name: 'pop',
      servers: hand,
      // More than a slot takes.
      prepare: () => fill(pool, 'stack', stackOwners, 1_000),
      requests: (connection) => [requestOf('DELETE', '/api/clipboard/pop', stackOwner(connection).key)],
    },
    {
      name: 'list of 20',
      servers: hand,
      requests: () => [requestOf('GET', '/api/clipboard?limit=20', lister.key)],
    },
    {
      name: 'graphql',
      servers: ['patchbay', 'mercurius + pg'],
      goal: 0.8,
      requests: overNames((name) =>
        requestOf('POST', '/graphql', reader.key, { query: document, variables: { by: { name } } }),
      ),
    },
  ];
}

const document = `query Entry($by: ClipboardEntrySelector!) {
  clipboardEntry(by: $by) {
    uuid name idx value contentType encoding sizeBytes visibility createdByTool createdByModel source
    createdAt updatedAt expiresAt
  }
}`;
