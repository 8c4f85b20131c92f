import { mutation, selector } from '../mutation.ts';
import { RegistryEntryStatus } from './entry.ts';

const changed = {
  serverUuid: { type: 'UUID', description: 'UUID of the server.' },
  name: { type: 'String', description: 'Name in the registry.' },
  status: { type: RegistryEntryStatus, description: 'The new status.' },
  statusMessage: { type: 'String', nullable: true, description: 'Message of the owner about the status.' },
} as const;

const uuid = 'The uuid of the server.';
const message = 'Message for users, 1 to 500 characters.';

mutation('registryServerDeprecate', {
  description: 'Deprecates all versions of a server of yours. They stay listed. A second call replaces the message.',
  rateLimit: 'general',
  input: {
    description: 'The server to deprecate.',
    argument: 'The server and the message.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: uuid }),
      message: t.string({ required: true, description: message }),
    }),
  },
  payload: changed,
  resolve: (input, { caller, services }) =>
    services.registry.lifecycle.deprecate(caller, input.uuid, { message: input.message }),
});

mutation('registryServerReactivate', {
  description: 'Ends the deprecation of a server of yours.',
  rateLimit: 'general',
  input: selector('The server to reactivate.', { argument: 'Selects the server.', uuid: uuid }),
  payload: changed,
  resolve: (input, { caller, services }) => services.registry.lifecycle.reactivate(caller, input.uuid),
});

mutation('registryServerWithdraw', {
  description:
    'Withdraws a server of yours from the registry. The feed of changes keeps a tombstone. An administrator can withdraw any server.',
  rateLimit: 'general',
  input: {
    description: 'The server to withdraw.',
    argument: 'The server and the message.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: uuid }),
      message: t.string({ required: true, description: message }),
    }),
  },
  payload: changed,
  resolve: (input, { caller, services }) =>
    services.registry.lifecycle.withdraw(caller, input.uuid, { message: input.message }),
});
