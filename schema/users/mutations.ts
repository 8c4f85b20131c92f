import { builder } from '../builder.ts';
import { mutation } from '../mutation.ts';
import { UserProfileRef } from './user-profile.ts';

mutation('userProfileUpdate', {
  description: 'Updates your public user profile. An API key needs the scope WRITE.',
  rateLimit: 'general',
  input: {
    description: 'The fields to change. Fields that are left out stay as they are; null clears a field.',
    argument: 'The changes.',
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
  },
  payload: { profile: { type: UserProfileRef, description: 'The profile after the operation.' } },
  resolve: async ({ socialLinks, ...rest }, { caller, services }) => {
    // The service validates the members of the map.
    const links = socialLinks as Record<string, string> | null | undefined;
    return { profile: await services.users.update(caller, { ...rest, socialLinks: links }) };
  },
});

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

mutation('userFollow', {
  description: 'Follows a user whose profile is public. Following a user again changes nothing.',
  rateLimit: 'general',
  input: {
    description: 'The user to follow.',
    argument: 'Selects the user.',
    fields: (t) => ({ username: t.string({ required: true, description: 'The user name, case-insensitive.' }) }),
  },
  payload: payloadOfFollow('UserFollowPayload', 'Result of `userFollow`.'),
  resolve: (input, { caller, services }) => services.users.follow(caller, input.username),
});

mutation('userUnfollow', {
  description:
    'Unfollows a user, also one whose profile is no longer public. Unfollowing a user that you do not follow changes nothing.',
  rateLimit: 'general',
  input: {
    description: 'The user to unfollow.',
    argument: 'Selects the user.',
    fields: (t) => ({ username: t.string({ required: true, description: 'The user name, case-insensitive.' }) }),
  },
  payload: payloadOfFollow('UserUnfollowPayload', 'Result of `userUnfollow`.'),
  resolve: (input, { caller, services }) => services.users.unfollow(caller, input.username),
});
