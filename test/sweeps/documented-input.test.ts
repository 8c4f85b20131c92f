import { Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { openApiDocument } from '../../rest-adapter/openapi.ts';
import { parseRequest } from '../../rest-adapter/request.ts';
import type { RawRequest, Route, RouteRequest } from '../../rest-adapter/route.ts';
import { verifies } from '../requirements.ts';

/** What a client may send in a request, as the OpenAPI document has it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}
type Place = 'path' | 'query' | 'body';

const document = openApiDocument(routes, { version: '0.0.0', url: 'https://patchbay.example' }) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

/** A schema and those that it is composed of. */
function partsOf(schema: Schema): Schema[] {
  const { anyOf = [], allOf = [], ...own } = resolved(schema);
  return [own, ...[...anyOf, ...allOf].flatMap(partsOf)];
}

/** The documented keys of a body. A key that several alternatives have is of all their kinds. */
function keysOf(schema: Schema): Map<string, Schema> {
  const keys = new Map<string, Schema>();
  for (const { properties = {} } of partsOf(schema))
    for (const [name, value] of Object.entries(properties))
      keys.set(name, { anyOf: [...(keys.get(name)?.anyOf ?? []), value] });
  return keys;
}

const uuids = ['a0a0a0a0-0000-4000-8000-000000000000', 'b0b0b0b0-0000-4000-8000-000000000000'];

/** Pairs of texts: each field of text takes both texts of some pair. */
const texts: readonly (readonly [string, string])[] = [
  ['first', 'second'],
  ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
  ['https://example.com/first', 'https://example.com/second'],
  ['first@example.com', 'second@example.com'],
  ['correct horse battery', 'another staple of mine'],
  ['a'.repeat(64), 'b'.repeat(64)],
  ['MQ', 'Mg'],
];

/** Values that a key takes, no two of which mean the same; several sets where only the key's own rules say which. */
function probesOf(schema: Schema): readonly (readonly unknown[])[] {
  const parts = partsOf(schema);
  const kinds = new Set(parts.flatMap(({ type = [] }) => type));
  const listed = [
    ...new Set(parts.flatMap(({ enum: values = [], ...own }) => ('const' in own ? [own.const] : values))),
  ];
  if (listed.length > 1) return [listed];
  return [
    ...(listed.length === 1 ? [[...listed, undefined]] : []),
    ...(kinds.has('boolean') ? [[true, false]] : []),
    ...(kinds.has('integer') || kinds.has('number') ? [[2, 3]] : []),
    ...(kinds.has('string') ? texts : []),
    ...(kinds.has('array')
      ? [
          ['read', 'write'],
          ['stdio', 'http'],
          ['test.ping', 'document.deleted'],
          [{ name: 'first' }, { name: 'second' }],
        ].map(([first, second]) => [[first], [second]])
      : []),
    ...(kinds.has('object')
      ? [
          [{ github: 'https://example.com/first' }, { github: 'https://example.com/second' }],
          [{ TOKEN: 'first' }, { TOKEN: 'second' }],
        ]
      : []),
  ];
}

const flat = (probes: readonly (readonly unknown[])[]) => probes.flat().filter((value) => value !== undefined);

/** One documented operation: the routes that share its method and its path. */
interface Documented {
  readonly title: string;
  readonly alternatives: readonly Route[];
  readonly keys: readonly { readonly place: Place; readonly name: string; readonly schema: Schema }[];
}

const documented: Documented[] = [
  ...Map.groupBy(routes, ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
].map(([title, alternatives]) => {
  const [method = '', path = ''] = title.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()] ?? {};
  const parameters = (operation.parameters ?? []).flatMap(({ name, in: place, schema }) =>
    place === 'header' ? [] : [{ place, name, schema }],
  );
  const body = keysOf(operation.requestBody?.content['application/json'].schema ?? {});
  return {
    title,
    alternatives,
    keys: [...parameters, ...[...body].map(([name, schema]) => ({ place: 'body' as const, name, schema }))],
  };
});

const keyed = documented.filter(({ keys }) => keys.length > 0);

/**
 * Keys that do not change the variables of the operation, each with the reason. `effect` is what they change instead; a key without
 * one is accepted and ignored.
 */
const exceptions: Record<string, { reason: string; effect?: (valid: Valid) => unknown }> = {
  'GET /api/tools query prefix_tools': {
    reason: 'It changes the names in the response, which the graph gives without a prefix.',
    effect: ({ request, route }) =>
      route.body({ serverOffers: [{ definition: {}, name: 't', serverSlug: 's' }] } as never, request),
  },
};

/** The keys that messages about wrong fields name: `transport` of `transport.0`. */
const fieldsOf = (wrong: Readonly<Record<string, string>>) =>
  new Set(Object.keys(wrong).map((field) => field.split('.')[0]));

interface Valid {
  readonly route: Route;
  readonly request: RouteRequest;
  readonly variables: unknown;
}

/** The request with every required key filled in; null when the keys that are set cannot be valid. */
function completed({ alternatives, keys }: Documented, given: RawRequest): Valid | null {
  const fixed = new Set([...Object.keys(given.query), ...Object.keys(given.body)]);
  const raw = { params: { ...given.params }, query: { ...given.query }, body: { ...given.body } };
  for (;;) {
    const route = alternatives.find(({ when }) => when?.(raw) ?? true) as Route;
    const parsed = parseRequest(route, raw);
    if (parsed.request) return { route, ...parsed };
    const missing = keys.find(
      ({ place, name }) => place !== 'path' && fieldsOf(parsed.wrong).has(name) && !fixed.has(name),
    );
    if (!missing) return null;
    fixed.add(missing.name);
    const target: Record<string, unknown> = missing.place === 'query' ? raw.query : raw.body;
    const values = flat(probesOf(missing.schema)).map((value) => (missing.place === 'query' ? String(value) : value));
    target[missing.name] = values.find((value) => {
      target[missing.name] = value;
      return !fieldsOf(parseRequest(route, raw).wrong ?? {}).has(missing.name);
    });
  }
}

const operationName = ({ operation }: Route) =>
  operation.definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [each.name?.value] : [])).join();

