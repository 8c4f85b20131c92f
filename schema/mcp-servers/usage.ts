import type { InputFieldBuilder } from '../builder.ts';
import { mutation } from '../mutation.ts';
import { McpActivityAction } from './enums.ts';
import { changedServer, serverQuery } from './mutations.ts';

const whichServer = (t: InputFieldBuilder) => ({
  uuid: t.string({ required: true, description: 'UUID of the server.' }),
});

mutation('serverInstall', {
  description: 'Installs a server that is public or yours in your profile. Installing it again changes nothing.',
  rateLimit: 'general',
  input: { description: 'The server to install.', argument: 'Selects the server.', fields: whichServer },
  payload: changedServer,
  resolve: async (input, context, info) => {
    const { usage, configurations } = context.services.mcpServers;
    await usage.install(context.caller, input.uuid);
    return { server: await configurations.findChanged(context.caller, input.uuid, serverQuery(context, info)) };
  },
});

mutation('serverUninstall', {
  description: 'Uninstalls a server from your profile. NOT_FOUND if it is not installed.',
  rateLimit: 'general',
  input: { description: 'The server to uninstall.', argument: 'Selects the server.', fields: whichServer },
  payload: { uuid: { type: 'UUID', description: 'UUID of the uninstalled server.' } },
  resolve: async ({ uuid }, { caller, services }) => {
    await services.mcpServers.usage.uninstall(caller, uuid);
    return { uuid };
  },
});

mutation('serverRate', {
  description: 'Rates a server. Each user has one rating, which a later one replaces. FORBIDDEN for your own server.',
  rateLimit: 'general',
  input: {
    description: 'A rating.',
    argument: 'The server and the rating.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the server.' }),
      rating: t.int({ required: true, description: '1 to 5.' }),
    }),
  },
  payload: changedServer,
  resolve: async ({ uuid, rating }, context, info) => {
    const { usage, configurations } = context.services.mcpServers;
    await usage.rate(context.caller, uuid, { rating });
    return { server: await configurations.findChanged(context.caller, uuid, serverQuery(context, info)) };
  },
});

mutation('serverActivityReport', {
  description:
    'Counts a call to a server that is yours or that you have installed; `INSTALL` and `UNINSTALL` install and uninstall a server. A report without a server, or for one that you do not have, counts nothing.',
  rateLimit: 'activity',
  input: {
    description: 'Kind of activity of a client.',
    argument: 'The report.',
    fields: (t) => ({
      uuid: t.string({ description: 'UUID of the server. Leave it out for a tool of the client itself.' }),
      action: t.field({ type: McpActivityAction, required: true, description: 'Kind of the activity.' }),
      success: t.boolean({ description: 'Whether the call succeeded; true by default.' }),
    }),
  },
  payload: {
    uuid: {
      type: 'UUID',
      nullable: true,
      description: 'UUID of the server that the report was counted for; null if nothing was counted.',
    },
  },
  resolve: async ({ uuid, ...activity }, { caller, services }) => ({
    uuid: (await services.mcpServers.usage.report(caller, uuid, activity)) ? (uuid ?? null) : null,
  }),
});
