import type { Readable } from 'node:stream';

/** Where an S3-compatible storage is, and how to sign in. */
export interface BucketSettings {
  readonly name: string;
  /** Null for that of AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** How long a connection may be silent, in milliseconds; 30 000 if left out. */
  readonly idleMs?: number;
}

/** A part of a file: the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file as the storage lists it. */
export interface StoredFile {
  readonly key: string;
  /** By the clock of the storage. */
  readonly modifiedAt: Date;
}

/** Files by random keys. Errors are those of the system: callers turn them into `UNAVAILABLE`, or try again. */
export interface Storage {
  /** The folder of this machine in which `withFile` shows files, and no other file is. */
  readonly readingFolder: string;
  /**
   * Writes a new file. When this resolves, the file outlasts a crash of the machine. After an error a part of it may be there:
   * remove it.
   */
  write(key: string, content: Readable): Promise<void>;
  /** A file, or a part of it. The stream fails for a file that does not exist. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Whether there is a file. */
  exists(key: string): Promise<boolean>;
  /**
   * All files whose keys begin with a part and a slash, in no order, read page by page. A file that is added or removed
   * during the listing may be left out.
   */
  list(part: string): AsyncIterable<StoredFile>;
  /** Removes a file. A missing file is not an error. */
  remove(key: string): Promise<void>;
  /** Runs work on a file by a path in `readingFolder`. The path exists only during the work. */
  withFile<Result>(key: string, work: (file: string) => Promise<Result>): Promise<Result>;
}
