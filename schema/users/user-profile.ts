import { unauthorized } from '../../src/platform/errors.ts';
import type { UserProfile } from '../../src/users/index.ts';
import { User } from '../auth/user.ts';
import { builder } from '../builder.ts';
import { optional } from '../optional.ts';

export const UserProfileRef = builder.objectRef<UserProfile>('UserProfile');

builder.node(UserProfileRef, {
  description: 'Public profile of a user. Callers can read public profiles and their own.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids: string[], { caller, services }) => services.users.find(caller, uuids),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the user, as in events.' }),
    username: t.exposeString('username', { description: 'The user name, in the case chosen at sign-up.' }),
    bio: t.exposeString(
      'bio',
      optional(
        'At most 1 000 characters of plain text. Escape it for display; it may contain text that looks like HTML.',
      ),
    ),
    avatarUrl: t.exposeString('avatarUrl', optional('The picture: an http or https URL.')),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether other users can see the profile.' }),
    socialLinks: t.expose('socialLinks', {
      type: 'JSONObject',
      description: 'Links by kind of site, such as `github`: http or https URLs.',
    }),
    followersCount: t.exposeInt('followersCount', {
      description: 'Number of followers, including users whose profiles are not public.',
    }),
    followingCount: t.exposeInt('followingCount', {
      description: 'Number of followed users, including users whose profiles are not public.',
    }),
    serversCount: t.exposeInt('serversCount', { description: 'Number of public servers of the user.' }),
    followedByViewer: t.exposeBoolean('isFollowedByViewer', { description: 'Whether you follow the user.' }),
  }),
});

builder.prismaObjectField(User, 'publicProfile', (t) =>
  t.field({
    type: UserProfileRef,
    description: 'Public profile of the user.',
    select: { uuid: true },
    resolve: async ({ uuid }, _args, { caller, services }) => {
      const [own] = await services.users.find(caller, [uuid]);
      // Disabled meanwhile.
      if (!own) throw unauthorized();
      return own;
    },
  }),
);
