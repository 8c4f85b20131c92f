import { createDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { copyDocuments } from '../documents-copy.ts';
import { fillDocuments, queryOf } from '../documents-data.ts';
import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** A profile has 10 000 documents at most by default. */
const documentsOwn = 10_000;
/** A document has at most 1 000 versions. */
const versionsOwn = 1_000;
/** Passages for each thousand rows; a document has 100. */
const passagesShare = 0.1;
const passagesMade = 2_000;

/** Documents without text, one of them with many versions, and some with passages that search finds. */
export const documents: GrowthArea = {
  name: 'documents',
  page: 'documents',
  async fill(pool, { owner, own, others }) {
    // First: the copies are of the first documents.
    const passages = own * passagesShare;
    const database = createDatabase({ url: pool.options.connectionString as string, log: createLogger('silent') });
    await fillDocuments(database, owner.profileUuid, Math.min(passages, passagesMade));
    await database.close();
    await pool.query('ANALYZE');
    for (let made = passagesMade; made < passages; made *= 2)
      await copyDocuments(pool, {
        from: owner.profileUuid,
        to: owner.profileUuid,
        documents: Math.min(made, passages - made) / 100,
      });
    const add = (profile: string, from: string) => `WITH made AS (
        INSERT INTO documents (uuid, profile_uuid, title, source, tags, visibility, created_at, updated_at)
        SELECT gen_random_uuid(), ${profile}, 'document ' || number.n, CASE WHEN number.n % 100 = 0 THEN 'api' ELSE 'upload' END, '{}', 'private',
          now() - number.n * interval '1 second', now() FROM ${from} RETURNING uuid, profile_uuid)
      INSERT INTO document_versions (document_uuid, profile_uuid, version, file_name, file_size, mime_type, content_hash, storage_key, status, page_starts, created_at)
      SELECT uuid, profile_uuid, 1, 'file.txt', 100, 'text/plain', sha256(uuid_send(uuid)), uuid::text, 'ready', '{}', now() FROM made`;
    await fillBy(pool, add('$1', `generate_series(1, least(${documentsOwn}, $2::int)) number (n)`), [
      owner.profileUuid,
      own,
    ]);
    await fillBy(
      pool,
      add(
        'c.profile_uuid',
        'generate_series(1, $1::int) number (n) JOIN crowd c ON c.n = number.n % (SELECT count(*) FROM crowd)',
      ),
      [others],
    );
    await fillBy(
      pool,
      `WITH changed AS (
          UPDATE documents SET version = $2::int WHERE uuid = (SELECT uuid FROM documents WHERE profile_uuid = $1 LIMIT 1) RETURNING uuid)
        INSERT INTO document_versions (document_uuid, profile_uuid, version, file_name, file_size, mime_type, content_hash, storage_key, status, page_starts, created_at)
        SELECT uuid, $1, n, 'file.txt', 100, 'text/plain', sha256(uuid_send(uuid)), uuid::text, 'ready', '{}', now()
        FROM changed, generate_series(2, $2::int) n`,
      [owner.profileUuid, versionsOwn],
    );
    await fillBy(pool, 'INSERT INTO document_usage (profile_uuid, documents, bytes) VALUES ($1, $2, 1000)', [
      owner.profileUuid,
      own,
    ]);
  },
  async operations(pool, { owner, own }) {
    const [versioned] = await valuesOf<string>(
      pool,
      'SELECT uuid FROM documents WHERE profile_uuid = $1 AND version > 1',
      [owner.profileUuid],
    );
    const uuids = await valuesOf<string>(
      pool,
      `SELECT uuid FROM documents WHERE profile_uuid = $1 AND title LIKE 'document %' LIMIT 100`,
      [owner.profileUuid],
    );
    const last = Math.min(own, documentsOwn) - 20;
    const questions = Array.from({ length: 40 }, () => queryOf(3));
    return [
      { name: 'first page', calls: [get('/api/documents?limit=20')] },
      { name: 'last page', calls: [get(`/api/documents?limit=20&offset=${last}`)] },
      { name: 'page of a word', calls: [get('/api/documents?limit=20&search=777')] },
      { name: 'page of a source', calls: [get('/api/documents?limit=20&source=api')] },
      { name: 'one', calls: each(uuids, (uuid) => get(`/api/documents/${uuid}`)) },
      { name: 'versions', calls: [get(`/api/documents/${versioned}/versions?limit=20`)] },
      { name: 'storage', calls: [get('/api/rag/storage-stats')] },
      { name: 'connection, first page', calls: [graphql('{ documents(first: 20) { nodes { title } } }')] },
      { name: 'connection, total', calls: [graphql('{ documents(first: 0) { totalCount } }')] },
      {
        name: 'search',
        calls: each(questions, (query) => send('POST', '/api/documents/search', { query, limit: 10 })),
      },
      {
        name: 'passages',
        calls: each(questions, (query) => send('POST', '/api/rag/query', { query, limit: 10 })),
      },
      {
        name: 'grep',
        calls: each(questions, (query) => get(`/api/documents/grep?pattern=${query.split(' ')[0]}&limit=20`)),
      },
      {
        name: 'rename',
        calls: each(uuids, (uuid) => send('PATCH', `/api/documents/${uuid}`, { title: 'document again' })),
      },
    ];
  },
};
