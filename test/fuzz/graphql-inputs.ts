import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { Outgoing } from './exchange.ts';
import {
  authorizationOf,
  type Credential,
  credentials,
  type Header,
  headers,
  mostly,
  sendable,
} from './rest-inputs.ts';
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

interface Argument {
  readonly name: string;
  /** As a variable of the argument would be declared. */
  readonly type: string;
  readonly value: Value;
  readonly isVariable: boolean;
}

type Selection =
  | {
      readonly field: string;
      readonly alias: string | null;
      readonly arguments: readonly Argument[];
      readonly directive: string;
      readonly below: readonly Selection[];
    }
  | { readonly on: string; readonly isNamed: boolean; readonly below: readonly Selection[] };

interface Document {
  readonly operation: 'query' | 'mutation' | 'subscription';
  readonly selections: readonly Selection[];
  /** What else stands in the document: nothing, mostly. */
  readonly rest: string;
}

export interface GraphqlInput {
  readonly api: 'graphql';
  readonly method: string;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly document: Document | { readonly text: Value };
  readonly operationName: Value | undefined;
  /** In place of the variables that the document needs. */
  readonly variables: Value | undefined;
  /** Fields that no request has, or what stands in place of the whole request. */
  readonly extra: readonly (readonly [string, Value])[];
  readonly envelope: 'object' | 'batch' | 'other' | 'query string';
}

/** Hashing a password takes some hundred times as long as anything else. */
const isSlow = (name: string) => /SignUp|SignIn|PasswordChange/.test(name);

const depthMax = 4;

