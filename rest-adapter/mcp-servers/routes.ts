import { z } from 'zod';
import { Activity, NewMcpServer } from '../../src/mcp-servers/input.ts';
import { generalErrors, proxyErrors } from '../errors.ts';
import {
  CreateServerDocument,
  GetServerAuthorizationReportDocument,
  type GetServerAuthorizationReportQuery,
  GetServerDocument,
  GetServerStatsDocument,
  ListProxiedServersDocument,
  ReportServerActivityDocument,
  type ServerDetailsFragment,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import {
  activityAnswer,
  authorizationReportAnswer,
  newServerAnswer,
  proxiedServersAnswer,
  proxyTypes,
  serverAnswer,
  statsAnswer,
} from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'MCP servers', errors: generalErrors, access: 'caller' } as const;

/** Proxies report calls of their own tools too, with anything in the place of a server: such a report counts nothing. */
const ActivityBody = Activity.extend({
  serverUuid: z
    .unknown()
    .optional()
    .transform((uuid) => (typeof uuid === 'string' ? uuid : null))
    .meta({ type: 'string' })
    .describe('The server. A report without one, or for one that you do not have, counts nothing.'),
});

/** The paths of MCP servers. Source: docs/specification/mcp-servers.md. */
export const mcpServerRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/mcp-servers',
    isIdempotent: true,
    reference: reference.createServer,
    operation: CreateServerDocument,
    input: NewMcpServer,
    check: 'newServer',
    variables: ({ body }) => ({ input: body }),
    body: ({ serverCreate: { server } }) => ({
      ...detailsBody(server),
      slug: server.slug,
      url: server.url,
      notes: server.notes,
      created_at: server.createdAt,
    }),
    answer: newServerAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/mcp-servers',
    capabilities: new Set(['reveal-server-secrets', 'list-whole-inventory']),
    reference: reference.listServers,
    operation: ListProxiedServersDocument,
    variables: () => ({}),
    body: ({ proxiedServers }) =>
      proxiedServers.map((server) => ({
        uuid: server.uuid,
        slug: server.slug,
        name: server.name,
        description: server.description,
        type: proxyTypes[server.transport],
        transport: server.transport.toLowerCase(),
        command: server.command,
        args: server.args,
        url: server.url,
        env: server.env,
        headers: server.headers,
        notes: server.notes,
        status: 'ACTIVE',
        profile_uuid: server.profileUuid,
        created_at: server.createdAt,
      })),
    answer: proxiedServersAnswer,
    errorCodes: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/servers/:uuid',
    access: 'public',
    reference: reference.getServer,
    operation: GetServerDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ server }) => detailsBody(server as ServerDetailsFragment),
    answer: serverAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/servers/:uuid/authorization-report',
    access: 'public',
    reference: reference.getAuthorizationReport,
    operation: GetServerAuthorizationReportDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ server }) => reportBody(server as ReportedServer),
    answer: authorizationReportAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/servers/:uuid/stats',
    reference: reference.getServerStats,
    operation: GetServerStatsDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ serverStats: stats }) => ({
      installations: stats.installations,
      rating: stats.rating,
      ratings_count: stats.ratingsCount,
      trending_rank: stats.trendingRank,
      last_activity: stats.lastActivityAt,
      daily_installs: stats.dailyInstalls,
    }),
    answer: statsAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/notifications/mcp-activity',
    errors: proxyErrors,
    reference: reference.reportActivity,
    operation: ReportServerActivityDocument,
    input: ActivityBody,
    variables: ({ body: { serverUuid: uuid, ...activity } }) => ({ input: { ...activity, uuid } }),
    body: ({ serverActivityReport: { uuid } }) => ({ success: true, counted: uuid !== null }),
    answer: activityAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
];

const detailsBody = (server: ServerDetailsFragment) => ({
  uuid: server.uuid,
  name: server.name,
  transport: server.transport.toLowerCase(),
  command: server.command,
  args: server.args,
  env: server.env,
  tools: server.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  resources: server.resources.map((resource) => resource.definition),
  prompts: server.prompts.map((prompt) => prompt.definition),
});

type ReportedServer = NonNullable<GetServerAuthorizationReportQuery['server']>;

const reportBody = ({ uuid, authorizationReport: report }: ReportedServer) => ({
  server_uuid: uuid,
  report: report && {
    checked_at: report.checkedAt,
    grade: report.grade,
    counts: {
      passed: report.passed,
      failed: report.failed,
      not_applicable: report.notApplicable,
      unknown: report.unknown,
    },
    rules: report.outcomes.map(({ severity, outcome, ...rest }) => ({
      ...rest,
      severity: severity.toLowerCase(),
      outcome: outcome.toLowerCase(),
    })),
    changes: report.changes.map(({ before, after, ...rest }) => ({
      ...rest,
      before: before.toLowerCase(),
      after: after.toLowerCase(),
    })),
  },
});
