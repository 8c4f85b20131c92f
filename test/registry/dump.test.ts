import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DumpElement, elementsOf } from '../../src/registry/dump.ts';
import { verifies } from '../requirements.ts';

describe('a dump', () => {
  const cut = async (text: string | Buffer, pieceBytes = 7): Promise<DumpElement[]> => {
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
      bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
    );
    const elements: DumpElement[] = [];
    for await (const element of elementsOf(Readable.from(pieces))) elements.push(element);
    return elements;
  };

  it.each([
    [
      'an array',
      '[\n{"a":1},\n {"b":"]}\\""}\n]\n',
      [
        ['{"a":1}', 2],
        ['{"b":"]}\\""}', 3],
      ],
    ],
    [
      'a page',
      '{"metadata":{"servers":[1]},"servers":[\n{"a":[{}]},\n{"b":2}],"x":["y",{"z":1}]}',
      [
        ['{"a":[{}]}', 2],
        ['{"b":2}', 3],
      ],
    ],
    [
      'pages, a line each',
      '{"servers":[{"a":1}]}\n{"servers":[{"b":1},{"c":1}]}',
      [
        ['{"a":1}', 1],
        ['{"b":1}', 2],
        ['{"c":1}', 2],
      ],
    ],
    [
      'JSON lines',
      '\uFEFF{"a":1}\r\n\n{"b":{"servers":[1]}}\n{"c":"servers","d":[1]}',
      [
        ['{"a":1}', 1],
        ['{"b":{"servers":[1]}}', 3],
        ['{"c":"servers","d":[1]}', 4],
      ],
    ],
    [
      'JSON lines of which some are broken',
      '{"a":1}\n{broken\n{"b":"x\n{"c":1}\n[{"d":\n\n{"e":1}',
      [
        ['{"a":1}', 1],
        ['{broken', 2],
        ['{"b":"x', 3],
        ['{"c":1}', 4],
        ['[{"d":', 5],
        ['{"e":1}', 7],
      ],
    ],
    [
      'objects over several lines',
      '{\n"a": {\n"b": 1}\n}\n{\n"c": 2\n}\n',
      [
        ['{\n"a": {\n"b": 1}\n}', 1],
        ['{\n"c": 2\n}', 5],
      ],
    ],
    [
      'what is broken',
      '[{"a":}, 7, "x,y", nope]',
      [
        ['{"a":}', 1],
        ['7', 1],
        ['"x,y"', 1],
        ['nope', 1],
      ],
    ],
    [
      'a file that ends early',
      '[{"a":1},{"b":',
      [
        ['{"a":1}', 1],
        ['{"b":', 1],
      ],
    ],
    ['nothing', ' \n', []],
    ['an empty array', '[]', []],
  ])('is cut into its elements: %s', verifies('registry.import'), async (_what, text, expected) => {
    for (const pieceBytes of [1, 3, 1_000])
      expect((await cut(text, pieceBytes)).map(({ text: element, line }) => [element?.trim(), line])).toEqual(expected);
  });

  it('of any shape comes out as it went in', verifies('registry.import'), async () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !('servers' in value));
    await fc.assert(
      fc.asyncProperty(
        fc.array(document),
        fc.constantFrom('array', 'page', 'lines'),
        fc.integer({ min: 1, max: 40 }),
        async (documents, shape, pieceBytes) => {
          const text =
            shape === 'lines'
              ? documents.map((each) => JSON.stringify(each)).join('\n')
              : JSON.stringify(shape === 'page' ? { servers: documents, metadata: { count: 1 } } : documents);
          const elements = await cut(text, pieceBytes);
          expect(elements.map((element) => JSON.parse(String(element.text)))).toEqual(
            JSON.parse(JSON.stringify(documents)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('cannot fill the memory with one element', verifies('registry.import'), async () => {
    const elements = await cut(`[{"a":"${'x'.repeat(300_000)}"},{"b":1}]`, 65_536);
    expect(elements).toEqual([
      { line: 1, text: null },
      { line: 1, text: '{"b":1}' },
    ]);
  });

  it('cannot fill the memory with brackets either', verifies('registry.import'), async () => {
    const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`;
    expect(await cut(`[${nested(64)},\n${nested(66)},{"b":1}]`)).toEqual([
      { line: 1, text: nested(64) },
      { line: 2, text: null, isDeep: true },
      { line: 2, text: '{"b":1}' },
    ]);
    expect(await cut(`${nested(64)}\n${nested(66)}`, 5)).toEqual([
      { line: 1, text: nested(64) },
      { line: 2, text: null, isDeep: true },
    ]);
    async function* brackets() {
      yield Buffer.from('{"a":');
      for (let at = 0; at < 60; at++) yield Buffer.alloc(1 << 20, '[');
    }
    const before = process.memoryUsage();
    const elements: DumpElement[] = [];
    for await (const element of elementsOf(brackets())) elements.push(element);
    expect(elements).toEqual([{ line: 1, text: null, isDeep: true }]);
    // A list of them would take some 500 MB; what is measured here is what is not freed yet.
    expect(process.memoryUsage().heapUsed - before.heapUsed).toBeLessThan(100_000_000);
  });
});
