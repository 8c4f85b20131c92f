import type { Socket } from 'node:net';
import { largeStep } from '../json/large-steps.ts';

/** Bytes that are given to the system at once. It copies, or encrypts, them before it goes on. */
const pieceBytes = 128 * 1024;

/** Up to so many bytes one block is given to the system faster than its parts. */
const copiedBytesMax = 16 * 1024;

type Done = (error?: Error | null) => void;
type Write = (chunk: Buffer, encoding: BufferEncoding, done: Done) => void;
type Writev = (chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: Done) => void;

/**
 * Lets a connection send large statements in pieces, with turns of the event loop between them: 2 MB at once take milliseconds.
 *
 * @param socket Of TCP or TLS. A connection over TLS is another socket than the one that it began on, and writes past that.
 */
export function sendInPieces(socket: Socket): void {
  const write: Write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket) as Writev;

  /** Node writes nothing else to the socket before `done`. */
  function send([chunk, ...rest]: readonly Buffer[], done: Done): void {
    if (chunk === undefined) {
      done();
      return;
    }
    const piece = chunk.subarray(0, pieceBytes);
    const left = piece.length < chunk.length ? [chunk.subarray(pieceBytes), ...rest] : rest;
    const sent: Done = (error) => (error ? done(error) : send(left, done));
    void largeStep(() => write(piece, 'buffer' as BufferEncoding, sent));
  }

  socket._write = (chunk: Buffer, encoding, done) => {
    if (chunk.length <= pieceBytes) write(chunk, encoding, done);
    else send([chunk], done);
  };
  socket._writev = (chunks: { chunk: Buffer; encoding: BufferEncoding }[], done) => {
    const buffers = chunks.map(({ chunk }) => chunk);
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    if (bytes <= copiedBytesMax) write(Buffer.concat(buffers, bytes), 'buffer' as BufferEncoding, done);
    else if (bytes <= pieceBytes) writev(chunks, done);
    else send(buffers, done);
  };
}
