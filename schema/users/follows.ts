import { builder } from '../builder.ts';
import { connectionArgs, connectionType } from '../connection.ts';
import { asksFor } from '../selection.ts';
import { followLoaders } from './follow-loader.ts';
import { UserProfileRef } from './user-profile.ts';

const UserProfileConnection = connectionType(
  'UserProfile',
  UserProfileRef,
  'A page of users, the newest follow first. Users that you may not see are left out and not counted.',
);

const lists = {
  followers: 'The followers that you may see.',
  following: 'The followed users that you may see.',
} as const;

for (const list of ['followers', 'following'] as const)
  builder.objectField(UserProfileRef, list, (t) =>
    t.field({
      type: UserProfileConnection,
      description: lists[list],
      args: connectionArgs(),
      resolve: async ({ uuid }, args, context, info) => {
        const isWhole = ['bio', 'avatarUrl', 'socialLinks'].some((name) => asksFor(name, info));
        const { pages, counts } = followLoaders(context, info, list, args, isWhole);
        return { ...(await pages.load(uuid)), count: () => counts.load(uuid) };
      },
    }),
  );
