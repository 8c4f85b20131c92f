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
   * Reads a file in a process of its own, one file at a time, the others in the order of their calls.
   *
   * @param path A file in the folder of the extractor.
   * @param fileName As the client named it: it only tells kinds of text apart.
   * @param signal Gives up; the promise rejects with its reason.
   * @throws {ExtractionFailure} for a file that is not read, or not within the limits: another try ends in the same way.
   * @throws {Error} where the file cannot be opened, and after `close`: another try may succeed.
   */
  extract(path: string, fileName: string, signal?: AbortSignal): Promise<ExtractedFile>;
  /** The type of a file as far as its first 4 kB tell, or null for a type that is not read. `extract` looks at the whole file. */
  typeOf(head: Buffer, fileName: string): string | null;
  /** Ends the process. Files that wait or are being read are given up. */
  close(): Promise<void>;
}

/**
 * Reads text from files. The process that reads starts with the first file; it is killed and replaced at a limit, and when what it read
 * has left it with much memory.
 *
 * @param options.folder An absolute path. The process that reads can open the files of this folder alone.
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
      // What earlier files have left in the memory is no fault of this one.
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
