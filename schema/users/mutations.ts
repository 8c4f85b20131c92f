import type { UserProfile } from '../../src/users/index.ts';
import { builder } from '../builder.ts';
import { UserProfileRef } from './user-profile.ts';

const UserProfileUpdateInput = builder.inputType('UserProfileUpdateInput', {
  description: 'The fields to change. Fields that are left out stay as they are; null clears a field.',
  fields: (t) => ({
    bio: t.string({ description: 'At most 1 000 characters of plain text.' }),
    isPublic: t.boolean({ description: 'Whether other users can see the profile; a new profile is private.' }),
    avatarUrl: t.string({ description: 'The picture: an http or https URL of at most 2 048 characters.' }),
    socialLinks: t.field({
      type: 'JSONObject',
      description:
        'All links by kind of site (1 to 32 of a-z, 0-9, _ and -): at most 20 http or https URLs, 8 kB in all.',
    }),
  }),
});

const UserProfileUpdatePayload = builder.objectRef<{ profile: UserProfile }>('UserProfileUpdatePayload').implement({
  description: 'Result of `userProfileUpdate`.',
  fields: (t) => ({
    profile: t.field({
      type: UserProfileRef,
      description: 'The profile after the operation.',
      resolve: ({ profile }) => profile,
    }),
  }),
});

builder.mutationField('userProfileUpdate', (t) =>
  t.field({
    type: UserProfileUpdatePayload,
    description: 'Updates your public user profile. An API key needs the scope WRITE.',
    args: { input: t.arg({ type: UserProfileUpdateInput, required: true, description: 'The changes.' }) },
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
        description: 'The public profile after the operation; null if you may not see it.',
        resolve: async ({ uuid }, _args, { caller, services }) => (await services.users.find(caller, [uuid]))[0],
      }),
    }),
  });

const UserFollowInput = builder.inputType('UserFollowInput', {
  description: 'The user to follow.',
  fields: (t) => ({ username: t.string({ required: true, description: 'The user name, case-insensitive.' }) }),
});

builder.mutationField('userFollow', (t) =>
  t.field({
    type: payloadOfFollow('UserFollowPayload', 'Result of `userFollow`.'),
    description: 'Follows a user whose profile is public. Following a user again changes nothing.',
    args: { input: t.arg({ type: UserFollowInput, required: true, description: 'Selects the user.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.users.follow(caller, input.username),
  }),
);

const UserUnfollowInput = builder.inputType('UserUnfollowInput', {
  description: 'The user to unfollow.',
  fields: (t) => ({ username: t.string({ required: true, description: 'The user name, case-insensitive.' }) }),
});

builder.mutationField('userUnfollow', (t) =>
  t.field({
    type: payloadOfFollow('UserUnfollowPayload', 'Result of `userUnfollow`.'),
    description:
      'Unfollows a user, also one whose profile is no longer public. Unfollowing a user that you do not follow changes nothing.',
    args: { input: t.arg({ type: UserUnfollowInput, required: true, description: 'Selects the user.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.users.unfollow(caller, input.username),
  }),
);
