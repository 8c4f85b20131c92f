import { unauthorized } from '../../src/platform/errors.ts';
import type { UserProfile } from '../../src/users/index.ts';
import { User } from '../auth/user.ts';
import { builder } from '../builder.ts';

export const UserProfileRef = builder.objectRef<UserProfile>('UserProfile');

builder.node(UserProfileRef, {
  description: 'What a user shows of itself to others. Only public ones and your own are to be seen.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids: string[], { caller, services }) => services.users.find(caller, uuids),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid of the user, as events name it.' }),
    username: t.exposeString('username', { description: 'The user name, in the case in which it was chosen.' }),
    bio: t.exposeString('bio', {
      nullable: true,
      description:
        'At most 1 000 characters of plain text. What looks like HTML is text too: escape it where it is shown.',
    }),
    avatarUrl: t.exposeString('avatarUrl', {
      nullable: true,
      description: 'The picture: an http or https URL.',
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether others see it.' }),
    socialLinks: t.field({
      type: 'JSONObject',
      description: 'A map from a kind of site, such as `github`, to an http or https URL.',
      resolve: ({ socialLinks }) => socialLinks,
    }),
    followersCount: t.exposeInt('followersCount', {
      description: 'How many follow the user, those counted whose profiles are not public.',
    }),
    followingCount: t.exposeInt('followingCount', { description: 'How many the user follows, likewise.' }),
    serversCount: t.exposeInt('serversCount', { description: 'How many public servers the user has.' }),
    followedByViewer: t.exposeBoolean('isFollowedByViewer', { description: 'Whether you follow the user.' }),
  }),
});

builder.prismaObjectField(User, 'publicProfile', (t) =>
  t.field({
    type: UserProfileRef,
    description: 'What the user shows of itself to others.',
    select: { uuid: true },
    resolve: async ({ uuid }, _args, { caller, services }) => {
      const [own] = await services.users.find(caller, [uuid]);
      // Disabled meanwhile.
      if (!own) throw unauthorized();
      return own;
    },
  }),
);
