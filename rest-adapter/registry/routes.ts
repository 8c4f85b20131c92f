import { z } from 'zod';
import { integerBetween, oneOf } from '../../src/platform/input/input.ts';
import { NewSubmissionBody, Reason, Seen, StatusMessage, submissionStatuses } from '../../src/registry/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'Registry', errors: generalErrors, access: 'caller' } as const;

const SubmissionsQuery = z.object({
  status: oneOf('status', submissionStatuses).optional().describe('Only submissions with this status.'),
  limit: integerBetween('limit', 1, 100).optional().describe('Number of rows: 1 to 100, 20 by default.'),
  after: z.string().optional().describe('The `next_cursor` of the previous page.'),
});

/** The paths of the registry. Source: docs/specification/registry.md. */
export const registryRoutes: readonly Route[] = [
  route('GET /api/registry/health', {
    ...shared,
    reference: reference.getHealth,
    operation: operations.GetRegistryHealthDocument,
    variables: () => ({}),
    body: ({ registryHealth: health }) => ({
      status: health.status.toLowerCase(),
      version: health.version,
      last_indexed: health.lastIndexedAt,
      total_servers: health.totalServers,
    }),
    response: responses.healthResponse,
    errorCodes: [],
  }),
  route('POST /api/registry/submit', {
    ...shared,
    isIdempotent: true,
    reference: reference.submit,
    operation: operations.SubmitToRegistryDocument,
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
    response: responses.submitResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route('GET /api/registry/submissions', {
    ...shared,
    reference: reference.listSubmissions,
    operation: operations.ListRegistrySubmissionsDocument,
    query: SubmissionsQuery,
    variables: ({ query: { limit: first, ...query } }) => ({ ...query, first }),
    body: ({ registrySubmissions: { nodes, pageInfo, totalCount } }) => ({
      submissions: nodes.map(submissionBody),
      total: totalCount,
      next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    }),
    response: responses.submissionsResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('POST /api/registry/submissions/:uuid/accept', {
    ...shared,
    reference: reference.acceptSubmission,
    operation: operations.AcceptRegistrySubmissionDocument,
    input: Seen,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registrySubmissionAccept: { submission } }) => ({ success: true, submission: submissionBody(submission) }),
    response: responses.submissionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/registry/submissions/:uuid/reject', {
    ...shared,
    reference: reference.rejectSubmission,
    operation: operations.RejectRegistrySubmissionDocument,
    input: Reason,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registrySubmissionReject: { submission } }) => ({ success: true, submission: submissionBody(submission) }),
    response: responses.submissionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/registry/servers/:uuid/deprecate', {
    ...shared,
    reference: reference.deprecateServer,
    operation: operations.DeprecateRegistryServerDocument,
    input: StatusMessage,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registryServerDeprecate }) => statusBody(registryServerDeprecate),
    response: responses.statusResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/registry/servers/:uuid/reactivate', {
    ...shared,
    reference: reference.reactivateServer,
    operation: operations.ReactivateRegistryServerDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ registryServerReactivate }) => statusBody(registryServerReactivate),
    response: responses.statusResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/registry/servers/:uuid/withdraw', {
    ...shared,
    reference: reference.withdrawServer,
    operation: operations.WithdrawRegistryServerDocument,
    input: StatusMessage,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ registryServerWithdraw }) => statusBody(registryServerWithdraw),
    response: responses.statusResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/registry/github/link', {
    ...shared,
    access: 'session',
    reference: reference.beginGithubLink,
    operation: operations.BeginGithubLinkDocument,
    variables: () => ({}),
    body: ({ githubLinkBegin }) => ({ authorization_url: githubLinkBegin.authorizationUrl }),
    response: responses.linkResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('DELETE /api/registry/github/link', {
    ...shared,
    access: 'session',
    reference: reference.unlinkGithub,
    operation: operations.UnlinkGithubDocument,
    variables: () => ({}),
    body: ({ githubUnlink }) => ({ success: true, unlinked: githubUnlink.unlinked }),
    response: responses.unlinkResponse,
    errorCodes: ['FORBIDDEN'],
  }),
];

const submissionBody = (submission: operations.RegistrySubmissionFieldsFragment) => ({
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
