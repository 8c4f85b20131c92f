import { exampleLaterTime, exampleProfile, exampleServer, exampleTime, uuidOf } from '../reference.ts';

/** A server in lists of search results and in collections. */
export const exampleSummary = {
  uuid: exampleServer,
  slug: 'weather',
  title: 'Weather',
  description: 'Forecasts and warnings for any place.',
  repository_url: 'https://github.com/octocat/weather',
  package_type: 'npm',
  installation_count: 132,
  rating: 4.6,
  transports: ['stdio'],
} as const;

const tool = {
  name: 'forecast',
  description: 'The forecast for a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
} as const;

const details = {
  uuid: exampleServer,
  name: 'Weather',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'weather-mcp'],
  env: { WEATHER_TOKEN: '********' },
  tools: [tool],
  resources: [{ uri: 'weather://stations', name: 'Stations' }],
  prompts: [{ name: 'plan-trip' }],
} as const;

const start = {
  command: 'npx',
  args: ['-y', 'weather-mcp'],
  url: null,
} as const;

const origin = { _serverUuid: exampleServer, _serverSlug: 'weather', _serverName: 'Weather' } as const;

export const createServer = {
  summary: 'Create a server',
  description:
    'Without `transport` it is `stdio`. A `stdio` server needs `command`, others need `url`. The platform never runs a command. The values of `env` and `headers` are encrypted, and masked in every response but that of GET /api/mcp-servers.',
  example: {
    body: {
      name: 'Weather',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'weather-mcp'],
      env: { WEATHER_TOKEN: 's3cr3t' },
    },
    response: {
      ...details,
      tools: [],
      resources: [],
      prompts: [],
      slug: 'weather',
      url: null,
      notes: null,
      created_at: exampleTime,
    },
  },
} as const;

export const listServers = {
  summary: 'List your servers with their secrets',
  description:
    'All servers of the profile as a proxy needs them to start or reach them. The values of `env` and `headers` are shown to an API key with the scope `write`, and masked for other callers. Each reading of secrets is audited.',
  example: {
    response: [
      {
        uuid: exampleServer,
        slug: 'weather',
        name: 'Weather',
        description: 'Forecasts and warnings for any place.',
        type: 'STDIO',
        transport: 'stdio',
        ...start,
        env: { WEATHER_TOKEN: 's3cr3t' },
        headers: {},
        notes: null,
        status: 'ACTIVE',
        profile_uuid: exampleProfile,
        created_at: exampleTime,
      },
    ],
  },
} as const;

export const getServer = {
  summary: 'Get a server',
  description:
    'A server that is public or yours, with its tools, resources and prompts. The values of `env` are masked.',
  params: uuidOf('server', exampleServer),
  example: { response: details },
} as const;

export const getAuthorizationReport = {
  summary: 'Get the authorization report of a server',
  description:
    'The OAuth rules that a server passes or fails. The server must be public or yours. The platform checks public http and sse servers once a week, without credentials; the owner of a server can switch the check off.',
  params: uuidOf('server', exampleServer),
  example: {
    response: {
      server_uuid: exampleServer,
      report: {
        checked_at: exampleTime,
        grade: 'D',
        counts: { passed: 27, failed: 1, not_applicable: 0, unknown: 0 },
        rules: [
          {
            rule: 'pkce_s256',
            title: 'PKCE with S256 is advertised',
            source: 'RFC 7636, 4.2; RFC 8414, 2; MCP, Authorization Code Protection',
            severity: 'high',
            outcome: 'failed',
            evidence: 'S256 is not advertised',
            facts: [{ name: 'advertised', value: 'plain' }],
            since: exampleTime,
          },
        ],
        changes: [{ rule: 'pkce_s256', before: 'passed', after: 'failed', at: exampleTime }],
      },
    },
  },
} as const;

