import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Outgoing } from './exchange.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  anyValue,
  extraField,
  fittingText,
  hugeText,
  nastyNumber,
  nastyText,
  print,
  textOf,
  type Value,
  type World,
} from './values.ts';

/** What is read of the served OpenAPI document. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface OpenApiOperation {
  readonly parameters?: readonly { name: string; in: 'path' | 'query'; schema: JsonSchema }[];
  readonly requestBody?: { content: Record<string, { schema: JsonSchema }> };
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: JsonSchema }> }>>;
}

export type Credential = 'key' | 'reader' | 'session' | 'none' | 'broken';

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: Value }
  | { readonly kind: 'gzip'; readonly value: Value }
  | { readonly kind: 'cut'; readonly value: Value; readonly share: number }
  | { readonly kind: 'bytes'; readonly base64: string };

export type Header = readonly [name: string, value: string];

export interface RestInput {
  readonly api: 'rest';
  readonly method: string;
  /** As the document spells it, `/api/things/{uuid}`. */
  readonly path: string;
  readonly params: Readonly<Record<string, Value>>;
  readonly query: readonly (readonly [string, Value])[];
  /** What is put at the end of the path, or in place of its beginning. */
  readonly bend: string | null;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly body: Body;
}

/** Hashing a password takes some hundred times as long as anything else. */
const isSlow = (path: string) => /sign-up|sign-in|password/.test(path);

/** Requests for every operation of the document: mostly nearly right, some of them nonsense. */
export function restInputs({ paths }: OpenApi): fc.Arbitrary<RestInput> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      weight: isSlow(path) ? 1 : 12,
      arbitrary: restInput(path, method.toUpperCase(), operation),
    })),
  );
  return fc.oneof(...operations);
}

function restInput(path: string, method: string, operation: OpenApiOperation): fc.Arbitrary<RestInput> {
  const { parameters = [], requestBody } = operation;
  const params = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({
    api: fc.constant('rest' as const),
    method: mostly(
      20,
      fc.constant(method),
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'),
    ),
    path: fc.constant(path),
    params: fc.record(
      Object.fromEntries(params.map(({ name }) => [name, mostly(3, fittingText(name) ?? nastyText, nastyText)])),
    ),
    query: fc
      .tuple(
        ...query.map(({ name, schema }) =>
          fc.option(fc.tuple(fc.constant(name), valueFor(schema, name)), { freq: 2, nil: null }),
        ),
        mostly(
          12,
          fc.constant(null),
          fc.tuple(fc.constantFrom('name', 'limit', 'a[b]', 'a[__proto__]', '__proto__', ''), nastyText),
        ),
      )
      .map((pairs) => pairs.filter((pair) => pair !== null)),
    bend: mostly(
      30,
      fc.constant(null),
      fc.constantFrom(
        '/',
        '/x',
        '/..',
        '//',
        '%2f',
        ';a=b',
        '%',
        '%zz',
        '%c0%af',
        '%00',
        '?',
        '?a=%ff',
        '?%',
        '?limit=1&limit=2',
        'UPPER',
        'DOUBLE',
        'é',
      ),
    ),
    credential: credentials,
    headers,
    body: bodyFor(schema),
  });
}

export const credentials: fc.Arbitrary<Credential> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<Credential>('key') },
  { weight: 6, arbitrary: fc.constant<Credential>('session') },
  { weight: 2, arbitrary: fc.constant<Credential>('reader') },
  { weight: 1, arbitrary: fc.constantFrom<Credential>('none', 'broken') },
);

/** One in so many is the exception. */
export function mostly<Rule, Exception>(
  weight: number,
  rule: fc.Arbitrary<Rule>,
  exception: fc.Arbitrary<Exception>,
): fc.Arbitrary<Rule | Exception> {
  return fc.oneof<fc.MaybeWeightedArbitrary<Rule | Exception>[]>(
    { weight, arbitrary: rule },
    { weight: 1, arbitrary: exception },
  );
}

const headerText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    '*/*',
    'null',
    "' OR 1=1 --",
    '../..',
    '\x7e',
    'é',
    '"',
    'a,b',
    '0',
    '-1',
    '9'.repeat(40),
  ),
  fc.integer({ min: 1, max: 4000 }).map((length) => 'x'.repeat(length)),
);

