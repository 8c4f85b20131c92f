import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Closing codes that graphql-ws does not name: of RFC 6455, 7.4.1, and of our own, after HTTP's statuses. */
export const closing = {
  goingAway: 1001,
  tooLarge: 1009,
  tryAgainLater: 1013,
  tooSlow: 4408,
  tooMany: 4429,
} as const;

/** Bytes that are read and thrown away after the closing frame, so that a peer that is still sending comes to read it. */
const lingerBytesMax = 2_000_000;
const lingerMs = 1_000;

/** Sends a closing frame, reads nothing more of what the peer sends, and ends the connection soon. */
export function refuse(client: WebSocket, wire: Socket, code: number, reason: string): void {
  client.close(code, reason);
  endSoon(wire);
}

/** Throws away what the peer still sends, for a second and up to 2 MB, and ends the connection. */
export function endSoon(wire: Socket): void {
  let bytes = 0;
  wire.removeAllListeners('data');
  wire.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > lingerBytesMax) wire.destroy();
  });
  wire.resume();
  const timer = setTimeout(() => wire.destroySoon(), lingerMs);
  wire.once('close', () => clearTimeout(timer));
}
