import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchemaTooComplex, schemaMistakes } from '../../src/mcp-servers/json-schema.ts';

const ajv = new Ajv2020({ strict: false, allErrors: false });

const schemas: Record<string, object | boolean> = {
  types: { properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] }, c: { type: 'array' } } },
  required: { required: ['a', 'b'], properties: { a: true, b: { type: 'boolean' } } },
  closed: { properties: { a: { type: 'number' } }, additionalProperties: false },
  open: { properties: { a: {} }, additionalProperties: { type: 'string' } },
  patterns: { patternProperties: { '^[ab]$': { type: 'string' } }, additionalProperties: { type: 'number' } },
  bounds: {
    properties: {
      a: { minimum: 0, exclusiveMaximum: 3 },
      b: { exclusiveMinimum: -2, maximum: 2 },
      c: { minLength: 1, maxLength: 2, pattern: '^[a-z]*$' },
      d: { minItems: 1, maxItems: 2, items: { type: 'number' } },
    },
  },
  choices: { properties: { a: { enum: ['x', 1, null, [1], { a: 1 }] }, b: { const: { a: [1] } } } },
  tuples: { properties: { d: { prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } } },
  all: { allOf: [{ required: ['a'] }, { properties: { a: { type: 'string' } } }] },
  any: { anyOf: [{ required: ['a'] }, { properties: { b: { type: 'number' } }, required: ['b'] }] },
  one: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  none: { not: { required: ['a'] } },
  references: {
    properties: { a: { $ref: '#/$defs/tree' }, b: { $ref: '#/$defs/b~1c' } },
    $defs: {
      tree: { type: 'object', properties: { a: { $ref: '#/$defs/tree' }, b: { type: 'number' } } },
      'b/c': { type: 'string' },
    },
  },
  nothing: false,
  everything: true,
};

const atoms = fc.oneof(
  fc.constantFrom('x', '', 'ab', 'abc', '\u{1f680}\u{1f680}', 'A', null, true, 1, 0, -1, 3, 2.5),
  fc.integer({ min: -4, max: 4 }),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    atoms,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), tie('value'), { maxKeys: 4 }),
  ),
})).value;
const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), values, { maxKeys: 4 });

describe('a value that is compared with a JSON Schema', () => {
  it.each(Object.entries(schemas))('is taken where Ajv takes it: %s', (_name, schema) => {
    const isValid = ajv.compile(schema);
    void fc.assert(
      fc.property(objects, (value) => {
        expect(schemaMistakes(schema, value).length === 0).toBe(isValid(value));
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it('has its first five mistakes named by their places', () => {
    const schema = { properties: { list: { items: { type: 'number' } }, name: { type: 'string' } }, required: ['id'] };
    expect(schemaMistakes(schema, { list: [1, 'x'], name: 7 })).toEqual([
      'arguments.id is required',
      'arguments.list.1 must be number',
      'arguments.name must be string',
    ]);
    expect(schemaMistakes({ items: { type: 'number' } }, Array(50).fill('x'), 'list')).toHaveLength(5);
  });

  it.each([
    ['references that double', { $ref: '#/$defs/d0', $defs: doubling(60) }],
    ['a reference to itself', { $ref: '#' }],
    ['choices within choices', deep(400)],
    ['patterns without end', { patternProperties: Object.fromEntries(range(2_000).map((at) => [`(a|b${at})*c`, {}])) }],
    ['many objects to choose from', { properties: { a: { enum: range(2_000).map((at) => [{ at }]) } } }],
  ])('takes bounded time: %s', (_name, schema) => {
    expect(() => schemaMistakes(schema, { a: [{ at: -1 }] })).toThrow(SchemaTooComplex);
  });

  it('is not compared with what the schema does not say in known words, or says elsewhere', () => {
    const schema = {
      $ref: 'https://example.com/schema',
      properties: { a: { format: 'email', pattern: '(?=x)' }, b: { $ref: '#/nowhere' } },
    };
    expect(schemaMistakes(schema, { a: 'y', b: 1 })).toEqual([]);
    for (const nonsense of [null, 7, 'x', { type: 7, enum: 'x', required: 'y', properties: 3, allOf: {} }])
      expect(schemaMistakes(nonsense, { a: 1 })).toEqual([]);
  });
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Each definition refers to the next one twice. */
function doubling(levels: number): object {
  const next = (at: number) => ({ $ref: `#/$defs/d${at + 1}` });
  return Object.fromEntries(
    range(levels).map((at) => [`d${at}`, at === levels - 1 ? true : { allOf: [next(at), next(at)] }]),
  );
}

function deep(levels: number): object {
  let schema: object = {};
  for (let level = 0; level < levels; level++) schema = { not: schema };
  return schema;
}
