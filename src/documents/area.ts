import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Queue } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { type AdditionDependencies, createAdditions } from './additions.ts';
import { createDocumentChanges } from './changes.ts';
import { createComparison } from './comparison.ts';
import { requireOwn } from './document.ts';
import { createDownloads } from './downloads.ts';
import type { EmbeddingProviders } from './embedding/provider.ts';
import type { Extractor } from './extraction/extraction.ts';
import { createFiles } from './files.ts';
import { createIngestion, type IngestionDependencies } from './ingestion.ts';
import { createLibrary } from './library.ts';
import type { DocumentMetrics } from './metrics.ts';
import { createProgress } from './progress.ts';
import { createQuota, type DocumentLimits } from './quota.ts';
import { createReading } from './reading/reading.ts';
import { createRemaining } from './remaining.ts';
import { createDocumentIndex } from './search/index-writer.ts';
import type { PassageQuestion, SearchQuestion } from './search/input.ts';
import { createReembedding } from './search/reembedding.ts';
import { createDocumentSearch, type FoundDocuments, type Passage } from './search/search.ts';
import { createVectorIndexes } from './search/vector-indexes.ts';
import type { Storage } from './storage/storage.ts';
import { createUploads } from './uploads.ts';

export interface DocumentAreaDependencies extends Pick<Platform, 'database' | 'clock' | 'events' | 'log'> {
  readonly queue: Pick<Queue, 'send'>;
  readonly outbox: Outbox<EventPayloads>;
  readonly notify: AdditionDependencies['notify'] & IngestionDependencies['notify'];
  readonly metrics: DocumentMetrics;
  readonly settings: {
    readonly storage: Storage;
    readonly extractor: Extractor;
    readonly limits: DocumentLimits;
    readonly embeddings: EmbeddingProviders;
  };
}

export type DocumentArea = ReturnType<typeof createDocumentArea>;

/** The library of documents of a profile. Source: docs/specification/documents.md. */
export function createDocumentArea(deps: DocumentAreaDependencies) {
  const { database, events, metrics, settings } = deps;
  const { storage, extractor, limits, embeddings } = settings;
  const index = createDocumentIndex({ provider: embeddings.current });
  const found = createDocumentSearch({ ...deps, providers: embeddings });
  const library = createLibrary(deps);
  const files = createFiles({ ...deps, storage, typeOf: extractor.typeOf });
  const progress = createProgress({ events, find: library.findOwn });
  const quota = createQuota({ database, limits });
  const additions = createAdditions({ ...deps, progress, quota });
  const uploads = createUploads({ database, files, quota, additions });
  const changes = createDocumentChanges({ ...deps, files, quota, additions });
  const comparison = createComparison({ ...deps, storage, progress });
  const ingestion = createIngestion({ ...deps, storage, extractor, progress, metrics, index, send: additions.send });

  /**
   * Finds documents of the caller's profile by words and meaning.
   *
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for another profile.
   * @see docs/specification/documents.md#search
   */
  async function search(caller: Caller, input: z.input<typeof SearchQuestion>): Promise<FoundDocuments> {
    const { profileUuid } = authorize(caller, 'documents:read');
    requireOwn(profileUuid, input.profileUuid);
    return found.search(caller, input);
  }

  /** Passages for a question. @throws {ApiError} as `search`. */
  async function passages(caller: Caller, input: z.input<typeof PassageQuestion>): Promise<Passage[]> {
    const { profileUuid } = authorize(caller, 'documents:read');
    requireOwn(profileUuid, input.profileUuid);
    return found.passages(caller, input);
  }

  const { findAll, find, page, connection, count, versions, version } = library;
  const { receive, received, discard, create, createText, createAiText } = uploads;
  return {
    findAll,
    find,
    page,
    connection,
    count,
    versions,
    version,
    uploads: {
      begin: quota.begin,
      receive,
      received,
      discard,
      create,
      createText,
      createAiText,
      restoreVersion: additions.restoreVersion,
    },
    changes,
    search,
    passages,
    statistics: quota.statistics,
    remainingSeconds: createRemaining(deps).of,
    progressed: progress.follow,
    reading: createReading(deps),
    downloads: createDownloads({ ...deps, storage, library }),
    ingestion,
    files: { removeUnused: files.removeUnused, compare: comparison.compare },
    reembed: createReembedding({ database, provider: embeddings.current }),
    vectorIndexes: createVectorIndexes(deps),
  };
}
