import type { Counter, Histogram, Registry } from 'prom-client';
import type { Database } from '../platform/database/database.ts';
import { familiesIn } from '../platform/metric-families.ts';
import { depth } from './ingestion-statements.ts';
import { vectorIndexes } from './search/vector-index-statements.ts';

export interface DocumentMetrics {
  readonly receivedBytes: Counter;
  readonly ingestions: Counter<'outcome'>;
  readonly ingestionSeconds: Histogram;
  readonly chunks: Counter;
  readonly storageDifferences: Counter<'kind'>;
}

/** Metrics of documents. Documents and profiles are not labels, because their number is unbounded. */
export function createDocumentMetrics({
  registry,
  database,
}: {
  registry: Registry;
  database: Pick<Database, 'query'>;
}): DocumentMetrics {
  const { counter, histogram, sharedGauge } = familiesIn(registry);
  sharedGauge(
    'patchbay_document_queue_depth',
    'Versions of documents that wait to be read or are being read, of the whole platform.',
    async () => {
      const [row] = await database.query<{ count: number }>(depth());
      return row?.count ?? Number.NaN;
    },
  );
  sharedGauge(
    'patchbay_document_vector_indexes',
    'HNSW indexes of pgvector on the documents of large profiles, of the whole platform; 0 where PostgreSQL has no pgvector 0.8.',
    async () => {
      const indexes = await database.query<{ valid: boolean }>(vectorIndexes());
      return indexes.filter(({ valid }) => valid).length;
    },
  );
  return {
    receivedBytes: counter('patchbay_document_received_bytes_total', 'Bytes of files of documents that were received.'),
    ingestions: counter(
      'patchbay_document_ingestions_total',
      'Attempts to read a version of a document, by outcome: ready, failed or retried.',
      ['outcome'],
    ),
    ingestionSeconds: histogram(
      'patchbay_document_ingestion_seconds',
      'Duration of an attempt to read a version of a document.',
      [0.05, 0.2, 1, 5, 20, 60, 300],
    ),
    chunks: counter('patchbay_document_chunks_total', 'Passages of documents that were made for search.'),
    storageDifferences: counter(
      'patchbay_document_storage_differences_total',
      'Differences between the storage of documents and the database, by kind: file_without_row (removed), row_without_file (marked as failed), other_installation (nothing was compared).',
      ['kind'],
    ),
  };
}
