import { queryFromInfo } from '@pothos/plugin-prisma';
import type { ApiKeyPage } from '../../src/auth/index.ts';
import { connectionOf } from '../../src/platform/keyset.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowPaths, rowsOf } from '../connection.ts';
import { knownUuid } from './known-uuid.ts';
import { Profile } from './profile.ts';

const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'What a key may do. The scopes do not include one another.',
  values: {
    READ: { value: 'read', description: 'Read what belongs to its profile.' },
    WRITE: { value: 'write', description: 'Change what belongs to its profile.' },
    ADMIN: { value: 'admin', description: 'Manage the profiles and API keys of its project.' },
  } as const,
});

const ApiKeyChannel = builder.enumType('ApiKeyChannel', {
  description: 'What uses a key. It decides the `source` of what the key writes.',
  values: {
    SDK: { value: 'sdk', description: 'A program, by an SDK or by hand.' },
    MCP: { value: 'mcp', description: 'An MCP proxy.' },
  } as const,
});

const ApiKeyState = builder.enumType('ApiKeyState', {
  description: 'Whether a key works.',
  values: {
    ACTIVE: { value: 'active', description: 'It does.' },
    EXPIRED: { value: 'expired', description: 'Its time is over.' },
    REVOKED: { value: 'revoked', description: 'It was revoked.' },
  } as const,
});

const ApiKey = builder.prismaNode('ApiKey', {
  description: 'A secret by which a program acts as a profile. The secret itself is shown once, when it is made.',
  id: { field: 'uuid', description: 'The global id.' },
  // Named columns alone are read, so the key's hash never leaves the database.
  select: rowColumns,
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({
    uuid: knownUuid(uuid),
    AND: [services.auth.apiKeys.visible(caller)],
  }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    profileUuid: t.expose('profileUuid', { type: 'UUID', description: 'The uuid of the profile that it acts as.' }),
    profile: t.relation('profile', { description: 'The profile that it acts as.' }),
    name: t.exposeString('name', { description: 'The name, 1 to 100 characters.' }),
    prefix: t.exposeString('prefix', { description: 'The first 12 characters of the secret, to tell keys apart.' }),
    scopes: t.field({
      type: [ApiKeyScope],
      description: 'What it may do.',
      select: { scopes: true },
      resolve: ({ scopes }) => scopes as ('read' | 'write' | 'admin')[],
    }),
    channel: t.field({
      type: ApiKeyChannel,
      description: 'What uses it.',
      select: { channel: true },
      resolve: ({ channel }) => channel as 'sdk' | 'mcp',
    }),
    state: t.field({
      type: ApiKeyState,
      description: 'Whether it works now.',
      select: { revokedAt: true, expiresAt: true },
      resolve: (key, _args, { services }) => services.auth.apiKeys.state(key),
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When its time is over.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const ApiKeyConnection = connectionType(
  'ApiKey',
  ApiKey,
  'A page of API keys, the newest first. Revoked and expired ones are among them.',
);

builder.prismaObjectField(Profile, 'apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description: 'Its API keys, the newest first, the revoked and expired ones too. An API key needs the scope ADMIN.',
    args: connectionArgs(),
    select: (args, { caller, services }, nestedSelection) => ({
      apiKeys: nestedSelection(
        { ...services.auth.apiKeys.related(caller, args), select: rowColumns },
        rowsOf('ApiKey'),
      ),
    }),
    resolve: ({ uuid, apiKeys }, args, { caller, services }) => ({
      ...connectionOf(apiKeys, args),
      count: () => services.auth.apiKeys.count(caller, { profileUuid: uuid }),
    }),
  }),
);

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description:
      'The API keys of a profile, the newest first, the revoked and expired ones too. An API key needs the scope ADMIN.',
    args: {
      ...connectionArgs(),
      profileUuid: t.arg.string({ description: "The profile; the caller's own by default." }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, context, info) => {
      const { caller, services } = context;
      const query = queryFromInfo({ context, info, typeName: 'ApiKey', paths: rowPaths, select: rowColumns });
      const page = await services.auth.apiKeys.connection(caller, args, query);
      return { ...page, count: () => services.auth.apiKeys.count(caller, args) };
    },
  }),
);

const ApiKeyPageRef = builder.objectRef<ApiKeyPage>('ApiKeyPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    apiKeys: t.field({ type: [ApiKey], description: 'The keys of this page.', resolve: ({ apiKeys }) => apiKeys }),
    total: t.exposeInt('total', { description: 'How many there are on all pages together.' }),
    limit: t.exposeInt('limit', { description: 'How many were asked for.' }),
    offset: t.exposeInt('offset', { description: 'How many were passed over.' }),
  }),
});

