import { z } from 'zod';
import { NewSubmissionBody, Reason, Seen, StatusMessage, submissionStatuses } from '../../src/registry/input.ts';
import { generalErrors } from '../errors.ts';
import {
  AcceptRegistrySubmissionDocument,
  BeginGithubLinkDocument,
  DeprecateRegistryServerDocument,
  GetRegistryHealthDocument,
  ListRegistrySubmissionsDocument,
  ReactivateRegistryServerDocument,
  type RegistrySubmissionFieldsFragment,
  RejectRegistrySubmissionDocument,
  SubmitToRegistryDocument,
  UnlinkGithubDocument,
  WithdrawRegistryServerDocument,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import {
  healthAnswer,
  linkAnswer,
  statusAnswer,
  submissionAnswer,
  submissionsAnswer,
  submitAnswer,
  unlinkAnswer,
} from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'Registry', errors: generalErrors, access: 'caller' } as const;

const SubmissionsQuery = z.object({
  status: z
    .enum(submissionStatuses, { error: `status must be one of: ${submissionStatuses.join(', ')}` })
    .optional()
    .describe('Only submissions with this status.'),
  limit: z
    .int({ error: 'limit must be an integer from 1 to 100' })
    .min(1, 'limit must be an integer from 1 to 100')
    .max(100, 'limit must be an integer from 1 to 100')
    .optional()
    .describe('How many: 1 to 100, 20 by default.'),
  after: z.string().optional().describe('The `next_cursor` of the page before.'),
});

/** The paths of the registry. Source: docs/specification/registry.md. */
export const registryRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/registry/health',
    reference: reference.getHealth,
    operation: GetRegistryHealthDocument,
    variables: () => ({}),
    body: ({ registryHealth: health }) => ({
      status: health.status.toLowerCase(),
      version: health.version,
      last_indexed: health.lastIndexedAt,
      total_servers: health.totalServers,
    }),
    answer: healthAnswer,
    errorCodes: [],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/registry/submit',
    isIdempotent: true,
    reference: reference.submit,
    operation: SubmitToRegistryDocument,
    input: NewSubmissionBody,
    check: 'submission',
    variables: ({ body }) => ({ input: body }),
    body: ({ registrySubmit: { submission } }) => ({
      uuid: submission.uuid,
      slug: submission.slug,
      repository: submission.repository,
      package_type: submission.packageType.toLowerCase(),
      status: submission.status.toLowerCase(),
    }),
    answer: submitAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/registry/submissions',
    reference: reference.listSubmissions,
    operation: ListRegistrySubmissionsDocument,
    query: SubmissionsQuery,
    variables: ({ query: { limit: first, ...query } }) => ({ ...query, first }),
    body: ({ registrySubmissions: { nodes, pageInfo, totalCount } }) => ({
      submissions: nodes.map(submissionBody),
      total: totalCount,
      next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    }),
    answer: submissionsAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/registry/submissions/:uuid/accept',
    reference: reference.acceptSubmission,
    operation: AcceptRegistrySubmissionDocument,
    input: Seen,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registrySubmissionAccept: { submission } }) => ({ success: true, submission: submissionBody(submission) }),
    answer: submissionAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/registry/submissions/:uuid/reject',
    reference: reference.rejectSubmission,
    operation: RejectRegistrySubmissionDocument,
    input: Reason,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registrySubmissionReject: { submission } }) => ({ success: true, submission: submissionBody(submission) }),
    answer: submissionAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/registry/servers/:uuid/deprecate',
    reference: reference.deprecateServer,
    operation: DeprecateRegistryServerDocument,
    input: StatusMessage,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registryServerDeprecate }) => statusBody(registryServerDeprecate),
    answer: statusAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/registry/servers/:uuid/reactivate',
    reference: reference.reactivateServer,
    operation: ReactivateRegistryServerDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ registryServerReactivate }) => statusBody(registryServerReactivate),
    answer: statusAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/registry/servers/:uuid/withdraw',
    reference: reference.withdrawServer,
    operation: WithdrawRegistryServerDocument,
    input: StatusMessage,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registryServerWithdraw }) => statusBody(registryServerWithdraw),
    answer: statusAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/registry/github/link',
    access: 'session',
    reference: reference.beginGithubLink,
    operation: BeginGithubLinkDocument,
    variables: () => ({}),
    body: ({ githubLinkBegin }) => ({ authorization_url: githubLinkBegin.authorizationUrl }),
    answer: linkAnswer,
    errorCodes: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/registry/github/link',
    access: 'session',
    reference: reference.unlinkGithub,
    operation: UnlinkGithubDocument,
    variables: () => ({}),
    body: ({ githubUnlink }) => ({ success: true, unlinked: githubUnlink.unlinked }),
    answer: unlinkAnswer,
    errorCodes: ['FORBIDDEN'],
  }),
];

const submissionBody = (submission: RegistrySubmissionFieldsFragment) => ({
  uuid: submission.uuid,
  slug: submission.slug,
  repository: submission.repository,
  package_type: submission.packageType.toLowerCase(),
  transport: submission.transports.map((transport) => transport.toLowerCase()),
  environment_variables: submission.environmentVariables,
  status: submission.status.toLowerCase(),
  reason: submission.reason,
  name: submission.name,
  version: submission.version,
  document: submission.document,
  digest: submission.digest,
  created_at: submission.createdAt,
  submitted_at: submission.submittedAt,
  decided_at: submission.decidedAt,
});

const statusBody = (server: { serverUuid: string; name: string; status: string; statusMessage: string | null }) => ({
  success: true,
  uuid: server.serverUuid,
  name: server.name,
  status: server.status.toLowerCase(),
  message: server.statusMessage,
});
