import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readBeirSet } from '../../bench/beir.ts';
import { cleanUp } from '../support/cleanup.ts';

/** A folder with files by their names. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-beir-'));
  cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'qrels'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const corpus = [
  '{"_id": "4983", "title": "Tides", "text": "The moon raises the sea twice a day.", "metadata": {}}',
  '{"_id": "5836", "text": "Basalt cools from lava."}',
].join('\n');
const queries = [
  '{"_id": "0", "text": "why does the sea rise", "metadata": {}}',
  '{"_id": "2", "text": "without a grade"}',
  '{"_id": "7", "text": "what is basalt", "metadata": {"kind": "words"}}',
].join('\n');

test('a set in the format of BEIR is read: questions with judgements, documents with and without a title', async () => {
  const folder = folderOf({
    'corpus.jsonl': `${corpus}\n`,
    'queries.jsonl': queries,
    'qrels/test.tsv': 'query-id\tcorpus-id\tscore\n0\t4983\t2\n0\t5836\t0\n7\t5836\t1\n',
  });
  expect(await readBeirSet(folder)).toEqual({
    name: path.basename(folder),
    corpus: [
      { id: '4983', title: 'Tides', text: 'The moon raises the sea twice a day.' },
      { id: '5836', title: '', text: 'Basalt cools from lava.' },
    ],
    queries: [
      {
        id: '0',
        text: 'why does the sea rise',
        kind: null,
        judgements: new Map([
          ['4983', 2],
          ['5836', 0],
        ]),
      },
      { id: '7', text: 'what is basalt', kind: 'words', judgements: new Map([['5836', 1]]) },
    ],
  });
});

test('lines may end as on Windows', async () => {
  const folder = folderOf({
    'corpus.jsonl': corpus.replaceAll('\n', '\r\n'),
    'queries.jsonl': queries.replaceAll('\n', '\r\n'),
    'qrels/test.tsv': 'query-id\tcorpus-id\tscore\r\n7\t5836\t1\r\n',
  });
  const set = await readBeirSet(folder);
  expect(set.corpus).toHaveLength(2);
  expect(set.queries.map(({ judgements }) => [...judgements])).toEqual([[['5836', 1]]]);
});

test('a folder without a data set is reported', async () => {
  await expect(readBeirSet(folderOf({ 'corpus.jsonl': corpus }))).rejects.toThrow('not a set in the format of BEIR');
});
