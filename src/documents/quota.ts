import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import * as statements from './quota-statements.ts';

/** What a profile may store. */
export interface DocumentLimits {
  readonly bytes: number;
  readonly documents: number;
}

/** The stored amounts of a profile, and its limits. */
export interface StorageStatistics {
  readonly documents: number;
  /** Of all files, those of older versions and of deleted documents included. */
  readonly bytes: number;
  readonly documentsMax: number;
  readonly bytesMax: number;
}

/** The change of a profile's amounts; negative if something is removed. */
interface Amount {
  readonly documents: number;
  readonly bytes: number;
}

export type Quota = ReturnType<typeof createQuota>;

/** What profiles store, counted in the transactions that change it. Source: docs/decisions/0039-documents.md. */
export function createQuota({ database, limits }: { database: Database; limits: DocumentLimits }) {
  /**
   * Before the body of an upload is read: whether the caller may upload at all. The number of documents is checked when the file is
   * stored, because the form says whether it is a version of a document that exists.
   *
   * @param bytes As announced; 0 if that is unknown; null for an upload that may have been stored before, which always begins.
   * @throws {ApiError} `FORBIDDEN` without `documents:write`; `CONFLICT` when the bytes do not fit in the storage of the profile.
   */
  async function begin(caller: Caller, bytes: number | null): Promise<void> {
    const { profileUuid } = authorize(caller, 'documents:write');
    if (bytes === null) return;
    const [used] = await database.query<statements.UsageRow>(statements.usageOf(profileUuid));
    requireBytes((used?.bytes ?? 0) + bytes);
  }

  /**
   * Counts what the transaction adds. It must be the first lock of the transaction, so that two uploads never wait for each other.
   *
   * @throws {ApiError} `CONFLICT` over the limits of the profile.
   */
  async function reserve(tx: Pick<Database, 'query'>, profileUuid: string, added: Amount): Promise<void> {
    const [used] = await tx.query<statements.UsageRow>(statements.count(profileUuid, added.documents, added.bytes));
    if (added.documents > 0) requireDocuments(used?.documents ?? 0);
    requireBytes(used?.bytes ?? 0);
  }

  /** Counts what the transaction takes away, without a limit. With zeros it only takes the lock of the profile. */
  async function release(tx: Pick<Database, 'query'>, profileUuid: string, removed: Amount): Promise<void> {
    await tx.query(statements.count(profileUuid, -removed.documents, -removed.bytes));
  }

  function requireDocuments(documents: number): void {
    if (documents > limits.documents)
      throw new ApiError(
        'CONFLICT',
        `A profile can have at most ${limits.documents} documents; delete some permanently`,
      );
  }

  function requireBytes(bytes: number): void {
    if (bytes > limits.bytes)
      throw new ApiError(
        'CONFLICT',
        `The documents of a profile can take at most ${Math.floor(limits.bytes / 1_000_000)} MB; delete some permanently`,
      );
  }

  /** What the caller's profile stores, as it was counted when it was stored. */
  async function statistics(caller: Caller): Promise<StorageStatistics> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const [row] = await database.read<statements.UsageRow>(statements.usageOf(profileUuid));
    return {
      documents: row?.documents ?? 0,
      bytes: row?.bytes ?? 0,
      documentsMax: limits.documents,
      bytesMax: limits.bytes,
    };
  }

  return { begin, reserve, release, statistics };
}
