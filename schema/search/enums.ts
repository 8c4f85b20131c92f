import { enumOf } from '../enum.ts';

export const McpServerSort = enumOf('McpServerSort', 'Order of search results.', {
  relevance: 'The best matches first; the same as POPULAR when the search has no words.',
  recent: 'The newest first.',
  popular: 'By installations, then by rating.',
});
