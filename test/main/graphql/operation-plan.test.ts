import fc from 'fast-check';
import {
  buildSchema,
  execute,
  type GraphQLField,
  type GraphQLObjectType,
  getOperationAST,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { bounded } from '../../../schema/bounded.ts';
import type { Context } from '../../../schema/context.ts';
import { schema as graph } from '../../../schema/index.ts';
import { planOf } from '../../../src/main/graphql/operation-plan.ts';

const sdl = `
  enum Colour { RED BLUE }
  input Filter { colour: Colour = RED, count: Int! }
  interface Named { name: String }
  type Thing implements Named {
    name: String
    sure: String!
    colour: Colour
    numbers: [Int!]
    holes: [Int]!
    thing: Thing
    sureThing: Thing!
    things(filter: Filter, first: Int = 2): [Thing]
    sureThings: [Thing!]
    typed: Typed
  }
  type Typed { name: String! }
  type Query { thing(filter: Filter): Thing, sureThing: Thing!, things: [Thing!]!, named: Named }
  type Mutation { change(count: Int!): Thing }
`;

type Outcome = 'value' | 'null' | 'error' | 'later' | 'later error' | 'error value';

/** A schema whose resolvers take their outcomes from a list, in the order of their calls. */
function schemaOf(outcomes: readonly Outcome[], calls: string[]) {
  const schema = buildSchema(sdl);
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) if (!isProperty(field)) giveResolver(type, field);
  (schema.getType('Typed') as GraphQLObjectType).isTypeOf = ({ isTyped }) => isTyped;
  return bounded(schema);

  function giveResolver(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): void {
    field.resolve = (_source, args, _context, { path, variableValues }) => {
      const outcome = outcomes[calls.length % outcomes.length] ?? 'value';
      calls.push(JSON.stringify([type.name, field.name, path, args, variableValues]));
      const fault = new Error(`fault ${calls.length}`);
      const value = exampleOf(field);
      if (outcome === 'error') throw fault;
      if (outcome === 'error value') return fault;
      if (outcome === 'later error') return rejected(fault);
      if (outcome === 'later') return Promise.resolve(value);
      return outcome === 'null' ? null : value;
    };
  }
}

/** These are read as properties of their object. */
const isProperty = ({ name }: GraphQLField<unknown, unknown>) => ['name', 'sure', 'colour', 'numbers'].includes(name);

const object = { name: 'a "name"', sure: null, colour: 'RED', numbers: [1, 'no number'], isTyped: false };
const other = { name: () => 'made', sure: 'sure', colour: 'GREEN', numbers: Promise.resolve([3]), isTyped: true };

interface Shown {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

/** A promise that may be left alone. */
function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}

function exampleOf({ type }: GraphQLField<unknown, unknown>): unknown {
  const name = String(type);
  if (name.includes('Int')) return [1, null, Promise.resolve(2), new Error('an item')];
  if (!name.startsWith('[')) return other;
  // Of a list that fails at once graphql leaves the promises alone, which nothing else may fail then.
  if (name.includes('!]')) return [object, Promise.resolve(other)];
  return [object, null, Promise.resolve(other), rejected(new Error('an item'))];
}

const leaf = fc.constantFrom(
  'name',
  'sure',
  'colour',
  'numbers',
  'holes',
  'other: name',
  'typed { name }',
  '__typename',
);
const { selection } = fc.letrec<{ selection: string }>((tie) => ({
  selection: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc
          .tuple(
            fc.constantFrom(
              'thing',
              'sureThing',
              'things',
              'sureThings',
              'things(first: $n, filter: {count: 3})',
              '... on Named',
              '... on Thing',
              '... on Typed',
            ),
            tie('selection'),
          )
          .map(([head, below]) => {
            if (!head.includes('('))
              return head === '... on Named'
                ? '... on Named { name }'
                : head === '... on Typed'
                  ? '...Common'
                  : `${head} ${below}`;
            return `few: ${head} ${below}`;
          }),
        fc.constant('...Common'),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((fields) => `{ ${fields.join(' ')} }`),
}));
const outcome = fc.constantFrom<Outcome>(
  'value',
  'value',
  'value',
  'later',
  'later',
  'null',
  'error',
  'later error',
  'error value',
);
const root = fc.constantFrom('thing', 'sureThing', 'things', 'thing(filter: {count: $n})', 'thing(filter: $filter)');

describe('the plan of an operation', () => {
  it('gives the data, the errors and the calls that graphql gives', async () => {
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(root, selection), { minLength: 1, maxLength: 2 }),
        fc.array(outcome, { minLength: 1, maxLength: 7 }),
        fc.constantFrom(
          { n: 1, filter: { count: 2 } },
          { n: 1, filter: { colour: 'BLUE', count: 1 } },
          { n: 'one' },
          {},
        ),
        async (roots, outcomes, variableValues) => {
          const fields = roots.map(([name, below], place) => `r${place}: ${name} ${below}`).join(' ');
          const text = `query Q($n: Int = 1, $filter: Filter) { ${fields} } fragment Common on Thing { name sure thing { colour } }`;
          const results: (Shown & { calls: string[] })[] = [];
          for (const isPlanned of [false, true]) {
            const calls: string[] = [];
            const schema = schemaOf(outcomes, calls);
            const document = parse(text);
            // Fields of one name with other arguments do not merge; unused variables do not matter here.
            if (validate(schema, document).some(({ message }) => !message.includes('is never used'))) return;
            const plan = isPlanned ? planOf(schema, document, definitionOf(text, document)) : null;
            if (plan) planned += 1;
            const result = await (plan
              ? plan(variableValues, {} as Context)
              : execute({ schema, document, variableValues, contextValue: {}, options: { maxCoercionErrors: 1 } }));
            results.push({ ...(JSON.parse(JSON.stringify(result)) as Shown), calls });
          }
          const [theirs, ours] = [results[0] as Shown, results[1] as Shown];
          // Once a field that may not be null has failed, the rest of the response goes on and is left out: which of its errors come
          // before the end depends on the order of promises alone.
          if (theirs.data === null && ours.data === null) {
            const known = new Set(theirs.errors?.map((error) => JSON.stringify(error)));
            const common = ours.errors?.filter((error) => known.has(JSON.stringify(error)));
            expect(common).not.toEqual([]);
            expect({ ...ours, errors: common }).toEqual({ ...theirs, errors: common });
          } else expect(ours).toEqual(theirs);
        },
      ),
      { numRuns: 300 },
    );
    expect(planned).toBeGreaterThan(80);
  });

  it.each([
    ['a directive', 'query Q($is: Boolean!) { viewer { id @skip(if: $is) } }'],
    ['an interface', 'query Q { node(id: "x") { id } }'],
    ['introspection', 'query Q { __schema { description } }'],
    ['a key that sets a prototype', 'query Q { __proto__: viewer { id } }'],
    ['two mutations', 'mutation Q { clipboardClear { deletedCount } again: clipboardClear { deletedCount } }'],
    ['a subscription', 'subscription Q { clipboardChanged { kind } }'],
    ['very many fields', `query Q { ${Array.from({ length: 260 }, (_, n) => `v${n}: viewer { id }`).join(' ')} }`],
  ])('leaves %s to graphql', (_what, text) => {
    const document = parse(text);
    expect(planOf(graph, document, definitionOf(text, document))).toBeNull();
  });
});

function definitionOf(text: string, document: ReturnType<typeof parse>) {
  const definition = getOperationAST(document, 'Q');
  if (!definition) throw new Error(`no operation in ${text}`);
  return definition;
}
