import type { RegistryStatus } from '../../src/registry/index.ts';
import { builder } from '../builder.ts';
import { RegistryEntryStatus } from './entry.ts';

const statusPayload = (name: string, description: string) =>
  builder.objectRef<RegistryStatus>(name).implement({
    description,
    fields: (t) => ({
      serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'UUID of the server.' }),
      name: t.exposeString('name', { description: 'Name in the registry.' }),
      status: t.field({
        type: RegistryEntryStatus,
        description: 'The new status.',
        resolve: ({ status }) => status,
      }),
      statusMessage: t.exposeString('statusMessage', {
        nullable: true,
        description: 'Message of the owner about the status.',
      }),
    }),
  });

const uuid = 'The uuid of the server.';
const message = 'Message for users, 1 to 500 characters.';

const RegistryServerDeprecateInput = builder.inputType('RegistryServerDeprecateInput', {
  description: 'The server to deprecate.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: uuid }),
    message: t.string({ required: true, description: message }),
  }),
});

builder.mutationField('registryServerDeprecate', (t) =>
  t.field({
    type: statusPayload('RegistryServerDeprecatePayload', 'Result of `registryServerDeprecate`.'),
    description:
      'Deprecates all versions of a server of yours. They stay listed. Calling it again replaces the message.',
    args: {
      input: t.arg({ type: RegistryServerDeprecateInput, required: true, description: 'The server and the message.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) =>
      services.registry.lifecycle.deprecate(caller, input.uuid, { message: input.message }),
  }),
);

const RegistryServerReactivateInput = builder.inputType('RegistryServerReactivateInput', {
  description: 'The server to reactivate.',
  fields: (t) => ({ uuid: t.string({ required: true, description: uuid }) }),
});

builder.mutationField('registryServerReactivate', (t) =>
  t.field({
    type: statusPayload('RegistryServerReactivatePayload', 'Result of `registryServerReactivate`.'),
    description: 'Ends the deprecation of a server of yours.',
    args: { input: t.arg({ type: RegistryServerReactivateInput, required: true, description: 'Selects the server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.registry.lifecycle.reactivate(caller, input.uuid),
  }),
);

const RegistryServerWithdrawInput = builder.inputType('RegistryServerWithdrawInput', {
  description: 'The server to withdraw.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: uuid }),
    message: t.string({ required: true, description: message }),
  }),
});

builder.mutationField('registryServerWithdraw', (t) =>
  t.field({
    type: statusPayload('RegistryServerWithdrawPayload', 'Result of `registryServerWithdraw`.'),
    description:
      'Withdraws a server of yours from the registry. The feed of changes keeps a tombstone. An administrator can withdraw any server.',
    args: {
      input: t.arg({ type: RegistryServerWithdrawInput, required: true, description: 'The server and the message.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) =>
      services.registry.lifecycle.withdraw(caller, input.uuid, { message: input.message }),
  }),
);
