import { mutation } from '../mutation.ts';
import { ProjectTier } from './project.ts';

mutation('projectTierSet', {
  description: "Sets the rate tier of a project's agents. For administrators of the platform.",
  rateLimit: 'general',
  input: {
    description: 'The rate tier of a project.',
    argument: 'The project and its tier.',
    fields: (t) => ({
      projectUuid: t.string({ required: true, description: 'The uuid of the project.' }),
      tier: t.field({ type: ProjectTier, required: true, description: 'The tier.' }),
    }),
  },
  payload: {
    projectUuid: { type: 'UUID', description: 'The uuid of the project.' },
    tier: { type: ProjectTier, description: 'The new tier.' },
  },
  resolve: async (input, { caller, services }) => ({
    projectUuid: await services.auth.administration.setTier(caller, input),
    tier: input.tier,
  }),
});

mutation('userDisable', {
  description:
    'Disables or enables a user. The API keys and sessions of a disabled user stop working within a second; the data stays. For administrators of the platform.',
  rateLimit: 'general',
  input: {
    description: 'The user to disable or enable.',
    argument: 'The user.',
    fields: (t) => ({
      username: t.string({ required: true, description: 'The user name, without regard to case.' }),
      isDisabled: t.boolean({ required: true, description: 'True to disable the user, false to enable it again.' }),
    }),
  },
  payload: {
    username: { type: 'String', description: 'The user name.' },
    disabledAt: {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the user was disabled; null if the user is enabled.',
    },
  },
  resolve: (input, { caller, services }) => services.auth.administration.setDisabled(caller, input),
});
