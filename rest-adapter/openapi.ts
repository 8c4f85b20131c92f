import { z } from 'zod';
import { type RefusalCode, statusOfCode } from '../src/platform/errors.ts';
import type { ErrorShape } from './errors.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, made from the same data that answers them. */
export function openApiDocument(routes: readonly Route[], { version, url }: { version: string; url: string }): Json {
  const paths: Record<string, Json> = {};
  for (const alternatives of Map.groupBy(routes, ({ method, path }) => `${method} ${path}`).values()) {
    const [first] = alternatives as [Route, ...Route[]];
    const path = first.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [first.method.toLowerCase()]: operationOf(alternatives as [Route, ...Route[]]) };
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Patchbay',
      version,
      description:
        'The REST face of Patchbay. Every call but the public ones carries `Authorization: Bearer <API key>`.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `pbk_…`.' },
        session: { type: 'apiKey', in: 'cookie', name: 'session_token', description: 'A signed-in session.' },
      },
      schemas: { ...errorSchemas },
    },
  };
}

const tagDescriptions: Record<string, string> = {
  Clipboard: 'Memory for tools and agents: named entries and a stack, each with a time to live.',
  Notifications: "What a profile's people should know.",
  Users: 'What users show of themselves, and who follows whom.',
  Analytics: 'What comes of how servers are used.',
  'MCP servers':
    'Servers of the Model Context Protocol: how to start or reach them, what they offer, how they are used.',
  Collections: 'Named groups of MCP servers; public ones are for everybody to read and to install.',
  Registry: 'Servers whose owners have proved that they are: submitting, deciding, deprecating, withdrawing.',
  'MCP registry API': 'The same servers as editors read them: the read-only API of the official MCP registry.',
  Webhooks: 'Places that are told what happens, by signed calls; what they were told, and telling it again.',
  Identity: 'Users, sessions, projects, profiles and API keys.',
  Search: 'Public MCP servers by words and filters.',
};

function operationOf(alternatives: readonly [Route, ...Route[]]): Json {
  const [first] = alternatives;
  const inputs = alternatives.flatMap(({ input }) => (input ? [schemaOf(input, 'input')] : []));
  const parameters = [
    ...pathParameters(first),
    ...queryParameters(alternatives),
    ...idempotencyParameter(alternatives),
  ];
  const refusals = new Set<RefusalCode>(alternatives.flatMap((route) => refusalsOf(route)));
  return {
    operationId: operationIdOf(first),
    summary: alternatives.map(({ summary }) => summary).join('; or: '),
    tags: [first.tag],
    ...(first.access === 'public' && { security: [] }),
    ...(first.access === 'session' && { security: [{ session: [] }] }),
    ...(first.access === 'caller' && { security: [{ apiKey: [] }, { session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(inputs.length > 0 && {
      requestBody: { required: true, content: { 'application/json': { schema: anyOf(inputs) } } },
    }),
    responses: {
      200: {
        description: 'Done.',
        headers: {
          'X-Request-Id': { description: 'The id of the request.', schema: { type: 'string' } },
          ...(alternatives.some(({ isIdempotent }) => isIdempotent) && {
            'Idempotent-Replayed': {
              description: '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
              schema: { type: 'string', enum: ['true'] },
            },
          }),
        },
        content: {
          'application/json': { schema: anyOf(alternatives.map(({ answer }) => schemaOf(answer, 'output'))) },
        },
      },
      ...refusalResponses(refusals, first.errors),
    },
  };
}

/** What a route refuses with: its own codes, and those that every call can meet, a public one by bad credentials too. */
const refusalsOf = ({ method, refusals, isIdempotent }: Route): RefusalCode[] => [
  ...refusals,
  ...(isIdempotent ? (['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  ...(method === 'GET' ? [] : (['TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
  'RATE_LIMITED',
  'SERVER_ERROR',
  'UNAVAILABLE',
];

const refusalWords: Partial<Record<RefusalCode, string>> = {
  VALIDATION_ERROR: 'The request is not valid; `details` maps fields to messages.',
  UNAUTHORIZED: 'Missing or invalid credentials.',
  FORBIDDEN: 'The credentials do not allow this.',
  NOT_FOUND: 'There is no such thing, or it is not yours.',
  CONFLICT: 'It is taken, or there are too many; or a request with this Idempotency-Key is still running.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request.',
  TOO_LARGE: 'The value or the body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON.',
  RATE_LIMITED: 'Too many calls; `Retry-After` tells when to try again.',
  SERVER_ERROR: 'A fault of ours; its id is in `X-Request-Id`.',
  UNAVAILABLE: 'The database is away; try again after `Retry-After` seconds.',
};

function refusalResponses(codes: ReadonlySet<RefusalCode>, shape: ErrorShape): Json {
  const responses: Json = {};
  for (const code of codes) {
    responses[statusOfCode[code]] = {
      description: refusalWords[code] ?? code,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${errorSchemaNames[shape.name]}` } } },
    };
  }
  return responses;
}

const errorSchemaNames = {
  general: 'Error',
  clipboard: 'ClipboardError',
  registry: 'RegistryError',
  proxy: 'ProxyError',
} as const satisfies Record<ErrorShape['name'], string>;

const details = { type: 'object', description: 'Facts by field.', additionalProperties: true };
const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string', enum: Object.keys(statusOfCode) }, message: { type: 'string' }, details },
      },
    },
  },
  ClipboardError: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: { type: 'string' },
      details,
      retryAfter: { type: 'integer', description: 'Seconds.' },
    },
  },
  ProxyError: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'What is wrong, with every wrong field.' },
      code: { type: 'string', enum: Object.keys(statusOfCode) },
    },
  },
  RegistryError: {
    type: 'object',
    required: ['title', 'status', 'detail'],
    properties: {
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      errors: {
        type: 'array',
        items: { type: 'object', properties: { location: { type: 'string' }, message: { type: 'string' } } },
      },
    },
  },
};

const pathParameters = ({ path }: Route): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name} of the object.`,
    schema: { type: 'string' },
  }));

const idempotencyParameter = (alternatives: readonly Route[]): Json[] =>
  alternatives.some(({ isIdempotent }) => isIdempotent)
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Any text of the client that is new for each thing to be done. Sent again within 24 hours it gets the same answer, and nothing is done twice.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
        },
      ]
    : [];

function queryParameters(alternatives: readonly Route[]): Json[] {
  const shape = Object.assign({}, ...alternatives.map(({ query }) => query?.shape ?? {})) as Record<string, z.ZodType>;
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: alternatives.length === 1 && !schema.safeParse(undefined).success,
    ...(schema.description && { description: schema.description }),
    schema: schemaOf(schema, 'input'),
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  }) as Json;
  return json;
}

const anyOf = (schemas: Json[]): Json => (schemas.length === 1 ? (schemas[0] as Json) : { anyOf: schemas });

/** `POST /api/clipboard/get` is `postClipboardGet`. */
function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/^\/api\//, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
