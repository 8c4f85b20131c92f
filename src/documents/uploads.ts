import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse, requireUuid } from '../platform/input/input.ts';
import type { Events } from '../platform/messaging/events.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import { type Queue, queuesChannel } from '../platform/messaging/queue.ts';
import { type DocumentRecord, documentNotFound, requireOwn } from './document.ts';
import * as fileStatements from './file-statements.ts';
import { type Files, fileOf, type ReceivedFile } from './files.ts';
import { type DocumentSource, type DocumentVisibility, NewText, NewUpload, titleOfFile } from './input.ts';
import type { Progress } from './progress.ts';
import type { Quota } from './quota.ts';
import * as statements from './statements.ts';

/** Payload of a job: a document with pending work. The document has the details. */
export interface DocumentJob {
  readonly documentUuid: string;
}

export interface UploadDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly outbox: Outbox<EventPayloads>;
  readonly queue: Pick<Queue, 'send'>;
  readonly files: Files;
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
const endings = { md: 'md', txt: 'txt', json: 'json', html: 'html' } as const;

export type Uploads = ReturnType<typeof createUploads>;

/** How documents come into the library. Source: docs/specification/documents.md#upload. */
export function createUploads(deps: UploadDependencies) {
  const { database, clock, events, outbox, queue, files, progress, quota, notify } = deps;

  /**
   * Receives a file. It becomes a document by `create`, within an hour.
   *
   * @throws {ApiError} as `Files.receive`.
   */
  async function receive(caller: Caller, file: { fileName: string; content: Readable }): Promise<ReceivedFile> {
    const { profileUuid } = authorize(caller, 'documents:write');
    return files.receive(profileUuid, file);
  }

  /** A file that the caller's profile has sent and that no document has yet. @throws {ApiError} `NOT_FOUND` */
  async function received(caller: Caller, uuid: string): Promise<ReceivedFile> {
    const { profileUuid } = authorize(caller, 'documents:write');
    const file = isUuid(uuid) ? await files.find(profileUuid, uuid) : null;
    if (file === null) throw new ApiError('NOT_FOUND', 'File not found');
    return file;
  }

  /** Forgets a received file of which no document is made. */
  async function discard(caller: Caller, file: ReceivedFile): Promise<void> {
    authorize(caller, 'documents:write');
    await files.discard(file);
  }

  /**
   * Makes a document of a received file, or a new version of one. Its ingestion is queued in the same transaction.
   *
   * @param input.documentId A document of the caller's, of which the file becomes the newest version; its other facts stay.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for another profile or document; `CONFLICT` over the limits of the profile.
   * @see docs/specification/documents.md#upload
   */
  async function create(caller: Caller, input: z.input<typeof NewUpload>): Promise<Stored> {
    const principal = authorize(caller, 'documents:write');
    const { fileUuid, documentId, profileUuid, ...given } = parse(NewUpload, input);
    requireOwn(principal.profileUuid, profileUuid);
    const file = isUuid(fileUuid) ? await files.find(principal.profileUuid, fileUuid) : null;
    if (file === null)
      throw new ApiError('VALIDATION_ERROR', 'Validation error', {
        details: { fileUuid: 'fileUuid is not a received file' },
      });
    if ((documentId ?? null) !== null)
      return addVersion(principal, requireUuid(String(documentId), documentNotFound), file, null);
    return add(principal, file, {
      title: given.title ?? titleOfFile(file.fileName),
      description: given.description ?? null,
      tags: given.tags ?? [],
      visibility: given.visibility ?? 'private',
      source: 'upload',
      model: null,
    });
  }

  /**
   * Makes a document of a text.
   *
   * @throws {ApiError} as `create`.
   */
  async function createText(caller: Caller, input: z.input<typeof NewText>): Promise<Stored> {
    const principal = authorize(caller, 'documents:write');
    return addText(principal, parse(NewText, input), 'api');
  }

  /**
   * Creates a document that an AI model wrote, and notifies the users of the profile.
   *
   * @throws {ApiError} as `create`.
   * @see docs/specification/documents.md#documents-by-models
   */
  async function createAiText(caller: Caller, input: z.input<typeof NewText>): Promise<Stored> {
    const principal = authorize(caller, 'documents:write');
    return addText(principal, parse(NewText, input), 'ai_generated');
  }

  async function addText(
    principal: Principal,
    { content, format, profileUuid, ...given }: z.output<typeof NewText>,
    source: DocumentSource,
  ): Promise<Stored> {
    requireOwn(principal.profileUuid, profileUuid);
    await quota.begin({ principal, address: '' }, Buffer.byteLength(content));
    const fileName = `${given.title}.${endings[format ?? 'md']}`;
    const file = await files.receive(principal.profileUuid, {
      fileName,
      content: Readable.from([Buffer.from(content)]),
    });
    try {
      return await add(principal, file, {
        title: given.title,
        description: given.description ?? null,
        tags: given.tags ?? [],
        visibility: given.visibility ?? 'private',
        source,
        model: given.model ?? null,
      });
    } catch (error) {
      await database.outsideUnit(() => files.discard(file));
      throw error;
    }
  }

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

  return { receive, received, discard, create, createText, createAiText, restoreVersion, send, announce };
}
