import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../src/platform/errors.ts';
import {
  fieldMessages,
  integerBetween,
  isHttpUrl,
  isUuid,
  label,
  listOf,
  parse,
  shownLabel,
  storableText,
} from '../../../src/platform/input/input.ts';
import { ConnectionRequest, connectionOf } from '../../../src/platform/input/keyset.ts';
import { verifies } from '../../requirements.ts';

/** The details of a refusal; what is accepted fails the test. */
function detailsOf(schema: z.ZodType, input: unknown): Readonly<Record<string, unknown>> {
  try {
    parse(schema, input);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') return error.details ?? {};
    throw error;
  }
  throw new Error('the input was accepted');
}

describe('parse', () => {
  const Person = z.object({ name: label('name', 5), age: integerBetween('age', 0, 9).default(1) });

  it('fills in defaults and drops unknown fields', verifies('everywhere.unknown-fields'), () => {
    expect(parse(Person, { name: 'a', isAdmin: true, constructor: 1 })).toEqual({ name: 'a', age: 1 });
  });

  it('refuses with one message for each field that is wrong', () => {
    expect(detailsOf(Person, { name: '', age: 10 })).toEqual({
      name: 'name must not be empty',
      age: 'age must be an integer from 0 to 9',
    });
  });

  it('says `Validation error`, as the clipboard documents it', () => {
    expect(() => parse(Person, {})).toThrow('Validation error');
  });

  it('refuses other values than objects under the name `input`', () => {
    for (const input of [null, undefined, 'x', 1, []]) expect(Object.keys(detailsOf(Person, input))).toEqual(['input']);
  });

  it('names nested fields by their path', () => {
    const Nested = z.object({ list: z.array(z.object({ name: label('name', 5) })) });
    expect(detailsOf(Nested, { list: [{ name: 'a' }, { name: '' }] })).toEqual({
      'list.1.name': 'name must not be empty',
    });
  });

  it('takes a field named __proto__ for a field', () => {
    const messages = fieldMessages(
      new z.ZodError([{ code: 'custom', path: ['__proto__'], message: 'wrong', input: 1 }]),
    );
    expect(Object.keys(messages)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(messages)).toBeNull();
  });

  it('names the field that is nested too deeply to be looked at, and no other', () => {
    const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const Lists = z.object({ names: z.array(z.string()).max(3), other: z.unknown() });
    for (const input of [
      { name: { length: deep(50_000) } },
      { other: deep(9), name: { length: deep(50_000) }, age: [[1]] },
    ])
      expect(detailsOf(Person, input)).toEqual({ name: 'name is nested too deeply' });
    expect(detailsOf(Lists, { other: deep(20), names: { length: deep(50_000) } })).toEqual({
      names: 'names is nested too deeply',
    });
    expect(detailsOf(storableText('x').max(3), { length: deep(50_000) })).toHaveProperty('length');
    expect(() =>
      parse(
        z.string().refine(() => {
          throw new TypeError('ours');
        }),
        'x',
      ),
    ).toThrow('ours');
  });

  it('looks at a bounded number of values for the field that is too deep', () => {
    let reads = 0;
    const wide = new Proxy(Array(1_000_000).fill(null), {
      get(target, name) {
        reads++;
        return Reflect.get(target, name);
      },
    });
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const Fields = z.object({ name: label('name', 5) });
    expect(detailsOf(Fields, { wide, name: { length: deep } })).toEqual({ input: 'input is nested too deeply' });
    expect(reads).toBeLessThan(150_000);
  });

  it('lets an error of its own through when nothing is nested too deeply', () => {
    const Broken = z.unknown().refine(() => 'x'.repeat(-1) === '');
    expect(() => parse(Broken, { name: 'x' })).toThrow(RangeError);
  });

  it('does not repeat a value: it may be a secret', () => {
    const canary = 'canary\u0000value';
    expect(JSON.stringify(detailsOf(Person, { name: canary, age: canary }))).not.toContain('canary');
  });
});

