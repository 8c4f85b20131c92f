import { Activity, NewMcpServer } from '../../src/mcp-servers/input.ts';
import { generalErrors } from '../errors.ts';
import {
  CreateServerDocument,
  GetServerDocument,
  GetServerStatsDocument,
  ListProxiedServersDocument,
  ReportServerActivityDocument,
  type ServerActivityReportInput,
  type ServerCreateInput,
  type ServerDetailsFragment,
} from '../generated/operations.ts';
import { pick, type Route, type RouteRequest, route } from '../route.ts';
import { doneAnswer, newServerAnswer, proxiedServersAnswer, proxyTypes, serverAnswer, statsAnswer } from './answers.ts';

const shared = { tag: 'MCP servers', errors: generalErrors, access: 'caller' } as const;

/** The paths of MCP servers. Source: spec.md, Search and servers; gaps.md, Servers. */
export const mcpServerRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/mcp-servers',
    isIdempotent: true,
    summary: 'Add an MCP server; the values of `env` and `headers` are kept encrypted, and masked from now on',
    operation: CreateServerDocument,
    input: NewMcpServer,
    variables: ({ body }) => ({ input: serverInput(body) as ServerCreateInput }),
    body: ({ serverCreate: { server } }) => ({
      ...detailsBody(server),
      slug: server.slug,
      url: server.url,
      notes: server.notes,
      created_at: server.createdAt,
    }),
    answer: newServerAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/mcp-servers',
    summary: 'Your servers as a proxy takes them, with their secrets where a key of yours asks, which is written down',
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
    refusals: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/servers/:uuid',
    access: 'public',
    summary: 'An MCP server that is public or yours, with what it offers',
    operation: GetServerDocument,
    variables: ({ params }) => ({ uuid: params.uuid ?? '' }),
    body: ({ server }) => detailsBody(server as ServerDetailsFragment),
    answer: serverAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/servers/:uuid/stats',
    summary: 'How an MCP server is used',
    operation: GetServerStatsDocument,
    variables: ({ params }) => ({ uuid: params.uuid ?? '' }),
    body: ({ serverStats: stats }) => ({
      installations: stats.installations,
      rating: stats.rating,
      ratings_count: stats.ratingsCount,
      trending_rank: stats.trendingRank,
      last_activity: stats.lastActivityAt,
      daily_installs: stats.dailyInstalls,
    }),
    answer: statsAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/notifications/mcp-activity',
    summary: 'Count a call that a proxy made on a server',
    operation: ReportServerActivityDocument,
    input: Activity,
    variables: ({ body }) => ({
      input: {
        ...pick(body, ['success']),
        uuid: typeof body.serverUuid === 'string' ? body.serverUuid : '',
        action: enumValue(body.action),
      } as ServerActivityReportInput,
    }),
    body: () => ({ success: true }),
    answer: doneAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
];

/** The graph's spelling. What already is in that spelling is not a documented one, and is refused. */
const enumValue = (value: unknown) => (typeof value === 'string' && /^[a-z_]+$/.test(value) ? value.toUpperCase() : '');

const lists = ['args', 'tags'];
const enums = ['transport', 'packageType'];

function serverInput(body: RouteRequest['body']): Record<string, unknown> {
  const input = pick(body, [
    'name',
    'title',
    'description',
    'command',
    'args',
    'url',
    'env',
    'headers',
    'notes',
    'repositoryUrl',
    'category',
    'tags',
    'version',
    ...enums,
  ]);
  // The graph would take one text for a list of one.
  for (const list of lists)
    if (list in input && input[list] !== null && !Array.isArray(input[list])) input[list] = [{}];
  for (const name of enums) if (name in input && input[name] !== null) input[name] = enumValue(input[name]);
  return input;
}

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
