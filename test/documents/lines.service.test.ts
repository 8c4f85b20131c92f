import { expect, test } from 'vitest';
import { createReading } from '../../src/documents/reading/reading.ts';
import { textPartsOf } from '../../src/documents/text-parts.ts';
import { cleanUp } from '../support/cleanup.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { storeDocument } from './stored-text.ts';

const { services, database, url } = await createTestServices();
const caller = await signUp(services);
const profileUuid = String(caller.principal?.profileUuid);
/** 12 parts, some without a line feed, and one that begins with a line. */
const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index + 1} ${'x'.repeat(index % 120)}`);
lines[4_000] = 'y'.repeat(200_000);
const text = lines.join('\n');

test('every line is found by its number, wherever its part begins', async () => {
  const uuid = await storeDocument(database, profileUuid, [text]);
  const reading = createReading({ database });
  const parts = textPartsOf(text);
  const first = parts.map(({ feedsBefore }) => feedsBefore + 1);
  for (const line of new Set([
    1,
    2,
    3_999,
    4_000,
    4_001,
    4_002,
    8_999,
    9_000,
    ...first,
    ...first.map((each) => each + 1),
  ])) {
    const page = await reading.read(caller, uuid, { fromLine: line, lines: 1 });
    expect(page).toMatchObject({ fromLine: line, totalLines: 9_000 });
    expect(`${lines[line - 1]}\n`.startsWith(page.text)).toBe(true);
    expect(text.slice(page.start, page.end)).toBe(page.text);
    expect(page.text.length).toBeGreaterThan(0);
  }
  expect(await reading.read(caller, uuid, { fromLine: 9_001 })).toMatchObject({ text: '', totalLines: 9_000 });
  const ended = await storeDocument(database, profileUuid, ['one\ntwo\n']);
  expect(await reading.read(caller, ended, {})).toMatchObject({ text: 'one\ntwo\n', totalLines: 2, nextLine: null });
});

test('a page reads as much of a long text as of a short one', async () => {
  const client = await connectExplaining(url, 'auto');
  cleanUp(() => client.end());
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  const pagesOf = async (parts: number) => {
    const uuid = await storeDocument(database, profileUuid, ['a line of words\n'.repeat(4_096 * parts)]);
    const asked: { text: string; values?: unknown[] }[] = [];
    const reading = createReading({
      database: {
        ...database,
        query: ((statement) => {
          asked.push(statement);
          return database.query(statement);
        }) as typeof database.query,
      },
    });
    await reading.read(caller, uuid, { fromLine: 1_000, lines: 10 });
    await client.query('ANALYZE document_texts');
    const [statement] = asked;
    const { rowsRead } = await explainAgain(client, () => statement as { text: string; values?: unknown[] });
    return rowsRead;
  };
  const short = await pagesOf(4);
  expect(await pagesOf(40)).toBeLessThanOrEqual(short);
});
