import type { Check } from './check.ts';
import { afterCounted, beforeCounted, costly } from './cost.ts';
import { emptyObjects, levels, nested, nulls, numbers, packed, packings, text, unknownFields } from './payloads.ts';
import { overSocket } from './sockets.ts';
import { send } from './target.ts';

/** An operation whose variables are refused, as JSON text. */
interface Wrong {
  readonly name: string;
  readonly query: string;
  readonly variables: string;
}

const push = 'mutation ($v: ClipboardPushInput!) { clipboardPush(input: $v) { entry { uuid } } }';
const ids = 'query ($v: [ID!]!) { nodes(ids: $v) { id } }';
const typename = 'query ($v: Int) { __typename @skip(if: false) clipboardEntries(first: $v) { totalCount } }';

const wrongs: readonly Wrong[] = [
  { name: '3 500 unknown fields', query: push, variables: `{"v":${unknownFields(3_500)}}` },
  { name: '50 000 unknown fields', query: push, variables: `{"v":${unknownFields(50_000)}}` },
  { name: '1 000 000 unknown fields', query: push, variables: `{"v":${unknownFields(1_000_000)}}` },
  { name: '12 000 nulls', query: ids, variables: `{"v":${nulls(12_000)}}` },
  { name: '200 000 nulls', query: ids, variables: `{"v":${nulls(200_000)}}` },
  { name: '2 000 000 nulls', query: ids, variables: `{"v":${nulls(2_000_000)}}` },
  { name: '100 levels', query: push, variables: `{"v":${nested('v', 100)}}` },
  { name: '10 000 levels of lists', query: ids, variables: `{"v":${levels(10_000)}}` },
  { name: '100 000 levels of objects', query: push, variables: `{"v":${nested('v', 100_000)}}` },
  { name: '4 000 variables', query: typename, variables: unknownFields(4_000) },
  { name: '1 000 000 variables', query: typename, variables: unknownFields(1_000_000) },
  {
    name: '4 000 000 empty objects in a variable that is not declared',
    query: typename,
    variables: `{"x":${emptyObjects(4_000_000)}}`,
  },
  { name: '1 000 000 numbers for a string', query: push, variables: `{"v":{"value":${numbers(1_000_000)}}}` },
  { name: 'an enum value of 60 kB', query: push, variables: `{"v":{"value":"x","visibility":${text('x', 60_000)}}}` },
  { name: 'an enum value of 1 MB', query: push, variables: `{"v":{"value":"x","visibility":${text('\\"', 500_000)}}}` },
  { name: 'a field name of 1 MB', query: push, variables: `{"v":{"value":"x",${text('a', 1_000_000)}:1}}` },
  { name: 'an integer of 1 MB', query: typename, variables: `{"v":${text('9', 1_000_000)}}` },
  { name: 'a name of an operation of 1 MB', query: typename, variables: `{},"operationName":${text('a ', 500_000)}` },
];

const bodyOf = ({ query, variables }: Wrong) => `{"query":${JSON.stringify(query)},"variables":${variables}}`;

/** A body up to this size is not counted by itself, nor one that unpacks to more than so many times its size. */
const smallBytes = 256 * 1_024;
const unpackedRatioMax = 100;

/** Who shows no credential is never counted before the body is validated; a large body of a key is. */
const figuresOf = (json: string, bytes: number, as: 'nobody' | 'key') =>
  as === 'nobody' || json.length <= smallBytes || json.length > bytes * unpackedRatioMax + smallBytes
    ? beforeCounted
    : afterCounted;

/** Variables that are wrong, in every packing and over every entry point, with a key and without. Source: docs/hazards.md#j01 and docs/hazards.md#j02. */
export function* variables(): Generator<Check> {
  for (const wrong of wrongs) {
    const json = bodyOf(wrong);
    for (const packing of packings) {
      const request = packed(json, packing);
      for (const as of ['nobody', 'key'] as const)
        yield costly(
          `POST /graphql, ${wrong.name}, ${packing}, as ${as}`,
          'high',
          figuresOf(json, request.body.length, as),
          (target) => send(target, { ...request, as }),
        );
    }
    yield costly(`a socket, ${wrong.name}`, 'high', figuresOf(json, json.length, 'key'), (target) =>
      overSocket(target, `{"type":"subscribe","id":"1","payload":${json}}`),
    );
    yield costly(`a socket before connection_init, ${wrong.name}`, 'high', beforeCounted, (target) =>
      overSocket(
        target,
        `{"type":"connection_init","payload":${wrong.variables.split(',"operationName"')[0]}}`,
        'nobody',
      ),
    );
  }
  // As long as an address may be, and longer.
  for (const count of [400, 100_000])
    for (const as of ['nobody', 'key'] as const)
      yield costly(`GET /graphql, ${count} unknown fields, as ${as}`, 'high', beforeCounted, (target) =>
        send(target, {
          method: 'GET',
          search: `?${new URLSearchParams({ query: typename, variables: unknownFields(count) })}`,
          as,
        }),
      );
  yield costly('a socket, a ping of 3 MB', 'high', afterCounted, (target) =>
    overSocket(target, `{"type":"ping","payload":{"x":${text('x', 3_000_000)}}}`),
  );
  yield costly('a socket, a ping of a million fields', 'high', afterCounted, (target) =>
    overSocket(target, `{"type":"ping","payload":${unknownFields(1_000_000)}}`),
  );
  yield costly('a URL of 1 MB', 'high', beforeCounted, (target) =>
    send(target, { method: 'GET', path: `/${'a'.repeat(1_000_000)}`, as: 'nobody' }),
  );
  yield costly('a header of 1 MB', 'high', beforeCounted, (target) =>
    send(target, { method: 'GET', headers: { 'X-Long': 'a'.repeat(1_000_000) }, as: 'nobody' }),
  );
  for (const packing of ['gzip', 'br', 'deflate'] as const) {
    const request = packed(`{"query":"{ __typename }","x":${text(' ', 13_000_000)}}`, packing);
    for (const as of ['nobody', 'key'] as const)
      yield costly(`POST /graphql, 13 MB of one character, ${packing}, as ${as}`, 'high', beforeCounted, (target) =>
        send(target, { ...request, as }),
      );
  }
  for (const packing of ['plain', 'gzip'] as const) {
    const json = `{"value":"x","ignored":${emptyObjects(4_400_000)}}`;
    const { headers, body } = packed(json, packing);
    for (const as of ['nobody', 'key'] as const)
      for (const isKeyed of [false, true])
        yield costly(
          `POST push, 4 400 000 empty objects in an ignored field, ${packing}, as ${as}${isKeyed ? ', Idempotency-Key' : ''}`,
          'high',
          figuresOf(json, body.length, as),
          (target) => {
            const idempotencyKey = isKeyed && { 'Idempotency-Key': `attack-${performance.now()}` };
            return send(target, { path: '/api/clipboard/push', headers: { ...headers, ...idempotencyKey }, body, as });
          },
        );
  }
}