/** Operations on every root field of the schema, and documents that are none. */
export function graphqlInputs(schema: GraphQLSchema): fc.Arbitrary<GraphqlInput> {
  const known = new Map<string, fc.Arbitrary<readonly Selection[]>>();

  /** Some fields of a type; composite ones as long as there is depth left. */
  function selections(type: GraphQLNamedType, depth: number): fc.Arbitrary<readonly Selection[]> {
    const key = `${type.name} ${depth}`;
    const made = known.get(key) ?? makeSelections(type, depth);
    known.set(key, made);
    return made;
  }

  function makeSelections(type: GraphQLNamedType, depth: number): fc.Arbitrary<readonly Selection[]> {
    if (!isObjectType(type) && !isInterfaceType(type)) return fc.constant([]);
    const fields = Object.values(type.getFields()) as GraphQLField<unknown, unknown>[];
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const composites = depth > 0 ? fields.filter((field) => !isLeafType(getNamedType(field.type))) : [];
    const arbitraries = new Map<GraphQLField<unknown, unknown>, fc.Arbitrary<Selection>>();
    const below = (field: GraphQLField<unknown, unknown>) => {
      const arbitrary = arbitraries.get(field) ?? selection(field, depth);
      arbitraries.set(field, arbitrary);
      return arbitrary;
    };
    const parts: fc.Arbitrary<readonly Selection[]>[] = [
      leaves.length > 0
        ? fc
            .subarray(leaves, { minLength: 1, maxLength: Math.min(leaves.length, 4) })
            .chain((some) => fc.tuple(...some.map(below)))
        : fc.constant([leaf('__typename')]),
    ];
    if (composites.length > 0)
      parts.push(
        fc
          .subarray(composites, { maxLength: Math.min(composites.length, 2) })
          .chain((some) => fc.tuple(...some.map(below))),
      );
    if (isInterfaceType(type) && depth > 0) {
      const possible = schema.getPossibleTypes(type);
      parts.push(
        fc
          .subarray([...possible], { maxLength: Math.min(possible.length, 2) })
          .chain((some) => fc.tuple(...some.map((one) => fragment(one, depth)))),
      );
    }
    const all = fc.tuple(...parts).map((lists) => lists.flat());
    return mostly(
      8,
      all,
      fc.tuple(all, fc.boolean()).map(([below, isNamed]): Selection[] => [{ on: type.name, isNamed, below }]),
    );
  }

  function fragment(type: GraphQLObjectType, depth: number): fc.Arbitrary<Selection> {
    return fc
      .tuple(fc.boolean(), selections(type, depth - 1))
      .map(([isNamed, below]) => ({ on: type.name, isNamed, below }));
  }

  function selection(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<Selection> {
    const type = getNamedType(field.type);
    const args = field.args.map((argument) =>
      fc.option(
        fc.record({
          name: fc.constant(argument.name),
          type: fc.constant(String(argument.type)),
          value: valueFor(argument.type, argument.name),
          isVariable: fc.boolean(),
        }),
        { freq: isRequiredArgument(argument) ? 60 : 1, nil: null },
      ),
    );
    return fc.record({
      field: fc.constant(field.name),
      alias: mostly(
        6,
        fc.constant(null),
        fc.constantFrom('a', 'b', '__typename', 'constructor', '__proto__', 'toString'),
      ),
      arguments: fc.tuple(...args).map((some) => some.filter((argument) => argument !== null)),
      directive: mostly(
        20,
        fc.constant(''),
        fc.constantFrom(
          '@include(if: true)',
          '@skip(if: true)',
          '@skip(if: false)',
          '@include(if: "x")',
          '@nothing',
          '@deprecated',
          '@skip(if: $missing)',
        ),
      ),
      below: isLeafType(type) ? fc.constant([]) : selections(type, depth - 1),
    });
  }

  const operations = (['query', 'mutation', 'subscription'] as const).flatMap((operation) => {
    const root = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    }[operation];
    return Object.values(root?.getFields() ?? {}).map((field) => ({ operation, field }));
  });
  const fieldOf = ({ operation, field }: (typeof operations)[number]) => ({
    weight: isSlow(field.name) ? 1 : operation === 'subscription' ? 4 : 16,
    arbitrary: selection(field, depthMax).map((one) => ({ operation, one })),
  });
  const others = operations
    .filter(({ field, operation }) => !isSlow(field.name) && operation !== 'subscription')
    .map(fieldOf);
  const document: fc.Arbitrary<Document> = fc
    .tuple(
      fc.oneof(...operations.map(fieldOf)),
      mostly(3, fc.constant([]), fc.array(fc.oneof(...others), { maxLength: 5 })),
      rest,
    )
    .map(([{ operation, one }, more, rest]) => ({
      operation,
      // Several of one root need names of their own.
      selections: [
        one,
        ...more
          .filter((each) => each.operation === operation)
          .map((each, index) => ({ ...each.one, alias: `x${index}` })),
      ],
      rest,
    }));

  return fc.record({
    api: fc.constant('graphql' as const),
    method: mostly(40, fc.constant('POST'), fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE')),
    credential: credentials,
    headers,
    document: mostly(14, document, nastyDocument),
    operationName: mostly(20, fc.constant(undefined), anyValue),
    variables: mostly(
      25,
      fc.constant(undefined),
      fc.oneof(
        anyValue,
        fc.array(extraField).map(($object) => ({ $object })),
      ),
    ),
    extra: mostly(
      20,
      fc.constant([]),
      fc.array(
        fc.oneof(
          extraField,
          fc.tuple(fc.constantFrom('extensions', 'id', 'documentId', 'query', 'variables'), anyValue),
        ),
        { maxLength: 3 },
      ),
    ),
    envelope: fc.oneof(
      { weight: 40, arbitrary: fc.constant('object' as const) },
      { weight: 2, arbitrary: fc.constant('query string' as const) },
      { weight: 1, arbitrary: fc.constantFrom('batch' as const, 'other' as const) },
    ),
  });
}

const leaf = (field: string): Selection => ({ field, alias: null, arguments: [], directive: '', below: [] });

const rest = mostly(
  25,
  fc.constant(''),
  fc.constantFrom(
    'query Other { viewer { user { id } } }',
    'fragment Unused on Profile { id }',
    'fragment Loop on Profile { ...Loop }',
    'query Q { __typename } query Q { __typename }',
    '{ __typename }',
    'type Nothing { a: Int }',
    'extend type Query { a: Int }',
    '}',
    '\ufeff',
    '# \u0000',
    '"""',
  ),
);

const many = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ');

/** Documents that stand for an attack or a mistake as a whole. */
const nastyDocument: fc.Arbitrary<{ text: Value }> = fc
  .oneof(
    nastyText,
    anyValue,
    fc.constantFrom<Value>(
      '{ __schema { types { name fields { name type { name ofType { name ofType { name } } } } } } }',
      `{ ${many(1000, (index) => `a${index}: __typename`)} }`,
      `{ ${many(99, (index) => `a${index}: viewer { user { id } }`)} }`,
      `{ __typename ${many(1000, () => '@include(if: true)')} }`,
      `{ viewer { ${'project { profiles { nodes { '.repeat(15)} id ${'} } }'.repeat(15)} } }`,
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      '{ ...Missing }',
      '{ node(id: "x") { ... on Nothing { id } } }',
      '{ viewer }',
      '{ viewer { } }',
      '{ viewer { nothing } }',
      '{ __type(name: "Query") { name } }',
      '{ __type(name: null) { name } }',
      'query ($a: Nothing!) { __typename }',
      'query ($a: [Int!]! = [null]) { __typename }',
      `query (${many(1000, (index) => `$v${index}: Int`)}) { __typename }`,
      'subscription { a: clipboardChanged { at } b: clipboardChanged { at } }',
      'subscription { __typename }',
      'subscription { ...F } fragment F on Subscription { clipboardChanged { __typename } }',
      'mutation { __typename }',
      '{ nodes(ids: []) { id } }',
      `{ nodes(ids: [${many(200, () => '"UHJvZmlsZTox"')}]) { id } }`,
      '{ clipboardEntries(first: 100) { nodes { value } } b: clipboardEntries(first: 100) { nodes { value } } }',
      'query @skip(if: true) { __typename }',
      '{ clipboardEntry(by: { name: "a", idx: 0 }) { id } }',
      '{ clipboardEntry(by: {}) { id } }',
      '{ clipboardEntry(by: { __proto__: 1 }) { id } }',
      '{ clipboardEntry(by: { name: """block\n  string""" }) { id } }',
      '{ clipboardEntry(by: { name: "\\ud800" }) { id } }',
      '{ clipboardEntry(by: { name: "\\u{10FFFF}" }) { id } }',
      '{ clipboardEntry(by: { idx: 99999999999999999999 }) { id } }',
      { $repeat: ['{a', 2500] },
      { $repeat: ['a ', 60_000] },
      { $repeat: ['#', 200_000] },
    ),
  )
  .map((text) => ({ text }));

function valueFor(type: GraphQLInputType, name: string): fc.Arbitrary<Value> {
  if (isNonNullType(type)) return mostly(40, valueFor(type.ofType, name), fc.constant(null));
  return fc.oneof(
    { weight: 30, arbitrary: rightValue(type, name) },
    { weight: 2, arbitrary: fc.constant<Value>(null) },
    { weight: 2, arbitrary: anyValue },
  );
}

function rightValue(type: GraphQLInputType, name: string): fc.Arbitrary<Value> {
  if (isListType(type))
    return fc.oneof(
      fc.array(valueFor(type.ofType, name), { maxLength: 5 }) as fc.Arbitrary<Value>,
      valueFor(type.ofType, name),
    );
  if (isEnumType(type)) {
    const names = type.getValues().map((value) => value.name);
    return mostly(10, fc.constantFrom(...names), fc.constantFrom(...names.map((one) => one.toLowerCase()), '')).map(
      ($enum) => ({ $enum }),
    );
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((field) =>
      fc.option(fc.tuple(fc.constant(field.name), valueFor(field.type, field.name)), {
        freq: isRequiredInputField(field) ? 40 : 1,
        nil: null,
      }),
    );
    const own = fc.tuple(...fields).map((pairs) => pairs.filter((pair) => pair !== null));
    const one = fc.oneof(
      ...Object.values(type.getFields()).map((field) =>
        valueFor(field.type, field.name).map((value) => [[field.name, value]] as const),
      ),
    );
    return fc
      .tuple(type.isOneOf ? mostly(6, one, own) : own, mostly(20, fc.constant(null), extraField))
      .map(([pairs, extra]) => ({ $object: [...pairs, ...(extra === null ? [] : [extra])] }));
  }
  if (isListType(type)) return anyValue;
  const scalar = String(type);
  if (scalar === 'Int' || scalar === 'Float')
    return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(-1, 0, 1, 100, 101, 1000, 1001), nastyNumber);
  if (scalar === 'Boolean') return fc.boolean();
  return fc.oneof(
    { weight: 60, arbitrary: fittingText(name) ?? fc.string({ maxLength: 20 }) },
    { weight: 20, arbitrary: nastyText },
    { weight: name === 'value' ? 1 : 0, arbitrary: hugeText },
  );
}

