import { Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { openApiDocument } from '../../rest-adapter/openapi.ts';
import { parseRequest } from '../../rest-adapter/request.ts';
import type { RawRequest, Route, RouteRequest } from '../../rest-adapter/route.ts';
import { verifies } from '../requirements.ts';
import { titleOf } from '../support/route-requests.ts';

/** What a client may send in a request, as the OpenAPI document has it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
type Place = 'path' | 'query' | 'body';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const documentOf = (some: readonly Route[]) =>
  openApiDocument(some, { version: '0.0.0', url: 'https://patchbay.example' }) as unknown as Document;

const { schemas } = documentOf(routes).components;
const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

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
  ['2027-01-01', '2028-01-01'],
  ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
  ['https://example.com/first', 'https://example.com/second'],
  ['first@example.com', 'second@example.com'],
  ['correct horse battery', 'another staple of mine'],
  ['a'.repeat(64), 'b'.repeat(64)],
  ['MQ', 'Mg'],
  uuids as [string, string],
];

/** Values that a key takes, no two of which mean the same; several sets where only the key's own rules say which. */
function probesOf(schema: Schema): readonly (readonly unknown[])[] {
  const parts = partsOf(schema);
  const kinds = new Set(parts.flatMap(({ type = [] }) => type));
  const listed = [
    ...new Set(parts.flatMap(({ enum: values = [], ...own }) => ('const' in own ? [own.const] : values))),
  ];
  if (listed.length > 1) return [listed];
  const members = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const required = Object.fromEntries(parts.flatMap((part) => part.required ?? []).map((name) => [name, 'required']));
  if (members.length > 0)
    return members.flatMap(([name, member]) =>
      probesOf(member).map((values) => values.map((value) => ({ ...required, [name]: value }))),
    );
  return [
    ...(listed.length === 1 ? [[...listed, undefined]] : []),
    ...(kinds.has('boolean') ? [[true, false]] : []),
    ...(kinds.has('integer') || kinds.has('number')
      ? [
          [2, 3],
          [60, 61],
        ]
      : []),
    ...(kinds.has('number') ? [[0.5, 1]] : []),
    ...(kinds.has('string') ? texts : []),
    ...(kinds.has('array')
      ? [
          ['read', 'write'],
          ['stdio', 'http'],
          ['test.ping', 'document.deleted'],
          [{ name: 'first' }, { name: 'second' }],
          [
            { serverId: uuids[0], name: 'first' },
            { serverId: uuids[0], name: 'second' },
          ],
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

type Key = { readonly place: Place; readonly name: string; readonly schema: Schema };

/** The fields of a form without its file, which is stored before the operation runs. */
function formFields(schema: Schema): Schema {
  const { file, ...properties } = schema.properties ?? {};
  return file ? { ...schema, properties } : schema;
}

/** A route, the routes that share its method and its path, and the keys that its own part of the document has. */
interface Documented {
  readonly route: Route;
  readonly alternatives: readonly Route[];
  readonly keys: readonly Key[];
}

const documented = routes.map((route): Documented => {
  const [operation] = Object.values(documentOf([route]).paths).flatMap((methods) => Object.values(methods));
  const parameters = (operation?.parameters ?? []).flatMap(({ name, in: place, schema }) =>
    place === 'header' ? [] : [{ place, name, schema }],
  );
  const body = keysOf(formFields(Object.values(operation?.requestBody?.content ?? {})[0]?.schema ?? {}));
  return {
    route,
    alternatives: routes.filter(({ method, path }) => method === route.method && path === route.path),
    keys: [...parameters, ...[...body].map(([name, schema]) => ({ place: 'body' as const, name, schema }))],
  };
});

const keysOfRoute = new Map(documented.map(({ route, keys }) => [route, keys]));
const keyed = documented.filter(({ keys }) => keys.length > 0).map((each) => [titleOf(each.route), each] as const);

/**
 * Keys that do not change the variables of the operation, each with the reason. `effect` is what they change instead; a key without
 * one is accepted and ignored.
 */
const exceptions: Record<string, { reason: string; effect?: (valid: Valid) => unknown }> = {
  'DELETE /api/clipboard (DeleteClipboardEntry) body clearAll': {
    reason: 'Existing clients send false beside a name, which means the same as leaving it out.',
  },
  'GET /api/documents/:id/versions/:version (GetDocumentVersion) path version': {
    reason: 'No text that is not a number is a version: they all lead to none.',
  },
  'POST /api/documents/:id/versions/:version/restore (RestoreDocumentVersion) path version': {
    reason: 'Likewise.',
  },
  'POST /api/rag/query (FindPassages) body documentUuids': {
    reason: 'Texts that are not UUIDs name documents that do not exist: they all lead to none.',
  },
  'GET /api/tools (ListServerOffers) query prefix_tools': {
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
function completed({ alternatives }: Documented, given: RawRequest): Valid | null {
  const fixed = new Set([...Object.keys(given.query), ...Object.keys(given.body)]);
  const keys = alternatives.flatMap((route) => keysOfRoute.get(route) ?? []);
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

/** A request with a value at a key; without the key for undefined. */
const withKey = ({ params, query, body }: RawRequest, { place, name }: Key, value: unknown): RawRequest => ({
  params: place === 'path' ? { ...params, [name]: String(value) } : params,
  query: place === 'query' && value !== undefined ? { ...query, [name]: String(value) } : query,
  body: place === 'body' && value !== undefined ? { ...body, [name]: value } : body,
});

/**
 * What the requests come to that differ in one key: the operation that runs and its variables, or what an exception says changes
 * instead. The requests have only the required keys beside it; where those do not select the route, one more.
 */
function outcomesOf(operation: Documented, key: Key, effect: (valid: Valid) => unknown): string[][] {
  const params = Object.fromEntries(
    operation.keys.filter(({ place }) => place === 'path').map(({ name }) => [name, uuids[0] as string]),
  );
  const least: RawRequest = { params, query: {}, body: {} };
  const others = operation.keys.filter((other) => other !== key && other.place !== 'path');
  const beginnings = [
    least,
    ...others.flatMap((other) => flat(probesOf(other.schema)).map((value) => withKey(least, other, value))),
  ];
  const probes = key.place === 'path' ? [uuids] : probesOf(key.schema);
  for (const beginning of beginnings) {
    const outcomes = probes.flatMap((values) => {
      const requests = values.map((value) => completed(operation, withKey(beginning, key, value)));
      const valid = requests.filter((request) => request !== null);
      // The first value must select this route. A key with one value may select it by being there.
      if (valid.length < values.length || valid[0]?.route !== operation.route) return [];
      if (values.at(-1) !== undefined && valid.some(({ route }) => route !== operation.route)) return [];
      return [valid.map((each) => JSON.stringify([operationName(each.route), effect(each)]))];
    });
    if (outcomes.length > 0) return outcomes;
  }
  return [];
}

const variablesOf = ({ variables }: Valid) => variables;
const ofKey = (title: string, { place, name }: Key) => `${title} ${place} ${name}`;

/** The sets of accepted values of a key of which two come to the same. */
const lostOf = (outcomes: string[][]) => outcomes.filter((each) => new Set(each).size < each.length);

describe('every documented key of a request', () => {
  it.each(keyed)('reaches the operation of %s', verifies('rest.openapi'), (title, operation) => {
    for (const key of operation.keys) {
      const name = ofKey(title, key);
      if (name in exceptions) continue;
      const outcomes = outcomesOf(operation, key, variablesOf);
      expect(outcomes.length, `${name} takes some values of its documented type`).toBeGreaterThan(0);
      expect(lostOf(outcomes), `${name} changes the variables`).toEqual([]);
    }
  });

  it('is an exception only when the variables stay the same, and has the effect that the exception names', () => {
    const names = new Map(
      keyed.flatMap(([title, operation]) =>
        operation.keys.map((key) => [ofKey(title, key), { operation, key }] as const),
      ),
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

  it('is at the top of its body, or one of the members that its values are probed with', () => {
    const membersOf = (schema: Schema) => partsOf(schema).flatMap(({ properties = {} }) => Object.values(properties));
    for (const [title, { keys }] of keyed)
      for (const { name, schema } of keys) expect(membersOf(schema).flatMap(membersOf), `${title} ${name}`).toEqual([]);
  });

  it('is found: the document has as many as the routes have', () => {
    expect(keyed.flatMap(([, { keys }]) => keys).length).toBeGreaterThan(150);
  });
});
