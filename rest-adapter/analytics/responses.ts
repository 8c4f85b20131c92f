import { z } from 'zod';
import { timeframes } from '../../src/analytics/input.ts';
import { namedObject } from '../schema.ts';

const trendingServer = namedObject('TrendingServer', {
  uuid: z.uuid(),
  name: z.string(),
  slug: z.string(),
  category: z.string().nullable(),
  installation_count: z.int(),
  rating: z.number().describe('1 to 5; 0 without ratings.'),
  trending_score: z.int().min(1),
  rank_change: z
    .string()
    .regex(/^(new|0|[+-][1-9]\d*)$/)
    .describe('Change of rank since the previous period, among all categories: "+5", "-2", "0" or "new".'),
});

export const trendingResponse = z.strictObject({
  servers: z.array(trendingServer).describe('The servers, the best score first.'),
  total: z.int().describe('Number of servers on all pages.'),
  timeframe: z.enum(timeframes),
});
