import type { z } from 'zod';
import { errorResponses, errorSchemas, headersOf, limitHeaders, responseHeaders } from './openapi-responses.ts';
import { type Json, type NamedSchemas, schemaOf } from './openapi-schemas.ts';
import type { Route } from './route.ts';

/** The parts of the document that operations refer to by name. */
interface Named {
  readonly schemas: NamedSchemas;
  readonly responses: Record<string, Json>;
}

/** What the routes say, whatever the address of the installation. */
interface Described extends Named {
  readonly paths: Record<string, Json>;
}

/** Some hundred schemas are made of it, so one process that starts servers again and again, as tests do, describes its routes once. */
const describedBefore = new WeakMap<readonly Route[], Described>();

function described(routes: readonly Route[]): Described {
  const before = describedBefore.get(routes);
  if (before) return before;
  const named: Named = { schemas: { ...errorSchemas }, responses: {} };
  const paths: Record<string, Json> = {};
  for (const alternatives of Map.groupBy(routes, ({ method, path }) => `${method} ${path}`).values()) {
    const [first] = alternatives as [Route, ...Route[]];
    const path = first.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(alternatives as [Route, ...Route[]], named);
    paths[path] = { ...paths[path], [first.method.toLowerCase()]: operation };
  }
  const all = { ...named, paths };
  describedBefore.set(routes, all);
  return all;
}

/** The OpenAPI 3.1 document of the routes, made from the same data as the routes. It is not to be changed. */
export function openApiDocument(routes: readonly Route[], { version, url }: { version: string; url: string }): Json {
  const { paths, schemas, responses } = described(routes);
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Patchbay',
      version,
      description:
        'The REST API of Patchbay. Operations that are not public take `Authorization: Bearer <API key>`, most of them also the cookie of a signed-in session.',
      contact: { name: 'Patchbay', url },
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
      headers: responseHeaders,
      responses,
      schemas,
    },
  };
}

const tagDescriptions: Record<string, string> = {
  Documents: 'The library of a profile: files and texts, their versions, and search by words and by meaning.',
  Clipboard: 'Memory for tools and agents: named entries and a stack, each entry with a time to live.',
  'Embedded chat': 'Conversations about your documents, with answers that cite them.',
  Notifications: 'Messages for the users of a profile.',
  Users: 'Public profiles of users, and their followers.',
  Analytics: 'Figures about the use of servers.',
  'MCP servers': 'Servers of the Model Context Protocol: their configurations, capabilities and usage.',
  Collections: 'Named groups of MCP servers. Everyone can read and import public ones.',
  Registry: 'Servers of verified owners: submission, review, deprecation and withdrawal.',
  'MCP registry API':
    'The servers of the registry through the read-only API of the official MCP registry, for editors.',
  Agents: 'Containerized agents: life cycle, heartbeats, metrics and export.',
  Webhooks: 'Endpoints of yours that receive events as signed HTTP requests, and their deliveries.',
  Identity: 'Users, sessions, projects, profiles and API keys.',
  OAuth: 'Authorization of MCP servers by a signed-in user, for the application of the platform.',
  'OAuth sessions': 'Authorizations at authorization servers, whose tokens the platform keeps encrypted.',
  Search: 'Search for public MCP servers.',
};