describe('a list', () => {
  const list = listOf('tags', z.string('each of tags must be a string'), { of: 'strings', min: 1, max: 2 });
  it.each([
    ['is required', undefined, 'tags is required'],
    ['is not a single value', 'a', 'tags must be a list of strings'],
    ['is not an object', { 0: 'a' }, 'tags must be a list of strings'],
    ['has a least length', [], 'tags must have at least 1 item'],
    ['has a greatest length', ['a', 'b', 'c'], 'tags must have at most 2 items'],
    ['has elements of one kind', [1], 'each of tags must be a string'],
  ])('%s', (_rule, value, message) => {
    expect(list.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe('text that is stored', () => {
  const Text = z.object({ value: storableText('value') });

  it('may be anything else: empty, long, right to left, astral, with line ends of any kind', () => {
    for (const value of [
      '',
      ' ',
      'a'.repeat(100_000),
      '\u202eabc',
      '😀',
      '\r\n\u2028\u2029\u0085',
      '\ufeff',
      '\u0001',
      'e\u0301',
    ])
      expect(parse(Text, { value })).toEqual({ value });
  });

  it('holds no NUL', verifies('everywhere.nasty-values'), () => {
    for (const value of ['\u0000', 'a\u0000', '\u0000a'])
      expect(detailsOf(Text, { value })).toEqual({ value: 'value must not contain NUL characters' });
  });

  it('holds no lone surrogate', verifies('everywhere.nasty-values'), () => {
    for (const value of ['\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d'])
      expect(detailsOf(Text, { value })).toEqual({ value: 'value must be well-formed Unicode' });
  });

  it('is a string, and is required', () => {
    expect(detailsOf(Text, {})).toEqual({ value: 'value is required' });
    for (const value of [null, 1, true, {}, ['a']])
      expect(detailsOf(Text, { value })).toEqual({ value: 'value must be a string' });
  });
});

describe('a label', () => {
  const Label = z.object({ tool: label('tool', 5) });

  it('has 1 to `max` characters on one line', () => {
    for (const tool of ['a', 'abcde', 'é', '日本語']) expect(parse(Label, { tool })).toEqual({ tool });
    for (const tool of ['', 'abcdef']) expect(Object.keys(detailsOf(Label, { tool }))).toEqual(['tool']);
  });

  it('by which people know something has something to see', () => {
    const Shown = z.object({ name: shownLabel('name', 9) });
    for (const name of ['a', ' a ', '-', '😀', '日本']) expect(parse(Shown, { name })).toEqual({ name });
    for (const name of ['', ' ', '\u200b', '\ufeff', '\u202e', '\u2028 '])
      expect(detailsOf(Shown, { name }).name, JSON.stringify(name)).toMatch(/empty|visible/);
  });

  it('has no control characters, of C0, C1 or DEL', () => {
    for (const code of [...Array(0x20).keys(), 0x7f, 0x80, 0x85, 0x9f])
      expect(
        Object.keys(detailsOf(Label, { tool: `a${String.fromCharCode(code)}b` })),
        `U+${code.toString(16)}`,
      ).toEqual(['tool']);
    expect(parse(Label, { tool: 'a\u00a0b' })).toEqual({ tool: 'a\u00a0b' });
  });
});

describe('an integer between bounds', () => {
  const Count = z.object({ count: integerBetween('count', -1, 10) });

  it('includes its bounds', () => {
    for (const count of [-1, 0, 10, -0]) expect(parse(Count, { count }).count).toBe(count);
  });

  it(
    'is nothing else: no fraction, no text, no infinity, nothing past 2^31 or 2^53',
    verifies('everywhere.nasty-values'),
    () => {
      for (const count of [
        -2,
        11,
        1.5,
        '1',
        '',
        null,
        undefined,
        true,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        2 ** 31,
        2 ** 53,
        1e308,
        [1],
        {},
      ])
        expect(detailsOf(Count, { count }), String(count)).toEqual({ count: 'count must be an integer from -1 to 10' });
    },
  );
});

describe('isUuid', () => {
  const uuid = 'b0b0b0b0-0000-4000-8000-000000000000';

  it('takes a uuid of any version in either case', () => {
    for (const text of [
      uuid,
      uuid.toUpperCase(),
      '00000000-0000-0000-0000-000000000000',
      '01890a5d-ac96-774b-bcce-b302099a8057',
    ])
      expect(isUuid(text)).toBe(true);
  });

  it('takes nothing else that PostgreSQL would take, or fail on', verifies('everywhere.malformed-uuid'), () => {
    for (const text of [
      '',
      uuid.slice(1),
      `${uuid}0`,
      ` ${uuid}`,
      `${uuid}\n`,
      `{${uuid}}`,
      uuid.replaceAll('-', ''),
      uuid.replace('b', 'g'),
      `urn:uuid:${uuid}`,
      null,
      undefined,
      1,
      [uuid],
      { toString: () => uuid },
    ])
      expect(isUuid(text), String(text)).toBe(false);
  });
});

describe('an address that may be shown to everybody', () => {
  it('is of http or https, and of no other scheme (B14)', () => {
    for (const url of ['https://example.com', 'HTTP://example.com/a?b#c', 'http://[::1]:8080/'])
      expect(isHttpUrl(url), url).toBe(true);
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      '//example.com',
      ' https://x',
      '',
      null,
    ])
      expect(isHttpUrl(url), String(url)).toBe(false);
  });

  it('holds neither a user name nor a password', () => {
    for (const url of ['https://user@example.com', 'https://:secret@example.com', 'https://same:same@example.com'])
      expect(isHttpUrl(url), url).toBe(false);
  });
});

describe('a cursor of a list', () => {
  const row = { uuid: 'b0b0b0b0-0000-4000-8000-000000000000', createdAt: new Date('2026-03-01T12:00:00.123Z') };
  const cursor = connectionOf([row], { first: 1 }).edges[0]?.cursor as string;

  it('leads back to its row', verifies('graph.connections'), () => {
    expect(parse(ConnectionRequest, { after: cursor })).toEqual({ first: 20, after: row });
  });

  it(
    'that was not made by us is refused by name, and never reaches the database (F05)',
    verifies('graph.connections'),
    () => {
      const made = (text: string) => Buffer.from(text).toString('base64url');
      const wrong = [
        '',
        'x',
        '😀',
        '\u0000',
        'A'.repeat(10_000),
        made(''),
        made(`x:${row.uuid}`),
        made(`1:${row.uuid}:1`),
        made('1:x'),
        made(`-1:${row.uuid}`),
        made(`1e3:${row.uuid}`),
        made(`1:' OR 1=1 --`),
        made('{"createdAt":1}'),
      ];
      for (const after of wrong)
        expect(Object.keys(detailsOf(ConnectionRequest, { after })), after.slice(0, 40)).toEqual(['after']);
    },
  );

  it('of a time that no calendar has is refused too, not an error of the database', () => {
    const after = Buffer.from(`999999999999999:${row.uuid}`).toString('base64url');
    const late = Buffer.from(`8640000000000001:${row.uuid}`).toString('base64url');
    expect(Object.keys(detailsOf(ConnectionRequest, { after: late }))).toEqual(['after']);
    const parsed = ConnectionRequest.safeParse({ after });
    if (parsed.success) expect(Number.isNaN(parsed.data.after?.createdAt.getTime())).toBe(false);
  });

  it('comes with a page of 0 to 100 rows (F04)', verifies('graph.connections'), () => {
    for (const first of [0, 1, 100]) expect(parse(ConnectionRequest, { first }).first).toBe(first);
    for (const first of [-1, 101, 1e9, 1.5, '5'])
      expect(Object.keys(detailsOf(ConnectionRequest, { first }))).toEqual(['first']);
  });
});
