import { expect, test } from 'vitest';
import { createEmbeddingProviders } from '../../src/documents/embedding/provider.ts';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { createReembedding } from '../../src/documents/search/reembedding.ts';
import { createDocumentSearch } from '../../src/documents/search/search.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { addDocument } from './indexed.ts';

test('a change of the model gives all passages new vectors, and the old ones answer meanwhile', async () => {
  const { services, infrastructure, database, clock } = await createTestServices();
  const log = createLogger('silent');
  const providers = createEmbeddingProviders({ egress: infrastructure.egress, clock, log, endpoint: null });
  cleanUp(() => providers.close());
  const person = await signUp(services);
  const profileUuid = person.principal?.profileUuid as string;
  // A model of before: the same vectors with their signs turned around, so that nothing of one model fits the other.
  const before = {
    ...providers.current,
    id: 'openai:before',
    embed: async (texts: readonly string[]) =>
      (await providers.current.embed(texts)).map((vector) => vector.map((each) => -each)),
  };
  const old = createDocumentIndex({ provider: before });
  const texts = [
    'Sailors reef the mainsail before a storm.',
    'Bakers knead dough at night.',
    ...Array.from({ length: 40 }, (_, number) => `Note ${number} about the weather in spring.`),
  ];
  const uuids: string[] = [];
  for (const text of texts)
    uuids.push((await addDocument({ database, index: old }, { profileUuid, text })).documentUuid);
  const search = createDocumentSearch({
    database,
    log,
    providers: { of: (name, dims) => (name === before.id ? before : providers.of(name, dims)) },
  });
  const best = async () => (await search.search(person, { query: 'a vessel in rough seas' })).results[0]?.id;
  const modelsOf = () =>
    database.query<{ name: string; count: number }>({
      text: `SELECT m.name, count(v.chunk_id)::int AS count FROM document_embedding_models m
        LEFT JOIN document_vectors v ON v.model_id = m.id GROUP BY m.name ORDER BY m.name`,
    });
  expect(await best()).toBe(uuids[0]);
  let left = 1;
  const failing = createReembedding({
    database,
    provider: {
      ...providers.current,
      embed: async (given) => {
        if (left-- === 0) throw new Error('away');
        return providers.current.embed(given);
      },
    },
  });
  await expect(failing()).rejects.toThrow('away');
  expect(await modelsOf()).toEqual([
    { name: 'openai:before', count: 10 },
    { name: 'universal-sentence-encoder-lite', count: 32 },
  ]);
  expect(await best()).toBe(uuids[0]);
  const reembed = createReembedding({ database, provider: providers.current });
  expect(await reembed()).toBe(10);
  expect(await modelsOf()).toEqual([{ name: 'universal-sentence-encoder-lite', count: 42 }]);
  expect(await best()).toBe(uuids[0]);
  expect(await reembed()).toBe(0);
});
