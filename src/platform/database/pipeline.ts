import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { readConnectionsMax } from './connection-counts.ts';
import type { ReportFailure } from './outages.ts';
import { limitTime, type Statement } from './statement.ts';

/** Pause after a failed connection. The pool serves in the meantime. */
const reconnectMs = 250;

/** Short reads side by side on few connections. Nothing connects before the first of them. */
export interface Pipeline {
  /** @returns null without a connection. Rejects with the error of pg. */
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
 * Statements that do not wait for each other's results. Statements of one turn of the event loop leave in one write,
 * and their results arrive together: with many callers this is most of the cost of a short read in this process.
 *
 * A slow statement delays those behind it, so statements that may take long use the pool. So do writes: when a
 * connection is lost, it is unknown which of its statements ran.
 */
export function createPipeline(options: {
  settings: ClientConfig;
  /** Time for the response to a statement that does not say otherwise. */
  answerMs: number;
  report: ReportFailure;
  onConnect?: (client: Client) => void;
}): Pipeline {
  const { settings, answerMs, report, onConnect } = options;
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
    limitTime(client, answerMs);
    onConnect?.(client);
    client.connect().then(() => {
      if (lane.client === client) lane.isReady = true;
    }, lost);
  }

  /** Holds back writes until the end of this turn of the event loop. */
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
