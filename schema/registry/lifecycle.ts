import type { RegistryStatus } from '../../src/registry/index.ts';
import { builder } from '../builder.ts';
import { RegistryEntryStatus } from './entry.ts';

const statusPayload = (name: string, description: string) =>
  builder.objectRef<RegistryStatus>(name).implement({
    description,
    fields: (t) => ({
      serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'The server.' }),
      name: t.exposeString('name', { description: 'Its name in the registry.' }),
      status: t.field({
        type: RegistryEntryStatus,
        description: 'How it stands now.',
        resolve: ({ status }) => status,
      }),
      statusMessage: t.exposeString('statusMessage', { nullable: true, description: 'Why.' }),
    }),
  });

const uuid = 'The uuid of the server.';
const message = 'What to tell: 1 to 500 characters.';

const RegistryServerDeprecateInput = builder.inputType('RegistryServerDeprecateInput', {
  description: 'The server to advise against.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: uuid }),
    message: t.string({ required: true, description: message }),
  }),
});

builder.mutationField('registryServerDeprecate', (t) =>
  t.field({
    type: statusPayload('RegistryServerDeprecatePayload', 'What `registryServerDeprecate` did.'),
    description: 'Advises against all versions of a server of yours; they stay listed. Again: with another message.',
    args: { input: t.arg({ type: RegistryServerDeprecateInput, required: true, description: 'Which, and why.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) =>
      services.registry.lifecycle.deprecate(caller, input.uuid, { message: input.message }),
  }),
);

const RegistryServerReactivateInput = builder.inputType('RegistryServerReactivateInput', {
  description: 'The server to advise against no more.',
  fields: (t) => ({ uuid: t.string({ required: true, description: uuid }) }),
});

builder.mutationField('registryServerReactivate', (t) =>
  t.field({
    type: statusPayload('RegistryServerReactivatePayload', 'What `registryServerReactivate` did.'),
    description: 'Takes back what `registryServerDeprecate` did.',
    args: { input: t.arg({ type: RegistryServerReactivateInput, required: true, description: 'Which server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.registry.lifecycle.reactivate(caller, input.uuid),
  }),
);

const RegistryServerWithdrawInput = builder.inputType('RegistryServerWithdrawInput', {
  description: 'The server to take out of the registry.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: uuid }),
    message: t.string({ required: true, description: message }),
  }),
});

builder.mutationField('registryServerWithdraw', (t) =>
  t.field({
    type: statusPayload('RegistryServerWithdrawPayload', 'What `registryServerWithdraw` did.'),
    description:
      'Takes a server of yours out of the registry and out of sight; the feed of changes keeps a tombstone. An administrator may withdraw any.',
    args: { input: t.arg({ type: RegistryServerWithdrawInput, required: true, description: 'Which, and why.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) =>
      services.registry.lifecycle.withdraw(caller, input.uuid, { message: input.message }),
  }),
);
