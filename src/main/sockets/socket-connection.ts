import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { anonymous, type Caller } from '../../platform/caller.ts';
import type { Logger } from '../../platform/logger.ts';
import { withEmptyQuery } from '../graphql/persisted-queries.ts';
import { requestIdOf } from '../http/requests.ts';
import { closing, endSoon, refuse } from './socket-closing.ts';
import type { SocketLimits } from './socket-limits.ts';
import { boundMessages, type MessageDependencies } from './socket-messages.ts';

/** The state of a connection between its upgrade and its end. */
export interface Connection {
  readonly request: IncomingMessage;
  readonly client: WebSocket;
  readonly address: string;
  /** Null until `connection_init` has been acknowledged. */
  caller: Caller | null;
  /** Messages that are being worked on; an operation counts until its last result is sent. */
  running: number;
  /** Of the message that is handed over now. */
  messageBytes: number;
  /** Subscriptions that are open, so that none outlives the connection. */
  readonly streams: Set<AsyncGenerator<unknown>>;
  /** Actions at the end of the connection. The first releases its slot among unauthenticated connections. */
  readonly undo: (() => void)[];
}

/**
 * Stands between `ws` and graphql-ws: input is bounded by size and rate, output by its waiting bytes, and a dead or
 * stalled peer is closed.
 *
 * @param relatives The sockets of the same caller, this one included.
 */
export function carry(
  connection: Connection,
  deps: MessageDependencies & { relatives: () => Iterable<WebSocket>; log: Logger },
): ProtocolSocket {
  const { limits, relatives, log } = deps;
  const { client, request } = connection;
  const wire = request.socket;
  const isOpen = () => client.readyState === client.OPEN;
  // What ws finds wrong with a frame it closes itself, with the right code; without a listener the process would end.
  client.on('error', (error) => {
    log.debug({ requestId: requestIdOf(request), error }, 'a socket broke');
    endSoon(wire);
  });
  refuseEarlyBytes(connection, wire, limits);
  const callerOf = () => connection.caller ?? anonymous(connection.address);
  const messages = boundMessages(wire, callerOf, (code, reason) => refuse(client, wire, code, reason), deps);
  connection.undo.push(messages.end);
  const isWithinRate = countedPerSecond(limits.messagesPerSecond);
  const admitted = () => {
    if (!isOpen()) return false;
    if (isWithinRate()) return true;
    refuse(client, wire, closing.tooMany, 'Too many messages');
    return false;
  };
  client.on('ping', admitted);
  client.on('pong', admitted);
  watchPulse(connection, wire, limits);

  return {
    protocol: client.protocol,
    send: (text) =>
      new Promise((resolve) => {
        if (client.bufferedAmount > 0) dropSlowest(relatives(), limits.waitingBytes);
        // A peer that has gone gets no more messages; its end arrives as a separate event.
        if (isOpen()) client.send(text, () => resolve());
        else resolve();
      }),
    close: (code, reason) => client.close(code, reason),
    onMessage(take) {
      client.on('message', async (data) => {
        messages.end();
        // After our closing frame nothing counts any more.
        if (!admitted()) return;
        const hold = messages.admit(data as Buffer);
        if (hold === null) return;
        connection.running += 1;
        connection.messageBytes = (data as Buffer).length;
        try {
          await take(withEmptyQuery(data as Buffer));
        } catch (error) {
          log.error({ requestId: requestIdOf(request), error }, 'a message over a socket failed');
          client.close(CloseCode.InternalServerError, 'Internal server error');
        } finally {
          connection.running -= 1;
          hold.give();
        }
      });
    },
  };
}

/**
 * The server's frame limit is for authenticated callers; before that, every byte counts, in whole or partial frames.
 */
function refuseEarlyBytes(connection: Connection, wire: Socket, { unauthenticatedBytes }: SocketLimits): void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    if (connection.caller) return void wire.off('data', count);
    bytes += chunk.length;
    if (bytes > unauthenticatedBytes)
      refuse(connection.client, wire, closing.tooLarge, 'Too large before connection_init');
  };
  wire.on('data', count);
}

/** @returns Counts one more, and says whether this second may have it. */
function countedPerSecond(max: number): () => boolean {
  let startedAt = performance.now();
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - startedAt >= 1_000) {
      startedAt = now;
      count = 0;
    }
    count += 1;
    return count <= max;
  };
}

function dropSlowest(relatives: Iterable<WebSocket>, bytesMax: number): void {
  let sum = 0;
  let slowest: WebSocket | null = null;
  for (const each of relatives) {
    sum += each.bufferedAmount;
    if (slowest === null || each.bufferedAmount > slowest.bufferedAmount) slowest = each;
  }
  if (sum > bytesMax) slowest?.close(closing.tryAgainLater, 'Too slow');
}

/**
 * Closes dead connections. While no data waits to be sent, silence is the sign. While data waits, a ping waits behind
 * it, so the sign is whether the peer accepts any of it, which Node's own timeout of a connection detects.
 */
function watchPulse({ client, undo }: Connection, wire: Socket, limits: SocketLimits): void {
  let heardBytes = -1;
  let silentBeats = 0;
  const pulse = setInterval(() => {
    silentBeats = wire.bytesRead === heardBytes && client.bufferedAmount === 0 ? silentBeats + 1 : 0;
    heardBytes = wire.bytesRead;
    if (silentBeats >= limits.silentBeats) client.terminate();
    else if (client.readyState === client.OPEN) client.ping();
  }, limits.heartbeatMs).unref();
  undo.push(() => clearInterval(pulse));
  wire.setTimeout(limits.stalledMs);
  wire.on('timeout', () => {
    if (client.bufferedAmount > 0) client.close(closing.tryAgainLater, 'Too slow');
  });
}
