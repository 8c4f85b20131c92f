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
    description: 'What `projectTierSet` did.',
    fields: (t) => ({
      projectUuid: t.expose('projectUuid', { type: 'UUID', description: 'The uuid of the project.' }),
      tier: t.expose('tier', { type: ProjectTier, description: 'Its tier from now on.' }),
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
  description: 'A user to disable or to enable.',
  fields: (t) => ({
    username: t.string({ required: true, description: 'The user name, without regard to case.' }),
    isDisabled: t.boolean({ required: true, description: 'True to disable the user, false to enable it again.' }),
  }),
});

const UserDisablePayload = builder.objectRef<UserState>('UserDisablePayload').implement({
  description: 'What `userDisable` did.',
  fields: (t) => ({
    username: t.exposeString('username', { description: 'The user name.' }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the user is disabled; null for one that is not.',
    }),
  }),
});

builder.mutationField('userDisable', (t) =>
  t.field({
    type: UserDisablePayload,
    description:
      'Disables a user, or enables it again. The API keys and sessions of a disabled user are refused within a second; its data stays. For administrators of the platform.',
    args: { input: t.arg({ type: UserDisableInput, required: true, description: 'The user.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.auth.administration.setDisabled(caller, input),
  }),
);
