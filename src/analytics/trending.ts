import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import type { Connection } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import { cursorOf, TrendingFilter, TrendingRequest } from './input.ts';
import * as statements from './statements.ts';

/** How a server stands in a list. Source: docs/specification/analytics.md#item. */
export interface TrendingPlace {
  readonly serverUuid: string;
  readonly score: number;
  /** From 1; servers of one score share it. */
  readonly rank: number;
  /** Of the window before; null where it was not in the list. */
  readonly rankBefore: number | null;
}

/** Of one statement. */
const serversAskedMax = 1_000;

/** Which servers are used most lately, as the last roll-up left it. Source: docs/specification/analytics.md. */
export function createTrending({ database }: Pick<Platform, 'database'>) {
  /**
   * Public servers, the best score first. A hidden server disappears at once; activity counts after a second or two,
   * and within a minute at the latest.
   *
   * @param input.timeframe week if left out.
   * @param input.category Only servers of this category; ranks are those among all.
   * @throws {ApiError} `FORBIDDEN` without `analytics:read`; `VALIDATION_ERROR`.
   * @see docs/specification/analytics.md#trending-servers
   */
  async function connection(
    caller: Caller,
    input: z.input<typeof TrendingRequest>,
  ): Promise<Connection<TrendingPlace>> {
    authorize(caller, 'analytics:read');
    const { timeframe, category, first, after } = parse(TrendingRequest, input);
    const rows = await database.read<statements.TrendingRow>(statements.page(timeframe, category, first + 1, after));
    const edges = rows.slice(0, first).map((row) => ({
      cursor: cursorOf(row),
      node: { serverUuid: row.uuid, score: row.score, rank: row.rank, rankBefore: row.rank_before },
    }));
    return { edges, hasNextPage: rows.length > first };
  }

  /** How many servers there are on all pages. @throws {ApiError} like `connection`. */
  async function count(caller: Caller, input: z.input<typeof TrendingFilter>): Promise<number> {
    authorize(caller, 'analytics:read');
    const { timeframe, category } = parse(TrendingFilter, input);
    const [row] = await database.read<{ count: number }>(statements.count(timeframe, category));
    return row?.count ?? 0;
  }

  /**
   * The places of servers in the list of the week, in the same order and in one statement for each thousand: one more than the number of servers
   * with a better score, also for those that are not in the list.
   */
  async function ranksOf(serverUuids: readonly string[]): Promise<number[]> {
    const asked = [...new Set(serverUuids.filter(isUuid))];
    const byUuid = new Map<string, number>();
    for (let first = 0; first < asked.length; first += serversAskedMax) {
      const some = asked.slice(first, first + serversAskedMax);
      const rows = await database.read<{ uuid: string; rank: number }>(statements.ranks('week', some));
      for (const { uuid, rank } of rows) byUuid.set(uuid, rank);
    }
    return serverUuids.map((uuid) => byUuid.get(uuid.toLowerCase()) ?? 1);
  }

  return { connection, count, ranksOf };
}

/** How many places a server has moved up since the window before, as text: "+5", "-2", "0", or "new". Source: docs/specification/analytics.md#score. */
export function rankChangeOf({ rank, rankBefore }: Pick<TrendingPlace, 'rank' | 'rankBefore'>): string {
  if (rankBefore === null) return 'new';
  const change = rankBefore - rank;
  return change > 0 ? `+${change}` : String(change);
}
