import { connectionArgs, connectionType, listed, pageArgs, pageType, rowQuery } from '../connection.ts';
import { query } from '../query.ts';
import { Collection } from './collection.ts';

const CollectionConnection = connectionType('Collection', Collection, 'A page of collections, the newest first.');

const profileArg = {
  description: 'UUID of the profile; your own by default. Of other profiles only public collections are listed.',
} as const;

query('collections', {
  type: CollectionConnection,
  description: 'The collections of a profile, the newest first. NOT_FOUND if the profile does not exist or shows none.',
  args: (arg) => ({ ...connectionArgs(), profileUuid: arg.string(profileArg) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) => listed(context.services.collections, 'Collection', args, context, info),
});

const CollectionPageRef = pageType('CollectionPage', 'collections', Collection, 'The collections of this page.');

query('collectionPage', {
  type: CollectionPageRef,
  description: 'The collections of a profile by offset, as GET /api/collections/{profileUuid} lists them.',
  args: (arg) => ({
    profileUuid: arg.string(profileArg),
    ...pageArgs('1 to 1000.', 1000),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) =>
    context.services.collections.page(context.caller, args, rowQuery(context, info, 'Collection', 'collections')),
});

query('collection', {
  type: Collection,
  description: 'A collection that is public or yours.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.collections.find(context.caller, uuid, rowQuery(context, info, 'Collection')),
});
