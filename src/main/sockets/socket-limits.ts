import type { BodyPace } from '../http/body-pace.ts';

/** Limits of sockets, each named after its unit. Why these figures: docs/decisions/0014-sockets.md. */
export const socketLimits = {
  /** Sockets of one caller (a key, else a user) at a time; the next is closed with 4429. */
  socketsPerCaller: 100,
  /** Sockets of one address that have not said who they are; the next upgrade is answered 429. */
  unauthenticatedPerAddress: 100,
  /** Operations that one socket runs at a time; the next is refused with an `error` of code RATE_LIMITED. */
  operationsPerSocket: 100,
  /** Messages, pings and pongs of one socket within a second; over it the socket is closed with 4429. */
  messagesPerSecond: 500,
  /** A frame holds one operation with its variables: a value of 2 MB fits, written with escapes. Over it: 1009. */
  frameBytes: 13_500_000,
  /** Pieces in which an unfinished frame may come; over it 1008, by ws. */
  frameChunks: 32 * 1024,
  /** How fast a message has to come, once its first byte is there; then 4408. */
  pace: { graceMs: 10_000, bytesPerSecond: 300_000 } as BodyPace,
  /** A ping or pong of the protocol, with its payload. Over it: 4400. */
  pingBytes: 1024,
  /** The id of an operation, which stands in each of its messages. In characters; over it: 4400. */
  idCharacters: 256,
  /** All that a socket sends until it is acknowledged, as much as an unknown caller's body over HTTP. Over it: 1009. */
  unauthenticatedBytes: 64 * 1024,
  /**
   * Waiting bytes of one caller over all of its sockets; above it, the socket with the most waiting bytes is closed
   * with 1013.
   */
  waitingBytes: 32 * 1024 * 1024,
  /** From the upgrade to `connection_init`; then 4408. */
  initTimeoutMs: 5_000,
  /** Between pings. A peer that has sent nothing for `silentBeats` of them, not even a pong, is dead. */
  heartbeatMs: 15_000,
  silentBeats: 2,
  /** How long data may wait while the peer takes nothing of it; then 1013, at twice this at the latest. */
  stalledMs: 30_000,
  /** From our closing frame to the end of the connection, for a peer that does not answer it. */
  lingerMs: 2_000,
};

export type SocketLimits = Readonly<typeof socketLimits>;

/**
 * Slots per owner.
 *
 * @param max Slots of each owner.
 */
export function createCallerSlots<Connection extends object>(max: number) {
  const taken = new Map<string, Set<Connection>>();
  const none: ReadonlySet<Connection> = new Set();
  const isFull = (who: string) => (taken.get(who)?.size ?? 0) >= max;

  /** @returns A function that releases the slot; null if all of them are taken. */
  function take(who: string, connection: Connection): (() => void) | null {
    if (isFull(who)) return null;
    const connections = taken.get(who) ?? new Set();
    taken.set(who, connections.add(connection));
    return () => {
      connections.delete(connection);
      if (connections.size === 0 && taken.get(who) === connections) taken.delete(who);
    };
  }

  /** The connections that a caller holds now. */
  const of = (who: string): ReadonlySet<Connection> => taken.get(who) ?? none;

  return { take, isFull, of };
}
