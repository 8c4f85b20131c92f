import { expect, test } from 'vitest';
import { createDatabase } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { createTestDatabase, patientTimeouts } from '../../support/database.ts';

const url = await createTestDatabase();
const open = () => {
  const database = createDatabase({ url, log: createLogger('silent'), timeouts: patientTimeouts });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  cleanUp(close);
  return { ...database, close };
};

test('work has no limit on the time of its statements, and a key has one at a time over all processes', async () => {
  const [first, second] = [open(), open()];
  const result = await first.longWork.run('key', async (query) => {
    expect(await second.longWork.run('key', async () => 'twice')).toBeNull();
    expect(await second.longWork.run('other key', async () => 'other')).toBe('other');
    return query({
      text: `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    });
  });
  expect(result).toEqual([{ statement: '0', lock: '0' }]);
  expect(await second.longWork.run('key', async () => 'free again')).toBe('free again');
});

test('what the work throws is thrown, and a lost connection is an outage', async () => {
  const database = open();
  await expect(database.longWork.run('key', (query) => query({ text: 'SELECT nothing' }))).rejects.toMatchObject({
    code: '42703',
  });
  await expect(
    database.longWork.run('key', (query) => query({ text: 'SELECT pg_terminate_backend(pg_backend_pid())' })),
  ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('closing does not wait for the statement under way', async () => {
  const database = open();
  let begun = () => {};
  const underWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const work = database.longWork.run('long', (query) => {
    begun();
    return query({ text: 'SELECT pg_sleep(600)' });
  });
  await underWay;
  await database.close();
  expect(await work).toBeNull();
  expect(await database.longWork.run('another', async () => 'late')).toBeNull();
});
