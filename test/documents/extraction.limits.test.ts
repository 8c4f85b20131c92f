import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { extractionStage } from './extraction-stage.ts';
import { docxFiles, paragraph, pptx, shape, xlsx, zip } from './made-archives.ts';
import { pdf } from './made-pdfs.ts';
import { readingProcesses } from './reading-processes.ts';

const isLinux = existsSync('/proc/self/stat');

/** 4 MB of XML, which takes the reader some tenths of a second. */
const slowFile = () =>
  zip(
    docxFiles(
      Array.from({ length: 120_000 }, (_, index) => paragraph(((index * 7_919) % 100_003).toString(36))).join(''),
    ),
  );

test('pages, characters and unpacked bytes end at their limits, with the limit in the reason', async () => {
  const { extractor, store, failureOf, read } = extractionStage({
    pages: 2,
    characters: 1_000,
    unpackedBytes: 100_000,
    entries: 20,
  });
  expect(await failureOf(pdf([['a'], ['b'], ['c']]), 'a.pdf')).toBe('TOO_MANY_PAGES');
  expect(await failureOf(pptx([shape('a'), shape('b'), shape('c')]), 'a.pptx')).toBe('TOO_MANY_PAGES');
  expect(await failureOf(xlsx({ a: '', b: '', c: '' }), 'a.xlsx')).toBe('TOO_MANY_PAGES');
  expect(await failureOf('x'.repeat(1_001), 'a.txt')).toBe('TOO_MUCH_TEXT');
  expect(await failureOf(zip(docxFiles(paragraph('x'.repeat(1_001)))), 'a.docx')).toBe('TOO_MUCH_TEXT');
  expect(await failureOf(pdf([Array.from({ length: 30 }, () => 'x'.repeat(50))]), 'a.pdf')).toBe('TOO_MUCH_TEXT');
  expect(await failureOf(zip(docxFiles(`<!--${'x'.repeat(100_000)}-->`)), 'a.docx')).toBe('TOO_LARGE_EXPANDED');
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`${index}`, '']));
  expect(await failureOf(zip({ ...docxFiles(paragraph('x')), ...many }), 'a.docx')).toBe('TOO_LARGE_EXPANDED');
  await expect(extractor.extract(await store('x'.repeat(1_001)), 'a.txt')).rejects.toMatchObject({
    reason: 'The file has more than 1000 characters of text.',
  });
  expect((await read('x'.repeat(1_000), 'a.txt')).text).toHaveLength(1_000);
});

test('a zip bomb ends while it is unpacked, whatever its headers say', async () => {
  const { failureOf } = extractionStage();
  const bomb = zip(docxFiles(`<!--${' '.repeat(20_000_000)}-->`));
  expect(bomb.length).toBeLessThan(50_000);
  expect(await failureOf(bomb, 'a.docx')).toBe('TOO_LARGE_EXPANDED');
  // The sizes of the unpacked files, in the central directory, lie: all are said to be of one byte.
  const lying = Buffer.from(bomb);
  for (let at = lying.indexOf('PK\x01\x02', 0, 'latin1'); at !== -1; at = lying.indexOf('PK\x01\x02', at + 4, 'latin1'))
    lying.writeUInt32LE(1, at + 24);
  expect(['DAMAGED', 'TOO_LARGE_EXPANDED']).toContain(await failureOf(lying, 'a.docx'));
});

test(
  'a file that takes too long is given up, and the files behind it are read',
  verifies('documents.extraction'),
  async () => {
    const { extractor, store } = extractionStage({ cpuSeconds: 0.15, seconds: 60 });
    const paths = [await store(slowFile()), await store('after it')];
    const [slow, next] = await Promise.allSettled(paths.map((path) => extractor.extract(path, 'a.txt')));
    expect(slow).toMatchObject({
      reason: { code: 'TOO_SLOW', reason: 'The file takes longer to read than 0.15 seconds.' },
    });
    expect(next).toMatchObject({ value: { text: 'after it' } });
  },
);

test('a file that takes too much memory is given up, and the files behind it are read', async () => {
  const { extractor, store } = extractionStage({
    memoryMb: 200,
    cpuSeconds: 60,
    seconds: 90,
    unpackedBytes: 1e9,
    ratio: 1e6,
  });
  const shared = Array.from({ length: 1_500_000 }, (_, index) => `text number ${index} of many`);
  const paths = [await store(xlsx({ a: '' }, shared)), await store('after it')];
  const [large, next] = await Promise.allSettled(paths.map((path) => extractor.extract(path, 'a.txt')));
  expect(large).toMatchObject({ reason: { code: 'TOO_MUCH_MEMORY' } });
  expect(next).toMatchObject({ value: { text: 'after it' } });
});

test('a caller may give up, and so does the end of the product', async () => {
  const { extractor, store } = extractionStage();
  const giveUp = new AbortController();
  const path = await store(slowFile());
  await extractor.extract(await store('warm'), 'a.txt');
  const reading = extractor.extract(path, 'a.docx', giveUp.signal);
  setImmediate(() => giveUp.abort(new Error('the caller left')));
  await expect(reading).rejects.toThrow('the caller left');
  expect((await extractor.extract(await store('next'), 'a.txt')).text).toBe('next');
  const late = extractor.extract(path, 'a.docx');
  setImmediate(() => extractor.close());
  await expect(late).rejects.toThrow('The extractor is closed');
  await expect(extractor.extract(path, 'a.docx')).rejects.toThrow('The extractor is closed');
});

test('a file that cannot be opened does not count as a bad file', async () => {
  const { extractor } = extractionStage();
  const failure = await extractor.extract('/nowhere/at/all', 'a.txt').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toHaveProperty('reason');
});

test.runIf(isLinux)('one process reads file after file, and has neither environment nor right to write', async () => {
  const { extractor, read } = extractionStage();
  const before = readingProcesses();
  await read('one', 'a.txt');
  await read('two', 'a.txt');
  const [pid, ...others] = readingProcesses().filter((process) => !before.includes(process));
  expect(others).toEqual([]);
  expect(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .filter((line) => !line.startsWith('NODE_CHANNEL_')),
  ).toEqual([]);
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('--permission');
  await extractor.close();
  expect(readingProcesses()).toEqual(before);
});

test.runIf(isLinux)('a reader that dies takes no other file with it', async () => {
  const { extractor, store, read } = extractionStage();
  const before = readingProcesses();
  await read('one', 'a.txt');
  const reading = extractor.extract(await store(slowFile()), 'a.docx');
  const [pid] = readingProcesses().filter((process) => !before.includes(process));
  process.kill(pid as number, 'SIGSEGV');
  expect((await reading).text.startsWith('0\n\n63z\n')).toBe(true);
  expect((await read('two', 'a.txt')).text).toBe('two');
});
