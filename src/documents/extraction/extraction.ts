import type { Logger } from '../../platform/logger.ts';
import { defaultLimits, type ExtractedFile, type ExtractionLimits } from './extracted.ts';
import { typeOf } from './file-kind.ts';
import { type Reader, startReader } from './reader.ts';

export {
  type ExtractedFile,
  type Extraction,
  ExtractionFailure,
  type ExtractionLimits,
  type FailureCode,
} from './extracted.ts';

export interface Extractor {
  /**
   * Reads a file in a separate process, one file at a time, in the order of the calls.
   *
   * @param path A file in the folder of the extractor.
   * @param fileName As the client named it: it only distinguishes kinds of text.
   * @param signal Gives up; the promise rejects with its reason.
   * @throws {ExtractionFailure} for a file that cannot be read within the limits: another attempt fails in the same
   * way.
   * @throws {Error} if the file cannot be opened, and after `close`: another attempt may succeed.
   */
  extract(path: string, fileName: string, signal?: AbortSignal): Promise<ExtractedFile>;
  /**
   * The type of a file according to its first 4 kB, or null for an unsupported type. `extract` checks the whole file.
   */
  typeOf(head: Buffer, fileName: string): string | null;
  /** Ends the process. Files that wait or are being read are given up. */
  close(): Promise<void>;
}

/**
 * Reads text from files. The reading process starts with the first file; it is killed and replaced at a limit, and when
 * it holds much memory.
 *
 * @param options.folder An absolute path. The reading process can open only the files of this folder.
 * @param options.limits Instead of the default ones (extracted.ts).
 */
export function createExtractor(options: {
  folder: string;
  log: Logger;
  limits?: Partial<ExtractionLimits>;
}): Extractor {
  const limits: ExtractionLimits = { ...defaultLimits, ...options.limits };
  const closing = new AbortController();
  let reader: Reader | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function read(path: string, fileName: string, signal: AbortSignal): Promise<ExtractedFile> {
    for (;;) {
      signal.throwIfAborted();
      if (reader === null || reader.isOver()) reader = startReader({ ...options, limits });
      const isFirst = reader.filesRead === 0;
      const outcome = await reader.read(path, fileName, signal);
      if ('extracted' in outcome) return outcome.extracted;
      // Memory that earlier files have left is not the fault of this file.
      if (isFirst || !outcome.mayBeMemory) throw outcome.failure;
    }
  }

  return {
    extract(path, fileName, signal) {
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const reading = last.then(() => read(path, fileName, either));
      last = reading.catch(() => undefined);
      return reading;
    },
    typeOf,
    async close() {
      closing.abort(new Error('The extractor is closed'));
      await last;
      await reader?.end();
    },
  };
}
