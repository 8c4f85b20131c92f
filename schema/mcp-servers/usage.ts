import { builder } from '../builder.ts';
import { McpActivityAction } from './enums.ts';
import { serverPayload, serverQuery } from './mutations.ts';

const whichServer = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the server.' }) }),
  });

const ServerInstallInput = whichServer('ServerInstallInput', 'The server to install.');
const ServerInstallPayload = serverPayload('ServerInstallPayload', 'Result of `serverInstall`.');

builder.mutationField('serverInstall', (t) =>
  t.field({
    type: ServerInstallPayload,
    description: 'Installs a server that is public or yours in your profile. Installing it again changes nothing.',
    args: { input: t.arg({ type: ServerInstallInput, required: true, description: 'Selects the server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => {
      const { usage, configurations } = context.services.mcpServers;
      await usage.install(context.caller, input.uuid);
      return { server: await configurations.findChanged(context.caller, input.uuid, serverQuery(context, info)) };
    },
  }),
);

const ServerUninstallInput = whichServer('ServerUninstallInput', 'The server to uninstall.');
const ServerUninstallPayload = builder.objectRef<{ uuid: string }>('ServerUninstallPayload').implement({
  description: 'Result of `serverUninstall`.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the uninstalled server.' }),
  }),
});

builder.mutationField('serverUninstall', (t) =>
  t.field({
    type: ServerUninstallPayload,
    description: 'Uninstalls a server from your profile. NOT_FOUND if it is not installed.',
    args: { input: t.arg({ type: ServerUninstallInput, required: true, description: 'Selects the server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid } }, { caller, services }) => {
      await services.mcpServers.usage.uninstall(caller, uuid);
      return { uuid };
    },
  }),
);

const ServerRateInput = builder.inputType('ServerRateInput', {
  description: 'A rating.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the server.' }),
    rating: t.int({ required: true, description: '1 to 5.' }),
  }),
});

const ServerRatePayload = serverPayload('ServerRatePayload', 'Result of `serverRate`.');

builder.mutationField('serverRate', (t) =>
  t.field({
    type: ServerRatePayload,
    description: 'Rates a server. Each user has one rating, which a later one replaces. FORBIDDEN for your own server.',
    args: { input: t.arg({ type: ServerRateInput, required: true, description: 'The server and the rating.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, rating } }, context, info) => {
      const { usage, configurations } = context.services.mcpServers;
      await usage.rate(context.caller, uuid, { rating });
      return { server: await configurations.findChanged(context.caller, uuid, serverQuery(context, info)) };
    },
  }),
);

const ServerActivityReportInput = builder.inputType('ServerActivityReportInput', {
  description: 'Kind of activity of a client.',
  fields: (t) => ({
    uuid: t.string({ description: 'UUID of the server. Leave it out for a tool of the client itself.' }),
    action: t.field({ type: McpActivityAction, required: true, description: 'Kind of the activity.' }),
    success: t.boolean({ description: 'Whether the call succeeded; true by default.' }),
  }),
});

const ServerActivityReportPayload = builder
  .objectRef<{ uuid: string | null }>('ServerActivityReportPayload')
  .implement({
    description: 'Result of `serverActivityReport`.',
    fields: (t) => ({
      uuid: t.expose('uuid', {
        type: 'UUID',
        nullable: true,
        description: 'UUID of the server that the report was counted for; null if nothing was counted.',
      }),
    }),
  });

builder.mutationField('serverActivityReport', (t) =>
  t.field({
    type: ServerActivityReportPayload,
    description:
      'Counts a call to a server that is yours or that you have installed; `INSTALL` and `UNINSTALL` install and uninstall a server. A report without a server, or for one that you do not have, counts nothing.',
    args: { input: t.arg({ type: ServerActivityReportInput, required: true, description: 'The report.' }) },
    extensions: { rateLimit: 'activity' },
    resolve: async (_root, { input: { uuid, ...activity } }, { caller, services }) => ({
      uuid: (await services.mcpServers.usage.report(caller, uuid, activity)) ? (uuid ?? null) : null,
    }),
  }),
);
