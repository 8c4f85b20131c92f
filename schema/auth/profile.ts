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
import { mutation, selector } from '../mutation.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';
import { Project } from './project.ts';

export const Profile = builder.prismaNode('Profile', {
  description: 'The tenant: all data belongs to a profile, and every caller acts as one.',
  ...ownRow(({ caller, services }) => services.auth.profiles.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    projectUuid: t.expose('projectUuid', { type: 'UUID', description: 'UUID of the project.' }),
    project: t.relation('project', { description: 'The project of the profile.' }),
    name: t.exposeString('name', { description: 'The name, 1 to 100 characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

const ProfileConnection = connectionType(
  'Profile',
  Profile,
  'A page of profiles, the oldest first. An API key without the scope ADMIN sees only its own profile.',
);

builder.prismaObjectField(Project, 'profiles', (t) =>
  t.field({
    type: ProfileConnection,
    description: 'The profiles of the project that you may see, the oldest first.',
    args: connectionArgs(),
    select: (args, { caller, services }, nestedSelection) => ({
      profiles: nestedSelection(
        { ...services.auth.profiles.related(caller, args), select: rowColumns },
        rowsOf('Profile'),
      ),
    }),
    resolve: ({ uuid, profiles }, args, { caller, services }) => ({
      ...connectionOf(profiles, args),
      count: () => services.auth.profiles.count(caller, { projectUuid: uuid }),
    }),
  }),
);

query('profiles', {
  type: ProfileConnection,
  description:
    'The profiles of a project, the oldest first. An API key without the scope ADMIN sees only its own profile.',
  args: (arg) => ({
    ...connectionArgs(),
    projectUuid: arg.string({ description: 'UUID of the project; the project of the caller by default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) => listed(context.services.auth.profiles, 'Profile', args, context, info),
});

const ProfilePageRef = pageType('ProfilePage', 'profiles', Profile, 'The profiles of this page.', {
  showsWindow: true,
});

query('profilePage', {
  type: ProfilePageRef,
  description: 'The profiles of a project by offset, as GET /api/profiles lists them.',
  args: (arg) => ({
    projectUuid: arg.string({ description: 'UUID of the project; the project of the caller by default.' }),
    ...pageArgs('1 to 1000; 100 by default.'),
  }),
  extensions: { rateLimit: 'general', defaultLength: 100 },
  resolve: (_root, args, context, info) =>
    context.services.auth.profiles.page(context.caller, args, rowQuery(context, info, 'Profile', 'profiles')),
});

mutation('profileCreate', {
  description: 'Creates a profile. A project has at most 100 profiles. An API key needs the scope ADMIN.',
  rateLimit: 'general',
  input: {
    description: 'A new profile.',
    argument: 'The profile.',
    fields: (t) => ({
      projectUuid: t.string({ description: 'UUID of the project; the project of the caller by default.' }),
      name: t.string({ required: true, description: '1 to 100 characters on one line.' }),
    }),
  },
  payload: { profile: { type: Profile, description: 'The new profile.' } },
  resolve: async (input, context, info) => ({
    profile: await context.services.auth.profiles.create(
      context.caller,
      input,
      rowQuery(context, info, 'Profile', 'profile'),
    ),
  }),
});

mutation('profileActivate', {
  description: 'Selects the profile that all your sessions act as from the next request on. Requires a session.',
  rateLimit: 'general',
  input: selector('The profile to act as.', {
    argument: 'The profile to activate.',
    uuid: 'The uuid of one of your profiles.',
  }),
  payload: { profile: { type: Profile, description: 'The profile.' } },
  resolve: async (input, context, info) => ({
    profile: await context.services.auth.profiles.activate(
      context.caller,
      input,
      rowQuery(context, info, 'Profile', 'profile'),
    ),
  }),
});

mutation('profileDelete', {
  description:
    'Permanently deletes a profile with everything that belongs to it. Its API keys end within a second, and its deliveries stop. The last profile of an account cannot be deleted.',
  rateLimit: 'general',
  input: selector('The profile to delete.', { argument: 'The profile.', uuid: 'The uuid of the profile.' }),
  payload: { uuid: { type: 'UUID', description: 'The uuid of the deleted profile.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.auth.removal.removeProfile(caller, input),
  }),
});
