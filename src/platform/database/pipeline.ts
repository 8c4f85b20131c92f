import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { readConnectionsMax } from './connection-counts.ts';
import type { ReportFailure } from './outages.ts';
import { sendInPieces } from './send-in-pieces.ts';
import { endConnection, limitTime, type Statement, socketOf } from './statement.ts';

/** Pause after a failed connection. The pool serves in the meantime. */
const reconnectMs = 250;

/** Short reads side by side on few connections. Nothing connects before the first of them. */
export interface Pipeline {
  /** @returns null without a connection. Rejects with the error of pg. */
  query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> | null;
  close(): Promise<void>;
}

interface PipelineConnection {
  client: Client | null;
  isReady: boolean;
  isCorked: boolean;
  /** Of the monotonic clock, in milliseconds. */
  retryAt: number;
}

/**
 * Statements that do not wait for each other's results. Statements of one turn of the event loop leave in one write,
 * and their results arrive together: with many callers this is most of the cost of a short read in this process.
 *
 * A slow statement delays those behind it, so statements that may take long use the pool. So do writes: when a
 * connection is lost, it is unknown which of its statements ran.
 */
export function createPipeline(options: {
  settings: ClientConfig;
  /** Time for the response to a statement that does not say otherwise. */
  responseMs: number;
  report: ReportFailure;
  onConnect?: (client: Client) => void;
}): Pipeline {
  const { settings, responseMs, report, onConnect } = options;
  const connections = Array.from(
    { length: readConnectionsMax },
    (): PipelineConnection => ({ client: null, isReady: false, isCorked: false, retryAt: 0 }),
  );
  let turn = 0;
  let isOpen = true;

  function connect(connection: PipelineConnection): void {
    if (!isOpen || connection.client || performance.now() < connection.retryAt) return;
    const client = new Client({ ...settings, application_name: 'patchbay-reads', pipeline: true } as ClientConfig);
    connection.client = client;
    const lost = (error?: Error) => {
      if (connection.client !== client) return;
      Object.assign(connection, { client: null, isReady: false, retryAt: performance.now() + reconnectMs });
      if (error && isOpen) report(error, 'a database connection for reads was lost');
      client.end().catch(() => {});
    };
    client.on('error', lost);
    client.on('end', () => lost());
    // All that is sent behind a late statement would wait for it.
    limitTime(client, responseMs, () => endConnection(client));
    onConnect?.(client);
    client.connect().then(() => {
      sendInPieces(socketOf(client));
      if (connection.client === client) connection.isReady = true;
    }, lost);
  }

  /** Holds back writes until the end of this turn of the event loop. */
  function cork(connection: PipelineConnection, client: Client): void {
    if (connection.isCorked) return;
    const socket = socketOf(client);
    connection.isCorked = true;
    socket.cork();
    setImmediate(() => {
      connection.isCorked = false;
      socket.uncork();
    });
  }

  return {
    query<Row extends QueryResultRow>(statement: Statement) {
      turn = (turn + 1) % readConnectionsMax;
      const connection = connections[turn] as PipelineConnection;
      const { client, isReady } = connection;
      if (!client || !isReady) {
        connect(connection);
        return null;
      }
      cork(connection, client);
      return client.query<Row>(statement).then(({ rows }) => rows);
    },
    async close() {
      isOpen = false;
      await Promise.all(connections.map(({ client }) => client?.end().catch(() => {})));
    },
  };
}
