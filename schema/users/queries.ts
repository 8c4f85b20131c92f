import { builder } from '../builder.ts';
import { query } from '../query.ts';
import { UserProfileRef } from './user-profile.ts';

query('userProfile', {
  type: UserProfileRef,
  description:
    'Public profile of a user. NOT_FOUND if the user does not exist or the profile is not public. You can always read your own.',
  args: (arg) => ({ username: arg.string({ required: true, description: 'The user name, case-insensitive.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { username }, { caller, services }) => services.users.profile(caller, username),
});

builder.queryField('usernameAvailable', (t) =>
  t.boolean({
    description: 'Whether a user name is well formed, not reserved and not taken. The comparison is case-insensitive.',
    args: { username: t.arg.string({ required: true, description: 'The user name.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, input, { caller, services }) => services.users.isUsernameAvailable(caller, input),
  }),
);
