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

/** Closes, and throws away what the peer still sends. ws ends the connection itself if the peer does not. */
export function refuse(client: WebSocket, wire: Socket, code: number, reason: string): void {
  client.close(code, reason);
  wire.removeAllListeners('data');
  wire.resume();
}
