import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createEmbeddingProviders } from '../../src/documents/embedding/provider.ts';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestServices, signUp, type TestServices } from '../support/services.ts';
import { addDocument } from './indexed.ts';

let test_: TestServices;
let index: ReturnType<typeof createDocumentIndex>;

beforeAll(async () => {
  test_ = await createTestServices();
  const { infrastructure, clock } = test_;
  const providers = createEmbeddingProviders({
    egress: infrastructure.egress,
    clock,
    log: createLogger('silent'),
    endpoint: null,
  });
  cleanUp(() => providers.close());
  index = createDocumentIndex({ provider: providers.current });
});

const newProfile = async () => (await signUp(test_.services)).principal?.profileUuid as string;
const add = (profileUuid: string, text: string, isByWordsAlone = true) =>
  addDocument({ database: test_.database, index }, { profileUuid, text, isByWordsAlone });

/** What the index of a profile says, and what its rows add up to. */
async function countsOf(profileUuid: string) {
  const [said] = await test_.database.query<{ sections: number; words: number; terms: Record<string, number> | null }>({
    text: `SELECT i.sections, i.words::int, (SELECT json_object_agg(term, sections) FROM document_terms t WHERE t.index_id = i.id) AS terms
      FROM document_indexes i WHERE i.profile_uuid = $1`,
    values: [profileUuid],
  });
  const [counted] = await test_.database.query<typeof said & object>({
    text: `SELECT (SELECT coalesce(sum(v.sections), 0)::int FROM document_indexed_versions v WHERE v.index_id = i.id) AS sections,
        (SELECT coalesce(sum(v.words), 0)::int FROM document_indexed_versions v WHERE v.index_id = i.id) AS words,
        (SELECT json_object_agg(term, n) FROM (
          SELECT t.term, sum(cardinality(p.sections))::int AS n FROM document_terms t JOIN document_postings p ON p.term_id = t.id
          WHERE t.index_id = i.id GROUP BY t.term) c) AS terms
      FROM document_indexes i WHERE i.profile_uuid = $1`,
    values: [profileUuid],
  });
  return { said, counted };
}

const rowsOf = async (table: string) =>
  (await test_.database.query<{ count: number }>({ text: `SELECT count(*)::int AS count FROM ${table}` }))[0]?.count;

test('counts sections, words and terms of one profile', async () => {
  const [mine, other] = [await newProfile(), await newProfile()];
  await add(mine, 'The cat and the cats sat.');
  await add(mine, 'A cat on a mat.');
  await add(other, 'The cat.');
  expect((await countsOf(mine)).said).toEqual({ sections: 2, words: 5, terms: { cat: 2, mat: 1, sat: 1 } });
  expect((await countsOf(other)).said).toEqual({ sections: 1, words: 1, terms: { cat: 1 } });
});

test('a new version takes the place of the old one', async () => {
  const profileUuid = await newProfile();
  const { documentUuid } = await add(profileUuid, 'Old words about turnips.');
  const { id: versionId } = await test_.database.prisma.documentVersion.create({
    data: {
      documentUuid,
      profileUuid,
      version: 2,
      fileName: 'a.txt',
      fileSize: 1,
      mimeType: 'text/plain',
      contentHash: Buffer.from('x'),
      storageKey: randomUUID(),
      status: 'ready',
      pageStarts: [],
      createdAt: new Date('2026-01-16T12:00:00Z'),
    },
  });
  const text = 'New words about carrots.';
  const chunks = [{ start: 0, end: text.length, page: null, heading: 'Roots' }];
  const embeddings = await index.embed([text]);
  await test_.database.transaction((tx) =>
    index.write(tx, { versionId, documentUuid, profileUuid, text, chunks, embeddings }),
  );
  const { said, counted } = await countsOf(profileUuid);
  expect(said).toEqual({ sections: 1, words: 4, terms: { carrot: 1, new: 1, root: 1, word: 1 } });
  expect(counted).toEqual(said);
});

test('nothing of a document is left, whatever removes it', async () => {
  const tables = [
    'document_chunks',
    'document_vectors',
    'document_postings',
    'document_terms',
    'document_indexed_versions',
  ];
  const before = await Promise.all(tables.map(rowsOf));
  const profileUuid = await newProfile();
  const removed = await add(profileUuid, 'Parsnips grow in cool soil.', false);
  await test_.database.transaction((tx) => index.remove(tx, removed));
  await test_.database.transaction((tx) => index.remove(tx, removed));
  const deleted = await add(profileUuid, 'Leeks grow in warm soil.', false);
  await test_.database.prisma.document.delete({ where: { uuid: deleted.documentUuid } });
  expect((await countsOf(profileUuid)).said).toEqual({ sections: 0, words: 0, terms: null });
  await add(profileUuid, 'Onions grow in any soil.', false);
  await test_.database.query({ text: 'DELETE FROM profiles WHERE uuid = $1', values: [profileUuid] });
  expect(await Promise.all(tables.map(rowsOf))).toEqual(before);
});

test('counts stay right under writers who add and remove at the same time', async () => {
  const profileUuid = await newProfile();
  const subjects = ['apple pear plum', 'pear plum fig', 'fig apple date', 'date plum apple'];
  const writer = async (first: number) => {
    for (let round = 0; round < 8; round++) {
      const { documentUuid } = await add(profileUuid, `${subjects[(first + round) % 4]} round ${round}`);
      if (round % 2 === first % 2) await test_.database.transaction((tx) => index.remove(tx, { documentUuid }));
    }
  };
  await Promise.all([writer(0), writer(1), writer(2)]);
  const { said, counted } = await countsOf(profileUuid);
  expect(said).toEqual(counted);
  expect(said?.sections).toBe(12);
});
