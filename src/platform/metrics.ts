import { type Counter, collectDefaultMetrics, Gauge, type Histogram, type Registry } from 'prom-client';
import { familiesIn } from './metric-families.ts';

/**
 * What an operator watches. Labels are of closed sets: routes, root fields, classes, codes; never what a client chose. Counters
 * tell one route from another; a histogram, which is a series for each bucket, only the parts of the API.
 */
export interface Metrics {
  readonly registry: Registry;
  /** Requests, by the route's pattern (`unmatched` for none) and the class of the status, such as `2xx`. */
  readonly httpRequests: Counter<'method' | 'route' | 'status'>;
  readonly httpResponses: Counter<'status'>;
  /** Seconds of a request, by the part of the API. */
  readonly httpRequestSeconds: Histogram<'area'>;
  /** Operations, by their first root field: `ok`, `refused` for a mistake of the client, `failed` for one of ours. */
  readonly graphqlOperations: Counter<'type' | 'field' | 'outcome'>;
  /** Operations with errors, by the code of the first. */
  readonly graphqlErrors: Counter<'code'>;
  readonly graphqlOperationSeconds: Histogram<'type'>;
  /** Refusals for want of budget, by class. */
  readonly rateLimitErrors: Counter<'class'>;
  /** Sockets and event streams that are open. */
  readonly liveConnections: Gauge<'kind'>;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Fewer, because each is a series for every part of the API. */
const secondsOfRequests = [0.002, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5];

/**
 * @param options.registry Where others register theirs.
 * @param options.outboxSeconds How long the oldest event has been waiting to be told, asked at each scrape; 0 for none.
 * @param options.outboxSetAside How many events were set aside, asked at each scrape.
 * @param options.pool What the statements' pool looks like, asked at each scrape.
 * @param options.bodyBytes Bytes of bodies and socket messages in memory, asked at each scrape; left out in a worker.
 * @param options.redis What Redis is used for, and whether it works for that; left out where there is no Redis.
 */
export function createMetrics(options: {
  registry: Registry;
  pool(): { total: number; idle: number; waiting: number };
  outboxSeconds(): Promise<number>;
  outboxSetAside(): Promise<number>;
  bodyBytes?(): number;
  redis?: Readonly<Record<string, () => boolean>>;
}): Metrics {
  const { registry } = options;
  collectDefaultMetrics({ register: registry });
  const { counter, gauge, histogram, sharedGauge } = familiesIn(registry);
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
  sharedGauge(
    'patchbay_outbox_oldest_event_seconds',
    'How long the oldest event of the outbox has been waiting; over some seconds the workers are away.',
    () => options.outboxSeconds(),
  );
  sharedGauge(
    'patchbay_outbox_set_aside_events',
    'Events of the outbox that are no longer handed over because each try failed; the log names them. 0 in a healthy service.',
    () => options.outboxSetAside(),
  );
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
    httpRequests: counter(
      'patchbay_http_requests_total',
      'Requests, by route and class of status; 2xx are those below 400.',
      ['method', 'route', 'status'],
    ),
    httpResponses: counter('patchbay_http_responses_total', 'Responses, by status.', ['status']),
    httpRequestSeconds: histogram(
      'patchbay_http_request_duration_seconds',
      'Seconds from the headers of a request to the end of its response, by part of the API.',
      secondsOfRequests,
      ['area'],
    ),
    graphqlOperations: counter(
      'patchbay_graphql_operations_total',
      'Operations over all entry points, by first root field.',
      ['type', 'field', 'outcome'],
    ),
    graphqlErrors: counter('patchbay_graphql_errors_total', 'Operations with errors, by the code of the first.', [
      'code',
    ]),
    graphqlOperationSeconds: histogram(
      'patchbay_graphql_operation_duration_seconds',
      'Seconds that an operation ran, over all entry points.',
      seconds,
      ['type'],
    ),
    rateLimitErrors: counter('patchbay_rate_limit_refusals_total', 'Operations refused for want of budget, by class.', [
      'class',
    ]),
    liveConnections: gauge('patchbay_live_connections', 'Open sockets and streams of events.', ['kind']),
  };
}
