import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { statusOf } from '../../rest-adapter/errors.ts';
import { routes } from '../../rest-adapter/index.ts';
import { openApiDocument } from '../../rest-adapter/openapi.ts';
import type { Reference, Route } from '../../rest-adapter/route.ts';
import { ApiError, statusOfCode } from '../../src/platform/errors.ts';
import { verifies } from '../requirements.ts';
import { type GithubStandIn, startGithub } from '../support/github.ts';
import { requestOf, type Stage, stageOf, titleOf } from '../support/route-requests.ts';
import { type Answer, callerOf, startTestServer, type TestServer } from '../support/server.ts';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema?: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, OperationResponse | { $ref: string }>;
}

interface OperationResponse {
  description: string;
  headers: Record<string, unknown>;
  content: Record<string, { schema: Record<string, unknown>; example?: unknown }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  security: Record<string, unknown>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, unknown>;
    responses: Record<string, OperationResponse>;
    securitySchemes: Record<string, unknown>;
  };
}

let server: TestServer;
let github: GithubStandIn;
let document: Document;

beforeAll(async () => {
  github = await startGithub();
  server = await startTestServer({ ...github.settings, EGRESS_ALLOW: '127.0.0.0/8' });
  const answer = await callerOf(server, null)('GET', '/openapi.json');
  expect(answer.status).toBe(200);
  document = answer.body as Document;
});

const byTitle = routes.map((route) => [titleOf(route), route] as const);
const schemaNames = {
  general: 'Error',
  clipboard: 'ClipboardError',
  registry: 'RegistryError',
  agents: 'AgentError',
  proxy: 'ProxyError',
  oauth: 'OauthError',
};
const templateOf = ({ path }: Route) => path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: Route): Operation | undefined =>
  document.paths[templateOf(route)]?.[route.method.toLowerCase()];
/** A response of an operation, which may stand among the named responses of the document. */
function responseOf(operation: Operation | undefined, status: number): OperationResponse {
  const response = operation?.responses[status];
  if (response === undefined) throw new Error(`${operation?.operationId} documents no ${status}`);
  return '$ref' in response
    ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] as OperationResponse)
    : response;
}
/** The response of an operation that succeeds. */
const successOf = (operation: Operation) => responseOf(operation, operation.responses[201] ? 201 : 200);
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Every value under a key, wherever it stands. */
function valuesOf(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(key, value)]);
}

describe('the OpenAPI document', () => {
  it('has every route', verifies('rest.openapi'), () => {
    for (const [title, route] of byTitle) expect(operationOf(route), title).toBeDefined();
  });

  it('has nothing but routes', verifies('rest.openapi'), () => {
    const known = new Set(routes.map((route) => `${route.method.toLowerCase()} ${templateOf(route)}`));
    expect(operations().filter(({ path, method }) => !known.has(`${method} ${path}`))).toEqual([]);
  });

  it('is made once of its routes, whatever the address at which it is served', () => {
    const [one, other] = ['https://one.example', 'https://other.example'].map((url) =>
      openApiDocument(routes, { version: '0.0.0', url }),
    );
    expect([one?.servers, other?.servers]).toEqual([
      [{ url: 'https://one.example' }],
      [{ url: 'https://other.example' }],
    ]);
    expect(other?.paths).toBe(one?.paths);
  });

  it('says where it is served, and is OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    for (const { url } of document.servers) expect(URL.canParse(url), url).toBe(true);
  });

  it('resolves every reference within itself', verifies('rest.openapi'), () => {
    const references = valuesOf('$ref', document);
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const steps = String(reference).replace(/^#\//, '').split('/');
      const target = steps.reduce<unknown>(
        (node, step) =>
          (node as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );
      expect(target, String(reference)).toBeTypeOf('object');
    }
  });

  it('gives every operation an id of its own, a summary and known tags', verifies('rest.openapi'), () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations()) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description, operation.operationId).toMatch(/^[A-Z].*\.$/s);
      for (const tag of operation.tags) expect(tags).toContain(tag);
    }
    for (const { name, description } of document.tags) expect(description, name).not.toBe(name);
  });

  it.each(byTitle)('names the parameters, the body and who may call %s', verifies('rest.openapi'), (_title, route) => {
    const operation = operationOf(route);
    const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(operation?.parameters?.filter((parameter) => parameter.in === 'path').map(({ name }) => name) ?? []).toEqual(
      inPath,
    );
    const inQuery =
      operation?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [];
    expect(inQuery).toEqual(expect.arrayContaining(Object.keys(route.query?.shape ?? {})));
    for (const parameter of operation?.parameters ?? []) {
      expect(parameter.schema, parameter.name).toBeTypeOf('object');
      expect(JSON.stringify(parameter.schema), parameter.name).not.toContain('null');
      expect(parameter.description, parameter.name).toMatch(/^[A-Z`].*\.$/);
    }
    if (route.input || route.takesFile)
      expect(Object.values(operation?.requestBody?.content ?? {})[0]?.schema).toBeTypeOf('object');
    const schemes = (operation?.security ?? document.security).flatMap((each) => Object.keys(each));
    expect(schemes).toEqual({ public: [], session: ['session'], caller: ['apiKey', 'session'] }[route.access]);
    for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
  });

  it.each(byTitle)(
    'has a schema in the right shape for every refusal of %s',
    verifies('rest.openapi', 'rest.answers'),
    (_title, route) => {
      const operation = operationOf(route);
      for (const code of [
        ...route.errorCodes,
        'UNAUTHORIZED',
        'RATE_LIMITED',
        'SERVER_ERROR',
        'UNAVAILABLE',
      ] as const) {
        const response = responseOf(operation, statusOf(route.errors, new ApiError(code, 'x')));
        expect(response.content['application/json']?.schema, code).toEqual({
          $ref: `#/components/schemas/${schemaNames[route.errors.name]}`,
        });
        const example = response.content['application/json']?.example;
        expect(shapes[route.errors.name].safeParse(example).error?.issues ?? [], code).toEqual([]);
        const headers = Object.keys(response.headers);
        const isLimited = !['SERVER_ERROR', 'UNAVAILABLE'].includes(code);
        expect(headers.filter((name) => name.startsWith('X-RateLimit-')).length, code).toBe(isLimited ? 3 : 0);
        // On the paths of agents a failure of the platform has one form, whatever failed.
        const isTemporary = code === 'UNAVAILABLE' && route.errors.name !== 'agents';
        expect(headers.includes('Retry-After'), code).toBe(code === 'RATE_LIMITED' || isTemporary);
      }
      for (const status of Object.keys(operation?.responses ?? {}))
        expect(responseOf(operation, Number(status)).description, status).toMatch(/\S/);
      expect(Object.values(responseOf(operation, route.status ?? 200).content)[0]?.schema).toBeTypeOf('object');
    },
  );
});