/** The usual content type, or another; and sometimes a header with a meaning. */
export const headers: fc.Arbitrary<readonly Header[]> = fc
  .tuple(
    mostly(
      14,
      fc.constant<Header | null>(['Content-Type', 'application/json']),
      fc.constantFrom<(Header | null)[]>(
        null,
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Content-Type', 'APPLICATION/JSON;charset="UTF-8"'],
        ['Content-Type', 'application/json; charset=latin1'],
        ['Content-Type', 'application/vnd.api+json'],
        ['Content-Type', 'application/graphql'],
        ['Content-Type', 'text/plain'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Content-Type', 'multipart/form-data; boundary=x'],
        ['Content-Type', ';'],
        ['Content-Type', ''],
      ),
    ),
    fc.oneof(
      { weight: 10, arbitrary: fc.constant<Header | null>(null) },
      {
        weight: 2,
        arbitrary: fc.tuple(
          fc.constantFrom(
            'Accept',
            'Accept-Encoding',
            'Accept-Language',
            'X-Request-Id',
            'Idempotency-Key',
            'X-Forwarded-For',
            'X-Forwarded-Host',
            'X-HTTP-Method-Override',
            'Range',
            'If-None-Match',
            'If-Modified-Since',
            'Origin',
            'Referer',
            'Cookie',
            'Content-Encoding',
            'Content-Language',
            'Traceparent',
            'Last-Event-ID',
            'Sec-Fetch-Site',
            'Authorization',
          ),
          headerText,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Header>(
          ['Idempotency-Key', 'the same'],
          ['Accept', 'text/html'],
          ['Accept', 'text/event-stream'],
          ['Accept', 'multipart/mixed'],
          ['Accept', 'application/graphql-response+json'],
          ['Accept', 'application/xml;q=0.9, */*;q=0'],
          ['Content-Encoding', 'gzip'],
          ['Content-Encoding', 'br'],
          ['Content-Encoding', 'zstd'],
          ['Content-Encoding', 'identity'],
          ['Expect', '100-continue'],
          ['Expect', 'something'],
          ['Upgrade', 'h2c'],
          ['Connection', 'close'],
          ['TE', 'trailers'],
          ['Cookie', 'session_token=%'],
          ['Cookie', 'session_token=a; session_token=b'],
          ['Authorization', 'Basic YTpi'],
          ['Authorization', 'Bearer'],
        ),
      },
    ),
  )
  .map((each) => each.filter((header) => header !== null));

function bodyFor(schema: JsonSchema | undefined): fc.Arbitrary<Body> {
  const right = schema ? valueFor(schema, '') : fc.constant<Value>({ $object: [] });
  const json = (value: fc.Arbitrary<Value>): fc.Arbitrary<Body> => value.map((value) => ({ kind: 'json', value }));
  return fc.oneof(
    { weight: schema ? 90 : 20, arbitrary: json(right) },
    { weight: schema ? 4 : 60, arbitrary: fc.constant<Body>({ kind: 'none' }) },
    { weight: 4, arbitrary: json(anyValue) },
    { weight: 1, arbitrary: right.map((value): Body => ({ kind: 'gzip', value })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(right, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([value, share]): Body => ({ kind: 'cut', value, share })),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map(bytesBody) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          '\ufeff{}',
          '{"a":1}}',
          "{'a':1}",
          '{"a":1,}',
          'NaN',
          '{"name":"a","name":"b","value":"c"}',
          '[',
          '"',
          '{"value":"\ud800"}',
          '{"value":"\n"}',
        )
        .map((text) => bytesBody(Buffer.from(text))),
    },
  );
}

const bytesBody = (bytes: Uint8Array): Body => ({ kind: 'bytes', base64: Buffer.from(bytes).toString('base64') });

/** Values for a place with a schema: right ones, those about its bounds, and others altogether. */
function valueFor(schema: JsonSchema, name: string): fc.Arbitrary<Value> {
  if (schema.anyOf) {
    // `null` is one of the alternatives almost everywhere, and says little.
    const alternatives = schema.anyOf.map((each) => ({
      weight: each.type === 'null' ? 1 : 4,
      arbitrary: valueFor(each, name),
    }));
    return fc.oneof(...alternatives);
  }
  const [type] = [schema.type].flat();
  if (schema.enum)
    return mostly(
      8,
      fc.constantFrom(...(schema.enum as string[])),
      fc.oneof(anyValue, fc.constantFrom(...(schema.enum as string[]).map((one) => one.toUpperCase()))),
    );
  if ('const' in schema) return mostly(8, fc.constant(schema.const as Value), anyValue);
  if (type === 'object') return objectFor(schema);
  if (type === 'array') {
    const items = fc.array(valueFor(schema.items ?? {}, name), { maxLength: (schema.maxItems ?? 3) + 1 });
    return mostly(12, items as fc.Arbitrary<Value>, anyValue);
  }
  if (type === 'integer' || type === 'number') {
    const { minimum = -1000, maximum = 1000 } = schema;
    const about = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1];
    return fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1000) }) },
      { weight: 3, arbitrary: fc.constantFrom(...about) },
      { weight: 2, arbitrary: nastyNumber },
      { weight: 1, arbitrary: anyValue },
    );
  }
  if (type === 'null') return fc.constant(null);
  if (type === 'string') return textFor(schema, name);
  return anyValue;
}