builder.queryField('apiKeyPage', (t) =>
  t.field({
    type: ApiKeyPageRef,
    description: 'The API keys of a profile by offset, as GET /api/api-keys lists them.',
    args: {
      profileUuid: t.arg.string({ description: "The profile; the caller's own by default." }),
      limit: t.arg.int({ description: '1 to 1000; 100 by default.' }),
      offset: t.arg.int({ description: 'How many to pass over; none by default.' }),
    },
    extensions: { rateLimit: 'general', defaultLength: 100 },
    resolve: (_root, args, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'ApiKey', path: ['apiKeys'], select: rowColumns });
      return context.services.auth.apiKeys.page(context.caller, args, query);
    },
  }),
);

const ApiKeyCreateInput = builder.inputType('ApiKeyCreateInput', {
  description: 'An API key to make.',
  fields: (t) => ({
    profileUuid: t.string({ description: "The profile that it acts as; the caller's own by default." }),
    name: t.string({ required: true, description: '1 to 100 characters on one line.' }),
    scopes: t.field({ type: [ApiKeyScope], description: 'What it may do; READ and WRITE by default.' }),
    channel: t.field({ type: ApiKeyChannel, description: 'What uses it; SDK by default.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When its time is over: in the future, at most ten years away; never by default.',
    }),
  }),
});

const ApiKeyCreatePayload = builder
  .objectRef<{ apiKey: typeof ApiKey.$inferType; secret: string }>('ApiKeyCreatePayload')
  .implement({
    description: 'What `apiKeyCreate` did.',
    fields: (t) => ({
      apiKey: t.field({ type: ApiKey, description: 'The new key.', resolve: ({ apiKey }) => apiKey }),
      secret: t.exposeString('secret', {
        description: 'What to send as `Authorization: Bearer`. Shown this once; it cannot be had again.',
      }),
    }),
  });

builder.mutationField('apiKeyCreate', (t) =>
  t.field({
    type: ApiKeyCreatePayload,
    description:
      'Makes an API key. An API key needs the scope ADMIN for it, and cannot make one that may do more than itself.',
    args: { input: t.arg({ type: ApiKeyCreateInput, required: true, description: 'The key.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: (_root, { input }, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'ApiKey', path: ['apiKey'], select: rowColumns });
      return context.services.auth.apiKeys.create(context.caller, input, query);
    },
  }),
);

const ApiKeyRevokeInput = builder.inputType('ApiKeyRevokeInput', {
  description: 'The API key to revoke.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

const ApiKeyRevokePayload = builder.objectRef<{ apiKey: typeof ApiKey.$inferType }>('ApiKeyRevokePayload').implement({
  description: 'What `apiKeyRevoke` did.',
  fields: (t) => ({
    apiKey: t.field({ type: ApiKey, description: 'The key, revoked.', resolve: ({ apiKey }) => apiKey }),
  }),
});

builder.mutationField('apiKeyRevoke', (t) =>
  t.field({
    type: ApiKeyRevokePayload,
    description:
      'Ends an API key for good, at once. One that is revoked already stays as it is. An API key needs the scope ADMIN.',
    args: { input: t.arg({ type: ApiKeyRevokeInput, required: true, description: 'Which key.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input }, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'ApiKey', path: ['apiKey'], select: rowColumns });
      return { apiKey: await context.services.auth.apiKeys.revoke(context.caller, input, query) };
    },
  }),
);
