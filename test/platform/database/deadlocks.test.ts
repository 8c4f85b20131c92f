import { expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createTestDatabase } from '../../support/database.ts';

const database = createDatabase({ url: await createTestDatabase(), log: createLogger('silent') });
const rows = [1, 2] as const;

const byStatement = (tx: Database, row: number) =>
  tx.query({ text: 'UPDATE locked SET n = n + 1 WHERE id = $1', values: [row] });
const byPrisma = (tx: Database, row: number) => tx.prisma.$executeRaw`UPDATE locked SET n = n + 1 WHERE id = ${row}`;

it.each([
  ['statements', byStatement],
  ['Prisma', byPrisma],
])('of two transactions that wait for each other one is refused as unavailable, by %s', async (_by, take) => {
  await database.query({ text: 'CREATE TABLE IF NOT EXISTS locked (id int PRIMARY KEY, n int)' });
  await database.query({ text: 'INSERT INTO locked VALUES (1, 0), (2, 0) ON CONFLICT DO NOTHING' });
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [rows, rows.toReversed()].map((order, which) =>
    database.transaction(async (tx) => {
      await take(tx, order[0] as number);
      held[which]?.resolve();
      await Promise.all(held.map(({ promise }) => promise));
      await take(tx, order[1] as number);
    }),
  );
  const ended = await Promise.allSettled(both);
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
});
