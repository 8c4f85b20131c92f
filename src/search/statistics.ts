import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import { countedQuery, createPseudonyms } from './asker.ts';
import { type CounterDependencies, dayOf, type SearchCounter } from './counter.ts';
import { OpenedResult, StatisticsRequest } from './input.ts';
import * as statements from './statistics-statements.ts';

/** How a search was used. Source: docs/specification/search.md#statistics. */
export interface SearchStatistics {
  /** As it was asked. It is counted in one form for all spellings (`countedQuery`). */
  readonly query: string;
  readonly totalSearches: number;
  readonly uniqueUsers: number;
  /** At most ten, the most opened first. */
  readonly topResults: readonly {
    readonly serverUuid: string;
    readonly clicks: number;
    readonly impressions: number;
    /** Clicks by impressions, 0 to 1. */
    readonly ctr: number;
  }[];
  /** At most ten. */
  readonly relatedQueries: readonly string[];
}

const daysOf = { day: 1, week: 7, month: 30 } as const;

/**
 * Statistics of searches that enough users have made. Source: docs/specification/search.md#privacy;
 * docs/hazards.md#h14.
 */
export function createStatistics({
  database,
  clock,
  secrets,
  counter,
}: CounterDependencies & { counter: SearchCounter }) {
  const pseudonyms = createPseudonyms({ secrets });

  /**
   * How a search was used in the last days, today counted.
   *
   * @param input.timeframe A day, 7 days (if left out) or 30.
   * @returns Zeros for words that fewer than three users searched in that time, as for words that no user searched.
   * @throws {ApiError} `FORBIDDEN` without `search:read`; `VALIDATION_ERROR`.
   * @see docs/specification/search.md#statistics
   */
  async function find(caller: Caller, input: z.input<typeof StatisticsRequest>): Promise<SearchStatistics> {
    authorize(caller, 'search:read');
    const { query: given, timeframe } = parse(StatisticsRequest, input);
    const counted = countedQuery(given) ?? '';
    const [row] = await database.query<statements.StatisticsRow>(
      statements.statistics(pseudonyms.ofQuery(counted), dayOf(clock.now()), daysOf[timeframe]),
    );
    return {
      query: given,
      totalSearches: row?.total_searches ?? 0,
      uniqueUsers: row?.unique_users ?? 0,
      topResults: (row?.top_results ?? []).map(({ server_uuid: serverUuid, clicks, impressions }) => ({
        serverUuid,
        clicks,
        impressions,
        ctr: impressions === 0 ? 0 : Math.min(1, Math.round((10_000 * clicks) / impressions) / 10_000),
      })),
      relatedQueries: row?.related_queries ?? [],
    };
  }

  /**
   * Counts that a result of a search of the caller's was opened, where it was not by looking the server up here. Open to
   * everybody, as searching is.
   *
   * @returns Whether the search of today or yesterday showed it; nothing is counted otherwise.
   * @throws {ApiError} `VALIDATION_ERROR`.
   */
  async function reportOpened(caller: Caller, input: z.input<typeof OpenedResult>): Promise<boolean> {
    const { query: given, serverUuid } = parse(OpenedResult, input);
    const query = countedQuery(given);
    if (query === null || !isUuid(serverUuid)) return false;
    const server = serverUuid.toLowerCase();
    if (!counter.hasShown(caller, query, server)) {
      const [row] = await database.query<{ is_shown: boolean }>(
        statements.wasShown(pseudonyms.ofQuery(query), pseudonyms.ofAsker(caller, query), server, dayOf(clock.now())),
      );
      if (!row?.is_shown) return false;
    }
    counter.openedFrom(caller, query, server);
    return true;
  }

  /** Forgets searches after 31 days, and their text when too few users have asked in them. @returns How many rows went. */
  async function purge(): Promise<number> {
    let purged = 0;
    for (const statement of statements.purges(dayOf(clock.now())))
      for (let rows = statements.purgedMax; rows === statements.purgedMax; purged += rows)
        rows = (await database.query<{ count: number }>(statement))[0]?.count ?? 0;
    return purged + (await purgeTexts());
  }

  async function purgeTexts(): Promise<number> {
    for (let purged = 0, last = ''; ; ) {
      const [row] = await database.query<{ last: string | null; examined: number; count: number }>(
        statements.purgeTexts(last),
      );
      purged += row?.count ?? 0;
      if (!row?.last || row.examined < statements.purgedMax) return purged;
      last = row.last;
    }
  }

  return { find, reportOpened, purge, opened: counter.opened, flush: counter.flush };
}
