import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { readConnectionsMax } from './connection-counts.ts';
import type { ReportFailure } from './outages.ts';
import type { Statement } from './statement.ts';

/** After a connection could not be made. Meanwhile the pool serves, as it does until one is there. */
const reconnectMs = 250;

/** Short reads side by side on few connections. Nothing connects before the first of them. */
export interface Pipeline {
  /** @returns null when there is no connection now. Rejects with what pg says. */
  query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> | null;
  close(): Promise<void>;
}

interface Lane {
  client: Client | null;
  isReady: boolean;
  isCorked: boolean;
  /** Of the monotonic clock, in milliseconds. */
  retryAt: number;
}

/**
 * Statements that do not wait for one another's answers. What is asked in one turn of the event loop leaves in one write,
 * and the answers arrive together: with many callers that is the greater part of what a short read costs this process.
 *
 * A slow statement holds up what was sent behind it, so what may take long belongs to the pool, and so does what changes
 * anything: when a connection is lost, nobody knows which of the statements on it ran.
 */
export function createPipeline(options: {
  settings: ClientConfig;
  report: ReportFailure;
  onConnect?: (client: Client) => void;
}): Pipeline {
  const { settings, report, onConnect } = options;
  const lanes = Array.from(
    { length: readConnectionsMax },
    (): Lane => ({ client: null, isReady: false, isCorked: false, retryAt: 0 }),
  );
  let turn = 0;
  let isOpen = true;

  function connect(lane: Lane): void {
    if (!isOpen || lane.client || performance.now() < lane.retryAt) return;
    const client = new Client({ ...settings, application_name: 'patchbay-reads', pipeline: true } as ClientConfig);
    lane.client = client;
    const lost = (error?: Error) => {
      if (lane.client !== client) return;
      Object.assign(lane, { client: null, isReady: false, retryAt: performance.now() + reconnectMs });
      if (error && isOpen) report(error, 'a database connection for reads was lost');
      client.end().catch(() => {});
    };
    client.on('error', lost);
    client.on('end', () => lost());
    onConnect?.(client);
    client.connect().then(() => {
      if (lane.client === client) lane.isReady = true;
    }, lost);
  }

  /** Holds back what is written until this turn of the event loop is over. */
  function cork(lane: Lane, client: Client): void {
    if (lane.isCorked) return;
    const { stream } = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
    lane.isCorked = true;
    stream.cork();
    setImmediate(() => {
      lane.isCorked = false;
      stream.uncork();
    });
  }

  return {
    query<Row extends QueryResultRow>(statement: Statement) {
      turn = (turn + 1) % readConnectionsMax;
      const lane = lanes[turn] as Lane;
      const { client, isReady } = lane;
      if (!client || !isReady) {
        connect(lane);
        return null;
      }
      cork(lane, client);
      return client.query<Row>(statement).then(({ rows }) => rows);
    },
    async close() {
      isOpen = false;
      await Promise.all(lanes.map(({ client }) => client?.end().catch(() => {})));
    },
  };
}
