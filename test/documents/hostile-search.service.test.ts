import { beforeAll, expect, it } from 'vitest';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { narrowedTo } from '../../src/documents/search/input.ts';
import { type AskedTerm, byWords, likeTerms } from '../../src/documents/search/search-statements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp, type TestServices } from '../support/services.ts';
import { addDocument } from './indexed.ts';

/* H05: how much a query reads and counts does not grow with the library, whatever its words are. */

let test_: TestServices;
let profileUuid: string;
let indexId: number;

const index = createDocumentIndex({
  provider: { id: 'none', dims: 1, maxTokens: 1, embed: async () => [], close: async () => {} },
});
const run = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  test_.database.query<Row>({ text, values });
const add = (text: string) =>
  addDocument({ database: test_.database, index }, { profileUuid, text, isByWordsAlone: true });

/** A term of the profile, as a query has it. */
async function termOf(term: string): Promise<AskedTerm> {
  const [row] = await run<{ id: string; sections: number }>(
    'SELECT id, sections FROM document_terms WHERE index_id = $1 AND term = $2',
    [indexId, term],
  );
  return { id: String(row?.id), sections: Number(row?.sections), weight: 1 };
}

/** What the sections of documents score by some words. */
async function scoresOf(...words: string[]): Promise<ReadonlyMap<string, number>> {
  const terms = await Promise.all(words.map(termOf));
  const scoring = { k1: 0.9, b: 0.4, meanLength: 10 };
  const rows = await test_.database.query<{ version_id: string; score: number }>(
    byWords({ indexId, profileUuid }, terms, scoring, narrowedTo(null)),
  );
  return new Map(rows.map(({ version_id: version, score }) => [version, score]));
}

beforeAll(async () => {
  test_ = await createTestServices();
  profileUuid = (await signUp(test_.services)).principal?.profileUuid as string;
  await add('The first document.');
  const [row] = await run<{ id: number }>('SELECT id FROM document_indexes WHERE profile_uuid = $1', [profileUuid]);
  indexId = Number(row?.id);
});

it('compares a misspelt word with a bounded part of a large vocabulary: its neighbours in the alphabet', async () => {
  await run(
    `INSERT INTO document_terms (index_id, term, sections)
      SELECT $1, 'm' || lpad(n::text, 5, '0'), 1 FROM generate_series(0, 49999) n`,
    [indexId],
  );
  const statement = likeTerms(indexId, 'm25001', 1, 400);
  const client = await connectExplaining(test_.url, 'auto');
  cleanUp(() => client.end());
  await client.query('ANALYZE document_terms');
  const { rowsRead } = await explainAgain(client, () => ({ text: statement.text, values: statement.values ?? [] }));
  expect(rowsRead).toBeLessThanOrEqual(400);
  const near = (await test_.database.query<{ term: string }>(statement)).map(({ term }) => term);
  expect(near[0]).toBe('m25001');
  expect(near).toEqual(expect.arrayContaining(['m25000', 'm25002', 'm25010']));
  const [added] = await test_.database.query<{ term: string }>(likeTerms(indexId, 'xm25001', 1, 400));
  expect(added?.term).toBe('m25001');
});

it('scores the newest 40 000 sections of a word that nearly all sections have', async () => {
  const old = await add('Feldspar feldspar feldspar.');
  const young = await add('Feldspar and many other words beside it.');
  expect([...(await scoresOf('feldspar')).keys()]).toEqual([String(old.versionId), String(young.versionId)]);
  // Ordinal of the section, times 1, 10 words.
  await run(
    `UPDATE document_postings SET sections = ARRAY(SELECT (n::bigint << 32) + (1 << 16) + 10 FROM generate_series(0, 39999) n)
      WHERE version_id = $1 AND term_id = $2`,
    [young.versionId, (await termOf('feldspar')).id],
  );
  const found = await scoresOf('feldspar');
  expect([...found.keys()]).toEqual([String(young.versionId)]);
});

it('counts the commonest words only where a rarer one is', async () => {
  const both = await add('Obsidian pebbles.');
  const rare = await add('Obsidian shards.');
  const common = await add('Pebbles shine.');
  const before = await scoresOf('obsidian', 'pebbl');
  expect([...before.keys()][0]).toBe(String(both.versionId));
  expect(before.has(String(common.versionId))).toBe(true);
  await run('UPDATE document_terms SET sections = 50000 WHERE id = $1', [(await termOf('pebbl')).id]);
  const after = await scoresOf('obsidian', 'pebbl');
  expect(new Set(after.keys())).toEqual(new Set([String(both.versionId), String(rare.versionId)]));
  for (const { versionId } of [both, rare])
    expect(after.get(String(versionId))).toBeCloseTo(before.get(String(versionId)) ?? 0, 12);
});
