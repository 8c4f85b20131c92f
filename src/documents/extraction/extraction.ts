import { readFile } from 'node:fs/promises';
import type { Logger } from '../../platform/logger.ts';
import { type Chunk, chunksOf } from '../chunks.ts';
import { defaultLimits, type Extraction, ExtractionFailure, type ExtractionLimits } from './extracted.ts';
import { kindOf, typeOf } from './file-kind.ts';
import { readText, unsupported } from './text.ts';

export { type Extraction, ExtractionFailure, type ExtractionLimits } from './extracted.ts';

/** What was read from a file, and its passages, so that cutting a long text costs this process no time. */
export interface ExtractedFile extends Extraction {
  readonly chunks: readonly Chunk[];
}

export interface Extractor {
  /**
   * Reads a file.
   *
   * @param fileName As the client named it: it only tells kinds of text apart.
   * @throws {ExtractionFailure} for a file that is not read; another error where reading was given up because of `signal` or `close`.
   */
  extract(path: string, fileName: string, signal?: AbortSignal): Promise<ExtractedFile>;
  /** The type of a file as far as its first 4 kB tell, or null for a type that is not read. */
  typeOf(head: Buffer, fileName: string): string | null;
  close(): Promise<void>;
}

export function createExtractor(options: { log: Logger; limits?: Partial<ExtractionLimits> }): Extractor {
  const limits = { ...defaultLimits, ...options.limits };
  return {
    async extract(path, fileName, signal) {
      signal?.throwIfAborted();
      const bytes = await readFile(path);
      if (bytes.length === 0) throw new ExtractionFailure('EMPTY', 'The file has no content.');
      if (kindOf(bytes) !== 'text') throw unsupported();
      const extraction = readText(bytes, fileName, limits);
      return { ...extraction, chunks: chunksOf(extraction) };
    },
    typeOf,
    close: async () => {},
  };
}
