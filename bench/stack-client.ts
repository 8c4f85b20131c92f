import { createStacks } from '../src/clipboard/stack.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/database/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { newEntry } from '../test/support/new-clipboard-entry.ts';
import { value } from './seed.ts';

// One of the processes that share a hot profile: several clients push and pop for a while, then it prints operations/s.

const [kind, operations, profileUuid = '', clients, milliseconds] = process.argv.slice(2);
const database = createDatabase({ url: process.env.DATABASE_URL as string, log: createLogger('warn') });
const stacks = createStacks({ database, clock: systemClock });

const entry = () => newEntry(value);

const strict = {
  push: () => stacks.push(profileUuid, entry()),
  pop: () => stacks.pop(profileUuid),
};

const unordered = {
  push() {
    const { uuid, value, contentType, encoding, sizeBytes, visibility, source, ttlSeconds } = entry();
    return database.query({
      name: 'push',
      text: `INSERT INTO clipboard_entries (uuid, profile_uuid, seq, value, content_type, encoding, size_bytes, visibility,
          source, created_at, updated_at, expires_at)
        SELECT $2, $1, nextval('clipboard_seq'), $3, $4, $5, $6, $7, $8, now, now, now + make_interval(secs => $9)
        FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
        RETURNING uuid, created_at, updated_at, expires_at`,
      values: [profileUuid, uuid, value, contentType, encoding, sizeBytes, visibility, source, ttlSeconds],
    });
  },
  pop: () =>
    database.query({
      name: 'pop',
      text: `DELETE FROM clipboard_entries WHERE uuid = (
          SELECT uuid FROM clipboard_entries
          WHERE profile_uuid = $1 AND seq IS NOT NULL AND expires_at > clock_timestamp()
          ORDER BY seq DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING *`,
      values: [profileUuid],
    }),
};

const stack = kind === 'strict' ? strict : unordered;

/** @returns Operations per second. */
async function run(runMs: number): Promise<number> {
  let count = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: Number(clients) }, async () => {
      for (let turn = 0; performance.now() - start < runMs; turn++) {
        const isPush = operations === 'push' || (operations === 'mix' && turn % 2 === 0);
        await (isPush ? stack.push() : stack.pop());
        count += 1;
      }
    }),
  );
  return (count * 1_000) / (performance.now() - start);
}

// Compilers and prepared statements first.
await run(Number(milliseconds) / 3);
process.stdout.write(String(await run(Number(milliseconds))));
await database.close();
