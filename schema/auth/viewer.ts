import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../builder.ts';
import { query } from '../query.ts';
import { Profile } from './profile.ts';
import { Project } from './project.ts';
import { User } from './user.ts';

/** Types that show the caller in the fields `user`, `project` and `profile`; each is read only if it is selected. */
export const viewerType = (name: string, description: string) =>
  builder.objectRef<object>(name).implement({
    description,
    fields: (t) => ({
      user: t.field({
        type: User,
        description: 'The user.',
        resolve: (_parent, _args, context, info) =>
          context.services.auth.accounts.current(context.caller, queryFromInfo({ context, info })),
      }),
      project: t.field({
        type: Project,
        description: 'The project of the profile.',
        resolve: (_parent, _args, context, info) =>
          context.services.auth.projects.current(context.caller, queryFromInfo({ context, info })),
      }),
      profile: t.field({
        type: Profile,
        description: 'The profile that the caller acts as: that of the API key, or the active profile of the user.',
        resolve: (_parent, _args, context, info) =>
          context.services.auth.profiles.current(context.caller, queryFromInfo({ context, info })),
      }),
    }),
  });

query('viewer', {
  type: viewerType('Viewer', 'The caller.'),
  description: 'The caller: the user of the session or API key, with project and profile.',
  extensions: { rateLimit: 'general' },
  resolve: (_root, _args, { caller, services }) => {
    services.auth.accounts.visible(caller);
    return {};
  },
});
