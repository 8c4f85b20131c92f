import { builder } from '../builder.ts';
import { UserProfileRef } from './user-profile.ts';

builder.queryField('userProfile', (t) =>
  t.field({
    type: UserProfileRef,
    description:
      'What a user shows of itself. NOT_FOUND for one who is not public, as for one who does not exist; you see your own.',
    args: { username: t.arg.string({ required: true, description: 'The user name, in any case.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { username }, { caller, services }) => services.users.profile(caller, username),
  }),
);

builder.queryField('usernameAvailable', (t) =>
  t.boolean({
    description:
      'Whether somebody could sign up with a user name now: it is well formed, not reserved, and nobody has it in any case.',
    args: { username: t.arg.string({ required: true, description: 'The user name.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, input, { caller, services }) => services.users.isUsernameAvailable(caller, input),
  }),
);
