import type { Story, Who } from './story.ts';

interface SampleCollection {
  readonly by: Who;
  readonly madeDaysAgo: number;
  readonly name: string;
  readonly description: string;
  readonly servers: readonly string[];
  readonly isPublic: boolean;
}

const collections: readonly SampleCollection[] = [
  {
    by: 'ada',
    madeDaysAgo: 27,
    name: 'Reference servers',
    description: 'Small, well read, and the ones to learn from.',
    servers: ['fetch', 'git', 'time', 'sequential-thinking'],
    isPublic: true,
  },
  {
    by: 'chen',
    madeDaysAgo: 17,
    name: 'Research desk',
    description: 'Finding things, and reading them.',
    servers: ['exa', 'tavily', 'arxiv', 'deepwiki', 'fetch', 'context7'],
    isPublic: true,
  },
  {
    by: 'emeka',
    madeDaysAgo: 13,
    name: 'On call',
    description: 'What to open when the pager rings.',
    servers: ['grafana', 'sentry', 'kubernetes', 'terraform'],
    isPublic: true,
  },
  {
    by: 'owner',
    madeDaysAgo: 20,
    name: 'Everyday',
    description: 'Always installed.',
    servers: ['filesystem', 'memory', 'git', 'fetch', 'time'],
    isPublic: false,
  },
  {
    by: 'owner',
    madeDaysAgo: 11,
    name: 'Web development',
    description: 'From the design to the browser.',
    servers: ['playwright', 'context7', 'github', 'supabase', 'sentry'],
    isPublic: true,
  },
  {
    by: 'owner',
    madeDaysAgo: 4,
    name: 'To try',
    description: 'Seen somewhere, not used yet.',
    servers: ['chrome-devtools', 'figma-context', 'markitdown', 'qdrant'],
    isPublic: false,
  },
];

/** Made private and, where they are to be shared, made public the day after, as people do. */
export const addCollections = (whose: 'people' | 'owner') => (story: Story) => {
  for (const { by, madeDaysAgo, servers, isPublic, ...facts } of collections) {
    if ((by === 'owner') !== (whose === 'owner')) continue;
    story.at(madeDaysAgo, async ({ services, as, server }) => {
      const serverUuids: string[] = [];
      for (const name of servers) serverUuids.push(await server(name));
      await services.collections.create(as(by), { ...facts, serverUuids });
    });
    if (isPublic)
      story.at(madeDaysAgo - 1, async ({ services, as }) => {
        const { collections: own } = await services.collections.page(as(by), {});
        const made = own.find(({ name }) => name === facts.name);
        if (made) await services.collections.update(as(by), made.uuid, { isPublic: true });
      });
  }
};