/** The documented errors, as the tests read them. */
const shapes = {
  clipboard: z.strictObject({
    success: z.literal(false),
    error: z.string().min(1),
    details: z.record(z.string(), z.unknown()).optional(),
    retryAfter: z.int().optional(),
  }),
  registry: z.strictObject({
    title: z.string().min(1),
    status: z.int(),
    detail: z.string().min(1),
    errors: z.array(z.strictObject({ location: z.string(), message: z.string() })).optional(),
  }),
  oauth: z.strictObject({
    error: z.string().regex(/^[a-z_]+$/),
    message: z.string().min(1),
    details: z.record(z.string(), z.unknown()).optional(),
    retryAfter: z.int().min(1).optional(),
  }),
  agents: z.strictObject({ error: z.string().min(1) }),
  proxy: z.strictObject({ error: z.string().min(1), code: z.enum(Object.keys(statusOfCode)) }),
  general: z.strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(statusOfCode)),
      message: z.string().min(1),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
};

describe('the examples of the reference', () => {
  it.each(byTitle)('fit the schemas of %s', verifies('rest.openapi'), (_title, { path, query, input, reference }) => {
    const { params, example } = reference as Reference;
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(params ?? {})).toEqual(names);
    for (const { description } of Object.values<{ description: string }>(params ?? {}))
      expect(description).toMatch(/\.$/);
    for (const [schema, value] of [
      [query, example.query],
      [input, example.body],
    ] as const) {
      expect(value === undefined, 'has an example').toBe(schema === undefined);
      if (!schema) continue;
      expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
      // Unknown members would be dropped.
      expect(Object.keys(schema.parse(value) as object)).toEqual(expect.arrayContaining(Object.keys(value as object)));
    }
  });

  it.each(byTitle)('have the response of %s as it is documented', verifies('rest.openapi'), (_title, route) => {
    const parsed = route.response.safeParse(route.reference.example.response);
    expect(parsed.error?.issues ?? []).toEqual([]);
    expect(parsed.data).toEqual(route.reference.example.response);
  });

  it('are in the document', () => {
    for (const { operation } of operations()) {
      const contents = [operation.requestBody, successOf(operation)].flatMap((each) =>
        // A file, and a form with one, are no JSON.
        each?.content['application/json'] ? [each.content['application/json']] : [],
      );
      for (const content of contents) expect('example' in Object(content) || 'examples' in Object(content)).toBe(true);
    }
  });
});

describe('the named schemas', () => {
  it('have every resource, so that generated clients have types for them', verifies('rest.openapi'), () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        ...[
          'ApiKey',
          'ClipboardEntry',
          'Collection',
          'McpServer',
          'McpServerSummary',
          'McpServerStats',
          'Notification',
        ],
        ...['Profile', 'Project', 'RegistryEntry', 'RegistrySubmission', 'SearchStatistics', 'TrendingServer', 'User'],
        ...['UserProfile', 'Webhook', 'WebhookDelivery', 'Error', 'ClipboardError', 'ProxyError', 'RegistryError'],
      ]),
    );
  });

  it('leave no object of a response without a name that several operations have', () => {
    const shapesOf = (node: unknown): string[] =>
      typeof node !== 'object' || node === null
        ? []
        : [
            ...('properties' in node && Object.keys(Object(node.properties)).length > 4 ? [JSON.stringify(node)] : []),
            ...Object.values(node).flatMap(shapesOf),
          ];
    const unnamed = operations().flatMap(({ operation }) =>
      shapesOf(successOf(operation).content['application/json']?.schema),
    );
    expect(unnamed.filter((shape, index) => unnamed.indexOf(shape) !== index)).toEqual([]);
  });
});

