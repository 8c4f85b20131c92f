import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../services/redis-server.ts';
import { eventually } from '../support/deadline.ts';
import {
  newDataDir,
  type Product,
  postmasterOf,
  removeDataDir,
  startProduct,
  withDatabase,
} from '../support/product.ts';
import { type Balance, balanceOf, type Stored } from './ledger.ts';
import { type Load, startLoad, type Target } from './load.ts';

export const faultKinds = ['PostgreSQL kill -9', 'API kill -9', 'backend terminated', 'client socket cut'] as const;

/** Where there is a Redis; the product needs none to keep what it acknowledged. */
export const redisFaultKind = 'Redis kill -9';

export type FaultKind = (typeof faultKinds)[number] | typeof redisFaultKind;

export interface Recovery {
  readonly kind: FaultKind;
  /** Milliseconds from the fault to the first success of a request that began after it. */
  readonly firstMs: number;
  /** And until every client has had one. */
  readonly allMs: number;
}

export interface FaultReport extends Balance {
  readonly recoveries: readonly Recovery[];
  readonly strange: readonly string[];
  readonly milliseconds: number;
}

const recoveryMsMax = 30_000;

/** Distinguishes a popped entry from a lost one, however many pops had no answer. */
const noteOfDeletions = `
  CREATE TABLE taken (value text NOT NULL);
  CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO taken SELECT value FROM deleted; RETURN NULL; END';
  CREATE TRIGGER note_taken AFTER DELETE ON clipboard_entries
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION note_taken()`;

/** A product on a new data folder, which can be started again there. */
async function stage(
  environment: Record<string, string> = {},
): Promise<{ dataDir: string; product: Product; target: Target }> {
  // On a disk, whose time the faults fall into.
  const dataDir = await newDataDir(tmpdir());
  const product = await startProduct(dataDir, environment);
  await withDatabase(dataDir, (client) => client.query(noteOfDeletions));
  return { dataDir, product, target: { base: product.base, key: product.demoKey() } };
}

/**
 * Writes while things are killed in turn, and holds what was acknowledged against what is stored in the end.
 *
 * The operator's part is played too: a killed API or Redis is started again. The database is the product's own to start again.
 *
 * @param options.redis Counts each request and carries each event, and is killed too; left out, there is none.
 */
export async function runFaults(options: {
  faults: number;
  writes: number;
  clients?: number;
  redis?: Pick<RedisServer, 'url' | 'kill' | 'start'>;
  onFault?: (recovery: Recovery, acknowledged: number) => void;
}): Promise<FaultReport> {
  const { faults, writes, clients = 16, redis, onFault } = options;
  const kinds: readonly FaultKind[] = redis ? [...faultKinds, redisFaultKind] : faultKinds;
  // A limit counts even if no request reaches it.
  const environment: Record<string, string> = redis
    ? { REDIS_URL: redis.url, RATE_LIMITS: '{"*": "999999999/1m"}' }
    : {};
  const startedAt = performance.now();
  const { dataDir, target, ...first } = await stage(environment);
  let { product } = first;
  try {
    const load = startLoad(target, clients);
    const recoveries: Recovery[] = [];
    const harm: Record<FaultKind, (round: number) => Promise<void>> = {
      'PostgreSQL kill -9': async () => kill(dataDir),
      'API kill -9': async () => {
        await product.kill();
        product = await startProduct(dataDir, environment);
        target.base = product.base;
      },
      'backend terminated': (round) => terminateBackend(dataDir, round),
      'client socket cut': async (round) => load.cut(round % clients),
      [redisFaultKind]: async () => {
        await redis?.kill();
        await redis?.start();
      },
    };
    try {
      for (let index = 0; index < faults; index++) {
        await reached(load, ((index + 1) * writes) / (faults + 1));
        const kind = kinds[index % kinds.length] as FaultKind;
        // A moment that has nothing to do with the clients' rhythm.
        await delay(index % 7);
        const recovery = await recoveryOf(load, kind, () => harm[kind](index));
        recoveries.push(recovery);
        onFault?.(recovery, load.ledger.acknowledged);
      }
      await reached(load, writes);
    } finally {
      await load.stop();
    }
    const balance = balanceOf(load.ledger, await stored(dataDir));
    return { ...balance, recoveries, strange: load.strange, milliseconds: performance.now() - startedAt };
  } finally {
    await product.terminate();
    await removeDataDir(dataDir);
  }
}

/**
 * The same count where the database does not wait for its disk: a kill must lose some, or the count sees nothing.
 *
 * @returns What was lost in the first round that lost any; 0 when none did.
 */
export async function runControl({
  rounds = 5,
  clients = 16,
} = {}): Promise<{ rounds: number; lost: number; acknowledged: number }> {
  const { dataDir, product, target } = await stage();
  try {
    await withDatabase(dataDir, async (client) => {
      await client.query('ALTER SYSTEM SET synchronous_commit = off');
      await client.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
      await client.query('SELECT pg_reload_conf()');
    });
    let acknowledged = 0;
    for (let round = 1; round <= rounds; round++) {
      const load = startLoad(target, clients);
      await reached(load, 500);
      kill(dataDir);
      await load.stop();
      await eventually('PostgreSQL answers', () => withDatabase(dataDir, async () => true).catch(() => false), {
        withinMs: recoveryMsMax,
      });
      const { lost, acknowledged: told } = balanceOf(load.ledger, await stored(dataDir));
      acknowledged += told;
      if (lost.length > 0) return { rounds: round, lost: lost.length, acknowledged };
      await withDatabase(dataDir, (client) => client.query('TRUNCATE clipboard_entries, taken'));
    }
    return { rounds, lost: 0, acknowledged };
  } finally {
    await product.terminate();
    await removeDataDir(dataDir);
  }
}

const reached = (load: Load, acknowledged: number) =>
  eventually(`${acknowledged} acknowledged writes`, () => load.ledger.acknowledged >= acknowledged, {
    withinMs: 600_000,
  });

async function recoveryOf(load: Load, kind: FaultKind, harm: () => Promise<void>): Promise<Recovery> {
  const firsts = load.watchSuccesses();
  const startedAt = performance.now();
  await harm();
  await eventually(`every client writes again after: ${kind}`, () => firsts.every((each) => each !== null), {
    withinMs: recoveryMsMax,
    everyMs: 5,
  });
  const times = firsts.map((each) => (each as number) - startedAt);
  return { kind, firstMs: Math.min(...times), allMs: Math.max(...times) };
}

function kill(dataDir: string): void {
  const pid = postmasterOf(dataDir);
  if (pid !== null) process.kill(pid, 'SIGKILL');
}

/** Ends one of the product's connections to the database, as an administrator or a proxy does. */
async function terminateBackend(dataDir: string, round: number): Promise<void> {
  await withDatabase(dataDir, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'patchbay%' AND pid <> pg_backend_pid()
         ORDER BY state = 'active' DESC, md5(pid::text || $1) LIMIT 1) one`,
      [String(round)],
    ),
  );
}

/** What is stored, as the database itself tells. */
function stored(dataDir: string): Promise<Stored> {
  return withDatabase(dataDir, async (client) => {
    const { rows } = await client.query<{ name: string | null; value: string }>(
      'SELECT name, value FROM clipboard_entries',
    );
    const taken = await client.query<{ value: string }>('SELECT value FROM taken');
    return {
      taken: taken.rows.map(({ value }) => value),
      names: new Map(rows.filter(({ name }) => name !== null).map(({ name, value }) => [name as string, value])),
      stack: rows.filter(({ name }) => name === null).map(({ value }) => value),
    };
  });
}
