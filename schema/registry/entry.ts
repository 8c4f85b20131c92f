import type { GraphQLResolveInfo } from 'graphql';
import type { Connection } from '../../src/platform/keyset.ts';
import { documentBytesMax, type RegistryEntry, type RegistryHealth, versionsMax } from '../../src/registry/index.ts';
import { readForAnswer } from '../answer-budget.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowsMaxOf } from '../connection.ts';
import { asksFor } from '../selection.ts';

const RegistryEntryStatus = builder.enumType('RegistryEntryStatus', {
  description: 'How a version of a server stands in the registry.',
  values: {
    ACTIVE: { value: 'active', description: 'To be used.' },
    DEPRECATED: { value: 'deprecated', description: 'Listed still, but its owner advises against it.' },
    DELETED: { value: 'deleted', description: 'Withdrawn: what is left is a tombstone.' },
  } as const,
});

export { RegistryEntryStatus };

const RegistryEntryRef = builder.objectRef<RegistryEntry>('RegistryEntry').implement({
  description: 'A version of a server as the registry lists it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in the registry, such as io.github.owner/name.' }),
    version: t.exposeString('version', { description: 'The version.' }),
    document: t.field({
      type: 'JSONObject',
      description: 'The server.json: what its publisher says, text to show and never to trust.',
      resolve: ({ document }) => JSON.parse(document),
    }),
    status: t.field({ type: RegistryEntryStatus, description: 'How it stands.', resolve: ({ status }) => status }),
    statusMessage: t.exposeString('statusMessage', { nullable: true, description: 'Why, in the words of its owner.' }),
    statusChangedAt: t.expose('statusChangedAt', { type: 'DateTime', description: 'Since when it stands so.' }),
    publishedAt: t.expose('publishedAt', { type: 'DateTime', description: 'When it was published.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When anything of it last changed.' }),
    isLatest: t.exposeBoolean('isLatest', { description: 'Whether it is the latest version of its server.' }),
    serverUuid: t.expose('serverUuid', {
      type: 'UUID',
      nullable: true,
      description: 'The server that can be installed; null for what was withdrawn.',
    }),
  }),
});

const RegistryEntryConnection = connectionType(
  'RegistryEntry',
  RegistryEntryRef,
  'A page of the registry in the order of changes, the oldest first.',
);

/** Reads a list, with the documents only where they are asked for. */
function readEntries<Result>(
  info: GraphQLResolveInfo,
  { rowsMax, entriesOf }: { rowsMax: number; entriesOf: (result: Result) => readonly RegistryEntry[] },
  read: (withDocuments: boolean) => Promise<Result>,
): Promise<Result> {
  if (!asksFor('document', info)) return read(false);
  const bytesOf = (result: Result) => entriesOf(result).reduce((bytes, { document }) => bytes + document.length, 0);
  return readForAnswer(info, { bytesMax: rowsMax * documentBytesMax, bytesOf }, () => read(true));
}

const includeDeleted = 'Whether what was withdrawn is there, too; false if left out.';

builder.queryField('registryServers', (t) =>
  t.field({
    type: RegistryEntryConnection,
    description:
      'What the registry holds, in the order of changes: with `updatedSince` a feed, in which what was withdrawn has tombstones. `totalCount` is at most 10 000, but for `version: "latest"` alone.',
    args: {
      ...connectionArgs(),
      search: t.arg.string({ description: 'A part of the name, in any case.' }),
      updatedSince: t.arg.string({
        description: 'Only what has changed since this RFC 3339 time; to follow, the latest `updatedAt` seen.',
      }),
      version: t.arg.string({ description: '`latest`, or a version; all if left out.' }),
      includeDeleted: t.arg.boolean({ description: includeDeleted }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, { services }, info) => {
      const { catalogue } = services.registry;
      const entriesOf = ({ edges }: Connection<RegistryEntry>) => edges.map(({ node }) => node);
      const page = await readEntries(info, { rowsMax: rowsMaxOf(args.first), entriesOf }, (withDocuments) =>
        catalogue.connection(args, withDocuments),
      );
      return { ...page, count: () => catalogue.count({ ...args, first: null, after: null }) };
    },
  }),
);

builder.queryField('registryServerVersions', (t) =>
  t.field({
    type: [RegistryEntryRef],
    description: 'The versions of a server of the registry, the newest first; at most 250.',
    args: {
      name: t.arg.string({ required: true, description: 'Its name, in any case.' }),
      includeDeleted: t.arg.boolean({ description: includeDeleted }),
    },
    extensions: { rateLimit: 'general', defaultLength: versionsMax },
    resolve: (_root, { name, includeDeleted }, { services }, info) =>
      readEntries(info, { rowsMax: versionsMax, entriesOf: (versions: RegistryEntry[]) => versions }, (withDocuments) =>
        services.registry.catalogue.versions(name, includeDeleted === true, withDocuments),
      ),
  }),
);

builder.queryField('registryServer', (t) =>
  t.field({
    type: RegistryEntryRef,
    description: 'A version of a server of the registry.',
    args: {
      name: t.arg.string({ required: true, description: 'Its name, in any case.' }),
      version: t.arg.string({ description: 'Which one; the latest if left out.' }),
      includeDeleted: t.arg.boolean({ description: includeDeleted }),
    },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { name, version, includeDeleted }, { services }) =>
      services.registry.catalogue.find(name, version ?? 'latest', includeDeleted === true),
  }),
);

const RegistryHealthStatus = builder.enumType('RegistryHealthStatus', {
  description: 'Whether the registry does all that it is for.',
  values: {
    HEALTHY: { value: 'healthy', description: 'All of it.' },
    DEGRADED: { value: 'degraded', description: 'It can be read, but takes no changes at the moment.' },
  } as const,
});

const RegistryHealthRef = builder.objectRef<RegistryHealth>('RegistryHealth').implement({
  description: 'How the registry stands.',
  fields: (t) => ({
    status: t.field({ type: RegistryHealthStatus, description: 'Whether it works.', resolve: ({ status }) => status }),
    version: t.exposeString('version', { description: 'The version of the platform.' }),
    lastIndexedAt: t.expose('lastIndexedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When something was last taken up.',
    }),
    totalServers: t.exposeInt('totalServers', { description: 'How many servers are listed.' }),
  }),
});

builder.queryField('registryHealth', (t) =>
  t.field({
    type: RegistryHealthRef,
    description: 'How the registry stands.',
    extensions: { rateLimit: 'general' },
    resolve: (_root, _args, { caller, services }) => services.registry.catalogue.health(caller),
  }),
);
