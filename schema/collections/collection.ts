import type { Place } from '../../src/collections/index.ts';
import { builder } from '../builder.ts';
import { connectionType, rowsQuery } from '../connection.ts';
import { McpServer } from '../mcp-servers/server.ts';
import { optional } from '../optional.ts';
import { readForResponse } from '../response-budget.ts';
import { ownRow } from '../row.ts';
import { asksFor } from '../selection.ts';
import { collectionServerLoaders } from './server-loader.ts';

export const Collection = builder.prismaNode('Collection', {
  description: 'A named group of MCP servers.',
  ...ownRow(({ caller, services }) => services.collections.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    profileUuid: t.expose('profileUuid', {
      type: 'UUID',
      description: 'UUID of the profile that owns the collection.',
    }),
    name: t.exposeString('name', { description: 'Name of the object.' }),
    description: t.exposeString('description', optional('Purpose of the object.')),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether all users can see it.' }),
    isOwn: t.boolean({
      description: 'Whether the object belongs to your profile.',
      select: { profileUuid: true },
      resolve: (collection, _args, { caller, services }) => services.collections.isOwn(caller, collection),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

const CollectionServerConnection = connectionType(
  'CollectionServer',
  McpServer,
  'A page of the servers of a collection in the order of the owner. Servers that you may not see are left out and not counted.',
);

/** Columns of a server that are always read: its figures and the short texts. */
const longFields = ['command', 'args', 'url', 'env', 'headers', 'notes', 'tags'];

builder.prismaObjectField(Collection, 'servers', (t) =>
  t.field({
    type: CollectionServerConnection,
    description: 'The servers that you may see, in the order of the owner.',
    args: {
      first: t.arg.int({ description: 'Number of servers: at most 500, 20 by default.' }),
      after: t.arg.string({ description: 'The cursor after which the page begins.' }),
    },
    // Not a relation: Prisma would read all servers of all collections, and cut the pages out of them itself.
    resolve: async ({ uuid }, args, context, info) => {
      // Also marks, for each collection, the selection of its servers as loaded for Pothos.
      const query = rowsQuery(context, info, 'McpServer');
      const isWhole = longFields.some((field) => asksFor(field, info));
      const { pages, counts, servers } = collectionServerLoaders(context, info, args, isWhole, query);
      const { places, hasNextPage, bytes } = await pages.load(uuid);
      const isAsked = asksFor('nodes', info) || asksFor('node', info);
      const read = () =>
        Promise.all(places.map(async (place) => ({ place, node: await servers.load(place.serverUuid) })));
      const edges = isAsked
        ? await readForResponse(info, { bytesMax: bytes, bytesOf: () => bytes }, read)
        : places.map((place) => ({ place, node: null }));
      const shown = edges.flatMap(({ place, node }) => (node || !isAsked ? [edgeOf(place, node as never)] : []));
      return { edges: shown, hasNextPage, count: () => counts.load(uuid) };
    },
  }),
);

/** A cursor is sealed, and made only where it is asked for. */
const edgeOf = <Row>(place: Place, node: Row): { cursor: string; node: Row } => ({
  node,
  get cursor() {
    return place.cursor();
  },
});
