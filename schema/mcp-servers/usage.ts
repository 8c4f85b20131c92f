import { builder } from '../builder.ts';
import { McpActivityAction } from './enums.ts';
import { serverPayload, serverQuery } from './mutations.ts';

const whichServer = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({ uuid: t.string({ required: true, description: 'Which server.' }) }),
  });

const ServerInstallInput = whichServer('ServerInstallInput', 'The server to install.');
const ServerInstallPayload = serverPayload('ServerInstallPayload', 'What `serverInstall` did.');

builder.mutationField('serverInstall', (t) =>
  t.field({
    type: ServerInstallPayload,
    description: 'Installs a server in your profile: a public one, or your own. A second time changes nothing.',
    args: { input: t.arg({ type: ServerInstallInput, required: true, description: 'Which server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => {
      const { usage, configurations } = context.services.mcpServers;
      await usage.install(context.caller, input.uuid);
      return { server: await configurations.findChanged(context.caller, input.uuid, serverQuery(context, info)) };
    },
  }),
);

const ServerUninstallInput = whichServer('ServerUninstallInput', 'The server to remove.');
const ServerUninstallPayload = builder.objectRef<{ uuid: string }>('ServerUninstallPayload').implement({
  description: 'What `serverUninstall` did.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The server that is not installed any more.' }),
  }),
});

builder.mutationField('serverUninstall', (t) =>
  t.field({
    type: ServerUninstallPayload,
    description: 'Removes a server from your profile. NOT_FOUND where it is not installed.',
    args: { input: t.arg({ type: ServerUninstallInput, required: true, description: 'Which server.' }) },
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
    uuid: t.string({ required: true, description: 'Which server.' }),
    rating: t.int({ required: true, description: '1 to 5.' }),
  }),
});

const ServerRatePayload = serverPayload('ServerRatePayload', 'What `serverRate` did.');

builder.mutationField('serverRate', (t) =>
  t.field({
    type: ServerRatePayload,
    description: 'Rates a server. Each user has one rating, which a later one replaces. FORBIDDEN for your own server.',
    args: { input: t.arg({ type: ServerRateInput, required: true, description: 'Which, and how.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, rating } }, context, info) => {
      const { usage, configurations } = context.services.mcpServers;
      await usage.rate(context.caller, uuid, { rating });
      return { server: await configurations.findChanged(context.caller, uuid, serverQuery(context, info)) };
    },
  }),
);

const ServerActivityReportInput = builder.inputType('ServerActivityReportInput', {
  description: 'What a client did with a server.',
  fields: (t) => ({
    uuid: t.string({ description: 'Which server. A tool of the client itself belongs to none.' }),
    action: t.field({ type: McpActivityAction, required: true, description: 'What it was.' }),
    success: t.boolean({ description: 'Whether it went well; true by default.' }),
  }),
});

const ServerActivityReportPayload = builder
  .objectRef<{ uuid: string | null }>('ServerActivityReportPayload')
  .implement({
    description: 'What `serverActivityReport` did.',
    fields: (t) => ({
      uuid: t.expose('uuid', {
        type: 'UUID',
        nullable: true,
        description: 'The server that the report was counted for; null when nothing was counted.',
      }),
    }),
  });

builder.mutationField('serverActivityReport', (t) =>
  t.field({
    type: ServerActivityReportPayload,
    description:
      'Counts a call that a client made on a server of yours, or one that you have installed; `INSTALL` and `UNINSTALL` install and remove a server. A report without a server, or for one that you do not have, counts nothing.',
    args: { input: t.arg({ type: ServerActivityReportInput, required: true, description: 'The report.' }) },
    extensions: { rateLimit: 'activity' },
    resolve: async (_root, { input: { uuid, ...activity } }, { caller, services }) => ({
      uuid: (await services.mcpServers.usage.report(caller, uuid, activity)) ? (uuid ?? null) : null,
    }),
  }),
);
