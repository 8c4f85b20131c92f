import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createTestDatabase } from '../../support/database.ts';

const database = createDatabase({ url: await createTestDatabase(), log: createLogger('silent') });
afterAll(() => database.close());
await database.query({ text: 'CREATE TABLE notes (id int PRIMARY KEY)' });
const notes = async () => (await database.query<{ id: number }>({ text: 'SELECT id FROM notes' })).map(({ id }) => id);

it('does all of its work or none', async () => {
  await expect(
    database.transaction(async (tx) => {
      await tx.query({ text: 'INSERT INTO notes VALUES (1)' });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await notes()).toEqual([]);
});

it('fails where one of its statements failed, also when its work swallowed that failure: nothing is stored', async () => {
  const work = database.transaction(async (tx) => {
    await tx.query({ text: 'INSERT INTO notes VALUES (2)' });
    await tx.query({ text: 'SELECT 1 / 0' }).catch(() => undefined);
    return 'done';
  });
  await expect(work).rejects.toThrow('could not be committed');
  expect(await notes()).toEqual([]);
});

it('fails the statements that come after its end: its connection may run the transaction of another caller', async () => {
  const ended = Promise.withResolvers<void>();
  const late: Promise<PromiseSettledResult<unknown>[]>[] = [];
  const work = database.transaction(async (tx) => {
    await tx.prisma.$queryRaw`SELECT 1`;
    late.push(
      ended.promise.then(() =>
        Promise.allSettled([
          tx.query({ text: 'INSERT INTO notes VALUES (4)' }),
          tx.prisma.$executeRaw`INSERT INTO notes VALUES (5)`,
        ]),
      ),
    );
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  ended.resolve();
  const [settled] = await Promise.all(late);
  expect(settled?.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await notes()).toEqual([]);
});

it('leaves a connection that works for the next one', async () => {
  await database.transaction((tx) => tx.query({ text: 'INSERT INTO notes VALUES (3)' }));
  expect(await notes()).toEqual([3]);
});
