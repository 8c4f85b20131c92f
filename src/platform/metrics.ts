import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';

/** What an operator watches. Labels are of closed sets: routes, root fields, classes, codes; never what a client chose. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds of a request, by the route's pattern (`unmatched` for none) and status. */
  readonly httpRequestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** Seconds of an operation, by its first root field and `ok` or the code of its first error. */
  readonly graphqlOperationSeconds: Histogram<'type' | 'field' | 'outcome'>;
  /** Refusals for want of budget, by class. */
  readonly rateLimitRefusals: Counter<'class'>;
  /** Sockets and event streams that are open. */
  readonly liveConnections: Gauge<'kind'>;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * @param options.registry Where others register theirs.
 * @param options.outboxSeconds How long the oldest event has been waiting to be told, asked at each scrape; 0 for none.
 * @param options.pool What the statements' pool looks like, asked at each scrape.
 * @param options.bodyBytes Bytes of bodies and socket messages in memory, asked at each scrape; left out in a worker.
 * @param options.redis What Redis is used for, and whether it works for that; left out where there is no Redis.
 */
export function createMetrics(options: {
  registry: Registry;
  pool(): { total: number; idle: number; waiting: number };
  outboxSeconds(): Promise<number>;
  bodyBytes?(): number;
  redis?: Readonly<Record<string, () => boolean>>;
}): Metrics {
  const { registry } = options;
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'patchbay_database_connections',
    help: 'Connections of the pool of statements, by state; waiting are the requests for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(options.pool())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'patchbay_outbox_oldest_event_seconds',
    help: 'How long the oldest event of the outbox has been waiting; over some seconds the workers are away.',
    registers,
    aggregator: 'max',
    async collect() {
      // Without a database there are other signs.
      this.set(await options.outboxSeconds().catch(() => Number.NaN));
    },
  });
  const { redis, bodyBytes } = options;
  if (bodyBytes) {
    new Gauge({
      name: 'patchbay_body_bytes_in_flight',
      help: 'Bytes of bodies and socket messages in memory, from their arrival to the end of the response.',
      registers,
      collect() {
        this.set(bodyBytes());
      },
    });
  }
  if (redis) {
    new Gauge({
      name: 'patchbay_redis_up',
      help: 'Whether Redis works for what it is used for; 0 is a degraded service.',
      labelNames: ['use'],
      registers,
      // Of several processes the one that is worst off.
      aggregator: 'min',
      collect() {
        for (const [use, isUp] of Object.entries(redis)) this.set({ use }, isUp() ? 1 : 0);
      },
    });
  }
  return {
    registry,
    httpRequestSeconds: new Histogram({
      name: 'patchbay_http_request_duration_seconds',
      help: 'Seconds from the headers of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers,
    }),
    graphqlOperationSeconds: new Histogram({
      name: 'patchbay_graphql_operation_duration_seconds',
      help: 'Seconds that an operation of the graph ran, over whichever door it came.',
      labelNames: ['type', 'field', 'outcome'],
      buckets: seconds,
      registers,
    }),
    rateLimitRefusals: new Counter({
      name: 'patchbay_rate_limit_refusals_total',
      help: 'Operations refused for want of budget, by class.',
      labelNames: ['class'],
      registers,
    }),
    liveConnections: new Gauge({
      name: 'patchbay_live_connections',
      help: 'Open sockets and streams of events.',
      labelNames: ['kind'],
      registers,
    }),
  };
}
