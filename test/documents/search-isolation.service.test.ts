import { beforeAll, expect, test } from 'vitest';
import { createEmbeddingProviders } from '../../src/documents/embedding/provider.ts';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { createDocumentSearch } from '../../src/documents/search/search.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp, type TestServices } from '../support/services.ts';
import { addDocument, type Given } from './indexed.ts';

/* H09: nothing of a profile's documents reaches another by search. */

let test_: TestServices;
let documents: ReturnType<typeof createDocumentSearch>;
let index: ReturnType<typeof createDocumentIndex>;
let asked: { text: string; values?: unknown[] }[] = [];

beforeAll(async () => {
  test_ = await createTestServices();
  const { infrastructure, database, clock } = test_;
  const log = createLogger('silent');
  const providers = createEmbeddingProviders({ egress: infrastructure.egress, clock, log, endpoint: null });
  cleanUp(() => providers.close());
  index = createDocumentIndex({ provider: providers.current });
  const recorded = (run: typeof database.query) =>
    ((statement: (typeof asked)[number]) => {
      asked.push(statement);
      return run(statement);
    }) as typeof database.query;
  documents = createDocumentSearch({
    database: { ...database, query: recorded(database.query), read: recorded(database.read) },
    log,
    providers,
  });
});

const profileOf = ({ principal }: Caller) => principal?.profileUuid as string;
const add = (caller: Caller, given: Omit<Given, 'profileUuid'>) =>
  addDocument({ database: test_.database, index }, { profileUuid: profileOf(caller), ...given });

test('another profile finds nothing: neither by words, by misspelt words, by meaning nor by the id of a document', async () => {
  const [owner, other] = [await signUp(test_.services), await signUp(test_.services)];
  const { documentUuid } = await add(owner, { title: 'Plans', text: 'The zanzibarite reactor opens on Friday.' });
  for (const query of ['zanzibarite', 'zanzibarit', 'zanzibraite', 'when does the power station start']) {
    expect(await documents.search(other, { query })).toMatchObject({ results: [], total: 0, hasMore: false });
    expect(await documents.passages(other, { query, documentUuids: [documentUuid] })).toEqual([]);
  }
  await add(other, { text: 'Unrelated prose about rabbits.' });
  for (const query of ['zanzibarite', 'zanzibraite', 'when does the power station start']) {
    const found = await documents.search(other, { query });
    expect(JSON.stringify(found)).not.toMatch(/zanzibarite|Friday|Plans/);
    expect(await documents.passages(other, { query, documentUuids: [documentUuid] })).toEqual([]);
  }
  expect((await documents.search(owner, { query: 'zanzibraite' })).results[0]?.id).toBe(documentUuid);
});

test('scores do not depend on the documents of others', async () => {
  const [owner, other] = [await signUp(test_.services), await signUp(test_.services)];
  await add(owner, { text: 'Quartz clocks are exact.' });
  await add(owner, { text: 'Wooden clocks are pretty.' });
  const answers = () =>
    Promise.all(['quartz clocks', 'quartz xylogrpah'].map((query) => documents.search(owner, { query })));
  const before = await answers();
  for (let number = 0; number < 20; number++)
    await add(other, {
      text: `Quartz and clocks, number ${number}. A xylograph. Quartz quartz.`,
      isByWordsAlone: true,
    });
  expect(await answers()).toEqual(before);
});

test('a search reads as much as when its profile is alone', async () => {
  const [owner, other] = [await signUp(test_.services), await signUp(test_.services)];
  const text = 'Copper kettles boil water for tea.';
  await add(owner, { text });
  asked = [];
  await documents.search(owner, { query: 'copper kettle tee' });
  const statements = asked;
  expect(statements.length).toBeGreaterThanOrEqual(7);
  const client = await connectExplaining(test_.url, 'auto');
  cleanUp(() => client.end());
  // Tables of this size would be read whole; by their indexes it shows what a search reads of large ones.
  await client.query('SET enable_seqscan = off');
  const rowsOf = async () => {
    const rows: number[] = [];
    for (const { text: statement, values } of statements)
      rows.push((await explainAgain(client, () => ({ text: statement, values }))).rowsRead);
    return rows;
  };
  await client.query('ANALYZE');
  const alone = await rowsOf();
  for (let number = 0; number < 10; number++) {
    const long = Array.from({ length: 60 }, (_, place) => `Copper kettles ${number} ${place} boil water for tea.`);
    const chunks = long.map((_, place) => {
      const start = long.slice(0, place).join('\n').length + (place > 0 ? 1 : 0);
      return { start, end: start + (long[place] as string).length, page: null, heading: null };
    });
    const { versionId } = await add(other, { text: long.join('\n'), chunks, isByWordsAlone: true });
    await test_.database.query({
      text: `INSERT INTO document_vectors SELECT c.id, i.id, c.version_id, v.model_id, v.signature, v.vector, v.rounded
        FROM document_chunks c JOIN document_indexes i ON i.profile_uuid = c.profile_uuid
          CROSS JOIN (SELECT * FROM document_vectors LIMIT 1) v WHERE c.version_id = $1`,
      values: [versionId],
    });
  }
  await client.query('ANALYZE');
  const beside = await rowsOf();
  expect(beside.map((rows, place) => Math.max(rows, alone[place] as number))).toEqual(alone);
});
