import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface TcpProxy {
  /** The URL with this proxy in place of the server behind it. */
  readonly url: string;
  /** Every connection ends with a reset, and new ones are refused. */
  cut(): Promise<void>;
  /** Connections stay, and not a byte passes. */
  stall(): void;
  /** The same for the connections of now; new ones are well. */
  strand(): void;
  /** Every byte comes so much later, each way. */
  slow(milliseconds: number): void;
  /** As it was at first. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a program and the server of a URL, so that a test can take the network away. */
export async function createTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let latencyMs = 0;
  const delayed = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (latencyMs === 0) return done(null, chunk);
        setTimeout(() => this.push(chunk), latencyMs);
        done();
      },
      flush(done) {
        setTimeout(done, latencyMs);
      },
    });
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (!isStalled) from.pipe(delayed()).pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);

  async function cut(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  }

  function strand(): void {
    for (const socket of sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  return {
    url: url.href,
    cut,
    stall() {
      isStalled = true;
      strand();
    },
    strand,
    slow(milliseconds) {
      latencyMs = milliseconds;
    },
    async restore() {
      isStalled = false;
      latencyMs = 0;
      // What was held back is lost with its connections.
      for (const socket of sockets) socket.resetAndDestroy();
      if (!server.listening) await listen(own);
    },
    async close() {
      if (server.listening) await cut();
    },
  };
}