/** A document's text and the variables that it needs. */
function printed(
  { operation, selections, rest }: Document,
  world: World,
): { text: string; variables: [string, Value][] } {
  const variables: [string, Value][] = [];
  const declarations: string[] = [];
  const fragments: string[] = [];
  const printSelection = (selection: Selection): string => {
    const below = selection.below.length > 0 ? ` { ${selection.below.map(printSelection).join(' ')} }` : '';
    if ('on' in selection) {
      if (!selection.isNamed) return `... on ${selection.on}${below}`;
      fragments.push(`fragment F${fragments.length} on ${selection.on}${below}`);
      return `...F${fragments.length - 1}`;
    }
    const args = selection.arguments.map(({ name, type, value, isVariable }) => {
      if (!isVariable) return `${name}: ${print(value, world, 'graphql')}`;
      const variable = `v${variables.length}`;
      variables.push([variable, value]);
      declarations.push(`$${variable}: ${type}`);
      return `${name}: $${variable}`;
    });
    const { alias, field, directive } = selection;
    return `${alias ? `${alias}: ` : ''}${field}${args.length > 0 ? `(${args.join(', ')})` : ''}${directive}${below}`;
  };
  const body = selections.map(printSelection).join(' ');
  const head = declarations.length > 0 ? `(${declarations.join(', ')})` : '';
  return { text: [`${operation} Fuzz${head} { ${body} }`, ...fragments, rest].join('\n'), variables };
}

