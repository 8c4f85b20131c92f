import { z } from 'zod';
import { Activity, NewMcpServer } from '../../src/mcp-servers/input.ts';
import { generalErrors, proxyErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

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
  route('POST /api/mcp-servers', {
    ...shared,
    isIdempotent: true,
    reference: reference.createServer,
    operation: operations.CreateServerDocument,
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
    response: responses.newServerResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route('GET /api/mcp-servers', {
    ...shared,
    capabilities: new Set(['reveal-server-secrets', 'list-whole-inventory']),
    reference: reference.listServers,
    operation: operations.ListProxiedServersDocument,
    variables: () => ({}),
    body: ({ proxiedServers }) =>
      proxiedServers.map((server) => ({
        uuid: server.uuid,
        slug: server.slug,
        name: server.name,
        description: server.description,
        type: responses.proxyTypes[server.transport],
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
    response: responses.proxiedServersResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('GET /api/servers/:uuid', {
    ...shared,
    access: 'public',
    reference: reference.getServer,
    operation: operations.GetServerDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ server }) => detailsBody(server as operations.ServerDetailsFragment),
    response: responses.serverResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route('GET /api/servers/:uuid/authorization-report', {
    ...shared,
    access: 'public',
    reference: reference.getAuthorizationReport,
    operation: operations.GetServerAuthorizationReportDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ server }) => reportBody(server as ReportedServer),
    response: responses.authorizationReportResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route('GET /api/servers/:uuid/stats', {
    ...shared,
    reference: reference.getServerStats,
    operation: operations.GetServerStatsDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ serverStats: stats }) => ({
      installations: stats.installations,
      rating: stats.rating,
      ratings_count: stats.ratingsCount,
      trending_rank: stats.trendingRank,
      last_activity: stats.lastActivityAt,
      daily_installs: stats.dailyInstalls,
    }),
    response: responses.statsResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/notifications/mcp-activity', {
    ...shared,
    errors: proxyErrors,
    reference: reference.reportActivity,
    operation: operations.ReportServerActivityDocument,
    input: ActivityBody,
    variables: ({ body: { serverUuid: uuid, ...activity } }) => ({ input: { ...activity, uuid } }),
    body: ({ serverActivityReport: { uuid } }) => ({ success: true, counted: uuid !== null }),
    response: responses.activityResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
];

const detailsBody = (server: operations.ServerDetailsFragment) => ({
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

type ReportedServer = NonNullable<operations.GetServerAuthorizationReportQuery['server']>;

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
