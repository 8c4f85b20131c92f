import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, Server, type Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { ask } from './process-messages.ts';

/** The source of a server's connections: its own port, or the process that owns the port. */
export interface Connections {
  /** Gives connections to the server from now on. @returns The port; null if another process owns it. */
  open(server: HttpServer): Promise<number | null>;
  /**
   * Takes no more connections. Those that the kernel has completed by now are taken before.
   *
   * @returns `ended` resolves when the last connection that was taken has ended.
   */
  close(server: HttpServer): Promise<{ ended: Promise<unknown> }>;
}

/** Listens on its own port. */
export const ownPort = (port: number): Connections => ({
  async open(server) {
    server.listen(port);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },
  async close(server) {
    const ended = once(server, 'close');
    await closePort(server);
    return { ended };
  },
});

/** A round to the port and back that took longer may have let others in behind it. In milliseconds. */
const promptMs = 2;
const roundsMax = 20;
const loopback = '127.0.0.1';

/**
 * Closes the port of a server after it has accepted the connections in the kernel's queue, whose clients would
 * otherwise be reset. The queue is first come, first served: when our own connection comes out of it, no earlier one is
 * left.
 *
 * A connection that arrives at the moment of the close may still be reset: the kernel cannot reject new connections and
 * keep old ones.
 */
export async function closePort(server: Server): Promise<void> {
  if (!server.listening) return;
  const { port } = server.address() as AddressInfo;
  for (let round = 1; server.listening; round++) await lastOfTheQueue(server, port, round === roundsMax);
}

/** Without what HTTP adds: it would close idle connections whose next request has arrived and is not read yet. */
const stopListening = (server: Server) => Server.prototype.close.call(server);

/** Connects to the port, and closes it at once when this connection comes out of the queue promptly. */
function lastOfTheQueue(server: Server, port: number, isLastRound: boolean): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const own = connect({ port, host: loopback });
    const onConnection = (accepted: Socket) => {
      if (accepted.remotePort !== own.localPort || !accepted.remoteAddress?.endsWith(loopback)) return;
      if (performance.now() - startedAt <= promptMs || isLastRound) stopListening(server);
      finish();
    };
    const finish = () => {
      server.off('connection', onConnection);
      own.destroy();
      resolve();
    };
    server.on('connection', onConnection);
    own.on('error', () => {
      stopListening(server);
      finish();
    });
  });
}

/** The message to and from the owner of the port: a connection for you; I have it. */
export const connectionMessage = 'patchbay:connection';
export const takenMessage = 'patchbay:taken';

/** Takes the connections that the owner of the port hands over (handed-out.ts). */
export function handedConnections(): Connections {
  const taken = new Set<Socket>();
  const isEmpty = Promise.withResolvers<void>();
  let isClosed = false;
  const settle = () => {
    if (isClosed && taken.size === 0) isEmpty.resolve();
  };
  return {
    async open(server) {
      process.on('message', (message: unknown, socket?: Socket) => {
        if (message !== connectionMessage) return;
        // First the receipt: what this process reads from the connection cannot be given to another.
        process.send?.(takenMessage);
        if (!socket) return;
        taken.add(socket);
        socket.once('close', () => {
          taken.delete(socket);
          settle();
        });
        server.emit('connection', socket);
      });
      // A server starts to watch over slow senders when it listens, which this one never does.
      server.emit('listening');
      return null;
    },
    async close() {
      await ask('leave');
      // The last of them come before the response; they get a turn to be read.
      await turnOfTheLoop();
      isClosed = true;
      settle();
      return { ended: isEmpty.promise };
    },
  };
}
