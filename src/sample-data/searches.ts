import { people } from './people.ts';
import type { Story } from './story.ts';

/** What the people look for: more than two of them each, so that it is shown. */
const searches: readonly { readonly query: string; readonly opened: string }[] = [
  { query: 'browser automation', opened: 'playwright' },
  { query: 'postgres', opened: 'supabase' },
  { query: 'documentation', opened: 'context7' },
  { query: 'web search', opened: 'exa' },
  { query: 'kubernetes', opened: 'kubernetes' },
  { query: 'notes', opened: 'notion' },
];

/** The sample users search, and open some of the results. */
export function addSearches({ at, random }: Story): void {
  for (const { query, opened } of searches)
    for (const { name } of people)
      if (random.chance(0.8))
        for (let times = random.integer(1, 3); times > 0; times -= 1) {
          const isOpened = random.chance(0.6);
          at(random.next() * 6 + 0.1, async ({ services: { search }, as, server }) => {
            await search.found.page(as(name), { query }, {});
            if (isOpened) await search.statistics.reportOpened(as(name), { query, serverUuid: await server(opened) });
            await search.statistics.flush();
          });
        }
}
