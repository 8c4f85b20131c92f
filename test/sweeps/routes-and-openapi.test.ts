import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../rest-adapter/index.ts';
import type { Route } from '../../rest-adapter/route.ts';
import { statusOfCode } from '../../src/platform/errors.ts';
import { verifies } from '../requirements.ts';
import { type GithubStandIn, startGithub } from '../support/github.ts';
import { requestOf, stageOf, titleOf } from '../support/route-requests.ts';
import { type Answer, callerOf, startTestServer, type TestServer } from '../support/server.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema?: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Record<string, unknown> }> }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  security: Record<string, unknown>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
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
const schemaNames = { general: 'Error', clipboard: 'ClipboardError', registry: 'RegistryError', proxy: 'ProxyError' };
const templateOf = ({ path }: Route) => path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: Route): Operation | undefined =>
  document.paths[templateOf(route)]?.[route.method.toLowerCase()];
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
  it(`has every route ${verifies('rest.openapi')}`, () => {
    for (const [title, route] of byTitle) expect(operationOf(route), title).toBeDefined();
  });

  it(`has nothing but routes ${verifies('rest.openapi')}`, () => {
    const known = new Set(routes.map((route) => `${route.method.toLowerCase()} ${templateOf(route)}`));
    expect(operations().filter(({ path, method }) => !known.has(`${method} ${path}`))).toEqual([]);
  });

  it('says where it is served, and is OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    for (const { url } of document.servers) expect(URL.canParse(url), url).toBe(true);
  });

  it(`resolves every reference within itself ${verifies('rest.openapi')}`, () => {
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

  it(`gives every operation an id of its own, a summary and known tags ${verifies('rest.openapi')}`, () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations()) {
      expect(operation.summary).toMatch(/\S/);
      for (const tag of operation.tags) expect(tags).toContain(tag);
    }
    for (const { name, description } of document.tags) expect(description, name).not.toBe(name);
  });

  it.each(byTitle)(
    `names the parameters, the body and who may call %s ${verifies('rest.openapi')}`,
    (_title, route) => {
      const operation = operationOf(route);
      const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(
        operation?.parameters?.filter((parameter) => parameter.in === 'path').map(({ name }) => name) ?? [],
      ).toEqual(inPath);
      const inQuery =
        operation?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [];
      expect(inQuery).toEqual(expect.arrayContaining(Object.keys(route.query?.shape ?? {})));
      for (const parameter of operation?.parameters ?? [])
        expect(parameter.schema, parameter.name).toBeTypeOf('object');
      if (route.input) expect(operation?.requestBody?.content['application/json']?.schema).toBeTypeOf('object');
      const schemes = (operation?.security ?? document.security).flatMap((each) => Object.keys(each));
      expect(schemes).toEqual({ public: [], session: ['session'], caller: ['apiKey', 'session'] }[route.access]);
      for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
    },
  );

  it.each(byTitle)(
    `has a schema in the right shape for every refusal of %s ${verifies('rest.openapi', 'rest.answers')}`,
    (_title, route) => {
      const operation = operationOf(route);
      for (const code of [...route.refusals, 'SERVER_ERROR', 'UNAVAILABLE'] as const) {
        const schema = operation?.responses[statusOfCode[code]]?.content?.['application/json']?.schema;
        expect(schema, code).toEqual({
          $ref: `#/components/schemas/${schemaNames[route.errors.name]}`,
        });
      }
      expect(operation?.responses['200']?.content?.['application/json']?.schema).toBeTypeOf('object');
      for (const [status, { description }] of Object.entries(operation?.responses ?? {}))
        expect(description, status).toMatch(/\S/);
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
  proxy: z.strictObject({ error: z.string().min(1), code: z.enum(Object.keys(statusOfCode)) }),
  general: z.strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(statusOfCode)),
      message: z.string().min(1),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
};

describe('answers', () => {
  it('have a request that succeeds in the table of every route', () => {
    expect(Object.keys(requestOf).sort()).toEqual(byTitle.map(([title]) => title).sort());
  });

  it.each(byTitle)(
    `of %s have the documented form ${verifies('rest.answers', 'everywhere.success')}`,
    async (title, route) => {
      const stage = await stageOf(server, github);
      const { as, path = route.path, body } = (await requestOf[title]?.(stage)) ?? { as: 'nobody' };
      const answer = await stage[as](route.method, path, body);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const judged = route.answer.safeParse(answer.body);
      expect(judged.error?.issues ?? []).toEqual([]);
      // The schema may fill in and drop nothing: what is documented is what is sent.
      expect(judged.data).toEqual(answer.body);
    },
  );

  /** A refusal that any client may meet has a documented status and the documented form. */
  function expectDocumented(route: Route, answer: Answer): void {
    expect(Object.keys(operationOf(route)?.responses ?? {}), answer.text).toContain(String(answer.status));
    expect(shapes[route.errors.name].safeParse(answer.body).error?.issues ?? [], answer.text).toEqual([]);
  }

  const pathOf = ({ path }: Route) => path.replace(/:\w+/g, 'b0b0b0b0-0000-4000-8000-000000000000');

  it.each(byTitle)(
    `of %s that refuse are documented and have the documented form ${verifies('rest.answers', 'clipboard.errors.shape', 'access.anonymous')}`,
    async (_title, route) => {
      const stage = await stageOf(server, github);
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
