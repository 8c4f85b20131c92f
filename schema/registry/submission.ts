import type { Submission } from '../../src/registry/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType } from '../connection.ts';
import { McpPackageType, McpTransport } from '../mcp-servers/enums.ts';

const RegistrySubmissionStatus = builder.enumType('RegistrySubmissionStatus', {
  description: 'What has become of a submission.',
  values: {
    PENDING: { value: 'pending', description: 'An administrator has not decided yet.' },
    ACCEPTED: { value: 'accepted', description: 'It is in the registry.' },
    REJECTED: { value: 'rejected', description: 'It is not; the reason says why.' },
  } as const,
});

const RegistrySubmissionRef = builder.objectRef<Submission>('RegistrySubmission').implement({
  description: 'A repository that somebody wants to be in the registry.',
  fields: (t) => ({
    uuid: t.expose('uuid', {
      type: 'UUID',
      description: 'The id of the submission; also of a new server that becomes of it.',
    }),
    slug: t.exposeString('slug', { description: 'What the server will be called in addresses, if it is a new one.' }),
    repository: t.exposeString('repository', { description: 'owner/name, as GitHub spells it.' }),
    packageType: t.field({
      type: McpPackageType,
      description: 'Where it is packaged.',
      resolve: ({ packageType }) => packageType,
    }),
    transports: t.field({
      type: [McpTransport],
      description: 'How it is used.',
      resolve: ({ transports }) => [...transports],
    }),
    environmentVariables: t.stringList({
      description: 'What a client must set.',
      resolve: ({ environmentVariables }) => [...environmentVariables],
    }),
    name: t.exposeString('name', { description: 'Its name in the registry.' }),
    version: t.exposeString('version', { description: 'The version that was submitted.' }),
    document: t.field({
      type: 'JSONObject',
      description: 'The server.json that will be published.',
      resolve: ({ document }) => JSON.parse(document),
    }),
    digest: t.exposeString('digest', {
      description:
        'SHA-256, in hex, of the document, the kind of package, the transports and the environment variables: who accepts gives it back.',
    }),
    status: t.field({
      type: RegistrySubmissionStatus,
      description: 'What has become of it.',
      resolve: ({ status }) => status,
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was rejected.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first submitted.' }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime', description: 'When it was last submitted.' }),
  }),
});

const RegistrySubmissionConnection = connectionType(
  'RegistrySubmission',
  RegistrySubmissionRef,
  'A page of submissions, the newest first.',
);

builder.queryField('registrySubmissions', (t) =>
  t.field({
    type: RegistrySubmissionConnection,
    description: 'The submissions of your profile; for an administrator those of all.',
    args: {
      ...connectionArgs(),
      status: t.arg({ type: RegistrySubmissionStatus, description: 'Only those of which this has become.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, { caller, services }) => ({
      ...(await services.registry.submissions.connection(caller, args)),
      count: () => services.registry.submissions.count(caller, { status: args.status }),
    }),
  }),
);

const submissionPayload = (name: string, description: string) =>
  builder.objectRef<{ submission: Submission }>(name).implement({
    description,
    fields: (t) => ({
      submission: t.field({
        type: RegistrySubmissionRef,
        description: 'The submission as it is now.',
        resolve: ({ submission }) => submission,
      }),
    }),
  });

const RegistrySubmitInput = builder.inputType('RegistrySubmitInput', {
  description: 'A repository of yours for the registry.',
  fields: (t) => ({
    repository: t.string({ required: true, description: 'owner/name, or its address at GitHub.' }),
    transport: t.field({ type: [McpTransport], description: 'How it is used: at least one; STDIO by default.' }),
    packageType: t.field({
      type: McpPackageType,
      description: 'Where it is packaged; by default the type of the manifest that is found.',
    }),
    environmentVariables: t.stringList({ description: 'The names of what a client must set.' }),
  }),
});

const RegistrySubmitPayload = submissionPayload('RegistrySubmitPayload', 'What `registrySubmit` did.');

builder.mutationField('registrySubmit', (t) =>
  t.field({
    type: RegistrySubmitPayload,
    description:
      'Submits a repository that your linked GitHub account owns. An administrator decides; until then nobody else sees it.',
    args: { input: t.arg({ type: RegistrySubmitInput, required: true, description: 'What to submit.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input: { transport, ...rest } }, { caller, services }) => ({
      submission: await services.registry.submissions.submit(caller, {
        ...rest,
        transport: transport && [...transport],
      }),
    }),
  }),
);

const RegistrySubmissionAcceptInput = builder.inputType('RegistrySubmissionAcceptInput', {
  description: 'The submission to publish.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Its uuid.' }),
    digest: t.string({ required: true, description: 'Its `digest`, as you have seen it.' }),
  }),
});

const RegistrySubmissionAcceptPayload = submissionPayload(
  'RegistrySubmissionAcceptPayload',
  'What `registrySubmissionAccept` did.',
);

builder.mutationField('registrySubmissionAccept', (t) =>
  t.field({
    type: RegistrySubmissionAcceptPayload,
    description: 'Publishes a submission as you have seen it, once ownership was asked for again. For administrators.',
    args: {
      input: t.arg({ type: RegistrySubmissionAcceptInput, required: true, description: 'Which submission.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, digest } }, { caller, services }) => ({
      submission: await services.registry.reviews.accept(caller, uuid, { digest }),
    }),
  }),
);

const RegistrySubmissionRejectInput = builder.inputType('RegistrySubmissionRejectInput', {
  description: 'The submission to refuse.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Its uuid.' }),
    reason: t.string({ required: true, description: 'Why: 1 to 500 characters. Its submitter is told.' }),
  }),
});

const RegistrySubmissionRejectPayload = submissionPayload(
  'RegistrySubmissionRejectPayload',
  'What `registrySubmissionReject` did.',
);

builder.mutationField('registrySubmissionReject', (t) =>
  t.field({
    type: RegistrySubmissionRejectPayload,
    description: 'Refuses a submission. For administrators.',
    args: {
      input: t.arg({ type: RegistrySubmissionRejectInput, required: true, description: 'Which submission, and why.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, reason } }, { caller, services }) => ({
      submission: await services.registry.reviews.reject(caller, uuid, { reason }),
    }),
  }),
);
