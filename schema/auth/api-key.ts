import { connectionOf } from '../../src/platform/input/keyset.ts';
import { builder } from '../builder.ts';
import {
  connectionArgs,
  connectionType,
  listed,
  pageArgs,
  pageType,
  rowColumns,
  rowQuery,
  rowsOf,
} from '../connection.ts';
import { enumColumn, enumOf } from '../enum.ts';
import { mutation, selector } from '../mutation.ts';
import { optionalTime } from '../optional.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';
import { Profile } from './profile.ts';

const ApiKeyScope = enumOf('ApiKeyScope', 'Permissions of an API key. No scope includes another.', {
  read: 'Read the data of the profile.',
  write: 'Change the data of the profile.',
  admin: 'Manage the profiles and API keys of the project.',
});

const ApiKeyChannel = enumOf(
  'ApiKeyChannel',
  'Kind of client that uses an API key. It becomes the `source` of what the key writes.',
  { sdk: 'A program.', mcp: 'An MCP proxy.' },
);

const ApiKeyState = enumOf('ApiKeyState', 'State of an API key.', {
  active: 'The key can be used.',
  expired: 'The key has expired.',
  revoked: 'The key was revoked.',
});

const ApiKey = builder.prismaNode('ApiKey', {
  description: 'A credential that lets a program act as a profile. The secret is shown only when the key is created.',
  ...ownRow(({ caller, services }) => services.auth.apiKeys.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    profileUuid: t.expose('profileUuid', { type: 'UUID', description: 'UUID of the profile that the key acts as.' }),
    profile: t.relation('profile', { description: 'The profile that the key acts as.' }),
    name: t.exposeString('name', { description: 'The name, 1 to 100 characters.' }),
    prefix: t.exposeString('prefix', { description: 'The first 12 characters of the secret, to distinguish keys.' }),
    scopes: t.field(enumColumn('scopes', { type: [ApiKeyScope], description: 'The scopes of the key.' })),
    channel: t.field(
      enumColumn('channel', { type: ApiKeyChannel, description: 'The kind of client that uses the key.' }),
    ),
    state: t.field({
      type: ApiKeyState,
      description: 'Whether the key is active, expired or revoked.',
      select: { revokedAt: true, expiresAt: true },
      resolve: (key, _args, { services }) => services.auth.apiKeys.state(key),
    }),
    expiresAt: t.expose('expiresAt', optionalTime('Time at which the key expires; null if it does not expire.')),
    revokedAt: t.expose('revokedAt', optionalTime('Time of revocation; null if the key was not revoked.')),
    lastUsedAt: t.expose('lastUsedAt', optionalTime('Time of the last use, to the minute.')),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
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
    description:
      'The API keys of the profile, the newest first, including revoked and expired ones. An API key needs the scope ADMIN.',
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

query('apiKeys', {
  type: ApiKeyConnection,
  description:
    'The API keys of a profile, the newest first, including revoked and expired ones. An API key needs the scope ADMIN.',
  args: (arg) => ({
    ...connectionArgs(),
    profileUuid: arg.string({ description: 'UUID of the profile; the profile of the caller by default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) => listed(context.services.auth.apiKeys, 'ApiKey', args, context, info),
});

const ApiKeyPageRef = pageType('ApiKeyPage', 'apiKeys', ApiKey, 'The keys of this page.', { showsWindow: true });

query('apiKeyPage', {
  type: ApiKeyPageRef,
  description: 'The API keys of a profile by offset, as GET /api/api-keys lists them.',
  args: (arg) => ({
    profileUuid: arg.string({ description: 'UUID of the profile; the profile of the caller by default.' }),
    ...pageArgs('1 to 1000; 100 by default.'),
  }),
  extensions: { rateLimit: 'general', defaultLength: 100 },
  resolve: (_root, args, context, info) =>
    context.services.auth.apiKeys.page(context.caller, args, rowQuery(context, info, 'ApiKey', 'apiKeys')),
});

mutation('apiKeyCreate', {
  description:
    'Creates an API key. An API key needs the scope ADMIN to do this, and cannot grant scopes that it does not have.',
  rateLimit: 'sensitive',
  input: {
    description: 'A new API key.',
    argument: 'The new API key.',
    fields: (t) => ({
      profileUuid: t.string({ description: 'The profile that the key acts as; the profile of the caller by default.' }),
      name: t.string({ required: true, description: '1 to 100 characters on one line.' }),
      scopes: t.field({ type: [ApiKeyScope], description: 'The scopes of the key; READ and WRITE by default.' }),
      channel: t.field({ type: ApiKeyChannel, description: 'The kind of client that uses the key; SDK by default.' }),
      expiresAt: t.field({
        type: 'DateTime',
        description:
          'Time at which the key expires: in the future, at most ten years away. By default the key does not expire.',
      }),
    }),
  },
  payload: {
    apiKey: { type: ApiKey, description: 'The new key.' },
    secret: {
      type: 'String',
      description: 'The secret, to send as `Authorization: Bearer`. It is shown only in this response.',
    },
  },
  resolve: (input, context, info) =>
    context.services.auth.apiKeys.create(context.caller, input, rowQuery(context, info, 'ApiKey', 'apiKey')),
});

mutation('apiKeyRevoke', {
  description:
    'Permanently revokes an API key at once. Revoking a revoked key changes nothing. An API key needs the scope ADMIN.',
  rateLimit: 'sensitive',
  input: selector('The API key to revoke.'),
  payload: { apiKey: { type: ApiKey, description: 'The key, revoked.' } },
  resolve: async (input, context, info) => ({
    apiKey: await context.services.auth.apiKeys.revoke(
      context.caller,
      input,
      rowQuery(context, info, 'ApiKey', 'apiKey'),
    ),
  }),
});
