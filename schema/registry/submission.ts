import type { Submission } from '../../src/registry/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType } from '../connection.ts';
import { enumOf } from '../enum.ts';
import { McpPackageType, McpTransport } from '../mcp-servers/enums.ts';
import { mutation } from '../mutation.ts';
import { optional, optionalTime } from '../optional.ts';
import { query } from '../query.ts';

const RegistrySubmissionStatus = enumOf('RegistrySubmissionStatus', 'Status of a submission.', {
  pending: 'The submission waits for an administrator.',
  accepted: 'The submission is published in the registry.',
  rejected: 'The submission was rejected; see `reason`.',
});

const RegistrySubmissionRef = builder.objectRef<Submission>('RegistrySubmission').implement({
  description: 'A repository that was submitted to the registry.',
  fields: (t) => ({
    uuid: t.expose('uuid', {
      type: 'UUID',
      description: 'UUID of the submission. A new server that is published from it has the same UUID.',
    }),
    slug: t.exposeString('slug', { description: 'URL slug of the server, if it is a new one.' }),
    repository: t.exposeString('repository', { description: 'owner/name, as GitHub spells it.' }),
    packageType: t.expose('packageType', { type: McpPackageType, description: 'Package registry of the server.' }),
    transports: t.expose('transports', { type: [McpTransport], description: 'Transport of the server.' }),
    environmentVariables: t.exposeStringList('environmentVariables', {
      description: 'Names of the environment variables that a client must set.',
    }),
    name: t.exposeString('name', { description: 'Name in the registry.' }),
    version: t.exposeString('version', { description: 'The version that was submitted.' }),
    document: t.field({
      type: 'JSONObject',
      description: 'The server.json that will be published.',
      resolve: ({ document }) => JSON.parse(document),
    }),
    digest: t.exposeString('digest', {
      description:
        'SHA-256 in hex of the document, package type, transports and environment variables. It is required to accept the submission.',
    }),
    status: t.expose('status', { type: RegistrySubmissionStatus, description: 'Status of the submission.' }),
    reason: t.exposeString('reason', optional('Reason of the rejection.')),
    decidedAt: t.expose('decidedAt', optionalTime('Time of the decision; null while it is pending.')),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the first submission.' }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime', description: 'Time of the last submission.' }),
  }),
});

const RegistrySubmissionConnection = connectionType(
  'RegistrySubmission',
  RegistrySubmissionRef,
  'A page of submissions, the newest first.',
);

query('registrySubmissions', {
  type: RegistrySubmissionConnection,
  description: 'The submissions of your profile; for an administrator those of all profiles.',
  args: (arg) => ({
    ...connectionArgs(),
    status: arg({ type: RegistrySubmissionStatus, description: 'Only submissions with this status.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, args, { caller, services }) => ({
    ...(await services.registry.submissions.connection(caller, args)),
    count: () => services.registry.submissions.count(caller, args),
  }),
});

const changedSubmission = {
  submission: { type: RegistrySubmissionRef, description: 'The submission after the operation.' },
} as const;

mutation('registrySubmit', {
  description:
    'Submits a repository that your linked GitHub account owns. Other users see it after an administrator has accepted it.',
  rateLimit: 'sensitive',
  input: {
    description: 'A repository of yours for the registry.',
    argument: 'The repository and how its server is used.',
    fields: (t) => ({
      repository: t.string({ required: true, description: 'owner/name, or the URL at GitHub.' }),
      transport: t.field({
        type: [McpTransport],
        description: 'Transports of the server, at least one; STDIO by default.',
      }),
      packageType: t.field({
        type: McpPackageType,
        description: 'Package registry; by default that of the manifest in the repository.',
      }),
      environmentVariables: t.stringList({ description: 'Names of the environment variables that a client must set.' }),
    }),
  },
  payload: changedSubmission,
  resolve: async ({ transport, ...rest }, { caller, services }) => ({
    submission: await services.registry.submissions.submit(caller, {
      ...rest,
      transport: transport && [...transport],
    }),
  }),
});

mutation('registrySubmissionAccept', {
  description:
    'Publishes a submission with the digest that you have seen, after ownership was verified again. For administrators.',
  rateLimit: 'general',
  input: {
    description: 'The submission to publish.',
    argument: 'Selects the submission.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the object.' }),
      digest: t.string({ required: true, description: 'The `digest` of the submission that you have seen.' }),
    }),
  },
  payload: changedSubmission,
  resolve: async ({ uuid, digest }, { caller, services }) => ({
    submission: await services.registry.reviews.accept(caller, uuid, { digest }),
  }),
});

mutation('registrySubmissionReject', {
  description: 'Rejects a submission. For administrators.',
  rateLimit: 'general',
  input: {
    description: 'The submission to reject.',
    argument: 'The submission and the reason.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the object.' }),
      reason: t.string({ required: true, description: 'The reason, 1 to 500 characters. The submitter sees it.' }),
    }),
  },
  payload: changedSubmission,
  resolve: async ({ uuid, reason }, { caller, services }) => ({
    submission: await services.registry.reviews.reject(caller, uuid, { reason }),
  }),
});
