import {
  buildClientSchema,
  type GraphQLInputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { JsonSchema } from '../fuzz/json-schema.ts';
import type { OpenApi } from '../fuzz/rest-inputs.ts';
import type { Check } from './check.ts';
import { afterCounted, beforeCounted, costly } from './cost.ts';
import { nulls, numbers, packed, text } from './payloads.ts';
import { ask, send, type Target } from './target.ts';

/** A million elements of a kind that hardly any list takes. */
const elements = {
  nulls: nulls(1_000_000),
  numbers: numbers(1_000_000),
  words: `[${Array(200_000).fill(text('x', 20)).join(',')}]`,
};

/** Every list that the product takes, filled with a million wrong elements. Source: docs/hazards.md#j05. */
export async function arrays(target: Target): Promise<Check[]> {
  const openApi = (await (await fetch(`${target.base}/openapi.json`)).json()) as OpenApi & { components?: unknown };
  const { json } = await ask(target, getIntrospectionQuery());
  return [...restArrays(openApi), ...graphqlArrays(buildClientSchema(json.data))];
}

function* restArrays(openApi: OpenApi): Generator<Check> {
  for (const [path, methods] of Object.entries(openApi.paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json']?.schema;
      const lists = schema ? [...listsIn(schema, openApi)] : [];
      for (const list of lists)
        for (const [kind, filling] of Object.entries(elements))
          for (const as of ['nobody', 'key'] as const)
            yield costly(
              `${method.toUpperCase()} ${path}, ${list.join('.')} of ${kind}, as ${as}`,
              'high',
              as === 'key' ? afterCounted : beforeCounted,
              (given) =>
                send(given, {
                  method: method.toUpperCase(),
                  path: path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
                  ...packed(bodyWith(list, filling), 'plain'),
                  as,
                }),
            );
    }
}

/** The places of lists in a body, `[]` for an element of one. */
function* listsIn(schema: JsonSchema, document: unknown, place: readonly string[] = []): Generator<readonly string[]> {
  if (place.length > 6) return;
  if (schema.$ref) yield* listsIn(resolved(schema.$ref, document), document, place);
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* listsIn(each, document, place);
  if (schema.items) {
    yield place;
    yield* listsIn(schema.items, document, [...place, '[]']);
  }
  for (const [name, each] of Object.entries(schema.properties ?? {})) yield* listsIn(each, document, [...place, name]);
}

const resolved = (ref: string, document: unknown): JsonSchema =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as JsonSchema;

/** JSON text with a filling at one place. */
const bodyWith = (place: readonly string[], filling: string): string =>
  place.reduceRight((inner, step) => (step === '[]' ? `[${inner}]` : `{${JSON.stringify(step)}:${inner}}`), filling);

function* graphqlArrays(schema: GraphQLSchema): Generator<Check> {
  for (const [operation, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const)
    for (const field of Object.values(type?.getFields() ?? {}))
      for (const argument of field.args)
        for (const place of new Set([...inputLists(argument.type)].map((list) => list.join('.')))) {
          const declared = field.args.map(({ name, type: each }) => `$${name}: ${each}`).join(', ');
          const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
          const query = `${operation} (${declared}) { ${field.name}(${given}) { __typename } }`;
          const value = bodyWith(place === '' ? [] : place.split('.'), elements.numbers);
          const body = `{"query":${JSON.stringify(query)},"variables":{"${argument.name}":${value}}}`;
          yield costly(
            `${operation} ${field.name}, ${argument.name}${place && `.${place}`} of numbers`,
            'high',
            afterCounted,
            (target) => send(target, packed(body, 'plain')),
          );
        }
}

function* inputLists(type: GraphQLInputType, place: readonly string[] = []): Generator<readonly string[]> {
  const bare = getNullableType(type);
  if (place.length > 4) return;
  if (isListType(bare)) {
    yield place;
    yield* inputLists(bare.ofType, [...place, '[]']);
  } else if (isInputObjectType(bare))
    for (const field of Object.values(bare.getFields())) yield* inputLists(field.type, [...place, field.name]);
}
