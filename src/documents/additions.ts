import { randomUUID } from 'node:crypto';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { requireUuid } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import { type Queue, queuesChannel } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { type DocumentRecord, documentNotFound } from './document.ts';
import * as fileStatements from './file-statements.ts';
import { fileOf, type ReceivedFile } from './files.ts';
import type { DocumentSource, DocumentVisibility } from './input.ts';
import type { Progress } from './progress.ts';
import type { Quota } from './quota.ts';
import * as statements from './statements.ts';

/** Payload of a job: a document with pending work. The document has the details. */
export interface DocumentJob {
  readonly documentUuid: string;
}

/** A document that was stored. */
export interface Stored {
  readonly document: DocumentRecord;
  /** An older document of the profile with the same content; null for none. */
  readonly duplicateOf: string | null;
}

/** What a new document is, beside its file. */
interface Facts {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly visibility: DocumentVisibility;
  readonly source: DocumentSource;
  readonly model: { readonly provider: string; readonly name: string } | null;
}

/** Versions of one document. */
const versionsMax = 1_000;

export interface AdditionDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly queue: Pick<Queue, 'send'>;
  readonly progress: Progress;
  readonly quota: Quota;
  /** Notifies the users of the profile. Call it in the transaction. */
  notify(
    tx: Pick<Database, 'query'>,
    profileUuid: string,
    notice: {
      type: 'document_created_ai';
      title: string;
      message: string;
      severity: 'INFO';
      metadata: Record<string, unknown>;
    },
  ): Promise<() => void>;
}

export type Additions = ReturnType<typeof createAdditions>;