export const getServerStats = {
  summary: 'Get the statistics of a server',
  description: 'Installations, ratings and activity of a server that is public or yours.',
  params: uuidOf('server', exampleServer),
  example: {
    response: {
      installations: 132,
      rating: 4.6,
      ratings_count: 21,
      trending_rank: 3,
      last_activity: exampleLaterTime,
      daily_installs: [
        ...[0, 1, 0, 2, 4, 3, 1, 0, 2, 5, 6, 4, 3, 2, 1],
        ...[3, 5, 8, 6, 4, 2, 3, 7, 9, 11, 8, 6, 7, 10, 9],
      ],
    },
  },
} as const;

export const reportActivity = {
  summary: 'Report activity of a server',
  description:
    'Counts a call that a proxy made on a server, or installs or uninstalls the server in your profile. A report without a server, or for one that you do not have, counts nothing.',
  example: {
    body: { action: 'tool_call', serverUuid: exampleServer, success: true },
    response: { success: true, counted: true },
  },
} as const;

export const listTools = {
  summary: 'List the tools of your servers',
  description: 'All tools as their servers describe them, each with its server.',
  example: {
    query: { prefix_tools: true },
    response: {
      tools: [
        {
          description: tool.description,
          inputSchema: tool.parameters,
          name: 'weather__forecast',
          ...origin,
        },
      ],
    },
  },
} as const;

export const listResources = {
  summary: 'List the resources of your servers',
  description: 'All resources as their servers describe them, each with its server.',
  example: { response: [{ ...details.resources[0], ...origin }] },
} as const;

export const listResourceTemplates = {
  summary: 'List the resource templates of your servers',
  description: 'All resource templates as their servers describe them, each with its server.',
  example: { response: [{ uriTemplate: 'weather://stations/{id}', name: 'Station', ...origin }] },
} as const;

export const listPrompts = {
  summary: 'List the prompts of your servers',
  description: 'All prompts as their servers describe them, each with its server.',
  example: { response: [{ ...details.prompts[0], ...origin }] },
} as const;

/** How to find the server of a tool, a prompt or a resource. */
const resolve = (what: 'tool' | 'prompt' | 'resource', query: Readonly<Record<string, string>>) =>
  ({
    summary: `Find the server of a ${what}`,
    description: `The server of yours that offers the ${what}. The values of \`env\` and \`headers\` are masked; GET /api/mcp-servers shows them.`,
    example: {
      query,
      response: {
        uuid: exampleServer,
        slug: 'weather',
        name: 'Weather',
        type: 'STDIO',
        transport: 'stdio',
        ...start,
        env: { WEATHER_TOKEN: '********' },
        headers: {},
      },
    },
  }) as const;

export const resolved = {
  tool: resolve('tool', { name: 'forecast' }),
  prompt: resolve('prompt', { name: 'plan-trip' }),
  resource: resolve('resource', { uri: 'weather://stations' }),
} as const;

export const discoverAll = {
  summary: 'Discover the capabilities of all your servers',
  description:
    'Queues the http and sse servers of the profile for discovery. Capabilities of stdio servers come from POST /api/servers/{uuid}/capabilities.',
  example: { response: { success: true, queued: 2, message: 'Discovery initiated' } },
} as const;

export const discoverServer = {
  summary: 'Discover the capabilities of a server',
  description:
    'Queues the server for discovery. `queued` is 0 for a stdio server, and for a server that is already queued.',
  params: uuidOf('server', exampleServer),
  example: { response: { success: true, queued: 1, message: 'Discovery initiated' } },
} as const;

export const reportCapabilities = {
  summary: 'Report the capabilities of a stdio server',
  description:
    'Replaces every kind that the body has, and keeps the others. At most 500 items of each kind are kept. 409 for servers of other transports: the platform discovers their capabilities itself.',
  params: uuidOf('server', exampleServer),
  example: {
    body: {
      tools: [{ name: tool.name, description: tool.description, inputSchema: tool.parameters }],
      prompts: details.prompts,
    },
    response: { success: true, tools: 1, resources: 1, prompts: 1 },
  },
} as const;
