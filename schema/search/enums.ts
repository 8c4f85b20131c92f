import { builder } from '../builder.ts';

export const McpServerSort = builder.enumType('McpServerSort', {
  description: 'In which order servers are found.',
  values: {
    RELEVANCE: { value: 'relevance', description: 'What fits best first; where no words are given, as POPULAR.' },
    RECENT: { value: 'recent', description: 'The newest first.' },
    POPULAR: { value: 'popular', description: 'By installations, then by rating.' },
  } as const,
});