function textFor({ minLength = 0, maxLength }: JsonSchema, name: string): fc.Arbitrary<Value> {
  const about = [minLength - 1, minLength, ...(maxLength === undefined ? [] : [maxLength, maxLength + 1])];
  return fc.oneof(
    { weight: 60, arbitrary: fittingText(name) ?? fc.string({ minLength, maxLength: Math.min(maxLength ?? 20, 20) }) },
    { weight: 30, arbitrary: nastyText },
    {
      weight: 8,
      arbitrary: fc.record({
        $repeat: fc.tuple(fc.constantFrom('a', 'é', '😀'), fc.constantFrom(...about.filter((length) => length >= 0))),
      }),
    },
    { weight: 8, arbitrary: anyValue },
    // A value of the clipboard has no bound of its own: it gets to the limit in bytes.
    { weight: name === 'value' ? 1 : 0, arbitrary: hugeText },
  );
}

function objectFor({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Value> {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fc.option(fc.tuple(fc.constant(name), valueFor(schema, name)), {
      freq: required.includes(name) ? 40 : 1,
      nil: null,
    }),
  );
  return fc
    .tuple(fc.tuple(...fields), mostly(6, fc.constant(null), extraField))
    .map(([own, extra]) => ({ $object: [...own, extra].filter((pair) => pair !== null) }));
}

/** The bytes of a body; null for none. */
function bytesOf(body: Body, world: World): Buffer | null {
  if (body.kind === 'none') return null;
  if (body.kind === 'bytes') return Buffer.from(body.base64, 'base64');
  const json = Buffer.from(print(body.value, world, 'json'));
  if (body.kind === 'gzip') return gzipSync(json);
  return body.kind === 'cut' ? json.subarray(0, Math.floor(json.length * body.share)) : json;
}

export function authorizationOf(credential: Credential, world: World): Header[] {
  if (credential === 'key') return [['Authorization', `Bearer ${world.key}`]];
  if (credential === 'reader') return [['Authorization', `Bearer ${world.reader}`]];
  if (credential === 'session') return [['Cookie', `session_token=${world.session}`]];
  return credential === 'broken' ? [['Authorization', `Bearer ${world.key?.slice(0, -1)}`]] : [];
}

/** Only bytes that a header may hold. */
export const sendable = (headers: readonly Header[]): Header[] =>
  headers.map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]);

/** Percent-encoded, lone surrogates included. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

/** The request that an input stands for. */
export function restRequest(input: RestInput, world: World): Outgoing {
  const { method, credential, headers, body } = input;
  const plain = (value: Value) => textOf(value, world) ?? print(value, world, 'json');
  let path = input.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(plain(input.params[name] ?? '')));
  if (input.bend === 'UPPER') path = path.toUpperCase();
  else if (input.bend === 'DOUBLE') path = `/${path}`;
  else path += input.bend ?? '';
  const query = input.query.map(([name, value]) => `${encoded(name)}=${encoded(plain(value))}`).join('&');
  if (query) path += `${path.includes('?') ? '&' : '?'}${query}`;
  // Long values belong in bodies; Node takes 16 kB of head.
  const isFit = path.length < 12_000;
  const allHeaders: readonly Header[] = [
    ...(headers.some(([name]) => name === 'Authorization') ? [] : authorizationOf(credential, world)),
    ...headers,
    ...(body.kind === 'gzip' ? ([['Content-Encoding', 'gzip']] as const) : []),
    ...(headers.some(([name]) => name === 'Upgrade') ? ([['Connection', 'Upgrade']] as const) : []),
  ];
  return {
    method,
    path: isFit ? path : path.slice(0, 12_000).replace(/%.?$/, ''),
    headers: sendable(allHeaders),
    body: bytesOf(body, world),
  };
}
