import { z } from 'zod';
import { afterCursor, firstRows, isUuid, oneOf, pageLimit, storableText } from '../platform/input/input.ts';

/** The window that a trend is of. Source: docs/specification/analytics.md#trending-servers. */
export const timeframes = ['day', 'week', 'month'] as const;
export type Timeframe = (typeof timeframes)[number];

/** Source: docs/specification/analytics.md#trending-servers. */
const pageDefault = 20;
const pageMax = 100;

const TimeframeName = oneOf('timeframe', timeframes)
  .nullish()
  .transform((timeframe) => timeframe ?? 'week')
  .describe('Period; `week` by default.');

/** Any text: a category that no server is of has an empty list. Empty is that of none, as a form sends it. */
const Category = storableText('category')
  .nullish()
  .transform((category) => category || null)
  .describe('Only servers of this category.');

/** Which list. */
export const TrendingFilter = z.object({ timeframe: TimeframeName, category: Category });

/** What GET /api/trending/servers takes. */
export const TrendingQuery = TrendingFilter.extend({
  limit: pageLimit(pageMax, pageDefault),
});

/** The place of a server in the list: by score, and among those of one score by uuid. */
export interface Place {
  readonly score: number;
  readonly uuid: string;
}

export const cursorOf = ({ score, uuid }: Place): string => Buffer.from(`t:${score}:${uuid}`).toString('base64url');

function placeOf(cursor: string): Place | null {
  const [kind, score = '', uuid, ...rest] = Buffer.from(cursor.slice(0, 100), 'base64url').toString().split(':');
  const isPlace = kind === 't' && /^[1-9]\d{0,8}$/.test(score) && isUuid(uuid) && rest.length === 0;
  return isPlace ? { score: Number(score), uuid } : null;
}

/** A page of the graph: 0 to 100 servers, 20 if left out. */
export const TrendingRequest = TrendingFilter.extend({
  first: firstRows(pageMax, pageDefault),
  after: afterCursor(placeOf),
});
