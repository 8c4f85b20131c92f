import { z } from 'zod';

export type Json = Record<string, unknown>;

/** The named schemas of a document, which grow while its operations are described. */
export type NamedSchemas = Record<string, Json>;

/**
 * The JSON Schema of a zod schema. A schema with an `id` in its metadata becomes a named schema of the document, and a reference to it
 * stands in its place.
 *
 * @throws {Error} when two different schemas have one name.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', named: NamedSchemas): Json {
  // Within another schema, because a name at the top would stay unused.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Classes of Unicode need a flag that validators of other languages do not set.
      if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern;
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
    },
  }) as unknown as { properties: { schema: Json }; $defs?: Record<string, Json> };
  for (const [name, { id: _, ...definition }] of Object.entries($defs)) {
    const simple = simplified(definition) as Json;
    if (named[name] && JSON.stringify(named[name]) !== JSON.stringify(simple))
      throw new Error(`two schemas are named ${name}`);
    named[name] = simple;
  }
  return simplified(properties.schema) as Json;
}

/** References lead to the document's schemas; what zod says at length is said in short; kinds that are equal are said once. */
function simplified(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplified);
  if (typeof node !== 'object' || node === null) return node;
  const { propertyNames, ...rest } = node as Json;
  const simple: Json = {};
  for (const [name, value] of Object.entries(rest)) {
    if (name === '$ref') simple[name] = String(value).replace('#/$defs/', '#/components/schemas/');
    else if (name === 'additionalProperties' && isEmpty(value)) simple[name] = true;
    // What a client must send is data too: no keyword of it is ours to change.
    else simple[name] = ['default', 'const', 'enum', 'examples'].includes(name) ? value : simplified(value);
  }
  if (propertyNames && (propertyNames as Json).type !== 'string') simple.propertyNames = simplified(propertyNames);
  if (!Array.isArray(simple.anyOf)) return simple;
  const { anyOf, ...own } = simple;
  const kinds = anyOf as Json[];
  const specific = kinds.filter(
    (kind, index) =>
      !kinds.some((other, at) => at !== index && (isWithin(kind, other) || (at < index && isEqual(kind, other)))),
  );
  return specific.length === 1 ? { ...specific[0], ...own } : { ...own, anyOf: specific };
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const isEqual = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a kind says less of the same: `{type: 'string'}` beside a `{type: 'string', maxLength: 64}`. */
const isWithin = (kind: Json, other: Json) =>
  kind.type !== undefined &&
  kind.format === 'date-time' &&
  other.format === 'date-time' &&
  Object.keys(kind).length < Object.keys(other).length;
