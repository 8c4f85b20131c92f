import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ExtractionFailure, type ExtractionLimits } from './extracted.ts';

/** The files of a zip archive, unpacked when asked for. An archive within it is a file like any other. */
export interface Archive {
  has(name: string): boolean;
  /**
   * The content of a file, piece by piece; empty for a file that does not exist.
   *
   * @throws {ExtractionFailure} TOO_LARGE_EXPANDED while unpacking, over all files read so far; ENCRYPTED; DAMAGED
   */
  read(name: string): AsyncGenerator<Buffer>;
}

/** From here on the ratio counts: a small file may repeat itself. In bytes unpacked. */
const ratioFrom = 1024 * 1024;

/** @throws {ExtractionFailure} DAMAGED; TOO_LARGE_EXPANDED for too many files. */
export async function openArchive(bytes: Buffer, limits: ExtractionLimits): Promise<Archive> {
  const archive = await undamaged(() => fromBufferPromise(bytes, { lazyEntries: true }));
  const entries = await undamaged(() => entriesOf(archive, limits));
  let unpacked = 0;

  return {
    has: (name) => entries.has(name),
    async *read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return;
      if (entry.isEncrypted()) throw new ExtractionFailure('ENCRYPTED', 'The file is protected by a password.');
      const stream = await undamaged(() => archive.openReadStreamPromise(entry));
      try {
        for await (const piece of stream as AsyncIterable<Buffer>) {
          unpacked += piece.length;
          if (unpacked > limits.unpackedBytes || unpacked > Math.max(bytes.length * limits.ratio, ratioFrom))
            throw tooLarge(limits);
          yield piece;
        }
      } catch (error) {
        throw error instanceof ExtractionFailure ? error : damaged(error);
      } finally {
        stream.destroy();
      }
    },
  };
}

async function entriesOf(archive: ZipFile, limits: ExtractionLimits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of archive.eachEntry()) {
    if (entries.size >= limits.entries)
      throw new ExtractionFailure('TOO_LARGE_EXPANDED', `The archive holds more than ${limits.entries} files.`);
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
  }
  return entries;
}

const tooLarge = ({ unpackedBytes, ratio }: ExtractionLimits): ExtractionFailure =>
  new ExtractionFailure(
    'TOO_LARGE_EXPANDED',
    `The file unpacks to more than ${Math.floor(unpackedBytes / 1024 ** 2)} MiB, or to more than ${ratio} times its size.`,
  );

async function undamaged<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof ExtractionFailure ? error : damaged(error);
  }
}

/** A file that ends early, or whose parts contradict each other. The cause goes to the log alone. */
export function damaged(cause: unknown): ExtractionFailure {
  const failure = new ExtractionFailure('DAMAGED', 'The file is damaged: it could not be read to its end.');
  failure.cause = cause;
  return failure;
}
