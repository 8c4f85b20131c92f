import { getVariableValues, Kind, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../rest-adapter/index.ts';
import { parseRequest } from '../../rest-adapter/request.ts';
import type { RawRequest, Route } from '../../rest-adapter/route.ts';
import { schema } from '../../schema/index.ts';
import { titleOf } from '../support/route-requests.ts';

const uuid = 'b0b0b0b0-0000-4000-8000-000000000000';

/** What clients put into fields: what is right somewhere, and what is nowhere. */
const values: readonly unknown[] = [
  ...[undefined, null, true, false, 0, 1, 5, -1, 1.5, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 53, Number.NaN, 1e308],
  ...['', ' ', 'x', '0', '1', 'true', 'a'.repeat(64), '\u0000', '\ud800', 'é'.repeat(200), 'a'.repeat(5_000), uuid],
  ...[
    'utf-8',
    'UTF_8',
    'base64',
    'private',
    'PUBLIC',
    'stdio',
    'STDIO',
    'http',
    'npm',
    'DOCKER',
    'mcp',
    'INFO',
    'IDLE',
    'week',
  ],
  ...['tool_call', 'pending', 'failed', 'all', 'someone-new', 'a@example.com', 'correct horse battery', 'owner/name'],
  ...['https://example.com/a', 'javascript:alert(1)', 'a'.repeat(16), '2027-01-01T00:00:00Z', '2027-01-01T00:00Z'],
  ...['2027-01-01t00:00:00.123456789+14:00', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00Z', '2027-02-30', 'MQ'],
  ...[[], {}, [[]], [null], ['x'], [1], [{}], [{ name: 'x' }], ['read'], ['READ'], ['stdio', 'stdio'], [uuid]],
  ...[{ TOKEN: 'x' }, { TOKEN: 1 }, { github: 'https://github.com/x' }, { a: { b: [1] } }, ['test.ping'], ['API_KEY']],
  ...[Array(200).fill('x'), Array(600).fill(uuid)],
];
const texts = values.filter((value): value is string => typeof value === 'string');
const queryTexts = [
  ...texts,
  '-1',
  '-0',
  '007',
  '1e3',
  '101',
  '20',
  '2147483648',
  '9'.repeat(15),
  '9'.repeat(16),
  'day',
];

const shapeOf = (input: z.ZodType | undefined): Record<string, z.ZodType> =>
  input instanceof z.ZodObject
    ? (input.shape as Record<string, z.ZodType>)
    : input instanceof z.ZodIntersection
      ? { ...shapeOf(input.def.left as z.ZodType), ...shapeOf(input.def.right as z.ZodType) }
      : {};

/** Each field with each of its values, the others with one that is valid, or left out. */
function* variants<Value>(fields: Record<string, readonly Value[]>): Generator<Record<string, Value>> {
  const names = Object.keys(fields);
  const first = (chosen: readonly string[]) =>
    Object.fromEntries(chosen.map((name) => [name, (fields[name] as readonly Value[])[0] as Value]));
  yield {};
  for (const name of names)
    for (const value of fields[name] ?? []) for (const others of [names, []]) yield { ...first(others), [name]: value };
}

/** The values that a field takes come first, so that bodies of them are valid. */
const sorted = (field: z.ZodType): unknown[] => {
  const isValid = (value: unknown) => field.safeParse(value).success;
  return [...values.filter((value) => value !== null && value !== undefined && isValid(value)), ...values];
};

function* requestsOf({ path, query, input }: Route): Generator<RawRequest> {
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, uuid]));
  const required = Object.entries(query?.shape ?? {}).filter(([, field]) => !z.safeParse(field, undefined).success);
  const least = Object.fromEntries(required.map(([name]) => [name, 'x']));
  const fields = Object.fromEntries(Object.keys(query?.shape ?? {}).map((name) => [name, queryTexts]));
  for (const given of variants(fields)) yield { params, query: { ...least, ...given }, body: {} };
  const ofBody = Object.fromEntries(Object.entries(shapeOf(input)).map(([name, field]) => [name, sorted(field)]));
  for (const body of variants(ofBody)) yield { params, query: least, body };
}

const validated = routes.filter(({ query, input }) => query || input).map((route) => [titleOf(route), route] as const);

describe('a request that the schemas of its route take', () => {
  it.each(validated)('has variables that fit the operation of %s', (_title, route) => {
    const definition = route.operation.definitions.find(
      (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
    );
    let fits = 0;
    for (const raw of requestsOf(route)) {
      const parsed = parseRequest(route, raw);
      if (parsed.request === null) continue;
      const variables = parsed.variables as Record<string, unknown>;
      const { errors } = getVariableValues(schema, definition?.variableDefinitions ?? [], variables, { maxErrors: 1 });
      expect(errors, JSON.stringify(raw)).toBeUndefined();
      fits++;
    }
    expect(fits).toBeGreaterThan(0);
  });
});

describe('a request that they refuse', () => {
  const wrongOf = (method: string, path: string, raw: Partial<RawRequest>) => {
    const route = routes.find((each) => each.method === method && each.path === path) as Route;
    return parseRequest(route, { params: {}, query: {}, body: {}, ...raw }).wrong;
  };

  it('is told every wrong field at once, by its documented name', () => {
    const body = { repository: 7, transport: 'stdio', package_type: 'NPM', environment_variables: ['a b'] };
    expect(Object.keys(wrongOf('POST', '/api/registry/submit', { body }) ?? {})).toEqual([
      'repository',
      'transport',
      'package_type',
      'environment_variables.0',
    ]);
  });

  it.each(['', '0', '-1', '101', '1e2', '1.0', '007', '+1', ' 1', 'abc', '٣', '9'.repeat(16)])(
    'is told so of the limit %j, which is no plain integer from 1 to 100',
    (limit) => {
      expect(wrongOf('GET', '/api/trending/servers', { query: { limit, timeframe: 'WEEK' } })).toEqual({
        limit: 'limit must be an integer from 1 to 100',
        timeframe: 'timeframe must be one of: day, week, month',
      });
    },
  );
});
