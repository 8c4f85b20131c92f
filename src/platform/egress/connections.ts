import { Client } from 'undici';
import type { Connect } from './connect.ts';
import { EgressError } from './egress-error.ts';
import type { Carrier, Exchange, Line } from './exchange.ts';
import type { Destination } from './urls.ts';

export interface ConnectionLimits {
  readonly connectionsPerOriginMax: number;
  readonly connectionsMax: number;
  /** How long an unused connection stays, in milliseconds; a `Keep-Alive` of the receiver changes it, up to 30 s. */
  readonly idleMs: number;
  /** How long a connection is used before its host is resolved and validated again, in milliseconds. */
  readonly ageMsMax: number;
}

/** The connections of one pool to one origin, and the requests that wait for one. */
interface Origin {
  readonly key: string;
  /** The one used last is used first, so that those too many grow old. */
  readonly idle: Connection[];
  readonly waiting: Set<Exchange>;
  readonly line: Line;
  open: number;
}

interface Connection extends Carrier {
  readonly origin: Origin;
  run(exchange: Exchange): void;
  /** Destroys the socket, or ends the attempt to have one. */
  destroy(): void;
  /** Ends the connection and its exchanges. */
  end(): void;
}

const ignored = () => undefined;

/**
 * Connections by pool and origin, one request at a time on each. undici's Client speaks HTTP/1.1 on its one connection; its Pool is
 * not used, because there a request that waits, or whose connection is not there yet, cannot be ended together with the socket.
 */
export function createConnections(connect: Connect, limits: ConnectionLimits) {
  const { connectionsPerOriginMax, connectionsMax } = limits;
  const origins = new Map<string, Origin>();
  const open = new Set<Connection>();
  /** Those with requests that wait for nothing but the limit of all connections; served in turn. */
  const starving = new Set<Origin>();
  let idleCount = 0;

  function send(exchange: Exchange): void {
    const { destination, pool } = exchange.options;
    const key = `${destination.origin} ${pool}`;
    const origin = origins.get(key) ?? addOrigin(key);
    const idle = takeIdle(origin);
    if (idle) {
      idle.run(exchange);
      return;
    }
    origin.waiting.add(exchange);
    exchange.line = origin.line;
    if (origin.open < connectionsPerOriginMax) starving.add(origin);
    feed();
  }

  /** Opens connections for those that wait, as far as the limits go. */
  function feed(): void {
    for (const origin of starving) {
      if (open.size >= connectionsMax && !closeAnIdleOne()) return;
      starving.delete(origin);
      const exchange = takeWaiting(origin);
      if (!exchange) continue;
      openConnection(origin, exchange.options.destination).run(exchange);
      // To the end of the line: one origin with a thousand requests does not keep the others from theirs.
      if (origin.waiting.size > 0 && origin.open < connectionsPerOriginMax) starving.add(origin);
    }
  }

  function openConnection(origin: Origin, destination: Destination): Connection {
    const gone = new AbortController();
    let bornAt = performance.now();
    let requests = 0;
    let current: Exchange | null = null;
    const client = new Client(destination.origin, {
      // undici calls it again after it has lost the socket: the host is resolved and validated for each one.
      connect: (_options, done) => {
        bornAt = performance.now();
        requests = 0;
        connect(destination, gone.signal).then(
          (socket) => done(null, socket),
          (error) => done(error, null),
        );
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: 16_384,
      keepAliveTimeout: limits.idleMs,
      keepAliveMaxTimeout: 30_000,
      // The exchange has one deadline over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = {
      origin,
      run(exchange) {
        current = exchange;
        exchange.line = null;
        exchange.carrier = connection;
        client.dispatch(exchange.options.request, exchange);
      },
      started() {
        requests += 1;
      },
      isReused: () => requests > 1,
      finished() {
        current = null;
        const areOthersStarving = starving.size > (starving.has(origin) ? 1 : 0);
        if (areOthersStarving || performance.now() - bornAt > limits.ageMsMax) return connection.abandon();
        const next = takeWaiting(origin);
        if (next) connection.run(next);
        else putIdle(connection);
      },
      abandon() {
        current = null;
        close(connection);
        feed();
      },
      destroy() {
        gone.abort();
        client.destroy(new EgressError('closed'), ignored);
      },
      end: () => (current ? current.fail('closed') : connection.abandon()),
    };
    // Only without a running exchange: otherwise the exchange gets the error, or undici reconnects itself.
    client.on('disconnect', () => {
      if (!current) connection.abandon();
    });
    origin.open += 1;
    open.add(connection);
    return connection;
  }

  /** Ends a connection; its place is not given away yet. */
  function close(connection: Connection): void {
    if (!open.delete(connection)) return;
    const { origin } = connection;
    const place = origin.idle.indexOf(connection);
    if (place >= 0) {
      origin.idle.splice(place, 1);
      idleCount -= 1;
    }
    origin.open -= 1;
    if (origin.waiting.size > 0) starving.add(origin);
    forgetIfUnused(origin);
    connection.destroy();
  }

  function closeAnIdleOne(): boolean {
    if (idleCount === 0) return false;
    for (const { idle } of origins.values()) {
      const [oldest] = idle;
      if (!oldest) continue;
      close(oldest);
      return true;
    }
    return false;
  }

  function takeIdle(origin: Origin): Connection | undefined {
    const connection = origin.idle.pop();
    if (connection) idleCount -= 1;
    return connection;
  }

  function putIdle(connection: Connection): void {
    connection.origin.idle.push(connection);
    idleCount += 1;
  }

  function takeWaiting({ waiting }: Origin): Exchange | undefined {
    const [exchange] = waiting;
    if (exchange) waiting.delete(exchange);
    return exchange;
  }

  function addOrigin(key: string): Origin {
    const line: Line = {
      leave(exchange) {
        origin.waiting.delete(exchange);
        forgetIfUnused(origin);
      },
      isHeldUpByOthers: () => origin.open < connectionsPerOriginMax,
    };
    const origin: Origin = { key, idle: [], waiting: new Set(), line, open: 0 };
    origins.set(key, origin);
    return origin;
  }

  function forgetIfUnused(origin: Origin): void {
    if (origin.waiting.size > 0) return;
    starving.delete(origin);
    if (origin.open === 0) origins.delete(origin.key);
  }

  return {
    send,
    /** Ends everything that waits and everything that is open. */
    close(): void {
      for (const { waiting } of [...origins.values()]) for (const exchange of [...waiting]) exchange.fail('closed');
      for (const connection of [...open]) connection.end();
    },
  };
}
