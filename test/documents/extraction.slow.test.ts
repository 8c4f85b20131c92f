import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from '../../src/documents/chunks.ts';
import { cleanUp } from '../support/cleanup.ts';
import { patienceMs } from '../support/deadline.ts';
import { extractionStage } from './extraction-stage.ts';
import { docxFiles, paragraph, pptx, shape, xlsx, zip } from './made-archives.ts';
import { pdf } from './made-pdfs.ts';
import { readingProcesses } from './reading-processes.ts';

const known = [
  'read',
  'UNSUPPORTED_TYPE',
  'EMPTY',
  'ENCRYPTED',
  'DAMAGED',
  'TOO_MANY_PAGES',
  'TOO_MUCH_TEXT',
  'TOO_LARGE_EXPANDED',
  'TOO_SLOW',
  'TOO_MUCH_MEMORY',
];

test('a PDF of a million objects is read or given up, and the file behind it is read', async () => {
  const { extractor, store } = extractionStage();
  const many = pdf([['the page']], { extra: Array.from({ length: 1_000_000 }, () => '<< /A [1 2 3] >>') });
  const paths = [await store(many), await store('after it')];
  const [large, next] = await Promise.allSettled(paths.map((path) => extractor.extract(path, 'a.txt')));
  expect(['read', 'TOO_SLOW', 'TOO_MUCH_MEMORY']).toContain(
    large?.status === 'fulfilled' ? 'read' : large?.reason.code,
  );
  expect(next).toMatchObject({ value: { text: 'after it' } });
});

test('files of which bytes were changed end in a known way, and harm none of the others', async () => {
  const { failureOf, read } = extractionStage({ cpuSeconds: 5 });
  const seeds = [
    pdf([['one', 'two'], ['three']]),
    zip(docxFiles(paragraph('Guide', 'H1') + paragraph('x'.repeat(500)))),
    pptx([shape('One', 'title'), shape('Two')]),
    xlsx({ Sales: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }, ['text']),
    Buffer.from('<html><h1>a</h1><p>b</p><table><tr><td>c</td></tr></table>'),
  ];
  const change = fc.record({
    at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
    byte: fc.nat(255),
    length: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...seeds),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      async (seed, changes) => {
        const bytes = Buffer.from(seed);
        for (const { at, byte, length } of changes) {
          const start = Math.floor(at * bytes.length);
          bytes.fill(byte, start, Math.min(bytes.length, start + length));
        }
        expect(known).toContain(await failureOf(bytes, 'a.docx'));
      },
    ),
    { numRuns: 600 },
  );
  expect((await read('after all', 'a.txt')).text).toBe('after all');
});

test('20 MB are cut into passages in linear time', () => {
  const sentence = 'The quick brown fox jumps over the lazy dog, as nine of ten reports say. ';
  const texts = {
    prose: `${sentence.repeat(12)}\n\n`,
    'one paragraph': sentence,
    'no spaces': 'x',
    Chinese: '漢字',
    lines: 'a\n',
  };
  for (const [name, piece] of Object.entries(texts)) {
    const secondsOf = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const begun = performance.now();
      expect(chunksOf({ text, pageStarts: [], headings: [] }).length).toBeGreaterThan(length / 10_000);
      return (performance.now() - begun) / 1_000;
    };
    secondsOf(1_000_000);
    const [half, whole] = [secondsOf(10_000_000), secondsOf(20_000_000)];
    process.stdout.write(`${name}: ${(20 / whole).toFixed(1)} million characters/s\n`);
    expect(whole, name).toBeLessThan(Math.max(half * 5, 1));
  }
});

test.runIf(existsSync('/proc/self/stat'))('a reader that is at work ends with its parent', async () => {
  const { store } = extractionStage();
  const path = await store(
    zip(
      docxFiles(
        Array.from({ length: 400_000 }, (_, index) => paragraph(((index * 7_919) % 100_003).toString(36))).join(''),
      ),
    ),
  );
  const program = `import { createExtractor } from ${JSON.stringify(new URL('../../src/documents/extraction/extraction.ts', import.meta.url).href)};
    import { createLogger } from ${JSON.stringify(new URL('../../src/platform/logger.ts', import.meta.url).href)};
    await createExtractor({ folder: ${JSON.stringify(nodePath.dirname(path))}, log: createLogger('silent') }).extract(${JSON.stringify(path)}, 'a.docx');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  cleanUp(() => parent.kill('SIGKILL'));
  const reader = await expect
    .poll(() => readingProcesses(parent.pid), { timeout: patienceMs })
    .not.toEqual([])
    .then(() => readingProcesses(parent.pid)[0]);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await expect.poll(() => existsSync(`/proc/${reader}`), { timeout: 5_000 }).toBe(false);
});
