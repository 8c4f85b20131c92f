import type { Database } from '../platform/database/database.ts';
import type { Events } from '../platform/messaging/events.ts';
import { subscribeToSignals } from '../platform/messaging/signals.ts';
import type { Platform } from '../platform/platform.ts';
import { timeframes } from './input.ts';
import * as statements from './roll-up-statements.ts';
import { factsMs, type HourFacts, standingOf } from './score.ts';

/**
 * Servers of one transaction, for which other uses of them wait, a tenth of a second at most. Each has up to 1 440
 * hours of facts.
 */
const batchServers = 20;
/** Delay between a use and its processing, together with all uses in that time. */
const pauseMs = 1_000;

export interface RollUpDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly events: Pick<Events, 'subscribe'>;
  /** The channel that signals the use of a server. */
  readonly usesChannel: string;
}

/**
 * Keeps the trends: recomputes servers that were touched, and those whose window has moved on. Its cost grows with new
 * activity only.
 */
export function createRollUp({ database, clock, events, usesChannel }: RollUpDependencies) {
  /**
   * Deals with all that is new. Each batch is one transaction, so that whatever breaks has been counted wholly or not at all. Any
   * number of processes may call it: one at a time does something.
   *
   * @returns How many servers it looked at.
   */
  async function rollUp(): Promise<number> {
    for (let total = 0; ; ) {
      const servers = await database.transaction(rollUpBatch);
      total += servers;
      if (servers === 0) return total;
    }
  }

  async function rollUpBatch(tx: Database): Promise<number> {
    const [lock] = await tx.query<{ taken: boolean }>(statements.alone());
    if (!lock?.taken) return 0;
    const now = clock.now();
    const touched = await tx.query<{ uuid: string }>(statements.takeTouched(batchServers));
    const due = await tx.query<{ uuid: string }>(statements.due(now, batchServers));
    const servers = [...new Set([...touched, ...due].map(({ uuid }) => uuid))];
    if (servers.length === 0) return 0;
    const facts = await tx.query<statements.FactsRow>(statements.facts(servers, new Date(now.getTime() - factsMs)));
    const before = await tx.query<statements.StandingRow>(statements.standings(servers));
    const after = standingsOf(facts, now);
    const isKept = new Set(after.map(keyOf));
    const gone = before.filter((row) => !isKept.has(keyOf(row)));
    if (after.length > 0) await tx.query(statements.keep(after));
    if (gone.length > 0) await tx.query(statements.drop(gone));
    const changes = statements.tallyChanges(before, after);
    if (changes.length > 0) {
      await tx.query(statements.tally(changes));
      await tx.query(statements.dropEmpty(changes));
    }
    return servers.length;
  }

  /**
   * Processes uses one second after they are recorded, so that figures do not wait for the job of each minute, which
   * finds what this one misses.
   *
   * @returns A function that stops it and waits for running work.
   */
  async function start(): Promise<() => Promise<void>> {
    let waiting: NodeJS.Timeout | null = null;
    let running: Promise<unknown> = Promise.resolve();
    const look = () => {
      waiting = null;
      running = running
        .then(rollUp)
        .catch((error: unknown) => database.report(error, 'the trends could not be added up'));
    };
    const unsubscribe = await subscribeToSignals(
      { events, report: database.report },
      { channel: usesChannel, of: 'used servers' },
      () => {
        waiting ??= setTimeout(look, pauseMs).unref();
      },
    );
    return async () => {
      await unsubscribe();
      if (waiting) clearTimeout(waiting);
      await running;
    };
  }

  return { rollUp, start };
}

const keyOf = ({ server_uuid, timeframe }: statements.StandingRow) => `${server_uuid} ${timeframe}`;

/** How servers stand by what happened to them, in each timeframe in which they are in a list, or will be by themselves. */
function standingsOf(rows: readonly statements.FactsRow[], now: Date): statements.StandingRow[] {
  const servers = new Map<string, { category: string | null; facts: HourFacts[] }>();
  for (const { uuid, category, last_at: lastAt, ...fact } of rows) {
    const known = servers.get(uuid) ?? { category, facts: [] };
    servers.set(uuid, known);
    known.facts.push({ ...fact, lastAt });
  }
  return [...servers].flatMap(([uuid, { category, facts }]) =>
    timeframes.flatMap((timeframe) => {
      const { score, scoreBefore, dueAt } = standingOf(facts, timeframe, now);
      if (dueAt === null) return [];
      return [{ server_uuid: uuid, timeframe, category, score, score_before: scoreBefore, due_at: dueAt }];
    }),
  );
}
