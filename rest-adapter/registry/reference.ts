import { exampleServer, exampleTime, exampleUuid, uuidOf } from '../reference.ts';

const submitted = {
  uuid: exampleUuid,
  slug: 'weather',
  repository: 'octocat/weather',
  package_type: 'npm',
  status: 'pending',
} as const;

const name = 'io.github.octocat/weather';

const document = {
  name,
  description: 'Forecasts and warnings for any place.',
  version: '1.2.0',
  repository: { url: 'https://github.com/octocat/weather', source: 'github' },
} as const;

const submission = {
  ...submitted,
  transport: ['stdio'],
  environment_variables: ['WEATHER_TOKEN'],
  reason: null,
  name,
  version: '1.2.0',
  document,
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_at: exampleTime,
  submitted_at: exampleTime,
  decided_at: null,
} as const;

const entry = {
  server: document,
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      statusChangedAt: exampleTime,
      publishedAt: exampleTime,
      updatedAt: exampleTime,
      isLatest: true,
    },
  },
} as const;

const status = { success: true, uuid: exampleServer, name } as const;
const message = 'Use weather-next instead.';

export const getHealth = {
  summary: 'Get the health of the registry',
  description: 'While the status is `degraded` the registry can be read and not changed.',
  example: { response: { status: 'healthy', version: '0.1.0', last_indexed: exampleTime, total_servers: 214 } },
} as const;

export const submit = {
  summary: 'Submit a repository',
  description:
    'Your linked GitHub account must own the repository (403), and the repository must have a package.json, Dockerfile, pyproject.toml or setup.py (400). An administrator decides about the submission.',
  example: {
    body: {
      repository: 'https://github.com/octocat/weather',
      transport: ['stdio'],
      package_type: 'npm',
      environment_variables: ['WEATHER_TOKEN'],
    },
    response: submitted,
  },
} as const;

export const listSubmissions = {
  summary: 'List submissions',
  description: 'Your submissions, the newest first. An administrator sees those of all users.',
  example: {
    query: { status: 'pending', limit: 20 },
    response: { submissions: [submission], total: 1, next_cursor: null },
  },
} as const;

export const acceptSubmission = {
  summary: 'Accept a submission',
  description:
    'For administrators. Publishes the submission if its `digest` is the one in the body: a submission that was changed in the meantime is 409.',
  params: uuidOf('submission'),
  example: {
    body: { digest: submission.digest },
    response: { success: true, submission: { ...submission, status: 'accepted', decided_at: exampleTime } },
  },
} as const;

export const rejectSubmission = {
  summary: 'Reject a submission',
  description: 'For administrators. The submitter sees the reason.',
  params: uuidOf('submission'),
  example: {
    body: { reason: 'The package does not start.' },
    response: {
      success: true,
      submission: {
        ...submission,
        status: 'rejected',
        reason: 'The package does not start.',
        decided_at: exampleTime,
      },
    },
  },
} as const;

export const deprecateServer = {
  summary: 'Deprecate a server',
  description: 'Marks all versions of a server of yours as deprecated. They stay in the registry.',
  params: uuidOf('server', exampleServer),
  example: { body: { message }, response: { ...status, status: 'deprecated', message } },
} as const;

export const reactivateServer = {
  summary: 'Reactivate a server',
  description: 'Ends the deprecation of a server of yours.',
  params: uuidOf('server', exampleServer),
  example: { response: { ...status, status: 'active', message: null } },
} as const;

export const withdrawServer = {
  summary: 'Withdraw a server',
  description: 'Removes a server of yours from the registry. An administrator can withdraw any server.',
  params: uuidOf('server', exampleServer),
  example: { body: { message }, response: { ...status, status: 'deleted', message } },
} as const;

export const beginGithubLink = {
  summary: 'Link a GitHub account',
  description: 'Send the browser to `authorization_url`. GitHub sends it back, and the account is linked.',
  example: {
    response: { authorization_url: 'https://github.com/login/oauth/authorize?client_id=Iv1.example&state=example' },
  },
} as const;

export const unlinkGithub = {
  summary: 'Unlink the GitHub account',
  description: 'Published servers stay. `unlinked` is false when no account was linked.',
  example: { response: { success: true, unlinked: true } },
} as const;

const serverName = {
  description: 'Name of the server, percent-encoded.',
  example: 'io.github.octocat%2Fweather',
} as const;

export const listEntries = {
  summary: 'List the servers of the registry',
  description:
    'Every version of every server, in the order of changes. To follow changes, pass the `nextCursor` of the previous page, or `updated_since`.',
  example: {
    query: { limit: 30, search: 'weather', version: 'latest' },
    response: { servers: [entry], metadata: { count: 1 } },
  },
} as const;

export const listVersions = {
  summary: 'List the versions of a server',
  description: 'The versions of a server, the newest first.',
  params: { serverName },
  example: { query: { include_deleted: false }, response: { servers: [entry], metadata: { count: 1 } } },
} as const;

export const getVersion = {
  summary: 'Get a version of a server',
  description: 'A version of a server by its number, or the newest one as `latest`.',
  params: { serverName, version: { description: 'A version, or `latest`.', example: 'latest' } },
  example: { query: { include_deleted: false }, response: entry },
} as const;
