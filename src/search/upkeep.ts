import type { Platform } from '../platform/platform.ts';
import * as statements from './statements.ts';

/** What keeps searches fast and their vocabulary true, behind their backs. */
export function createUpkeep({ database }: Pick<Platform, 'database'>) {
  /** Puts the most popular servers where they are looked through first. @returns How many servers moved. */
  async function sortIntoTiers(): Promise<number> {
    const moves = await database.transaction(async (tx) => {
      await tx.query(statements.patience);
      return tx.query<{ uuid: string; tier: number }>(statements.moves());
    });
    let moved = 0;
    for (let first = 0; first < moves.length; first += statements.movedAtOnce)
      moved += (await database.query(statements.move(moves.slice(first, first + statements.movedAtOnce)))).length;
    return moved;
  }

  /** Adds the words of servers that were shown to the vocabulary. @returns How many there were, the same ones counted again. */
  async function takeUpWords(): Promise<number> {
    for (let taken = 0; ; ) {
      const [row] = await database.query<{ count: number }>(statements.takeUpWords());
      taken += row?.count ?? 0;
      if ((row?.count ?? 0) < statements.takenUpMax) return taken;
    }
  }

  /**
   * Counts words again, over the most popular servers, in many short statements; searches see all new counts at once.
   *
   * @returns The number of changed words.
   */
  async function countWords(): Promise<number> {
    // Otherwise servers published since the last run would be in no tier, and their words would not be used for corrections.
    await sortIntoTiers();
    await takeUpWords();
    return database.transaction(async (tx) => {
      const servers = (await tx.query<{ uuid: string }>(statements.countedFor())).map(({ uuid }) => uuid);
      for (const statement of statements.startCount()) await tx.query(statement);
      for (let first = 0; first < servers.length; first += statements.countedServers)
        await tx.query(statements.countWordsOf(servers.slice(first, first + statements.countedServers)));
      let changed = 0;
      for (let last = ''; ; ) {
        const [row] = await tx.query<{ last: string | null; examined: number; changed: number }>(
          statements.changeWords(last),
        );
        changed += row?.changed ?? 0;
        if (!row?.last || row.examined < statements.changedWords) return changed;
        last = row.last;
      }
    });
  }

  /** Forgets words that no server has any more. @returns How many words went. */
  async function forgetWords(): Promise<number> {
    let gone = 0;
    for (let last = ''; ; ) {
      const [row] = await database.query<{ last: string | null; examined: number; gone: number }>(
        statements.forgetWords(last),
      );
      gone += row?.gone ?? 0;
      if (!row?.last || row.examined < statements.examinedMax) return gone;
      last = row.last;
    }
  }

  /** @returns How many rows were added up. */
  async function addUpCounts(): Promise<number> {
    const [row] = await database.query<{ count: number }>(statements.addUpCounts());
    return row?.count ?? 0;
  }

  return { sortIntoTiers, takeUpWords, countWords, forgetWords, addUpCounts };
}
