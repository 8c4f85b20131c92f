import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { ApiError } from '../platform/errors.ts';

/** Bytes that decide the type of a file. */
const headBytes = 4_100;

/** Passes the bytes of a file on, and records its size, type and hash. */
export class Meter extends Transform {
  /** Bytes so far. */
  size = 0;
  /** The first 4 100 bytes. */
  head: Buffer = Buffer.alloc(0);
  readonly #bytesMax: number;
  readonly #hash = createHash('sha256');

  /** @param bytesMax A file of more bytes ends with `TOO_LARGE`. */
  constructor(bytesMax: number) {
    super();
    this.#bytesMax = bytesMax;
  }

  /** SHA-256, once the file has ended. */
  digest(): Buffer {
    return this.#hash.digest();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.#bytesMax) {
      done(fileTooLarge(this.#bytesMax));
      return;
    }
    if (this.head.length < headBytes)
      this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes - this.head.length)]);
    this.#hash.update(chunk);
    done(null, chunk);
  }
}

const fileTooLarge = (bytesMax: number) =>
  new ApiError('TOO_LARGE', `The file is larger than ${Math.floor(bytesMax / 1024 / 1024)} MB`);
