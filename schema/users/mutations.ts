import type { UserProfile } from '../../src/users/index.ts';
import { builder } from '../builder.ts';
import { UserProfileRef } from './user-profile.ts';

const UserProfileUpdateInput = builder.inputType('UserProfileUpdateInput', {
  description: 'What is to change. What is left out stays; null clears.',
  fields: (t) => ({
    bio: t.string({ description: 'At most 1 000 characters of plain text.' }),
    isPublic: t.boolean({ description: 'Whether others see the profile; false until it is changed.' }),
    avatarUrl: t.string({ description: 'The picture: an http or https URL of at most 2 048 characters.' }),
    socialLinks: t.field({
      type: 'JSONObject',
      description:
        'All links: a map from a kind of site (1 to 32 of a-z, 0-9, _ and -) to an http or https URL; at most 20, 8 kB.',
    }),
  }),
});

const UserProfileUpdatePayload = builder.objectRef<{ profile: UserProfile }>('UserProfileUpdatePayload').implement({
  description: 'What `userProfileUpdate` did.',
  fields: (t) => ({
    profile: t.field({
      type: UserProfileRef,
      description: 'The profile as it now stands.',
      resolve: ({ profile }) => profile,
    }),
  }),
});

builder.mutationField('userProfileUpdate', (t) =>
  t.field({
    type: UserProfileUpdatePayload,
    description: 'Changes what your user shows of itself to others. An API key needs the scope WRITE.',
    args: { input: t.arg({ type: UserProfileUpdateInput, required: true, description: 'What is to change.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { socialLinks, ...rest } }, { caller, services }) => {
      // What the map holds is the service's to judge.
      const links = socialLinks as Record<string, string> | null | undefined;
      return { profile: await services.users.update(caller, { ...rest, socialLinks: links }) };
    },
  }),
);

const payloadOfFollow = (name: string, description: string) =>
  builder.objectRef<{ uuid: string; isFollowing: boolean }>(name).implement({
    description,
    fields: (t) => ({
      following: t.exposeBoolean('isFollowing', { description: 'Whether you follow the user now.' }),
      profile: t.field({
        type: UserProfileRef,
        nullable: true,
        description: 'The user as it now stands; null for one whom you may not see.',
        resolve: async ({ uuid }, _args, { caller, services }) => (await services.users.find(caller, [uuid]))[0],
      }),
    }),
  });

const UserFollowInput = builder.inputType('UserFollowInput', {
  description: 'The user to follow.',
  fields: (t) => ({ username: t.string({ required: true, description: 'The user name, in any case.' }) }),
});

builder.mutationField('userFollow', (t) =>
  t.field({
    type: payloadOfFollow('UserFollowPayload', 'What `userFollow` did.'),
    description: 'Follows a user whose profile is public. Whom you follow already you go on following.',
    args: { input: t.arg({ type: UserFollowInput, required: true, description: 'Which user.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.users.follow(caller, input.username),
  }),
);

const UserUnfollowInput = builder.inputType('UserUnfollowInput', {
  description: 'The user to follow no more.',
  fields: (t) => ({ username: t.string({ required: true, description: 'The user name, in any case.' }) }),
});

builder.mutationField('userUnfollow', (t) =>
  t.field({
    type: payloadOfFollow('UserUnfollowPayload', 'What `userUnfollow` did.'),
    description: 'Follows a user no more, also one who is not public any more. Whom you do not follow stays so.',
    args: { input: t.arg({ type: UserUnfollowInput, required: true, description: 'Which user.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.users.unfollow(caller, input.username),
  }),
);
