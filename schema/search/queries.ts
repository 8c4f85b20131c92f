import type { FoundPage } from '../../src/search/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, rowQuery, rowsMaxOf, rowsQuery } from '../connection.ts';
import { McpPackageType, McpServerSource } from '../mcp-servers/enums.ts';
import { McpServerConnection, readServers } from '../mcp-servers/queries.ts';
import { McpServer } from '../mcp-servers/server.ts';
import { query } from '../query.ts';
import { McpServerSort } from './enums.ts';

/** What a search may ask for. */
const searchArgs = () =>
  builder.args((t) => ({
    query: t.string({
      required: true,
      description:
        'Words, at most 500 characters; empty for all servers. The last word may be incomplete, and misspelled words are matched.',
    }),
    source: t.field({ type: McpServerSource, description: 'Only servers of this origin.' }),
    package: t.field({ type: McpPackageType, description: 'Only servers of this package registry.' }),
    repository: t.string({
      description:
        'Only servers of a repository: its URL in any spelling, or whole parts of it, such as `owner/name` or `owner`.',
    }),
    sort: t.field({ type: McpServerSort, description: 'Order of the results; RELEVANCE by default.' }),
  }));

query('servers', {
  type: McpServerConnection,
  description:
    'Search for public MCP servers by words and filters. Results do not depend on the caller. A search with words finds and counts at most the 1 000 best; a list without words has at most 10 000.',
  args: () => ({ ...searchArgs(), ...connectionArgs() }),
  extensions: { rateLimit: 'search' },
  resolve: (_root, args, context, info) => {
    const query = rowsQuery(context, info, 'McpServer');
    const shape = {
      rowsMax: rowsMaxOf(args.first),
      countOf: ({ edges }: { edges: readonly object[] }) => edges.length,
    };
    return readServers(info, shape, () => context.services.search.found.connection(context.caller, args, query));
  },
});

const McpServerPageRef = builder.objectRef<FoundPage>('McpServerPage').implement({
  description: 'A page of search results by offset, as in GET /api/search.',
  fields: (t) => ({
    servers: t.field({ type: [McpServer], description: 'The servers.', resolve: ({ servers }) => servers as never }),
    total: t.exposeInt('total', {
      description:
        'Number of results. A search by words or repository counts up to 1 000; 1 000 then means 1 000 or more.',
    }),
    limit: t.exposeInt('limit', { description: 'Size of the page that was requested.' }),
    offset: t.exposeInt('offset', { description: 'Number of objects before this page.' }),
  }),
});

query('serverPage', {
  type: McpServerPageRef,
  description: 'The results of `servers` by offset, as in GET /api/search.',
  args: (arg) => ({
    ...searchArgs(),
    limit: arg.int({ description: '1 to 100; 20 by default.' }),
    offset: arg.int({ description: 'Number of results to skip, at most 10 000; 0 by default.' }),
  }),
  extensions: { rateLimit: 'search' },
  resolve: (_root, args, context, info) => {
    const query = rowQuery(context, info, 'McpServer', 'servers');
    const shape = { rowsMax: rowsMaxOf(args.limit), countOf: ({ servers }: FoundPage) => servers.length };
    return readServers(info, shape, () => context.services.search.found.page(context.caller, args, args, query));
  },
});
