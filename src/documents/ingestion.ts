import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Database } from '../platform/database/database.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Worker } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import type { Additions, DocumentJob } from './additions.ts';
import type { ExtractedFile, Extractor } from './extraction/extraction.ts';
import { ExtractionFailure } from './extraction/extraction.ts';
import * as statements from './ingestion-statements.ts';
import type { DocumentMetrics } from './metrics.ts';
import type { Progress } from './progress.ts';
import type { DocumentIndexWriter } from './search/index-writer.ts';
import type { Storage } from './storage/storage.ts';
import { textPartsOf } from './text-parts.ts';

/**
 * Notifies the users of a profile that a document cannot be read. Call it in the transaction, and its result after the
 * commit.
 */
export type NotifyFailure = (
  tx: Pick<Database, 'query'>,
  profileUuid: string,
  notice: {
    type: 'document_rag_failed';
    title: string;
    message: string;
    severity: 'WARNING';
    metadata: Record<string, unknown>;
  },
) => Promise<() => void>;

export interface IngestionDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly storage: Storage;
  readonly extractor: Pick<Extractor, 'extract'>;
  readonly progress: Pick<Progress, 'publish'>;
  readonly metrics: DocumentMetrics;
  readonly index: DocumentIndexWriter;
  readonly send: Additions['send'];
  readonly notify: NotifyFailure;
}

/** A worker that says nothing for so long has ended, and another takes its document. */
const leaseMs = 60_000;
const renewEveryMs = 20_000;
/** Attempts of what may pass, such as an outage of the storage. */
const attemptsMax = 8;
const retryBaseMs = 10_000;
const retryMaxMs = 3_600_000;
/** Parts of a text that one statement writes. */
const partsAtOnce = 16;
/** How much of the ingestion is done when the text is there. */
const readPercent = 30;
/** Passages that are embedded at once. */
const embeddedAtOnce = 64;
/** Documents that one run of the job puts back into the queue. */
const overdueRows = 500;

/** A version that this worker has taken. */
interface Taken {
  readonly id: string;
  readonly documentUuid: string;
  readonly profileUuid: string;
  readonly version: number;
  readonly startedAt: Date;
  readonly attempts: number;
}

/**
 * Processes documents as jobs of the queue `documents`. A worker holds a version by a lease that it renews; another
 * worker takes over when the lease ends. Source: docs/decisions/0039-documents.md.
 */
