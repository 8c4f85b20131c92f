import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { closePort, connectionMessage, takenMessage } from './connections.ts';

/** A port whose connections are handed to other processes. */
export interface SharedPort {
  /** @returns The port. */
  listen(port: number): Promise<number>;
  /** Hands connections to this process from now on. */
  add(process: ChildProcess): void;
  /** Hands this process no more connections. */
  leave(process: ChildProcess): void;
  /** This process has ended: its waiting connections go to the next one. */
  lost(process: ChildProcess): void;
  /** Closes the port, and resolves when all connections are handed over. */
  close(): Promise<void>;
  /** Closes the port, and the connections that wait. */
  end(): void;
}

/** Connections that wait while no process can take them; more are closed. */
const waitingMax = 4_096;

/**
 * Owns the port, so that it outlives the processes that answer requests: accepts each connection, reads nothing from it, and hands it
 * to the next process in turn that is free. A connection stays open here until the process has said that it took it; if that
 * process ends before, the connection goes to another one. While there is none, connections wait.
 *
 * node:cluster would close the port with the last process, and forget a connection on its way.
 */
export function sharedPort(): SharedPort {
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  const waiting: Socket[] = [];
  /** Processes that can take a connection now, in turn. */
  const free: ChildProcess[] = [];
  const onTheWay = new Map<ChildProcess, Socket>();
  const members = new Set<ChildProcess>();
  const handedOver = Promise.withResolvers<void>();
  let closing: Promise<void> | null = null;

  function handOver(): void {
    while (waiting.length > 0 && free.length > 0) {
      const process = free.shift() as ChildProcess;
      const socket = waiting.shift() as Socket;
      onTheWay.set(process, socket);
      // A process that cannot be reached is about to be lost.
      process.send(connectionMessage, socket, { keepOpen: true }, () => undefined);
    }
    if (closing && !server.listening && waiting.length === 0 && onTheWay.size === 0) handedOver.resolve();
  }

  function leave(process: ChildProcess): void {
    members.delete(process);
    const index = free.indexOf(process);
    if (index >= 0) free.splice(index, 1);
  }

  server.on('connection', (socket) => {
    // Who hangs up while waiting is found out by the process that takes it.
    socket.on('error', () => undefined);
    if (waiting.length >= waitingMax) return void socket.destroy();
    waiting.push(socket);
    handOver();
  });

  return {
    async listen(port) {
      server.listen(port);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    add(process) {
      members.add(process);
      free.push(process);
      process.on('message', (message: unknown) => {
        if (message !== takenMessage) return;
        onTheWay.get(process)?.destroy();
        onTheWay.delete(process);
        if (members.has(process)) free.push(process);
        handOver();
      });
      handOver();
    },
    leave,
    lost(process) {
      leave(process);
      const socket = onTheWay.get(process);
      if (!socket) return;
      onTheWay.delete(process);
      waiting.unshift(socket);
      handOver();
    },
    async close() {
      closing ??= closePort(server).then(() => handOver());
      await closing;
      await handedOver.promise;
    },
    end() {
      server.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}
