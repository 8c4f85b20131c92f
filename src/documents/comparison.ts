import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import * as statements from './comparison-statements.ts';
import { fileMissing } from './document.ts';
import type { NotifyFailure } from './ingestion.ts';
import type { DocumentMetrics } from './metrics.ts';
import type { Progress } from './progress.ts';
import type { Storage } from './storage/storage.ts';

export interface ComparisonDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly storage: Storage;
  readonly progress: Pick<Progress, 'publish'>;
  readonly metrics: Pick<DocumentMetrics, 'storageDifferences'>;
  readonly notify: NotifyFailure;
}

/** Files and rows that are younger are not compared. */
const graceMs = 86_400_000;
/** Parts of the storage, by the first two digits of a key. */
const parts = 256;
const partEveryMs = 300_000;
/** Files of a page, and files that one run removes at most. */
const pageRows = 1_000;
/** A file in the storage that names the installation to which the storage belongs. */
const markKey = 'installation';
const keyPattern = /^([0-9a-f]{2})\/\1[0-9a-f]{38}$/;

/**
 * Compares the storage with the rows of the database, one of 256 parts at a time. A file without a row is removed: no document can have it.
 * The versions of a row without a file are marked as failed. Source: docs/decisions/0048-storage-comparison.md.
 */
export function createComparison(deps: ComparisonDependencies) {
  const { database, clock, log, outbox, storage, progress, metrics, notify } = deps;

  /**
   * Compares one part. A storage without the mark of this installation is not compared: it is not mounted, or belongs
   * to another installation.
   *
   * @param part The first two digits of the keys; by the time if left out, so that all parts are compared within a day.
   * @returns The number of handled differences.
   */
  async function compare(part = partAt(clock.now())): Promise<number> {
    const bornAt = await claimedSince();
    if (bornAt === null) return 0;
    const stored = new Set<string>();
    const removed = await removeUnknown(part, bornAt, stored);
    return removed + (await markMissing(part, stored));
  }

  /** When the database was made to which the storage belongs; null for another's storage. */
  async function claimedSince(): Promise<Date | null> {
    const [row] = await database.query<statements.InstallationRow>(statements.installation(randomUUID()));
    if (!row) return null;
    const mark = (await storage.exists(markKey)) ? await text(await storage.read(markKey)) : null;
    if (mark === null && !row.is_claimed) await storage.write(markKey, Readable.from([Buffer.from(row.installation)]));
    else if (mark !== row.installation) {
      metrics.storageDifferences.inc({ kind: 'other_installation' });
      log.error({ mark, installation: row.installation }, 'the document storage belongs to another installation');
      return null;
    }
    if (!row.is_claimed) await database.query(statements.setClaimed());
    return row.born_at;
  }

  /** @param stored Takes up all keys of the part. */
  async function removeUnknown(part: string, bornAt: Date, stored: Set<string>): Promise<number> {
    const before = clock.now().getTime() - graceMs;
    const old: string[] = [];
    for await (const { key, modifiedAt } of storage.list(part)) {
      if (!keyPattern.test(key)) continue;
      stored.add(key);
      // A file from before the database is that of another one.
      if (modifiedAt.getTime() <= before && modifiedAt > bornAt) old.push(key);
    }
    let removed = 0;
    for (let first = 0; first < old.length && removed < pageRows; first += pageRows) {
      const page = old.slice(first, first + pageRows);
      const rows = await database.query<{ storage_key: string }>(statements.known(page));
      const known = new Set(rows.map(({ storage_key }) => storage_key));
      for (const key of page)
        if (!known.has(key)) {
          await storage.remove(key);
          metrics.storageDifferences.inc({ kind: 'file_without_row' });
          removed += 1;
        }
    }
    if (removed > 0) log.warn({ files: removed, part }, 'files without a database row were removed from the storage');
    return removed;
  }

  async function markMissing(part: string, stored: ReadonlySet<string>): Promise<number> {
    const before = new Date(clock.now().getTime() - graceMs);
    let marked = 0;
    let after: string | null = null;
    for (;;) {
      const rows: { storage_key: string }[] = await database.query(statements.ofPart(part, after, before, pageRows));
      // Looked at again by itself, because a list is as old as its first page.
      for (const { storage_key: key } of rows)
        if (!stored.has(key) && !(await storage.exists(key))) marked += await markVersions(key);
      const last = rows.at(-1);
      if (!last || rows.length < pageRows) return marked;
      after = last.storage_key;
    }
  }

  async function markVersions(key: string): Promise<number> {
    const { rows, announcements } = await database.transaction(async (tx) => {
      const failed = await tx.query<statements.MissingRow>(statements.fail(key, fileMissing));
      const announced: (() => void)[] = [];
      for (const { document_uuid, profile_uuid, version, is_deleted } of failed) {
        if (is_deleted) continue;
        await outbox.write(tx, {
          profileUuid: profile_uuid,
          type: 'document.failed',
          data: { document_id: document_uuid, profile_uuid, version, ...fileMissing },
        });
        const notice = {
          type: 'document_rag_failed',
          title: 'The file of a document is missing',
          message: fileMissing.reason,
          severity: 'WARNING',
          metadata: { document_id: document_uuid, version, code: fileMissing.code },
        } as const;
        announced.push(await notify(tx, profile_uuid, notice));
      }
      return { rows: failed, announcements: announced };
    });
    for (const announce of announcements) announce();
    for (const { document_uuid: documentUuid, profile_uuid, version } of rows)
      progress.publish(profile_uuid, {
        documentUuid,
        version,
        status: 'failed',
        progress: 0,
        failureReason: fileMissing.reason,
      });
    if (rows.length === 0) return 0;
    outbox.wake();
    metrics.storageDifferences.inc({ kind: 'row_without_file' });
    log.error({ versions: rows.length }, 'the file of a document is missing from the storage');
    return 1;
  }

  return { compare };
}

const partAt = (now: Date): string => (Math.floor(now.getTime() / partEveryMs) % parts).toString(16).padStart(2, '0');
