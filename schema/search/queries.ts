import { queryFromInfo } from '@pothos/plugin-prisma';
import type { FoundPage } from '../../src/search/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, rowColumns, rowPaths, rowsMaxOf } from '../connection.ts';
import { McpPackageType, McpServerSource } from '../mcp-servers/enums.ts';
import { McpServerConnection, readServers } from '../mcp-servers/queries.ts';
import { McpServer } from '../mcp-servers/server.ts';
import { McpServerSort } from './enums.ts';

/** What a search may ask for. */
const searchArgs = () =>
  builder.args((t) => ({
    query: t.string({
      required: true,
      description:
        'Words, at most 500 characters; empty for every server. The last may be the beginning of one, and misspelled ones are understood.',
    }),
    source: t.field({ type: McpServerSource, description: 'Only those that the platform knows from there.' }),
    package: t.field({ type: McpPackageType, description: 'Only those that are packaged so.' }),
    repository: t.string({
      description:
        'Only those of a repository: its URL in any spelling, or whole parts of it, such as `owner/name` or `owner`.',
    }),
    sort: t.field({ type: McpServerSort, description: 'In which order; RELEVANCE by default.' }),
  }));

builder.queryField('servers', (t) =>
  t.field({
    type: McpServerConnection,
    description:
      'Public MCP servers, found by words and filters. Everybody finds the same. With words, up to the 1 000 best are found and counted; ten thousand can be paged through.',
    args: { ...searchArgs(), ...connectionArgs() },
    extensions: { rateLimit: 'search' },
    resolve: (_root, args, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'McpServer', paths: rowPaths, select: rowColumns });
      const shape = {
        rowsMax: rowsMaxOf(args.first),
        countOf: ({ edges }: { edges: readonly object[] }) => edges.length,
      };
      return readServers(info, shape, () => context.services.search.found.connection(context.caller, args, query));
    },
  }),
);

const McpServerPageRef = builder.objectRef<FoundPage>('McpServerPage').implement({
  description: 'A part of what a search finds, as GET /api/search shows it.',
  fields: (t) => ({
    servers: t.field({ type: [McpServer], description: 'The servers.', resolve: ({ servers }) => servers as never }),
    total: t.exposeInt('total', {
      description: 'How many are found; with words or a repository up to 1 000, which then means 1 000 or more.',
    }),
    limit: t.exposeInt('limit', { description: 'How many were asked for.' }),
    offset: t.exposeInt('offset', { description: 'How many were passed over.' }),
  }),
});

builder.queryField('serverPage', (t) =>
  t.field({
    type: McpServerPageRef,
    description: 'What `servers` finds, by offset, as GET /api/search lists it.',
    args: {
      ...searchArgs(),
      limit: t.arg.int({ description: '1 to 100; 20 by default.' }),
      offset: t.arg.int({ description: 'How many to pass over, at most 10 000; none by default.' }),
    },
    extensions: { rateLimit: 'search' },
    resolve: (_root, args, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'McpServer', path: ['servers'], select: rowColumns });
      const shape = { rowsMax: rowsMaxOf(args.limit), countOf: ({ servers }: FoundPage) => servers.length };
      return readServers(info, shape, () => context.services.search.found.page(context.caller, args, args, query));
    },
  }),
);
