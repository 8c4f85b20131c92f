import type { Duplex } from 'node:stream';
import { withLineFeed } from './line-feed.ts';

/** A request that is not HTTP, or whose headers are over the limit: a response as Node would give it, with a body in our shape. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (error.code === 'HPE_HEADER_OVERFLOW') return void refuseConnection(socket, '431 Request Header Fields Too Large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void refuseConnection(socket, '408 Request Timeout');
  refuseConnection(socket, '400 Bad Request');
}

/** How long a refused sender has to read the response and to close its side. */
const lingerMs = 1_000;

/** Responds and ends a connection, also one whose other side goes on sending. */
export function refuseConnection(socket: Duplex, status: string): void {
  const body = withLineFeed(JSON.stringify({ error: { code: 'VALIDATION_ERROR', message: status.slice(4) } }));
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
