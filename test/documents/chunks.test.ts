import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from '../../src/documents/chunks.ts';
import { clipped, weigh } from '../../src/documents/extraction/word-weights.ts';

const plain = (text: string) => chunksOf({ text, pageStarts: [], headings: [] });
const passages = (text: string) => plain(text).map(({ start, end }) => text.slice(start, end));
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;
const sentence = (words: number) =>
  `${Array.from({ length: words }, (_, index) => `${index === 0 ? 'W' : 'w'}ord${index % 7}`).join(' ')}.`;

test('every passage is verbatim, has no outer white space, and holds at most 80 words; together they hold the text', async () => {
  const pieces = fc.constantFrom(
    'word',
    ' ',
    '\n',
    '\n\n',
    'e.g. ',
    '漢字',
    'ภาษาไทย',
    '😀',
    'é',
    'x'.repeat(700),
    '. ',
    '\t',
    '- item',
  );
  await fc.assert(
    fc.property(fc.array(pieces, { maxLength: 400 }), fc.array(fc.nat(2_000)), fc.boolean(), (parts, marks, lines) => {
      const text = parts.join('');
      const starts = [...new Set(marks)].filter((mark) => mark < text.length).sort((a, b) => a - b);
      const headings = starts.map((start, index) => ({ start, level: 1 + (index % 3), text: `h${index}` }));
      const chunks = chunksOf({ text, pageStarts: [], headings, ...(lines && { mimeType: 'text/csv' }) });
      let end = 0;
      for (const chunk of chunks) {
        const passage = text.slice(chunk.start, chunk.end);
        expect(passage).toBe(passage.trim());
        expect(passage).not.toBe('');
        expect(weigh(passage, 0, passage.length)).toBeLessThanOrEqual(80.001);
        expect(chunk.start).toBeGreaterThanOrEqual(end);
        expect(text.slice(end, chunk.start).trim()).toBe('');
        expect(starts.some((start) => start > chunk.start && start < chunk.end)).toBe(false);
        end = chunk.end;
      }
      expect(text.slice(end).trim()).toBe('');
    }),
    { numRuns: 300 },
  );
});

test('paragraphs stay whole where they fit, and sentences where a paragraph is too long', () => {
  expect(passages(`${sentence(40)}\n\n${sentence(30)}\n\n${sentence(50)}`).map(wordsOf)).toEqual([70, 50]);
  const long = [sentence(30), sentence(30), sentence(30), sentence(30)].join(' ');
  expect(passages(long).map(wordsOf)).toEqual([60, 60]);
  expect(passages(sentence(200)).map(wordsOf)).toEqual([78, 78, 44]);
});

test('a sentence goes on in the next line of a wrapped text, and ends before an item of a list', () => {
  const wrapped = sentence(70).replace(/((?:\S+ ){12})/g, '$1\n');
  expect(passages(`${wrapped} ${wrapped}`).map(wordsOf)).toEqual([70, 70]);
  const list = Array.from({ length: 30 }, (_, index) => `- item ${index} of the list`).join('\n');
  for (const passage of passages(list)) expect(passage).toMatch(/^- item[\s\S]*list$/);
});

test('a passage knows its page and the headings above it', () => {
  const text = 'Guide\nintro\nInstall\nsteps\nNotes\nmore\nUse\nwith care';
  const at = (word: string) => text.indexOf(word);
  const headings = [
    { start: 0, level: 1, text: 'Guide' },
    { start: at('Install'), level: 2, text: 'Install' },
    { start: at('Notes'), level: 3, text: 'Notes' },
    { start: at('Use'), level: 2, text: 'Use' },
  ];
  const chunks = chunksOf({ text, pageStarts: [0, at('more')], headings });
  expect(chunks.map(({ start, end, page, heading }) => [text.slice(start, end), page, heading])).toEqual([
    ['Guide\nintro', 1, 'Guide'],
    ['Install\nsteps', 1, 'Guide › Install'],
    ['Notes', 1, 'Guide › Install › Notes'],
    ['more', 2, 'Guide › Install › Notes'],
    ['Use\nwith care', 2, 'Guide › Use'],
  ]);
});

test('source code and data are cut between lines', () => {
  const rows = Array.from({ length: 200 }, (_, index) => `${index}, Mr. Smith, St. Mary, 3.5`).join('\n');
  const chunks = chunksOf({ text: rows, pageStarts: [], headings: [], mimeType: 'text/csv' });
  expect(chunks.length).toBeGreaterThan(5);
  for (const { start, end } of chunks) expect(rows.slice(start, end)).toMatch(/^\d+, [\s\S]*3\.5$/);
});

test('scripts without spaces are cut between characters, and no character is cut', () => {
  for (const text of ['漢字'.repeat(500), 'ภาษาไทย'.repeat(200), '😀'.repeat(500), 'e\u0301'.repeat(2_000)]) {
    const parts = passages(text);
    expect(parts.join('')).toBe(text);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part.isWellFormed() && !/^\p{M}/u.test(part.replace(/^[ัาำ-ฺ็-๎]/, ''))).toBe(true);
  }
  expect(clipped('a😀', 2)).toBe('a');
});
