import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { inBatches } from '../platform/database/batches.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import { queuesChannel } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import type { Additions } from './additions.ts';
import { type DocumentRecord, documentNotFound } from './document.ts';
import type { Files } from './files.ts';
import { Deletion, DocumentChange } from './input.ts';
import type { Quota } from './quota.ts';
import * as removal from './removal-statements.ts';
import * as statements from './statements.ts';

export interface ChangeDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly files: Files;
  readonly quota: Quota;
  readonly additions: Pick<Additions, 'send' | 'announce'>;
}

/** Days that a deleted document can be restored. */
const restorableDays = 30;
const dayMs = 86_400_000;
/** Documents that one run of the purge removes. */
const purgedRows = 1_000;
/** Rows that one statement removes of what belongs to a version. */
const removedRows = 5_000;

/** Changes, deletion and restoration of documents. Source: docs/specification/documents.md#change-and-delete. */
export function createDocumentChanges(deps: ChangeDependencies) {
  const { database, clock, events, outbox, files, quota, additions } = deps;

  /**
   * Changes the given fields.
   *
   * @throws {ApiError} `VALIDATION_ERROR`, also without any field; `NOT_FOUND` for a document of another profile.
   */
  async function update(caller: Caller, uuid: string, input: z.input<typeof DocumentChange>): Promise<DocumentRecord> {
    const { profileUuid } = authorize(caller, 'documents:write');
    const change = parse(DocumentChange, input);
    return database.transaction(async (tx) => {
      const held = await hold(tx, uuid, profileUuid, false);
      const fields = {
        title: change.title ?? held.title,
        description: change.description === undefined ? held.description : change.description,
        tags: change.tags === undefined ? held.tags : (change.tags ?? []),
        visibility: change.visibility ?? held.visibility,
      };
      await tx.query(statements.change(held.uuid, fields, clock.now()));
      return read(tx, held.uuid, profileUuid);
    });
  }

  /**
   * Deletes a document. Readers and search no longer see it; it can be restored for 30 days. A deleted document can be
   * deleted permanently.
   *
   * @param input.permanent Removes it with its files now.
   * @throws {ApiError} `NOT_FOUND` for a document of another profile, and for a deleted document without `permanent`.
   */
  async function remove(caller: Caller, uuid: string, input: z.input<typeof Deletion> = {}): Promise<string> {
    const { profileUuid } = authorize(caller, 'documents:write');
    const { permanent } = parse(Deletion, input);
    const known = await database.transaction(async (tx) => {
      const [held] = await tx.query<statements.DocumentRow>(
        statements.hold(requireUuid(uuid, documentNotFound), profileUuid),
      );
      if (!held || (held.deleted_at !== null && permanent !== true)) throw documentNotFound();
      const deletedAt = permanent === true ? new Date(clock.now().getTime() - restorableDays * dayMs) : clock.now();
      await tx.query(statements.setDeleted(held.uuid, deletedAt));
      if (held.deleted_at === null) {
        await outbox.write(tx, { profileUuid, type: 'document.deleted', data: { document_id: held.uuid } });
        await additions.send(tx, profileUuid, held.uuid);
      }
      return held.uuid;
    });
    outbox.wake();
    events.publish(queuesChannel, 'documents');
    if (permanent === true) await purgeOne(known, profileUuid);
    return known;
  }

  /**
   * Restores a deleted document, and queues it for search.
   *
   * @throws {ApiError} `NOT_FOUND` for a document of another profile or one that was deleted more than 30 days ago;
   * `CONFLICT` for a document that is not deleted.
   */
  async function restore(caller: Caller, uuid: string): Promise<DocumentRecord> {
    const { profileUuid } = authorize(caller, 'documents:write');
    const restored = await database.transaction(async (tx) => {
      const held = await hold(tx, uuid, profileUuid, true);
      await tx.query(statements.setDeleted(held.uuid, null));
      await tx.query(statements.due(held.uuid, clock.now()));
      await additions.send(tx, profileUuid, held.uuid);
      return read(tx, held.uuid, profileUuid);
    });
    additions.announce(restored);
    return restored;
  }

  /**
   * Processes the current version again, for example after a failure.
   *
   * @throws {ApiError} `NOT_FOUND` for a document of another profile.
   */
  async function reindex(caller: Caller, uuid: string): Promise<DocumentRecord> {
    const { profileUuid } = authorize(caller, 'documents:write');
    const document = await database.transaction(async (tx) => {
      const held = await hold(tx, uuid, profileUuid, false);
      await tx.query(statements.due(held.uuid, clock.now()));
      await additions.send(tx, profileUuid, held.uuid);
      return read(tx, held.uuid, profileUuid);
    });
    additions.announce(document);
    return document;
  }

  async function hold(
    tx: Pick<Database, 'query'>,
    uuid: string,
    profileUuid: string,
    isDeleted: boolean,
  ): Promise<statements.DocumentRow> {
    const [held] = await tx.query<statements.DocumentRow>(
      statements.hold(requireUuid(uuid, documentNotFound), profileUuid),
    );
    if (!held) throw documentNotFound();
    if (!isDeleted && held.deleted_at !== null) throw documentNotFound();
    if (isDeleted && held.deleted_at === null) throw new ApiError('CONFLICT', 'The document is not deleted');
    if (isDeleted && (held.deleted_at as Date).getTime() <= clock.now().getTime() - restorableDays * dayMs)
      throw documentNotFound();
    return held;
  }

  async function read(tx: Pick<Database, 'query'>, uuid: string, profileUuid: string): Promise<DocumentRecord> {
    const [row] = await tx.query<statements.DocumentRow>(statements.hold(uuid, profileUuid));
    return statements.documentOf(row as statements.DocumentRow);
  }

  /** Removes a deleted document: its passages and texts in parts, then itself, then its files. A run that is cut short goes on later. */
  async function purgeOne(uuid: string, profileUuid: string): Promise<void> {
    for (const part of [removal.removeChunks, removal.removeTexts])
      await inBatches(database, removedRows, (rows) => part(uuid, rows));
    await database.transaction(async (tx) => {
      // In the order of uploads: the usage first.
      await quota.release(tx, profileUuid, { documents: 0, bytes: 0 });
      const [gone] = await tx.query<{ bytes: number }>(removal.removeDocument(uuid, profileUuid));
      if (gone) await quota.release(tx, profileUuid, { documents: 1, bytes: gone.bytes });
    });
    await files.removeUnused();
  }

  /**
   * Removes the documents that were deleted more than 30 days ago.
   *
   * @returns How many.
   */
  async function purge(): Promise<number> {
    const rows = await database.query<{ uuid: string; profile_uuid: string }>(
      removal.purgeable(new Date(clock.now().getTime() - restorableDays * dayMs), purgedRows),
    );
    for (const { uuid, profile_uuid } of rows) await purgeOne(uuid, profile_uuid);
    return rows.length;
  }

  /** Removes all documents of a profile that was deleted. Their files follow at once, or by the job. */
  async function removeContents(profileUuid: string): Promise<void> {
    const removeAll = async (rows: readonly { uuid: string }[]) => {
      for (const { uuid } of rows) await purgeOne(uuid, profileUuid);
    };
    await inBatches(database, 100, (rows) => removal.ofProfile(profileUuid, rows), removeAll);
  }

  return { update, remove, restore, reindex, purge, removeContents };
}
