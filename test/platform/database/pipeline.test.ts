import { describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { createTestDatabase, patientTimeouts } from '../../support/database.ts';
import { eventually } from '../../support/deadline.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

const url = await createTestDatabase();
const log = createLogger('silent');
const database = createDatabase({ url, log, timeouts: patientTimeouts });
cleanUp(() => database.close());

const times = (count: number) => Array.from({ length: count }, (_, i) => i);
const echoOver = (over: Database) => (i: number) =>
  over.read<{ i: number }>({ name: 'echo', text: 'SELECT $1::int AS i', values: [i] });
const echo = echoOver(database);
const connections = async () => {
  const rows = await database.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity WHERE application_name = 'patchbay-reads' AND datname = current_database()`,
  });
  return rows.map(({ pid }) => pid);
};
/** Until reads go over connections of their own. */
const warm = (over = database, count = 2) =>
  eventually('reads have connections of their own', async () => {
    await Promise.all(times(4).map(echoOver(over)));
    return (await connections()).length === count;
  });

describe('short reads', () => {
  it('share two connections, and each gets its own answer', async () => {
    await warm();
    const rows = await Promise.all(times(2_000).map(echo));
    expect(rows.map(([row]) => row?.i)).toEqual(times(2_000));
    expect(await connections()).toHaveLength(2);
  });

  it('fail alone: a wrong statement leaves those beside it their answers', async () => {
    await warm();
    const wrong = database.read({ text: 'SELECT 1 / $1::int', values: [0] });
    const right = Promise.all(times(20).map(echo));
    await expect(wrong).rejects.toMatchObject({ code: '22012' });
    expect((await right).map(([row]) => row?.i)).toEqual(times(20));
  });

  it('are asked again when their connection is lost, and none fails (I01)', async () => {
    await warm();
    const before = await connections();
    const reads = Promise.all(times(500).map(echo));
    await Promise.all(before.map((pid) => database.query({ text: 'SELECT pg_terminate_backend($1)', values: [pid] })));
    expect((await reads).map(([row]) => row?.i)).toEqual(times(500));
    await warm();
    expect(await connections()).not.toEqual(before);
  });

  it('that take too long are refused in time, and those behind them with them or answered (I01)', async () => {
    const inTime = createDatabase({ url, log });
    cleanUp(() => inTime.close());
    // Beside the two of the others.
    await warm(inTime, 4);
    const elapsedMs = startStopwatch();
    const slow = expect(inTime.read({ text: 'SELECT pg_sleep(5)' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const behind = await Promise.allSettled(times(10).map(echoOver(inTime)));
    await slow;
    expect(elapsedMs()).toBeLessThan(2_000);
    for (const read of behind)
      if (read.status === 'rejected') expect(read.reason).toMatchObject({ code: 'UNAVAILABLE' });
    await warm(inTime, 4);
  });
});
