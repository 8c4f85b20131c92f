import type { UserState } from '../../src/auth/index.ts';
import { builder } from '../builder.ts';
import { ProjectTier } from './project.ts';

const ProjectTierSetInput = builder.inputType('ProjectTierSetInput', {
  description: 'The rate tier of a project.',
  fields: (t) => ({
    projectUuid: t.string({ required: true, description: 'The uuid of the project.' }),
    tier: t.field({ type: ProjectTier, required: true, description: 'The tier.' }),
  }),
});

const ProjectTierSetPayload = builder
  .objectRef<{ projectUuid: string; tier: typeof ProjectTier.$inferType }>('ProjectTierSetPayload')
  .implement({
    description: 'Result of `projectTierSet`.',
    fields: (t) => ({
      projectUuid: t.expose('projectUuid', { type: 'UUID', description: 'The uuid of the project.' }),
      tier: t.expose('tier', { type: ProjectTier, description: 'The new tier.' }),
    }),
  });

builder.mutationField('projectTierSet', (t) =>
  t.field({
    type: ProjectTierSetPayload,
    description: "Sets the rate tier of a project's agents. For administrators of the platform.",
    args: { input: t.arg({ type: ProjectTierSetInput, required: true, description: 'The project and its tier.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      projectUuid: await services.auth.administration.setTier(caller, input),
      tier: input.tier,
    }),
  }),
);

const UserDisableInput = builder.inputType('UserDisableInput', {
  description: 'The user to disable or enable.',
  fields: (t) => ({
    username: t.string({ required: true, description: 'The user name, without regard to case.' }),
    isDisabled: t.boolean({ required: true, description: 'True to disable the user, false to enable it again.' }),
  }),
});

const UserDisablePayload = builder.objectRef<UserState>('UserDisablePayload').implement({
  description: 'Result of `userDisable`.',
  fields: (t) => ({
    username: t.exposeString('username', { description: 'The user name.' }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the user was disabled; null if the user is enabled.',
    }),
  }),
});

builder.mutationField('userDisable', (t) =>
  t.field({
    type: UserDisablePayload,
    description:
      'Disables or enables a user. The API keys and sessions of a disabled user stop working within a second; the data stays. For administrators of the platform.',
    args: { input: t.arg({ type: UserDisableInput, required: true, description: 'The user.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.auth.administration.setDisabled(caller, input),
  }),
);
