import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  getOperationAST,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  responsePathAsArray,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { bounded } from '../../../schema/bounded.ts';
import type { Context } from '../../../schema/context.ts';
import { schema as graph } from '../../../schema/index.ts';
import { planOf } from '../../../src/main/graphql/operation-plan.ts';
import { unhandledIn } from '../../support/unhandled-rejections.ts';

const sdl = `
  enum Colour { RED BLUE }
  scalar Odd
  input Filter { colour: Colour = RED, count: Int! }
  interface Named { name: String }
  union Any = Thing | Typed
  type Thing implements Named {
    name: String
    sure: String!
    colour: Colour
    odd: Odd
    labels: [String!]
    marks: [Int]!
    argued(count: Int! = 1): Int
    number: Int
    sureNumber: Int!
    holes: [Int]!
    grid: [[Int!]]
    thing(filter: Filter): Thing
    sureThing: Thing!
    things(filter: Filter, first: Int = 2): [Thing]
    sureThings: [Thing!]!
    rows: [[Thing!]]!
    typed: Typed
    typeds: [Typed!]
  }
  type Typed { name: String!, thing: Thing }
  type Query { thing(filter: Filter, count: Int! = 1): Thing, sureThing: Thing!, things: [Thing!]!, typeds: [Typed], named: Named }
  type Mutation { change(count: Int!): Thing, sureChange: Thing! }
`;

/** These have no resolver: they are read as properties of their object. */
const properties = ['name', 'sure', 'colour', 'odd', 'labels', 'marks', 'argued'];

const outcomes = [
  'value',
  'null',
  'undefined',
  'throw',
  'throw text',
  'throw located',
  'error value',
  'wrong',
  'function',
  'later',
  'reject',
  'thenable',
] as const;
type Outcome = (typeof outcomes)[number];

/** What comes of each value of a run depends on its place in the response alone, not on when it is resolved. */
interface World {
  readonly outcomes: readonly Outcome[];
  readonly seed: number;
}

function hash(text: string): number {
  let sum = 2_166_136_261;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 16_777_619);
  return (sum ^ (sum >>> 15)) >>> 0;
}

/**
 * One run of an operation: its schema, its resolvers, and the order in which their promises are settled. One is settled after the
 * other, each after all that follows from the one before, in an order that depends on their places alone. Otherwise the order of
 * errors, and which of them come before the response ends, would depend on how many promises stand between two places.
 */
