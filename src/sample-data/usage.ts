import { catalogue } from './catalogue.ts';
import { people } from './people.ts';
import type { SampleServer } from './sample-server.ts';
import type { Story, Who } from './story.ts';

/** From here on a server is there for others, after it was added. */
const shownAfterDays = 0.6;

/** Servers of others that the owner of the sample data has installed. */
const installedByOwner = [
  'fetch',
  'git',
  'time',
  'sequential-thinking',
  'playwright',
  'context7',
  'supabase',
  'sentry',
  'kubernetes',
  'notion',
  'linear',
  'markitdown',
];

/** The people install, rate and call each other's servers. */
export function addUsageOfPeople(story: Story): void {
  for (const server of catalogue)
    for (const { name } of people)
      if (server.by !== 'owner' && (server.by === name || story.random.chance(server.popularity / 14)))
        addUse(story, name, server, { callsEveryDay: 0.22, callsMax: 3 });
}

/** The owner of the sample data uses their own servers and some of others, and the people use the owner's public ones. */
export function addUsageOfOwner(story: Story): void {
  for (const server of catalogue) {
    const isUsed = server.by === 'owner' || installedByOwner.includes(server.input.name);
    if (isUsed) addUse(story, 'owner', server, { callsEveryDay: server.popularity / 20, callsMax: 3 });
    if (server.by === 'owner' && server.isPublic)
      for (const { name } of people)
        if (story.random.chance(server.popularity / 8))
          addUse(story, name, server, { callsEveryDay: 0.2, callsMax: 2 });
  }
}

function addUse(
  { at, random }: Story,
  who: Who,
  { addedDaysAgo, popularity, by, input: { name } }: SampleServer,
  { callsEveryDay, callsMax }: { callsEveryDay: number; callsMax: number },
): void {
  const earliest = addedDaysAgo - shownAfterDays;
  const installed = who === by ? earliest : Math.max(0.1, earliest * (1 - random.next() * 0.8));
  const isTriedOnly = who !== by && random.chance(0.15);
  const removed = isTriedOnly ? installed * 0.5 : 0;
  at(installed, async ({ services, as, server }) => services.mcpServers.usage.install(as(who), await server(name)));
  for (let day = installed - random.next(); day > removed; day -= 1) if (random.chance(callsEveryDay)) addCalls(day);
  if (who !== by && random.chance(0.6)) {
    const rating = Math.min(5, random.integer(3, 5) + (popularity > 8 ? 1 : 0));
    at((installed + removed) / 2, async ({ services, as, server }) =>
      services.mcpServers.usage.rate(as(who), await server(name), { rating }),
    );
  }
  if (isTriedOnly)
    at(removed, async ({ services, as, server }) => services.mcpServers.usage.uninstall(as(who), await server(name)));

  function addCalls(day: number): void {
    for (let calls = random.integer(1, callsMax); calls > 0; calls--) {
      const success = random.chance(0.95);
      at(Math.max(day - random.next() / 24, removed + 0.001), async ({ services, as, server }) =>
        services.mcpServers.usage.report(as(who), await server(name), { action: 'tool_call', success }),
      );
    }
  }
}