/** Stores new documents and new versions, and queues their ingestion in the same transaction. */
export function createAdditions(deps: AdditionDependencies) {
  const { database, clock, events, outbox, queue, progress, quota, notify } = deps;

  async function add({ profileUuid }: Principal, file: ReceivedFile, facts: Facts): Promise<Stored> {
    const uuid = randomUUID();
    const now = clock.now();
    const { stored, showNotice } = await database.transaction(async (tx) => {
      await quota.reserve(tx, profileUuid, { documents: 1, bytes: file.fileSize });
      const taken = await take(tx, profileUuid, file);
      await tx.query(statements.create({ uuid, profileUuid, now, ...facts }));
      await tx.query(statements.addVersion({ ...taken, documentUuid: uuid, profileUuid, version: 1, now }));
      const { model } = facts;
      if (model)
        await tx.query(
          statements.attribute({ documentUuid: uuid, profileUuid, ...model, contribution: 'created' }, now),
        );
      await outbox.write(tx, {
        profileUuid,
        type: 'document.created',
        data: { document_id: uuid, profile_uuid: profileUuid },
      });
      const announced =
        facts.source === 'ai_generated'
          ? await notify(tx, profileUuid, {
              type: 'document_created_ai',
              title: 'An AI model created a document',
              message: `${model ? `${model.name} created` : 'An AI model created'} the document “${facts.title}”.`,
              severity: 'INFO',
              metadata: { document_id: uuid },
            })
          : null;
      return { stored: await queued(tx, profileUuid, uuid, taken.contentHash), showNotice: announced };
    });
    showNotice?.();
    outbox.wake();
    announce(stored.document);
    return stored;
  }

  /** @param model The model that wrote the version, if one did. */
  async function addVersion(
    { profileUuid }: Pick<Principal, 'profileUuid'>,
    uuid: string,
    file: ReceivedFile,
    model: Facts['model'],
  ): Promise<Stored> {
    const now = clock.now();
    const stored = await database.transaction(async (tx) => {
      await quota.reserve(tx, profileUuid, { documents: 0, bytes: file.fileSize });
      const version = await nextVersion(tx, profileUuid, uuid);
      const taken = await take(tx, profileUuid, file);
      await tx.query(statements.addVersion({ ...taken, documentUuid: uuid, profileUuid, version, now }));
      await tx.query(statements.setVersion(uuid, version, now));
      if (model)
        await tx.query(
          statements.attribute({ documentUuid: uuid, profileUuid, ...model, contribution: 'updated' }, now),
        );
      return queued(tx, profileUuid, uuid, taken.contentHash);
    });
    announce(stored.document);
    return stored;
  }

  /**
   * Makes an older version the newest one again: a new version with its content.
   *
   * @throws {ApiError} `NOT_FOUND`; `CONFLICT` for a document with 1 000 versions.
   */
  async function restoreVersion(caller: Caller, uuid: string, number: number): Promise<Stored> {
    const { profileUuid } = authorize(caller, 'documents:write');
    const known = requireUuid(uuid, documentNotFound);
    const now = clock.now();
    const stored = await database.transaction(async (tx) => {
      const version = await nextVersion(tx, profileUuid, known);
      const isNumber = Number.isInteger(number) && number > 0 && number < version;
      const [old] = isNumber
        ? await tx.query<statements.VersionRow & { storage_key: string }>(statements.versionByNumber(known, number))
        : [];
      if (!old) throw new ApiError('NOT_FOUND', 'Version not found');
      const [row] = await tx.query<fileStatements.FileRow>(fileStatements.share(old.storage_key));
      if (!row) throw new ApiError('NOT_FOUND', 'Version not found');
      const file = { ...fileOf(row), fileName: old.file_name };
      await tx.query(statements.addVersion({ ...file, documentUuid: known, profileUuid, version, now }));
      await tx.query(statements.setVersion(known, version, now));
      return queued(tx, profileUuid, known, file.contentHash);
    });
    announce(stored.document);
    return stored;
  }

  async function nextVersion(tx: Pick<Database, 'query'>, profileUuid: string, uuid: string): Promise<number> {
    const [held] = await tx.query<statements.DocumentRow>(statements.hold(uuid, profileUuid));
    if (!held || held.deleted_at !== null) throw documentNotFound();
    if (held.version >= versionsMax)
      throw new ApiError('CONFLICT', `A document can have at most ${versionsMax} versions`);
    return held.version + 1;
  }

  async function take(tx: Pick<Database, 'query'>, profileUuid: string, { uuid }: ReceivedFile): Promise<ReceivedFile> {
    const [row] = await tx.query<fileStatements.FileRow>(fileStatements.take(uuid, profileUuid, clock.now()));
    if (!row) throw new ApiError('CONFLICT', 'The file belongs to a document already, or was received too long ago');
    return fileOf(row);
  }

  /** Puts the ingestion into the queue, and reads the document as it is now. */
  async function queued(tx: Database, profileUuid: string, uuid: string, contentHash: Buffer): Promise<Stored> {
    await send(tx, profileUuid, uuid);
    const [row] = await tx.query<statements.DocumentRow>(statements.hold(uuid, profileUuid));
    const [twin] = await tx.query<{ uuid: string }>(statements.duplicates(profileUuid, contentHash, uuid));
    return { document: statements.documentOf(row as statements.DocumentRow), duplicateOf: twin?.uuid ?? null };
  }

  /** Puts a document into the queue. Documents of a profile with many waiting come after those of profiles with few. */
  async function send(tx: Pick<Database, 'query'>, profileUuid: string, documentUuid: string): Promise<void> {
    const [row] = await tx.query<{ count: number }>(statements.waiting(profileUuid));
    const job: DocumentJob = { documentUuid };
    await queue.send(tx, 'documents', [job], row?.count ?? 0);
  }

  /** Wakes the workers and signals subscribers. Call it after the commit. */
  function announce({ uuid, profileUuid, version, status, progress: percent, failureReason }: DocumentRecord): void {
    events.publish(queuesChannel, 'documents');
    progress.publish(profileUuid, { documentUuid: uuid, version, status, progress: percent, failureReason });
  }

  return { add, addVersion, restoreVersion, send, announce };
}