function worldOf({ outcomes, seed }: World) {
  const calls: string[] = [];
  const waiting: { place: string; settle(): void }[] = [];
  const outcomeAt = (place: string): Outcome => outcomes[hash(`${seed} ${place}`) % outcomes.length] ?? 'value';
  const faultAt = (place: string) => new Error(`fault at ${place}`);

  const later = (place: string, settle: () => unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({
        place,
        settle() {
          try {
            resolve(settle());
          } catch (error) {
            reject(error);
          }
        },
      });
    });
  const failing = (place: string) => () => {
    throw faultAt(place);
  };

  /** @param isCall Whether it may throw, or be what a function of the object returns. */
  function make(type: GraphQLOutputType, place: string, isCall: boolean): unknown {
    const outcome = outcomeAt(place);
    if (outcome === 'throw' && isCall) throw faultAt(place);
    if (outcome === 'throw text' && isCall) throw `text at ${place}`;
    if (outcome === 'throw located' && isCall)
      throw new GraphQLError(`located at ${place}`, { path: ['elsewhere'], extensions: { place } });
    if (outcome.startsWith('throw') || outcome === 'error value') return faultAt(place);
    if (outcome === 'null') return null;
    if (outcome === 'undefined') return undefined;
    if (outcome === 'wrong') return wrongOf(type);
    if (outcome === 'reject') return later(place, failing(place));
    if (outcome === 'later') return later(place, () => exampleOf(type, place));
    if (outcome === 'thenable') {
      const promise = later(place, () => exampleOf(type, place));
      // biome-ignore lint/suspicious/noThenProperty: it is a thenable
      return { then: promise.then.bind(promise) };
    }
    return exampleOf(type, place);
  }

  function exampleOf(type: GraphQLOutputType, place: string): unknown {
    if (isNonNullType(type)) return exampleOf(type.ofType, place);
    if (isListType(type))
      return Array.from({ length: hash(`${place} length`) % 4 }, (_, at) => make(type.ofType, `${place}.${at}`, false));
    if (isObjectType(type)) return sourceOf(type, place);
    if (isEnumType(type)) return 'RED';
    return String(type) === 'Int' ? hash(place) % 100 : `text at ${place}`;
  }

  function wrongOf(type: GraphQLOutputType): unknown {
    if (isNonNullType(type)) return wrongOf(type.ofType);
    if (isListType(type)) return 'no list';
    if (isEnumType(type)) return 'GREEN';
    return isLeafType(type) ? { wrong: true } : 5;
  }

  /** An object whose properties are made when they are first read. */
  function sourceOf(type: GraphQLObjectType, place: string): object {
    const source = { place };
    for (const field of Object.values(type.getFields())) {
      if (!properties.includes(field.name)) continue;
      const there = `${place}.${field.name}`;
      let made: { value: unknown } | null = null;
      const get = () => {
        if (made === null) calls.push(`read ${there}`);
        made ??= {
          value:
            outcomeAt(there) === 'function'
              ? (args: unknown) => {
                  calls.push(`call ${there} ${JSON.stringify(args)}`);
                  return make(field.type, `${there}()`, true);
                }
              : make(field.type, there, false),
        };
        return made.value;
      };
      // Not enumerable: graphql reads the others of an object of a wrong type, for its message.
      Object.defineProperty(source, field.name, { get });
    }
    return source;
  }

  const schema = buildSchema(sdl);
  const objectTypes = Object.values(schema.getTypeMap()).filter(isObjectType);
  const resolvers = objectTypes
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ field, resolve: resolverOf(type, field) })));
  const setResolvers = () => {
    for (const { field, resolve } of resolvers) field.resolve = resolve;
  };
  setResolvers();
  bounded(schema);
  // The counting turns what is thrown into rejections, which a test of query-limits.graphql.test.ts needs and these do not.
  setResolvers();
  (schema.getType('Odd') as GraphQLScalarType).serialize = (value) => {
    if (typeof value === 'string') return value;
    return hash(String(calls.length)) % 2 === 0 ? null : undefined;
  };
  (schema.getType('Typed') as GraphQLObjectType).isTypeOf = (value: { place?: string }) => {
    const place = `${value.place} is of its type`;
    const outcome = outcomeAt(place);
    if (outcome === 'throw') throw faultAt(place);
    if (outcome === 'reject') return later(place, failing(place)) as Promise<boolean>;
    if (outcome === 'later') return later(place, () => true) as Promise<boolean>;
    return outcome !== 'null';
  };

  function resolverOf(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>) {
    if (properties.includes(field.name)) return undefined;
    return (_source: unknown, args: unknown, _context: unknown, info: GraphQLResolveInfo) => {
      const { path, variableValues, fieldNodes, returnType } = info;
      const place = responsePathAsArray(path).join('.');
      calls.push(JSON.stringify([type.name, field.name, place, args, variableValues, fieldNodes.length, returnType]));
      return make(field.type, place, true);
    };
  }

  /** Settles all promises, in their order. */
  async function settleAll(): Promise<void> {
    for (await turn(); waiting.length > 0; await turn()) {
      waiting.sort(
        (one, other) => hash(`${one.place}!`) - hash(`${other.place}!`) || (one.place < other.place ? -1 : 1),
      );
      waiting.shift()?.settle();
    }
  }

  return { schema, calls, settleAll };
}

const leaf = fc.constantFrom(
  ...properties,
  'number',
  'sureNumber',
  'holes',
  'grid',
  'other: name',
  'labels',
  'again: sure',
  'argued(count: 2)',
  'few: argued(count: $n)',
  'no: argued(count: $maybe)',
);
const { selection } = fc.letrec<{ selection: string }>((tie) => ({
  selection: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        { weight: 3, arbitrary: leaf },
        {
          weight: 4,
          arbitrary: fc
            .tuple(
              fc.constantFrom(
                'thing',
                'sureThing',
                'things',
                'sureThings',
                'rows',
                'thing',
                'sureThing',
                'one: things(first: $n, filter: { count: 3 })',
                'two: things(filter: $filter)',
                'three: thing(filter: { colour: BLUE, count: $maybe })',
                '... on Thing',
                '...',
              ),
              tie('selection'),
            )
            .map(([head, below]) => `${head} ${below}`),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '...Common',
            '... on Named { name }',
            '... on Any { ... on Thing { sure } ... on Typed { name } }',
            'typed { name }',
            'typed { ...OfTyped }',
            'typeds { name }',
            'typeds { ...OfTyped thing { sure } }',
          ),
        },
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((fields) => `{ ${fields.join(' ')} }`),
}));
const root = fc.constantFrom(
  'thing',
  'sureThing',
  'things',
  'thing(filter: { count: $n })',
  'thing(filter: $filter)',
  'thing(count: $maybe)',
);
const roots = fc.array(fc.tuple(root, selection), { minLength: 1, maxLength: 3 });
const change = fc.tuple(fc.constantFrom('change(count: $n)', 'sureChange'), selection);
const operation = fc.oneof(
  { weight: 6, arbitrary: roots.map((fields) => `query Q${variables} { ${rootsOf(fields)} }`) },
  { weight: 1, arbitrary: change.map(([name, below]) => `mutation Q${variables} { ${name} ${below} }`) },
  { weight: 1, arbitrary: selection.map((below) => `query Q${variables} { typeds { thing ${below} name } }`) },
);
const variables = '($n: Int = 1, $maybe: Int = 1, $filter: Filter)';
const rootsOf = (fields: [string, string][]) =>
  fields
    .map(([name, below], place) => (place === 2 ? `r0: ${fields[0]?.[0]} ${below}` : `r${place}: ${name} ${below}`))
    .join(' ');
