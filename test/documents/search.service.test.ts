import { beforeAll, describe, expect, test } from 'vitest';
import { createEmbeddingProviders } from '../../src/documents/embedding/provider.ts';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { createDocumentSearch } from '../../src/documents/search/search.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestServices, keyOf, signUp, type TestServices } from '../support/services.ts';
import { addDocument, type Given } from './indexed.ts';

let test_: TestServices;
let documents: ReturnType<typeof createDocumentSearch>;
let index: ReturnType<typeof createDocumentIndex>;

beforeAll(async () => {
  test_ = await createTestServices();
  const { infrastructure, database, clock } = test_;
  const log = createLogger('silent');
  const providers = createEmbeddingProviders({ egress: infrastructure.egress, clock, log, endpoint: null });
  cleanUp(() => providers.close());
  index = createDocumentIndex({ provider: providers.current });
  documents = createDocumentSearch({ database, log, providers });
});

const profileOf = ({ principal }: Caller) => principal?.profileUuid as string;
const add = (caller: Caller, given: Omit<Given, 'profileUuid'>) =>
  addDocument({ database: test_.database, index }, { profileUuid: profileOf(caller), ...given });
const idsOf = async (caller: Caller, query: string, more: object = {}) =>
  (await documents.search(caller, { query, ...more })).results.map(({ id }) => id);

