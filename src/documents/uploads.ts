import { Readable } from 'node:stream';
import type { z } from 'zod';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, isUuid, parse, requireUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { Additions, Stored } from './additions.ts';
import { documentNotFound, requireOwn } from './document.ts';
import type { Files, ReceivedFile } from './files.ts';
import { type DocumentSource, NewText, NewUpload, titleOfFile } from './input.ts';
import type { Quota } from './quota.ts';

export interface UploadDependencies extends Pick<Platform, 'database'> {
  readonly files: Files;
  readonly quota: Quota;
  readonly additions: Pick<Additions, 'add' | 'addVersion'>;
}

const endings = { md: 'md', txt: 'txt', json: 'json', html: 'html' } as const;

/** How documents come into the library. Source: docs/specification/documents.md#upload. */
export function createUploads({ database, files, quota, additions }: UploadDependencies) {
  const { add, addVersion } = additions;

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
    if (file === null) throw invalid({ fileUuid: 'fileUuid is not a received file' });
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

  return { receive, received, discard, create, createText, createAiText };
}
