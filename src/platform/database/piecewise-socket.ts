import { Socket } from 'node:net';
import { largeStep } from '../json/large-steps.ts';

/** Bytes that are given to the system at once. It copies them before it goes on. */
const pieceBytes = 128 * 1024;

/** Up to so many bytes one block is given to the system faster than its parts. */
const copiedBytesMax = 16 * 1024;

type Done = (error?: Error | null) => void;

/** A connection that sends large statements in pieces, with turns of the event loop between them: 2 MB at once take milliseconds. */
export class PiecewiseSocket extends Socket {
  override _write(chunk: Buffer, encoding: BufferEncoding, done: Done): void {
    if (chunk.length <= pieceBytes) super._write(chunk, encoding, done);
    else this.#send([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: Done): void {
    const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
    if (bytes <= copiedBytesMax)
      super._write(
        Buffer.concat(
          chunks.map(({ chunk }) => chunk),
          bytes,
        ),
        'buffer' as BufferEncoding,
        done,
      );
    else if (bytes <= pieceBytes) super._writev?.(chunks, done);
    else
      this.#send(
        chunks.map(({ chunk }) => chunk),
        done,
      );
  }

  /** Node writes nothing else to the socket before `done`. */
  #send([chunk, ...rest]: readonly Buffer[], done: Done): void {
    if (chunk === undefined) {
      done();
      return;
    }
    const piece = chunk.subarray(0, pieceBytes);
    const left = piece.length < chunk.length ? [chunk.subarray(pieceBytes), ...rest] : rest;
    const sent: Done = (error) => (error ? done(error) : this.#send(left, done));
    void largeStep(() => super._write(piece, 'buffer' as BufferEncoding, sent));
  }
}