const fragments = `
  fragment Common on Thing { name sure thing { colour ...Deep } }
  fragment Deep on Thing { number sureThing { odd } }
  fragment OfTyped on Typed { name thing { name } }
`;
const world = fc.record({
  outcomes: fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant<Outcome>('value') }, fc.constantFrom(...outcomes)), {
    minLength: 1,
    maxLength: 12,
  }),
  seed: fc.nat(),
});
const given = fc.constantFrom<Record<string, unknown>>(
  { n: 1, filter: { count: 2 } },
  { n: 3, filter: { colour: 'BLUE', count: 1 }, maybe: 4 },
  { n: null, filter: null, maybe: null },
  { n: 1, maybe: null },
  { n: 'one' },
  { n: 1, filter: { count: 2, other: 1 } },
  { n: 1, filter: { colour: 'GREEN', count: 1 } },
  {},
);

/** A result as text, with the order of its keys, and with ours for two messages of graphql that repeat the value. */
const shown = ({ data, errors }: { data?: unknown; errors?: readonly GraphQLError[] | undefined }) =>
  JSON.stringify(
    {
      data,
      errors: errors?.map((error) => [
        error
          .toJSON()
          .message.replace(/^(Expected value of type "\w+") but got: .*$/s, '$1.')
          .replace(
            /^Expected `(\w+)\.serialize\(.*\)` to return non-nullable value, returned: (\w+)$/s,
            '$1 serialized a value as $2',
          ),
        error.locations,
        error.path,
        error.extensions,
      ]),
    },
    null,
    1,
  );

interface Outcomes {
  readonly isPlanned: boolean;
  readonly shown: string;
  readonly calls: readonly string[];
  readonly unhandled: readonly unknown[];
}

/** Runs an operation by its plan, or by graphql; null if it is not valid. */
async function run(
  text: string,
  values: Record<string, unknown>,
  rules: World,
  byPlan: boolean,
): Promise<Outcomes | null> {
  const { schema, calls, settleAll } = worldOf(rules);
  const document = parse(text + fragments);
  // Fields of one name with other arguments do not merge; unused variables and fragments do not matter here.
  if (validate(schema, document).some(({ message }) => !message.includes('is never used'))) return null;
  const plan = byPlan ? planOf(schema, document, definitionOf(text, document)) : null;
  let result = '';
  const unhandled = await unhandledIn(async () => {
    const running = Promise.resolve(
      plan
        ? plan(values, {} as Context)
        : execute({ schema, document, variableValues: values, contextValue: {}, options: { maxCoercionErrors: 1 } }),
    ).then((each) => {
      // As it is when it is sent.
      result = shown(each);
    });
    await settleAll();
    await running;
  });
  return { isPlanned: plan !== null, shown: result, calls, unhandled };
}

describe('the plan of an operation', () => {
  it('gives the data, the errors and the calls that graphql gives, each in its order, and leaves no rejection alone', async () => {
    let planned = 0;
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(operation, world, given, async (text, rules, values) => {
        const ours = await run(text, values, rules, true);
        if (!ours?.isPlanned) return;
        const theirs = await run(text, values, rules, false);
        planned += 1;
        if (ours.shown.includes('"errors"')) failed += 1;
        expect(ours.shown).toBe(theirs?.shown);
        expect(ours.calls).toEqual(theirs?.calls);
        expect(ours.unhandled).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(planned).toBeGreaterThan(150);
    expect(failed).toBeGreaterThan(75);
  });

  it.each([
    ['a directive', 'query Q($is: Boolean!) { viewer { id @skip(if: $is) } }'],
    ['an interface', 'query Q { node(id: "x") { id } }'],
    ['introspection', 'query Q { __schema { description } }'],
    ['a key that sets a prototype', 'query Q { __proto__: viewer { id } }'],
    ['two mutations', 'mutation Q { clipboardClear { deletedCount } again: clipboardClear { deletedCount } }'],
    ['a subscription', 'subscription Q { clipboardChanged { kind } }'],
    [
      'more fields than a fourth of its characters, by fragments',
      `query Q { ${times(7, (n) => `v${n}: ownServers { ...C }`)} }
        fragment C on McpServerConnection { ${times(6, (n) => `n${n}: nodes { ...S }`)} } fragment S on McpServer { uuid name slug }`,
    ],
    ['very many fields', `query Q { ${times(260, (n) => `v${n}: viewer { id }`)} }`],
  ])('leaves %s to graphql', (_what, text) => {
    const document = parse(text);
    expect(planOf(graph, document, definitionOf(text, document))).toBeNull();
  });
});

const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');

function definitionOf(text: string, document: ReturnType<typeof parse>) {
  const definition = getOperationAST(document, 'Q');
  if (!definition) throw new Error(`no operation in ${text}`);
  return definition;
}
