import type { Readable } from 'node:stream';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { fileMissing } from './document.ts';
import type { Library } from './library.ts';
import type { ByteRange, Storage } from './storage/storage.ts';

export interface DownloadDependencies extends Pick<Platform, 'log'> {
  readonly storage: Storage;
  readonly library: Pick<Library, 'storedVersion'>;
}

/** Reading the files of documents. */
export function createDownloads({ storage, library, log }: DownloadDependencies) {
  /**
   * Opens the file of a version of one of the caller's own documents.
   *
   * @param input.version The current one if null.
   * @param input.range A part of it; the whole file if left out.
   * @throws {ApiError} `NOT_FOUND`, also for a file that is missing from the storage; `UNAVAILABLE` when the storage fails.
   */
  async function open(
    caller: Caller,
    input: { uuid: string; version: number | null; range?: ByteRange | undefined },
  ): Promise<Readable> {
    authorize(caller, 'documents:read');
    const { storageKey, version } = await library.storedVersion(caller, input.uuid, input.version);
    if (version.failureCode === fileMissing.code) throw new ApiError('NOT_FOUND', fileMissing.reason);
    try {
      return await opened(await storage.read(storageKey, input.range));
    } catch (error) {
      log.error({ error, document: input.uuid }, 'the file of a document could not be read');
      throw new ApiError('UNAVAILABLE', 'The file cannot be read now; try again', { retryAfter: 5, cause: error });
    }
  }

  return { open };
}

/** A stream that has begun: what fails later can only end the response. */
function opened(content: Readable): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      content.off('readable', onReadable).off('end', onReadable).off('error', settle);
      if (error) reject(error);
      else resolve(content);
    };
    const onReadable = () => settle();
    content.on('readable', onReadable).on('end', onReadable).on('error', settle);
  });
}