describe('search', () => {
  test('finds documents by words, by stems, by misspelt words and by meaning', async () => {
    const person = await signUp(test_.services);
    const bread = await add(person, {
      title: 'Bread',
      text: 'A sourdough loaf needs flour, water and salt. Bakers knead the dough and let it rise overnight.',
    });
    const boats = await add(person, {
      title: 'Boats',
      text: 'Sailors reef the mainsail before a storm and steer the vessel into the waves.',
    });
    await add(person, { title: 'Tax', text: 'The annual tax return is due in April, and late filing costs a fee.' });
    expect((await idsOf(person, 'sourdough'))[0]).toBe(bread.documentUuid);
    expect((await idsOf(person, 'kneading doughs'))[0]).toBe(bread.documentUuid);
    expect((await idsOf(person, 'sourdouhg'))[0]).toBe(bread.documentUuid);
    expect((await idsOf(person, 'how does a ship survive bad weather'))[0]).toBe(boats.documentUuid);
    const { results, total, hasMore } = await documents.search(person, { query: 'mainsail storms' });
    const [best] = results;
    expect({ total, hasMore }).toEqual({ total: 3, hasMore: false });
    expect(best).toMatchObject({
      id: boats.documentUuid,
      title: 'Boats',
      source: 'upload',
      tags: [],
      visibility: 'private',
    });
    expect(best?.highlights.map(({ start, end }) => best.snippet.slice(start, end))).toEqual(['mainsail', 'storm']);
    expect(best?.citations[0]).toMatchObject({ version: 1, start: 0, page: null });
    expect(best?.relevanceScore).toBeGreaterThan(results[1]?.relevanceScore ?? 1);
    expect(best?.relevanceScore).toBeLessThanOrEqual(1);
  });

  test('finds what the offline model cannot read by words alone, and ranks nothing by a vector that says nothing', async () => {
    const person = await signUp(test_.services);
    const weather = await add(person, { title: 'Weather', text: '北京 今天 天气 晴朗 适合 出门 散步' });
    const leave = await add(person, { title: 'Leave', text: 'Сотрудник имеет двадцать восемь дней отпуска в году.' });
    await add(person, { title: 'Boats', text: 'Sailors reef the mainsail before a storm.' });
    const [vector] = await index.embed(['Сотрудник имеет двадцать восемь дней отпуска в году.']);
    expect(vector).toEqual(new Float32Array(512));
    expect(await idsOf(person, '天气')).toEqual([weather.documentUuid]);
    expect(await idsOf(person, 'отпуска')).toEqual([leave.documentUuid]);
    expect(await idsOf(person, '上海 股票 价格')).toEqual([]);
    expect(await idsOf(person, 'акции биржа')).toEqual([]);
  });

  test('keeps to every filter', async () => {
    const person = await signUp(test_.services);
    const text = 'Granite is an igneous rock.';
    const old = await add(person, { text, tags: ['geology', 'rock'], createdAt: new Date('2025-03-01T00:00:00Z') });
    const api = await add(person, {
      text,
      source: 'api',
      tags: ['rock'],
      createdAt: new Date('2025-03-31T23:59:59.999Z'),
    });
    const both = [old.documentUuid, api.documentUuid].sort();
    const found = async (filters: object) => (await idsOf(person, 'granite', { filters })).sort();
    expect(await found({})).toEqual(both);
    expect(await found({ source: 'api' })).toEqual([api.documentUuid]);
    expect(await found({ tags: ['rock'] })).toEqual(both);
    expect(await found({ tags: ['rock', 'geology'] })).toEqual([old.documentUuid]);
    expect(await found({ dateFrom: '2025-03-01', dateTo: '2025-03-31' })).toEqual(both);
    expect(await found({ dateFrom: '2025-03-02' })).toEqual([api.documentUuid]);
    expect(await found({ dateTo: '2025-03-30' })).toEqual([old.documentUuid]);
  });

  test('keeps to the AI model that contributed', async () => {
    const person = await signUp(test_.services);
    const { documentUuid } = await add(person, { text: 'Basalt is a dark rock.' });
    await add(person, { text: 'Basalt columns cool slowly.' });
    await test_.database.prisma.documentAttribution.create({
      data: {
        documentUuid,
        profileUuid: profileOf(person),
        modelProvider: 'acme',
        modelName: 'writer-1',
        contribution: 'created',
        createdAt: test_.clock.now(),
      },
    });
    expect(await idsOf(person, 'basalt', { filters: { modelName: 'writer-1' } })).toEqual([documentUuid]);
    expect(await idsOf(person, 'basalt', { filters: { modelName: 'writer' } })).toEqual([]);
  });

  test('does not find a document that was deleted, before its words are out of the index', async () => {
    const person = await signUp(test_.services);
    const { documentUuid } = await add(person, { text: 'Marble is hard.' });
    const kept = await add(person, { text: 'Marble floors.' });
    await test_.database.prisma.document.update({
      where: { uuid: documentUuid },
      data: { deletedAt: test_.clock.now() },
    });
    for (const query of ['marble', 'a solid stone'])
      expect(await documents.search(person, { query })).toMatchObject({
        total: 1,
        results: [{ id: kept.documentUuid }],
      });
    expect((await documents.passages(person, { query: 'marble' })).length).toBe(1);
  });

  test('names every wrong field', async () => {
    const person = await signUp(test_.services);
    const wrong = (input: object) => documents.search(person, input as never).catch((error) => error.details);
    expect(
      await wrong({ query: ' ', limit: 51, offset: -1, filters: { source: 'x', dateFrom: '2025-02-30' } }),
    ).toEqual({
      query: 'query must not be empty',
      limit: 'limit must be an integer from 1 to 50',
      offset: 'offset must be an integer from 0 to 1000',
      'filters.source': 'source must be one of: upload, ai_generated, api',
      'filters.dateFrom': 'dateFrom must be a date like 2026-01-31',
    });
    expect(await wrong({ query: 'x'.repeat(501) })).toEqual({ query: 'query must be at most 500 characters' });
    expect(await wrong({ query: 'x', filters: { dateFrom: '2025-02-02', dateTo: '2025-02-01' } })).toEqual({
      'filters.dateTo': 'dateTo must not be before dateFrom',
    });
    for (const dateTo of ['yesterday', '2025-13-01', '99999-01-01', "2025-01-01'; --", 7])
      expect(await wrong({ query: 'x', filters: { dateTo } })).toEqual({
        'filters.dateTo': 'dateTo must be a date like 2026-01-31',
      });
  });

  test('needs a caller who may read documents', async () => {
    await expect(documents.search(anonymous(), { query: 'x' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(documents.passages(anonymous(), { query: 'x' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const { caller } = await keyOf(test_.services, await signUp(test_.services), { scopes: ['write'] });
    await expect(documents.search(caller, { query: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('takes any text as words', async () => {
    const person = await signUp(test_.services);
    await add(person, { text: 'Plain words about nothing.', isByWordsAlone: true });
    for (const query of [
      "'; DROP TABLE documents; --",
      '%_\\',
      '(((',
      '\u{1f600}',
      'a'.repeat(500),
      '!:* & | <->',
      '你好',
      'the of and',
    ])
      expect(await documents.search(person, { query })).toMatchObject({ limit: 10, offset: 0 });
  });
});

test('passages are verbatim, with their places', async () => {
  const person = await signUp(test_.services);
  const text = 'Intro about the harbour.\n\nThe lighthouse keeper trimmed the wick each evening.';
  const start = text.indexOf('The lighthouse');
  const { documentUuid } = await add(person, {
    title: 'Coast',
    text,
    chunks: [
      { start: 0, end: 24, page: 1, heading: null },
      { start, end: text.length, page: 2, heading: 'Light' },
    ],
  });
  const other = await add(person, { text: 'Another lighthouse stands in the north.' });
  const [first] = await documents.passages(person, {
    query: 'who trimmed the wick',
    limit: 5,
    documentUuids: [documentUuid],
  });
  expect(first).toMatchObject({
    documentUuid,
    version: 1,
    title: 'Coast',
    start,
    end: text.length,
    page: 2,
    heading: 'Light',
  });
  expect(first?.text).toBe(text.slice(start));
  const only = await documents.passages(person, { query: 'lighthouse', documentUuids: [other.documentUuid] });
  expect(only.map((passage) => passage.documentUuid)).toEqual([other.documentUuid]);
});
