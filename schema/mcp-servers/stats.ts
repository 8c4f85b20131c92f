import type { McpServerStats } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';

export const McpServerStatsRef = builder.objectRef<McpServerStats>('McpServerStats').implement({
  description: 'How a server is used.',
  fields: (t) => ({
    installations: t.exposeInt('installations', {
      description: 'How many users have it installed, in however many profiles.',
    }),
    rating: t.exposeFloat('rating', { description: '1 to 5, the mean of all ratings; 0 while there is none.' }),
    ratingsCount: t.exposeInt('ratingsCount', { description: 'How many users have rated it.' }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The latest call that a client reported, installation or removal.',
    }),
    dailyInstalls: t.exposeIntList('dailyInstalls', {
      description: 'Installations on each of the last 30 days (UTC), the oldest first; today is the last.',
    }),
  }),
});
