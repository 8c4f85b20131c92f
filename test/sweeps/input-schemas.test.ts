import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../rest-adapter/index.ts';
import { CapabilitiesReport } from '../../src/mcp-servers/input.ts';
import { fieldMessages } from '../../src/platform/input/input.ts';
import { ConnectionRequest } from '../../src/platform/input/keyset.ts';
import { verifies } from '../requirements.ts';

/** A schema within another, and where. */
type Found = readonly [where: string, schema: z.ZodType];

const src = path.resolve(import.meta.dirname, '../../src');
const areas = readdirSync(src, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(path.join(src, entry.name)).includes('input.ts'))
  .map(({ name }) => name);
const folders = ['platform/input', ...areas];

/** Every schema that validates a client's input. */
const roots: Found[] = [['platform/input/keyset ConnectionRequest', ConnectionRequest]];
for (const folder of folders)
  for (const [name, value] of Object.entries(await import(path.join(src, folder, 'input.ts'))))
    if (value instanceof z.ZodType) roots.push([`${folder}/input ${name}`, value]);
for (const { method, path: route, query, input } of routes) {
  if (query) roots.push([`query of ${method} ${route}`, query]);
  if (input) roots.push([`body of ${method} ${route}`, input]);
}

/** A schema and all schemas within it. */
function* within([where, schema]: Found): Generator<Found> {
  yield [where, schema];
  const { shape, element, innerType, options, left, right, keyType, valueType, ...def } =
    schema.def as unknown as Record<string, unknown>;
  const parts = Object.entries({ element, innerType, left, right, keyType, valueType, in: def.in, out: def.out });
  for (const [name, part] of [...parts, ...Object.entries(options ?? {}), ...Object.entries(shape ?? {})])
    if (part instanceof z.ZodType) yield* within([`${where}.${name}`, part]);
}

const all = roots.flatMap((root) => [...within(root)]);
const ofType = (type: string) => all.filter(([, schema]) => schema.def.type === type);
/** The fields of every object: what a client can fill with anything. */
const fields = ofType('object').flatMap(([where, schema]) =>
  Object.entries((schema as z.ZodObject).shape).map(([name, field]): Found => [`${where}.${name}`, field as z.ZodType]),
);

const manyMax = 20_000;
/** Far more than any field may hold, far fewer than a client can send. */
const readMax = 10_000;

/** Something wide, and how many of its members were read. */
function counted(target: object): { value: object; reads: () => number } {
  let reads = 0;
  const value = new Proxy(target, {
    get(from, name, receiver) {
      if (typeof name === 'string' && /\d$/.test(name)) reads++;
      return Reflect.get(from, name, receiver);
    },
  });
  return { value, reads: () => reads };
}

/** What was given to a regular expression, from the start of a test to its end. */
let matched: { source: string; length: number }[] = [];
const { exec } = RegExp.prototype;
beforeAll(() => {
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    if (text.length > readMax) matched.push({ source: this.source, length: text.length });
    return exec.call(this, text);
  };
});
afterAll(() => {
  RegExp.prototype.exec = exec;
});

describe('the schemas of inputs', () => {
  it('are found in every area', () => {
    expect(areas.length).toBeGreaterThan(8);
    expect(roots.length).toBeGreaterThan(60);
    expect(ofType('array').length).toBeGreaterThan(10);
    expect(fields.length).toBeGreaterThan(200);
  });

  it('have no unbounded list, and validate the length of a list before its elements', () => {
    for (const [where, schema] of ofType('array')) {
      let validated = 0;
      const element = z.custom(() => {
        validated++;
        return false;
      });
      const list = schema.clone({ ...schema.def, element } as never);
      const checks = (schema.def.checks ?? []) as { _zod: { def: { maximum?: number } } }[];
      const maximum = checks.find((check) => check._zod.def.maximum !== undefined)?._zod.def.maximum;
      expect(maximum, `${where} has a maximal length`).toBeTypeOf('number');
      const tooMany = Array(Number(maximum) + 1).fill(null);
      expect(
        list.safeParse(tooMany).error?.issues.map(({ code }) => code),
        where,
      ).toEqual(['too_big']);
      expect(validated, where).toBe(0);
      list.safeParse(tooMany.slice(1));
      expect(validated, where).toBe(maximum);
    }
  });

  it('have no record, map or set: they validate every member before anything is counted', () => {
    for (const type of ['record', 'map', 'set', 'lazy', 'promise'])
      expect(
        ofType(type).map(([where]) => where),
        type,
      ).toEqual([]);
  });

  it('read few members of a wide object or list', () => {
    const list = counted(Array.from({ length: manyMax }, () => null));
    const object = counted(Object.fromEntries(Array.from({ length: manyMax }, (_, index) => [`k${index}`, null])));
    for (const [where, field] of fields)
      for (const { value, reads } of [list, object]) {
        const before = reads();
        field.safeParse(value);
        expect(reads() - before, where).toBeLessThan(readMax);
      }
  });

  it('take null in every optional field of a body', verifies('everywhere.null'), () => {
    const bodies = routes.flatMap(({ method, path: route, input }) =>
      input ? [...within([`${method} ${route}`, input])] : [],
    );
    const optional = bodies
      .flatMap(([where, schema]) =>
        schema instanceof z.ZodObject
          ? Object.entries(schema.shape).map(([name, field]): Found => [`${where}.${name}`, field as z.ZodType])
          : [],
      )
      .filter(([, field]) => field.safeParse(undefined).success);
    expect(optional.length).toBeGreaterThan(40);
    const refusing = optional.filter(([, field]) => !field.safeParse(null).success);
    expect(refusing.map(([where]) => where)).toEqual([]);
  });

  it('run no regular expression over text of unbounded length', () => {
    const length = 50_000;
    const texts = ['a', '7', '-', '=', ' ', '😀', '\ufdfa', 'https://a.b/', 'a@b.c'].map((part) =>
      part.repeat(length).slice(0, length),
    );
    for (const [where, field] of fields)
      for (const text of [...texts, `https://${texts[0]}`, `2026-01-01T00:00:00.${texts[1]}Z`]) {
        matched = [];
        field.safeParse(text);
        // Zod looks for surrogates in text that is too long, to count its characters.
        const own = matched.filter(({ source }) => source !== '[\\uD800-\\uDBFF]');
        expect(own, where).toEqual([]);
      }
  });
});

describe('an answer about wrong fields', () => {
  it('names 50 of them, and says that there are more', () => {
    const wrong = (count: number) =>
      fieldMessages(z.array(z.string('no text')).safeParse(Array(count).fill(null)).error as z.ZodError);
    expect(Object.keys(wrong(50))).toEqual([...Array(50).keys()].map(String));
    expect(wrong(51)).toMatchObject({ 49: 'no text', '…': 'More fields are wrong' });
    expect(Object.keys(wrong(5_000))).toHaveLength(51);
  });

  it('about a report of capabilities has as many issues at most for each kind, however many items are wrong', () => {
    const report = { tools: Array(5_000).fill(null), prompts: Array(5_000).fill('x') };
    expect(CapabilitiesReport.safeParse(report).error?.issues).toHaveLength(102);
  });
});
