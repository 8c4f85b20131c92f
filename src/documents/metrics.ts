import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../platform/database/database.ts';
import { depth } from './ingestion-statements.ts';
import { vectorIndexes } from './search/vector-index-statements.ts';

export interface DocumentMetrics {
  readonly receivedBytes: Counter;
  readonly ingestions: Counter<'outcome'>;
  readonly ingestionSeconds: Histogram;
  readonly chunks: Counter;
  readonly storageDifferences: Counter<'kind'>;
}

/** What an operator sees of documents. Which document or profile it is, is no label: there is no end of them. */
export function createDocumentMetrics({
  registry,
  database,
}: {
  registry: Registry;
  database: Pick<Database, 'query'>;
}): DocumentMetrics {
  const registers = [registry];
  new Gauge({
    name: 'patchbay_document_queue_depth',
    help: 'Versions of documents that wait to be read or are being read, of the whole platform.',
    registers,
    aggregator: 'max',
    async collect() {
      // Without a database there are other signs.
      const [row] = await database.query<{ count: number }>(depth()).catch(() => []);
      this.set(row?.count ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'patchbay_document_vector_indexes',
    help: 'HNSW indexes of pgvector on the documents of large profiles, of the whole platform; 0 where PostgreSQL has no pgvector 0.8.',
    registers,
    aggregator: 'max',
    async collect() {
      const indexes = await database.query<{ valid: boolean }>(vectorIndexes()).catch(() => null);
      this.set(indexes?.filter(({ valid }) => valid).length ?? Number.NaN);
    },
  });
  return {
    receivedBytes: new Counter({
      name: 'patchbay_document_received_bytes_total',
      help: 'Bytes of files of documents that were received.',
      registers,
    }),
    ingestions: new Counter({
      name: 'patchbay_document_ingestions_total',
      help: 'Attempts to read a version of a document, by outcome: ready, failed or retried.',
      labelNames: ['outcome'],
      registers,
    }),
    ingestionSeconds: new Histogram({
      name: 'patchbay_document_ingestion_seconds',
      help: 'Duration of an attempt to read a version of a document.',
      buckets: [0.05, 0.2, 1, 5, 20, 60, 300],
      registers,
    }),
    chunks: new Counter({
      name: 'patchbay_document_chunks_total',
      help: 'Passages of documents that were made for search.',
      registers,
    }),
    storageDifferences: new Counter({
      name: 'patchbay_document_storage_differences_total',
      help: 'Differences between the storage of documents and the database, by kind: file_without_row (removed), row_without_file (marked as failed), other_installation (nothing was compared).',
      labelNames: ['kind'],
      registers,
    }),
  };
}
