import { isDeepStrictEqual } from 'node:util';
import { RE2JS } from 're2js';

/** Comparisons of one validation. A schema can demand more of them than there are atoms. */
const stepsMax = 20_000;
/** Schemas within schemas, references included. */
const depthMax = 100;
const mistakesMax = 5;
const patternLengthMax = 1_000;
const programSizeMax = 500;

/** The schema needs more comparisons than a validation may take. */
export class SchemaTooComplex extends Error {
  override name = 'SchemaTooComplex';
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Validates a value against a third-party JSON Schema in bounded time: no code is generated from the schema, and its
 * patterns take linear time. It supports the keywords that tools use (types, `enum`, `const`, bounds, `properties`,
 * `required`, `items`, references within the schema, and `allOf`, `anyOf`, `oneOf`, `not`); unknown keywords are left
 * to the server, which validates the value again.
 *
 * @param name The name of the value in the mistakes.
 * @returns The first 5 mistakes; empty for a valid value.
 * @throws {SchemaTooComplex} After 20 000 comparisons.
 * @see docs/decisions/0043-chat-tools.md
 */
export function schemaMistakes(root: unknown, value: unknown, name = 'arguments'): string[] {
  let steps = stepsMax;
  const patterns = new Map<string, RE2JS | null>();
  const spend = (cost = 1) => {
    steps -= cost;
    if (steps < 0) throw new SchemaTooComplex('The schema takes too many comparisons');
  };

  /** Null for a pattern that takes more than linear time, or is none: the server knows it. */
  function matches(pattern: string, text: string): boolean | null {
    let expression = patterns.get(pattern);
    if (expression === undefined) {
      spend(200);
      expression = compiled(pattern);
      patterns.set(pattern, expression);
    }
    spend(1 + text.length);
    return expression?.matcher(text).find() ?? null;
  }
  const tools: Tools = { spend, matches };

  function check(schema: unknown, value: unknown, at: string, depth: number): string[] {
    spend();
    if (depth > depthMax) throw new SchemaTooComplex('The schema is nested too deeply');
    if (schema === false) return [`${at} is not allowed`];
    if (!isObject(schema)) return [];
    const below = (inner: unknown, item = value, place = at) => check(inner, item, place, depth + 1);
    const found = [...typeMistakes(schema, value, at, tools), ...combined(schema, at, below)];
    if (typeof schema.$ref === 'string') found.push(...below(resolved(root, schema.$ref)));
    if (Array.isArray(value)) found.push(...itemMistakes(schema, value, at, below));
    else if (isObject(value)) found.push(...memberMistakes(schema, value, at, below, tools));
    return found.slice(0, mistakesMax);
  }

  return check(root, value, name, 0);
}

type Below = (schema: unknown, value?: unknown, at?: string) => string[];
interface Tools {
  readonly spend: (cost?: number) => void;
  readonly matches: (pattern: string, text: string) => boolean | null;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (schema: Schema, keyword: string): readonly unknown[] =>
  Array.isArray(schema[keyword]) ? schema[keyword] : [];

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const hasType = (value: unknown, type: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

function typeMistakes(schema: Schema, value: unknown, at: string, { spend, matches }: Tools): string[] {
  const types = typeof schema.type === 'string' ? [schema.type] : listIn(schema, 'type');
  spend(types.length);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return [`${at} must be ${types.join(' or ')}`];
  const options = listIn(schema, 'enum');
  // Objects and lists are compared member by member.
  spend(options.length * (typeof value === 'object' ? 500 : 1));
  if (Array.isArray(schema.enum) && !options.some((option) => isDeepStrictEqual(option, value)))
    return [`${at} must be one of: ${JSON.stringify(options).slice(0, 200)}`];
  if ('const' in schema && !isDeepStrictEqual(schema.const, value))
    return [`${at} must be ${JSON.stringify(schema.const).slice(0, 200)}`];
  if (typeof value === 'number') return boundMistakes(schema, value, at, numberBounds);
  if (typeof value !== 'string') return [];
  const mistakes: string[] = [];
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    spend(Math.ceil(value.length / 50));
    mistakes.push(...boundMistakes(schema, [...value].length, at, lengthBounds));
  }
  const { pattern } = schema;
  if (typeof pattern === 'string' && matches(pattern, value) === false)
    mistakes.push(`${at} must match ${pattern.slice(0, 200)}`);
  return mistakes;
}

type Bounds = readonly (readonly [
  keyword: string,
  isWithin: (size: number, bound: number) => boolean,
  words: string,
])[];

const numberBounds: Bounds = [
  ['minimum', (size, bound) => size >= bound, 'at least'],
  ['maximum', (size, bound) => size <= bound, 'at most'],
  ['exclusiveMinimum', (size, bound) => size > bound, 'more than'],
  ['exclusiveMaximum', (size, bound) => size < bound, 'less than'],
];
const lengthBounds: Bounds = [
  ['minLength', (size, bound) => size >= bound, 'of a length of at least'],
  ['maxLength', (size, bound) => size <= bound, 'of a length of at most'],
];
const itemBounds: Bounds = [
  ['minItems', (size, bound) => size >= bound, 'a list of a length of at least'],
  ['maxItems', (size, bound) => size <= bound, 'a list of a length of at most'],
];

const boundMistakes = (schema: Schema, size: number, at: string, bounds: Bounds): string[] =>
  bounds.flatMap(([keyword, isWithin, words]) => {
    const bound = schema[keyword];
    return typeof bound === 'number' && !isWithin(size, bound) ? [`${at} must be ${words} ${bound}`] : [];
  });

function compiled(pattern: string): RE2JS | null {
  if (pattern.length > patternLengthMax) return null;
  try {
    const expression = RE2JS.compile(pattern);
    return expression.programSize() > programSizeMax ? null : expression;
  } catch {
    return null;
  }
}

/** A schema by a reference within the whole. A reference to elsewhere takes every value: nothing is fetched. */
function resolved(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return true;
  let found = root;
  for (const step of reference.slice(1).split('/').slice(1, depthMax)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return true;
    found = (found as Schema)[name];
  }
  return found;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function combined(schema: Schema, at: string, below: Below): string[] {
  const found = listIn(schema, 'allOf').flatMap((inner) => below(inner));
  const isTaken = (inner: unknown) => below(inner).length === 0;
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(isTaken)) found.push(`${at} must match a schema of anyOf`);
  if (Array.isArray(schema.oneOf) && schema.oneOf.filter(isTaken).length !== 1)
    found.push(`${at} must match exactly one schema of oneOf`);
  if ('not' in schema && isTaken(schema.not)) found.push(`${at} must not match the schema of not`);
  return found;
}

function itemMistakes(schema: Schema, items: readonly unknown[], at: string, below: Below): string[] {
  const first = listIn(schema, 'prefixItems');
  const found = boundMistakes(schema, items.length, at, itemBounds);
  for (const [index, item] of items.entries()) {
    if (found.length >= mistakesMax) break;
    const inner = index < first.length ? first[index] : schema.items;
    if (inner !== undefined) found.push(...below(inner, item, `${at}.${index}`));
  }
  return found;
}

function memberMistakes(schema: Schema, members: Schema, at: string, below: Below, tools: Tools): string[] {
  const { spend, matches } = tools;
  const required = listIn(schema, 'required').filter((name) => typeof name === 'string');
  spend(required.length);
  const found = required
    .filter((name) => !Object.hasOwn(members, name))
    .map((name) => `${at}.${name.slice(0, 100)} is required`);
  const properties = isObject(schema.properties) ? schema.properties : {};
  const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {});
  spend(patterns.length);
  for (const [name, member] of Object.entries(members)) {
    if (found.length >= mistakesMax) break;
    spend(1 + patterns.length);
    const place = `${at}.${name.slice(0, 100)}`;
    const isNamed = Object.hasOwn(properties, name);
    if (isNamed) found.push(...below(properties[name], member, place));
    // A pattern that cannot be compared may be meant for any name.
    const named = patterns.filter(([pattern]) => matches(pattern, name) !== false);
    for (const [pattern, inner] of named)
      if (matches(pattern, name) === true) found.push(...below(inner, member, place));
    if (isNamed || named.length > 0 || schema.additionalProperties === undefined) continue;
    found.push(...below(schema.additionalProperties, member, place));
  }
  return found;
}
