import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReading } from '../../src/documents/reading/reading.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { storeDocument } from './stored-text.ts';

const { services, database } = await createTestServices();
const caller = await signUp(services);
const profileUuid = String(caller.principal?.profileUuid);

/** All matches over as many calls as it takes. */
async function grepAll(reading: ReturnType<typeof createReading>, input: Parameters<typeof reading.grep>[1]) {
  const found = [];
  let after: string | null = null;
  for (let calls = 1; ; calls += 1) {
    const page = await reading.grep(caller, { ...input, after });
    found.push(...page.matches);
    if (page.nextCursor === null) return { found, calls };
    expect(page.isComplete).toBe(false);
    after = page.nextCursor;
  }
}

it('finds every line once, whatever the budget and the page size, also in lines longer than a part', async () => {
  const owner = await signUp(services);
  const profile = String(owner.principal?.profileUuid);
  const lines = Array.from(
    { length: 4_000 },
    (_, index) => `${index % 7 === 0 ? 'needle' : 'hay'} ${'é'.repeat(index % 90)} ${index}`,
  );
  lines[2_000] = `${'y'.repeat(9_999)}${'z'.repeat(150_000)}needle at the end`;
  const text = lines.join('\n');
  const expected = lines.flatMap((line, index) => (line.includes('needle') ? [index + 1] : []));
  const uuid = await storeDocument(database, profile, [text]);
  for (const [budget, limit] of [
    [{ characters: 1e9, milliseconds: 1e6 }, 100],
    [{ characters: 20_000, milliseconds: 1e6 }, 100],
    [{ characters: 1e9, milliseconds: 0 }, 33],
  ] as const) {
    const reading = createReading({ database, budget });
    const found: number[] = [];
    let [after, calls]: [string | null, number] = [null, 0];
    do {
      const page = await reading.grep(owner, { pattern: 'needle', limit, after, documentId: uuid });
      for (const match of page.matches) {
        expect(text.slice(match.start, match.end)).toBe('needle');
        found.push(match.line);
      }
      after = page.nextCursor;
      calls += 1;
    } while (after !== null && calls < 10_000);
    expect(found).toEqual(expected);
  }
});

it('goes on over many documents, and over one that has a new version meanwhile', async () => {
  for (let index = 0; index < 45; index += 1)
    await storeDocument(database, profileUuid, [`thing ${index}`], {
      title: `${index}`,
      createdAt: new Date(2026, 0, 1 + (index % 9)),
    });
  const reading = createReading({ database, budget: { characters: 1e9, milliseconds: 1e6 } });
  const { found, calls } = await grepAll(reading, { pattern: 'thing', limit: 7 });
  expect(new Set(found.map(({ title }) => title)).size).toBe(45);
  expect(found).toHaveLength(45);
  expect(calls).toBe(7);
  const first = await reading.grep(caller, { pattern: 'thing', limit: 1 });
  const [next] = (await reading.grep(caller, { pattern: 'thing', limit: 1, after: first.nextCursor })).matches;
  await database.query({
    text: 'UPDATE document_versions SET version = 2 WHERE document_uuid = $1',
    values: [next?.documentUuid],
  });
  await database.query({
    text: 'UPDATE documents SET version = 2, indexed_version = 2 WHERE uuid = $1',
    values: [next?.documentUuid],
  });
  const again = await reading.grep(caller, { pattern: 'thing', limit: 1, after: first.nextCursor });
  expect(again.matches).toMatchObject([{ documentUuid: next?.documentUuid, version: 2 }]);
});

it('finds what the expressions of JavaScript find', async () => {
  const owner = await signUp(services);
  const piece = fc.constantFrom('a', 'b', 'A', ' ', '1', 'é', '😀', '\n', '\n\n');
  const patterns = ['a+b', '^a', 'b$', '[0-9]', 'a|b', '(a|é)+', '.', '\\s', '^$', 'A'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(...patterns),
      async (pieces, pattern) => {
        const text = pieces.join('');
        const documentId = await storeDocument(database, String(owner.principal?.profileUuid), [text]);
        const page = await createReading({ database }).grep(owner, {
          pattern,
          documentId,
          caseSensitive: true,
          limit: 100,
        });
        const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
        const expected = lines.flatMap((line, index) => (new RegExp(pattern, 'u').test(line) ? [index + 1] : []));
        expect(page.matches.map(({ line }) => line)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

it('takes linear time for expressions that take other engines for ever, and lets others work meanwhile', async () => {
  const owner = await signUp(services);
  await storeDocument(database, String(owner.principal?.profileUuid), [`${'a'.repeat(200_000)}\n`.repeat(10)]);
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const reading = createReading({ database, budget: { characters: 8_000_000, milliseconds: 200 } });
  for (const pattern of ['(a+)+$b', '(a|a)*c', '(?:a{1,10}){1,10}b', '(.*)(.*)(.*)(.*)x'])
    expect((await reading.grep(owner, { pattern })).matches).toEqual([]);
  clearInterval(other);
  expect(turns).toBeGreaterThan(5);
});

it('reads the texts of short documents by one statement, and long ones by themselves', async () => {
  const owner = await signUp(services);
  const profile = String(owner.principal?.profileUuid);
  const long = `${'hay\n'.repeat(60_000)}needle`;
  for (const [index, text] of [...Array.from({ length: 30 }, () => 'hay\nneedle\n'), long, '', 'needle'].entries())
    await storeDocument(database, profile, [text], { title: `${index}`, createdAt: new Date(2026, 0, 1 + index) });
  const asked: string[] = [];
  const recorded = {
    ...database,
    query: ((statement) => {
      asked.push(statement.name ?? '');
      return database.query(statement);
    }) as typeof database.query,
  };
  const reading = createReading({ database: recorded, budget: { characters: 1e9, milliseconds: 1e6 } });
  const { matches } = await reading.grep(owner, { pattern: 'needle', limit: 100 });
  expect(matches.map(({ title, line }) => `${title}:${line}`)).toEqual([
    '32:1',
    '30:60001',
    ...Array.from({ length: 30 }, (_, index) => `${29 - index}:2`),
  ]);
  expect(asked.toSorted()).toEqual([
    'documents_parts_from',
    'documents_readable_from',
    'documents_whole_texts',
    'documents_whole_texts',
  ]);
});