function operationOf(alternatives: readonly [Route, ...Route[]], named: Named): Json {
  const [first] = alternatives;
  const inputs = alternatives.flatMap(({ input }) => (input ? [schemaOf(input, 'input', named.schemas)] : []));
  const parameters = [
    ...pathParameters(first),
    ...queryParameters(alternatives, named),
    ...idempotencyParameter(alternatives),
  ];
  const responses = alternatives.map(({ response }) => schemaOf(response, 'output', named.schemas));
  const isIdempotent = alternatives.some((route) => route.isIdempotent);
  return {
    operationId: operationIdOf(first),
    summary: alternatives.map(({ reference }) => reference.summary).join('; or: '),
    description: alternatives.map(({ reference }) => reference.description).join('\n\n'),
    tags: [first.tag],
    ...(first.access === 'public' && { security: [] }),
    ...(first.access === 'session' && { security: [{ session: [] }] }),
    ...(first.access === 'caller' && { security: [{ apiKey: [] }, { session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(inputs.length > 0 &&
      !first.takesFile && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: anyOf(inputs), ...examplesOf(alternatives, 'body') } },
        },
      }),
    ...(first.takesFile && { requestBody: formOf(inputs[0]) }),
    responses: {
      [first.status ?? 200]: {
        description: 'Success.',
        headers: headersOf('X-Request-Id', ...limitHeaders, ...(isIdempotent ? ['Idempotent-Replayed'] : [])),
        content: first.givesFile
          ? { 'application/octet-stream': { schema: binary } }
          : first.givesEvents
            ? { 'text/event-stream': { schema: { type: 'string' } } }
            : { 'application/json': { schema: anyOf(responses), ...examplesOf(alternatives, 'response') } },
      },
      ...(first.givesFile && fileResponses),
      ...errorResponses(alternatives, named.responses),
    },
  };
}

const binary = { type: 'string', format: 'binary' };

/** A multipart form with a file, and the fields of the input beside it. */
const formOf = (input: Json | undefined): Json => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: { ...binary, description: 'The file, at most 100 MB.' },
          ...(input?.properties as Json | undefined),
        },
      },
    },
  },
});

/** The other responses of a route that gives a file. */
const fileResponses: Json = {
  206: {
    description: 'The requested range.',
    headers: headersOf('X-Request-Id', ...limitHeaders),
    content: { 'application/octet-stream': { schema: binary } },
  },
  304: { description: 'The client has the current file.', headers: headersOf('X-Request-Id', ...limitHeaders) },
  416: { description: 'The range is outside of the file.', headers: headersOf('X-Request-Id', ...limitHeaders) },
};

/** The example of one route; of several each by its summary. */
function examplesOf(alternatives: readonly Route[], part: 'body' | 'response'): Json {
  const given = alternatives.filter(({ reference }) => reference.example[part] !== undefined);
  const [only] = given;
  if (given.length === 1) return { example: only?.reference.example[part] };
  return {
    examples: Object.fromEntries(
      given.map(({ reference: { summary, example } }, index) => [
        `case${index + 1}`,
        { summary, value: example[part] },
      ]),
    ),
  };
}

const pathParameters = ({ path, reference }: Route): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(reference.params as Readonly<Record<string, Json>> | undefined)?.[name],
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
            'A text of your choice, unique to each operation. A request that is repeated with the same key within 24 hours gets the same response, and the operation does not run again.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
        },
      ]
    : [];

function queryParameters(alternatives: readonly Route[], named: Named): Json[] {
  const shape = Object.assign({}, ...alternatives.map(({ query }) => query?.shape ?? {})) as Record<string, z.ZodType>;
  const examples: Json = Object.assign({}, ...alternatives.map(({ reference }) => reference.example.query ?? {}));
  return Object.entries(shape).map(([name, schema]) => {
    const required = alternatives.length === 1 && !schema.safeParse(undefined).success;
    return {
      name,
      in: 'query',
      required,
      ...(schema.description && { description: schema.description }),
      // Examples are not copied into the forms of the API reference: an example of a filter would hide results that the
      // reader did not ask to hide.
      ...(required && name in examples && { example: examples[name] }),
      schema: withoutNull(schemaOf(schema, 'input', named.schemas)),
    };
  });
}

/** A query string has no null: it is documented for bodies alone. */
function withoutNull({ anyOf: kinds, type, ...rest }: Json): Json {
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : type;
  const own = {
    ...(types !== undefined && { type: Array.isArray(types) && types.length === 1 ? types[0] : types }),
    ...rest,
  };
  return Array.isArray(kinds) ? { ...own, ...anyOf(kinds.filter(({ type: kind }) => kind !== 'null')) } : own;
}

function anyOf(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? (different[0] as Json) : { anyOf: different };
}

/** `POST /api/clipboard/get` is `postClipboardGet`. */
function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/^\/api\//, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