/** What a request comes to: the operation that runs, its variables, and what an exception says changes instead. */
function outcomesOf(
  operation: Documented,
  { place, name, schema }: Documented['keys'][number],
  effect: (valid: Valid) => unknown,
): string[][] {
  const params = Object.fromEntries(
    operation.keys.filter((key) => key.place === 'path').map((key) => [key.name, uuids[0] as string]),
  );
  const probes = place === 'path' ? [uuids] : probesOf(schema);
  return probes.flatMap((values) => {
    const requests = values.map((value) => {
      const raw: RawRequest = { params, query: {}, body: {} };
      if (place === 'path') return completed(operation, { ...raw, params: { ...params, [name]: value as string } });
      if (value === undefined) return completed(operation, raw);
      return place === 'query'
        ? completed(operation, { ...raw, query: { [name]: String(value) } })
        : completed(operation, { ...raw, body: { [name]: value } });
    });
    if (requests.includes(null)) return [];
    return [
      requests.map((found) => {
        const valid = found as Valid;
        return JSON.stringify([operationName(valid.route), effect(valid)]);
      }),
    ];
  });
}

const variablesOf = ({ variables }: Valid) => variables;
const ofKey = (title: string, { place, name }: Documented['keys'][number]) => `${title} ${place} ${name}`;

/** The sets of accepted values of a key of which two come to the same. */
const lostOf = (outcomes: string[][]) => outcomes.filter((each) => new Set(each).size < each.length);

describe('every documented key of a request', () => {
  it.each(keyed.map((operation) => [operation.title, operation] as const))(
    `reaches the operation of %s ${verifies('rest.openapi')}`,
    (title, operation) => {
      for (const key of operation.keys) {
        const name = ofKey(title, key);
        if (name in exceptions) continue;
        const outcomes = outcomesOf(operation, key, variablesOf);
        expect(outcomes.length, `${name} takes some values of its documented type`).toBeGreaterThan(0);
        expect(lostOf(outcomes), `${name} changes the variables`).toEqual([]);
      }
    },
  );

  it('is an exception only when the variables stay the same, and has the effect that the exception names', () => {
    const names = new Map(
      keyed.flatMap((operation) => operation.keys.map((key) => [ofKey(operation.title, key), { operation, key }])),
    );
    for (const [name, { reason, effect }] of Object.entries(exceptions)) {
      const found = names.get(name);
      expect(found, `${name} is documented`).toBeDefined();
      if (!found) continue;
      expect(reason).toMatch(/\.$/);
      const outcomes = outcomesOf(found.operation, found.key, variablesOf);
      expect(outcomes.length, `${name} takes some values`).toBeGreaterThan(0);
      for (const each of outcomes) expect(new Set(each).size, `${name} changes nothing`).toBe(1);
      if (effect) expect(lostOf(outcomesOf(found.operation, found.key, effect)), `${name} has its effect`).toEqual([]);
    }
  });

  it('is at the top of its body: a body documents no members of members', () => {
    for (const { title, keys } of keyed)
      for (const { name, schema } of keys)
        expect(
          partsOf(schema).filter(({ properties }) => properties),
          `${title} ${name}`,
        ).toEqual([]);
  });

  it('is found: the document has as many as the routes have', () => {
    expect(keyed.flatMap(({ keys }) => keys).length).toBeGreaterThan(150);
  });
});
