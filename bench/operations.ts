import { isDeepStrictEqual } from 'node:util';
import { type LoadConnection, requestOf, responseTo } from './load.ts';
import { type Bench, type Measured, measure, medianOf, printTable, ratioOf, shown } from './measure.ts';
import { fill, type Tenant, value } from './seed.ts';
import type { ServerProcess } from './server-process.ts';

const connectionCount = 32;
const names = 1_000;

type ServerName = 'patchbay' | 'express + pg' | 'fastify + pg' | 'mercurius + pg' | 'node:http';

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
  const warmMs = bench.isQuick ? 1_000 : 2_500;
  const servers: Record<ServerName, ServerProcess> = {
    patchbay: await bench.startProduct(),
    'express + pg': await bench.startBaseline('express-pg.ts'),
    'fastify + pg': await bench.startBaseline('fastify-pg.ts'),
    'mercurius + pg': await bench.startBaseline('mercurius-pg.ts'),
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

  for (const operation of operations) {
    const answers: unknown[] = [];
    for (const name of operation.servers) {
      await operation.prepare?.();
      answers.push(comparable(await responseTo(operation.requests(0)[0] as Buffer, servers[name].port)));
      if (!isDeepStrictEqual(answers[0], answers.at(-1)))
        throw new Error(`${operation.name}: ${name} answers otherwise: ${JSON.stringify(answers)}`);
    }
  }

  for (let round = -1; round < rounds; round++) {
    for (const operation of operations) {
      for (const name of operation.servers) {
        const key = `${operation.name}/${name}`;
        const measured = await slot(operation, servers[name], round < 0 ? warmMs : slotMs);
        // The round before the first makes the compilers warm.
        if (round >= 0) results.set(key, [...(results.get(key) ?? []), measured]);
      }
    }
  }

  console.log(
    `\n${connectionCount} connections, values of ${value.length} bytes, key checked; medians of ${rounds} x ${slotMs / 1_000} s`,
  );
  const rows = [
    ['operation', 'server', 'req/s', 'p50 ms', 'p99 ms', 'req/CPU-s', 'ratio', 'goal', 'SQL/op', 'SQL ms/op', 'ratio'],
  ];
  const unequal: string[] = [];
  for (const { name, servers: contenders, goal } of operations) {
    const ours = results.get(`${name}/patchbay`);
    for (const server of contenders) {
      const measured = results.get(`${name}/${server}`) as Measured[];
      const isOther = ours && server !== 'patchbay';
      const ratio = isOther ? shown(ratioOf(ours, measured, 'perCpuSecond')) : '';
      if (isOther && !haveEqualStatements(ours, measured)) unequal.push(`${name}: ${server}`);
      rows.push([
        name,
        server,
        shown(medianOf(measured, 'perSecond')),
        shown(medianOf(measured, 'p50Ms')),
        shown(medianOf(measured, 'p99Ms')),
        shown(medianOf(measured, 'perCpuSecond')),
        ratio,
        server === contenders[1] && goal !== undefined ? `>= ${goal}` : '',
        shown(medianOf(measured, 'statements')),
        shown(medianOf(measured, 'databaseMs')),
        isOther ? shown(ratioOf(ours, measured, 'databaseMs')) : '',
      ]);
    }
  }
  printTable(rows);
  console.log(
    '  ratio: ours to that server within each round, on requests per CPU-second of the server, and on the time of the database',
  );
  for (const server of Object.values(servers)) await server.stop();
  if (unequal.length > 0) throw new Error(`Not the same number of statements: ${unequal.join(', ')}`);
}

/** A product has some statements of its own beside, up to 20 a second. */
function haveEqualStatements(ours: readonly Measured[], theirs: readonly Measured[]): boolean {
  const apart = Math.abs(medianOf(ours, 'statements') - medianOf(theirs, 'statements'));
  return apart <= 0.1 + 20 / Math.min(medianOf(ours, 'perSecond'), medianOf(theirs, 'perSecond'));
}

/** An answer without what differs between two runs of an operation. */
function comparable(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) =>
      ['uuid', 'createdAt', 'updatedAt', 'expiresAt'].includes(name) ? typeof value : value,
    ),
  );
}

async function operationsOf({ pool, newTenants }: Bench): Promise<Operation[]> {
  const [reader, writer, lister] = (await newTenants(3)) as [Tenant, Tenant, Tenant];
  const stackOwners = await newTenants(connectionCount);
  const stackOwner = (connection: number) => stackOwners[connection] as Tenant;
  await fill(pool, 'named', [reader], 100_000);
  await fill(pool, 'named', [lister], 490);
  await fill(pool, 'stack', [reader, lister], 10);
  await pool.query('VACUUM ANALYZE');

  // Spread over the table, and another part of it for each connection.
  const overNames = (request: (name: string) => Buffer) => (connection: number) =>
    Array.from({ length: names }, (_, turn) => request(`n${1 + ((connection * 7_919 + turn * 101) % 100_000)}`));
  const entry = { value, contentType: 'text/plain', createdByTool: 'bench', ttlSeconds: 3_600 };
  const hand = ['patchbay', 'express + pg', 'fastify + pg'] as const;

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
      goal: 0.9,
      // More than a slot takes.
      prepare: () => fill(pool, 'stack', stackOwners, 1_000),
      requests: (connection) => [requestOf('DELETE', '/api/clipboard/pop', stackOwner(connection).key)],
    },
    {
      name: 'first 20 of 500',
      servers: hand,
      goal: 0.9,
      requests: () => [requestOf('GET', '/api/clipboard?limit=20', lister.key)],
    },
    {
      name: 'first 20 of 100 000',
      servers: hand,
      goal: 0.9,
      requests: () => [requestOf('GET', '/api/clipboard?limit=20', reader.key)],
    },
    {
      name: 'graphql',
      servers: ['patchbay', 'mercurius + pg'],
      goal: 1,
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