describe('the paths', () => {
  const templates = () => Object.keys(document.paths).map((path) => path.split('/'));
  const isTemplated = (segment: string) => segment.startsWith('{');

  it('are unambiguous: of two that match one request, one has fewer parameters in every place', () => {
    const ambiguous: string[] = [];
    for (const [index, one] of templates().entries())
      for (const other of templates().slice(index + 1)) {
        if (one.length !== other.length) continue;
        const pairs = one.map((segment, at) => [segment, other[at] ?? ''] as const);
        if (!pairs.every(([a, b]) => a === b || isTemplated(a) || isTemplated(b))) continue;
        const [first, second] = [0, 1].map((side) =>
          pairs.some((pair) => !isTemplated(pair[side] ?? '') && isTemplated(pair[1 - side] ?? '')),
        );
        if (first === second) ambiguous.push(`${one.join('/')} and ${other.join('/')}`);
      }
    expect(ambiguous).toEqual([]);
  });
});

describe('answers', () => {
  it('have a request that succeeds in the table of every route', () => {
    expect(Object.keys(requestOf).sort()).toEqual(byTitle.map(([title]) => title).sort());
  });

  it.each(byTitle)(
    'of %s have the documented form',
    verifies('rest.answers', 'everywhere.success'),
    async (title, route) => {
      const stage = await stageOf(server, github);
      const { as, path = route.path, body, headers } = (await requestOf[title]?.(stage)) ?? { as: 'nobody' };
      const answer = await stage[as](route.method, path, body, headers);
      expect(answer.status, answer.text).toBe(route.status ?? 200);
      if (route.givesFile || route.givesEvents) return;
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const parsed = route.response.safeParse(answer.body);
      expect(parsed.error?.issues ?? []).toEqual([]);
      // The schema may fill in and drop nothing: what is documented is what is sent.
      expect(parsed.data).toEqual(answer.body);
    },
  );

  /** A refusal that any client may meet has a documented status and the documented form. */
  function expectDocumented(route: Route, answer: Answer): void {
    expect(Object.keys(operationOf(route)?.responses ?? {}), answer.text).toContain(String(answer.status));
    expect(shapes[route.errors.name].safeParse(answer.body).error?.issues ?? [], answer.text).toEqual([]);
  }

  let refused: Stage | undefined;

  const pathOf = ({ path }: Route) => path.replace(/:\w+/g, 'b0b0b0b0-0000-4000-8000-000000000000');

  it.each(byTitle)(
    'of %s that refuse are documented and have the documented form',
    verifies('rest.answers', 'clipboard.errors.shape', 'access.anonymous'),
    async (_title, route) => {
      // A request that is refused changes nothing, so the next route has the same callers.
      refused ??= await stageOf(server, github);
      const stage = refused;
      if (route.access !== 'public') {
        const answer = await stage.nobody(route.method, pathOf(route), route.method === 'GET' ? undefined : {});
        expect(answer.status).toBe(401);
        expectDocumented(route, answer);
      }
      const call = route.access === 'session' ? stage.session : stage.key;
      const answers: Answer[] = [];
      if (route.method !== 'GET') {
        answers.push(await call(route.method, pathOf(route), '{'), await call(route.method, pathOf(route), '[]'));
        answers.push(await call(route.method, pathOf(route), 'x', { 'Content-Type': 'text/plain' }));
        if (route.bodyBytesMax === undefined)
          answers.push(await call(route.method, pathOf(route), { pad: 'x'.repeat(300_000) }));
      }
      if (route.input)
        answers.push(
          await call(route.method, pathOf(route), {
            name: 42,
            idx: 'x',
            value: 42,
            password: 1,
            email: 1,
            username: 1,
            scopes: 1,
            bio: 42,
            temperature: 'x',
          }),
        );
      if (route.query)
        answers.push(
          await call(
            'GET',
            `${pathOf(route)}?${Object.keys(route.query.shape)
              .map((name) => `${name}=%00`)
              .join('&')}`,
          ),
        );
      if (route.path.includes(':')) answers.push(await call(route.method, pathOf(route)));
      if (route.access === 'session')
        answers.push(await stage.key(route.method, pathOf(route), route.method === 'GET' ? undefined : {}));
      for (const answer of answers) {
        expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
        expect(answer.status, answer.text).toBeLessThan(500);
        expectDocumented(route, answer);
      }
    },
  );
});

describe('the page that shows it', () => {
  it('is made of our own files alone, and all of them are there', async () => {
    const call = callerOf(server, null);
    const page = await call('GET', '/docs/api');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => String(file));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\/api\//);
      expect((await call('GET', file)).status, file).toBe(200);
    }
  });
});
