import { builder } from '../builder.ts';

export const McpServerSort = builder.enumType('McpServerSort', {
  description: 'Order of search results.',
  values: {
    RELEVANCE: {
      value: 'relevance',
      description: 'The best matches first; the same as POPULAR when the search has no words.',
    },
    RECENT: { value: 'recent', description: 'The newest first.' },
    POPULAR: { value: 'popular', description: 'By installations, then by rating.' },
  } as const,
});