/** The request that an input stands for. */
export function graphqlRequest(input: GraphqlInput, world: World): Outgoing {
  const { document, envelope, method } = input;
  const { text, variables } = 'text' in document ? { text: document.text, variables: [] } : printed(document, world);
  const fields: (readonly [string, Value])[] = [
    ['query', text],
    ['variables', input.variables === undefined ? { $object: variables } : input.variables],
    ...(input.operationName === undefined ? [] : ([['operationName', input.operationName]] as const)),
    ...input.extra,
  ];
  const headers = sendable([
    ...(input.headers.some(([name]) => name === 'Authorization') ? [] : authorizationOf(input.credential, world)),
    ...input.headers,
    ...(input.headers.some(([name]) => name === 'Upgrade') ? ([['Connection', 'Upgrade']] as const) : []),
  ]);
  if (envelope === 'query string') {
    const plain = (value: Value) => (textOf(value, world) ?? print(value, world, 'json')).toWellFormed();
    const query = fields
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(plain(value))}`)
      .join('&');
    return {
      method: method === 'POST' ? 'GET' : method,
      path: `/graphql?${query}`.slice(0, 12_000).replace(/%.?$/, ''),
      headers,
      body: null,
    };
  }
  const request: Value = { $object: fields };
  const body = envelope === 'object' ? request : envelope === 'batch' ? [request, request] : text;
  return { method, path: '/graphql', headers, body: Buffer.from(print(body, world, 'json')) };
}
