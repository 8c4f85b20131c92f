import { randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, isApiError } from '../platform/errors.ts';
import { invalid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import * as statements from './file-statements.ts';
import { fileBytesMax, shownFileName } from './input.ts';
import type { DocumentMetrics } from './metrics.ts';
import { Meter } from './receiving.ts';
import type { Storage } from './storage/storage.ts';

/** A file that was received completely and that no document has yet. */
export interface ReceivedFile {
  readonly uuid: string;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly mimeType: string;
  readonly contentHash: Buffer;
  readonly storageKey: string;
}

export interface FilesDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly storage: Storage;
  readonly metrics: Pick<DocumentMetrics, 'receivedBytes'>;
  /** The type of a file by its first bytes; null for one that is unknown. */
  typeOf(head: Buffer, fileName: string): string | null;
}

/** A file of which no document is made within this time is removed. */
const takenWithinMs = 60 * 60_000;
/** Files that one run of the job removes. */
const removedRows = 1_000;

export type Files = ReturnType<typeof createFiles>;

export const fileOf = (row: statements.FileRow): ReceivedFile => ({
  uuid: row.uuid,
  fileName: row.file_name,
  fileSize: row.file_size,
  mimeType: row.mime_type,
  contentHash: row.content_hash,
  storageKey: row.storage_key,
});

/**
 * The files of documents. Each has a row from before its first byte until after it was removed, so that a crash leaves no file
 * that is unknown. Source: docs/decisions/0039-documents.md.
 */
export function createFiles({ database, clock, log, storage, metrics, typeOf }: FilesDependencies) {
  /**
   * Writes a file to the storage while it comes in. A document must take it within an hour.
   *
   * @param fileName Whatever the client calls it.
   * @throws {ApiError} `TOO_LARGE` over 100 MB; `VALIDATION_ERROR` when the content ends early; `UNAVAILABLE` when it cannot be
   *   stored. Then nothing of the file stays.
   */
  async function receive(
    profileUuid: string,
    { fileName, content }: { fileName: string; content: Readable },
  ): Promise<ReceivedFile> {
    const uuid = randomUUID();
    const name = randomBytes(20).toString('hex');
    const storageKey = `${name.slice(0, 2)}/${name}`;
    const now = clock.now();
    const shown = shownFileName(fileName);
    // Kept also when the unit that runs here is undone: the row says that there is a file to remove.
    const query = <Row extends Record<string, unknown>>(statement: Parameters<typeof database.query>[0]) =>
      database.outsideUnit(() => database.query<Row>(statement));
    try {
      await query(
        statements.begin(
          { uuid, profileUuid, storageKey, fileName: shown },
          now,
          new Date(now.getTime() + takenWithinMs),
        ),
      );
    } catch (error) {
      content.destroy();
      throw error;
    }
    try {
      const meter = await store(storageKey, content);
      metrics.receivedBytes.inc(meter.size);
      const mimeType = typeOf(meter.head, shown) ?? 'application/octet-stream';
      const [row] = await query<statements.FileRow>(statements.complete(uuid, meter.size, mimeType, meter.digest()));
      if (!row) throw new Error('the row of a file was deleted while the file was received');
      return fileOf(row);
    } catch (error) {
      await database.outsideUnit(() => discard({ uuid, storageKey }));
      throw error;
    }
  }

  async function store(storageKey: string, content: Readable): Promise<Meter> {
    const meter = new Meter(fileBytesMax);
    try {
      await Promise.all([pipeline(content, meter), storage.write(storageKey, meter)]);
      return meter;
    } catch (error) {
      meter.destroy();
      content.destroy();
      const apiError = [error, meter.errored].find(isApiError);
      if (apiError) throw apiError;
      if (!content.readableEnded && !isOfSystem(error)) throw endedEarly();
      log.error({ error }, 'a file could not be stored');
      throw new ApiError('UNAVAILABLE', 'The file could not be stored; try again', { retryAfter: 5, cause: error });
    }
  }

  /** Removes a file that no document has taken. What fails here is done by the job. */
  async function discard({ uuid, storageKey }: Pick<ReceivedFile, 'uuid' | 'storageKey'>): Promise<void> {
    try {
      const [released] = await database.query(statements.release(uuid));
      // A document has it: the response to its commit was lost.
      if (!released) return;
      await storage.remove(storageKey);
      await database.query(statements.forget(uuid));
    } catch (error) {
      log.warn({ error }, 'an unused file could not be removed; the next run of the job removes it');
    }
  }

  /** A received file of the profile that no document has taken; null for none. */
  async function find(profileUuid: string, uuid: string): Promise<ReceivedFile | null> {
    const [row] = await database.query<statements.FileRow>(statements.one(uuid, profileUuid, clock.now()));
    return row ? fileOf(row) : null;
  }

  /**
   * Removes the files that no document has any more, and those of which no document was made within an hour.
   *
   * @returns How many.
   */
  async function removeUnused(): Promise<number> {
    await database.query(statements.keepUsed(clock.now()));
    let removed = 0;
    const rows = await database.query<{ uuid: string; storage_key: string }>(
      statements.removable(clock.now(), removedRows),
    );
    for (const { uuid, storage_key } of rows)
      try {
        await storage.remove(storage_key);
        await database.query(statements.forget(uuid));
        removed += 1;
      } catch (error) {
        // One that cannot be removed must not keep the others.
        log.error({ error, file: uuid }, 'a file could not be removed');
      }
    return removed;
  }

  return { receive, find, discard, removeUnused };
}

const endedEarly = () => invalid({ body: 'The body ended early' });

/** Errors of the file system name their call, those of a bucket their response. */
function isOfSystem(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && ('syscall' in cause || '$metadata' in cause);
}
