import type { McpServerStats } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';
import { optionalTime } from '../optional.ts';

export const McpServerStatsRef = builder.objectRef<McpServerStats>('McpServerStats').implement({
  description: 'Usage statistics of a server.',
  fields: (t) => ({
    installations: t.exposeInt('installations', {
      description: 'Number of users that have installed the server in one or more profiles.',
    }),
    rating: t.exposeFloat('rating', { description: 'Mean of all ratings, 1 to 5; 0 without ratings.' }),
    ratingsCount: t.exposeInt('ratingsCount', { description: 'Number of ratings.' }),
    lastActivityAt: t.expose(
      'lastActivityAt',
      optionalTime('Time of the latest reported call, installation or removal.'),
    ),
    dailyInstalls: t.exposeIntList('dailyInstalls', {
      description: 'Installations on each of the last 30 days (UTC), the oldest first; today is the last.',
    }),
  }),
});