export function createIngestion(deps: IngestionDependencies) {
  const { database, clock, log, outbox, storage, extractor, progress, metrics, index, send, notify } = deps;

  /** Does the pending work of a document. It fails only if the database does: the queue then tries again. */
  async function settle(documentUuid: string): Promise<void> {
    for (;;) {
      const [document] = await database.query<statements.StateRow>(statements.state(documentUuid));
      if (!document) return;
      if (document.is_deleted) return unindex(documentUuid);
      const now = clock.now();
      const [row] = await database.query<statements.TakenRow>(
        statements.take(documentUuid, now, new Date(now.getTime() + leaseMs)),
      );
      if (!row) return;
      const { id, version, attempts } = row;
      const taken: Taken = { id, documentUuid, profileUuid: document.profile_uuid, version, startedAt: now, attempts };
      await ingest(taken, row);
    }
  }

  /** Takes a deleted document out of the index. */
  async function unindex(documentUuid: string): Promise<void> {
    await database.transaction(async (tx) => {
      const [document] = await tx.query<statements.StateRow>(statements.holdState(documentUuid));
      if (!document?.is_deleted || document.indexed_version === null) return;
      await index.remove(tx, { documentUuid });
      await tx.query(statements.setIndexed(documentUuid, null));
    });
  }

  async function ingest(taken: Taken, row: statements.TakenRow): Promise<void> {
    publish(taken, 'indexing', 0, null);
    const lost = new AbortController();
    const renew = setInterval(() => void advance(taken, 0, lost), renewEveryMs);
    const done = metrics.ingestionSeconds.startTimer();
    try {
      const file = await storage.withFile(row.storage_key, (path) =>
        extractor.extract(path, row.file_name, lost.signal),
      );
      await advance(taken, readPercent, lost);
      lost.signal.throwIfAborted();
      const embeddings = await embed(taken, file, lost);
      await keep(taken, file, embeddings);
      metrics.ingestions.inc({ outcome: 'ready' });
      metrics.chunks.inc(file.chunks.length);
    } catch (error) {
      if (lost.signal.aborted) return;
      await fail(taken, error);
    } finally {
      clearInterval(renew);
      done();
    }
  }

  async function advance(taken: Taken, percent: number, lost: AbortController): Promise<void> {
    const until = new Date(clock.now().getTime() + leaseMs);
    const rows = await database
      .query(statements.advance(taken.id, taken.startedAt, percent, until))
      .catch((error: unknown) => {
        database.report(error, 'the lease of a document could not be renewed');
        return [1];
      });
    if (rows.length === 0) lost.abort(new Error('another worker has taken the document'));
    else if (percent > 0) publish(taken, 'indexing', percent, null);
  }

  /** The meanings of all passages, in parts, so that it can be seen how far that is. */
  async function embed(taken: Taken, { text, chunks }: ExtractedFile, lost: AbortController): Promise<Float32Array[]> {
    const embeddings: Float32Array[] = [];
    for (let first = 0; first < chunks.length; first += embeddedAtOnce) {
      const part = chunks.slice(first, first + embeddedAtOnce).map(({ start, end }) => text.slice(start, end));
      for (const vector of await index.embed(part, lost.signal)) embeddings.push(vector);
      await advance(taken, readPercent + Math.floor((65 * embeddings.length) / chunks.length), lost);
      lost.signal.throwIfAborted();
    }
    return embeddings;
  }

  /** Writes all that was read in one transaction. */
  async function keep(taken: Taken, file: ExtractedFile, embeddings: readonly Float32Array[]): Promise<void> {
    const { id, documentUuid, profileUuid, version, startedAt } = taken;
    const isKept = await database.transaction(async (tx) => {
      const [document] = await tx.query<statements.StateRow>(statements.holdState(documentUuid));
      const [held] = await tx.query(statements.holdTaken(id, startedAt));
      // It was deleted, or another worker has it.
      if (!document || !held) return false;
      await tx.query(statements.forgetText(id));
      const parts = textPartsOf(file.text);
      for (let first = 0; first < parts.length; first += partsAtOnce)
        await tx.query(statements.writeText(id, parts.slice(first, first + partsAtOnce)));
      const read = { mimeType: file.mimeType, textLength: file.text.length, pageStarts: file.pageStarts };
      await tx.query(statements.succeed(id, read, clock.now()));
      if (document.is_deleted || document.version !== version) return true;
      await index.write(tx, {
        versionId: BigInt(id),
        documentUuid,
        profileUuid,
        text: file.text,
        chunks: file.chunks,
        embeddings,
      });
      await tx.query(statements.setIndexed(documentUuid, version));
      const before = document.indexed_version;
      if (before !== null && before !== version)
        await outbox.write(tx, {
          profileUuid,
          type: 'document.updated',
          data: { document_id: documentUuid, profile_uuid: profileUuid, version, previous_version: before },
        });
      return true;
    });
    if (!isKept) return;
    outbox.wake();
    publish(taken, 'ready', 100, null);
  }

  /** A file that cannot be read fails for good; what may pass is tried again. */
  async function fail(taken: Taken, error: unknown): Promise<void> {
    const { id, documentUuid, profileUuid, startedAt, attempts } = taken;
    const isBad = error instanceof ExtractionFailure;
    if (!isBad) log.error({ error, document: documentUuid }, 'a document could not be read');
    const isFinal = isBad || attempts + 1 >= attemptsMax;
    const code = isBad ? error.code : 'UNAVAILABLE';
    const reason = isBad ? error.reason : 'The document could not be read because of a fault of the platform.';
    const pauseMs = Math.min(retryMaxMs, retryBaseMs * 2 ** attempts);
    const dueAt = isFinal ? null : new Date(clock.now().getTime() + pauseMs);
    const announce = await database.transaction(async (tx) => {
      const status = isFinal ? ('failed' as const) : ('received' as const);
      const [failed] = await tx.query(statements.fail(id, startedAt, { code, reason, status, dueAt }));
      if (!failed || !isFinal) return null;
      await outbox.write(tx, {
        profileUuid,
        type: 'document.failed',
        data: { document_id: documentUuid, profile_uuid: profileUuid, version: taken.version, code, reason },
      });
      return notify(tx, profileUuid, {
        type: 'document_rag_failed',
        title: 'A document cannot be searched',
        message: reason,
        severity: 'WARNING',
        metadata: { document_id: documentUuid, version: taken.version, code },
      });
    });
    metrics.ingestions.inc({ outcome: isFinal ? 'failed' : 'retried' });
    if (announce) {
      announce();
      outbox.wake();
    }
    publish(taken, isFinal ? 'failed' : 'received', 0, isFinal ? reason : null);
  }

  function publish(
    { profileUuid, documentUuid, version }: Taken,
    status: 'received' | 'indexing' | 'ready' | 'failed',
    percent: number,
    failureReason: string | null,
  ): void {
    progress.publish(profileUuid, { documentUuid, version, status, progress: percent, failureReason });
  }

  /**
   * Puts documents back into the queue whose worker has ended, and those that are tried again.
   *
   * @returns How many.
   */
  async function sendOverdue(): Promise<number> {
    const rows = await database.query<{ document_uuid: string; profile_uuid: string }>(
      statements.overdue(clock.now(), overdueRows),
    );
    for (const { document_uuid, profile_uuid } of rows)
      await database.transaction((tx) => send(tx, profile_uuid, document_uuid));
    return rows.length;
  }

  const worker: Worker = {
    name: 'documents',
    async handle(batch) {
      for (const { documentUuid } of batch as readonly DocumentJob[]) await settle(documentUuid);
    },
  };

  return { settle, sendOverdue, worker };
}
