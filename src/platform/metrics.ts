import { type Counter, collectDefaultMetrics, Gauge, type Histogram, type Registry } from 'prom-client';
import { familiesIn } from './metric-families.ts';

/**
 * Metrics for operators. Labels have closed sets of values: routes, root fields, classes, codes; never values of a
 * client. Counters have a label for the route; histograms, which have a series for each bucket, only for the part of
 * the API.
 */
export interface Metrics {
  readonly registry: Registry;
  /** Requests, by the route's pattern (`unmatched` for none) and the class of the status, such as `2xx`. */
  readonly httpRequests: Counter<'method' | 'route' | 'status'>;
  readonly httpResponses: Counter<'status'>;
  /** Seconds of a request, by the part of the API. */
  readonly httpRequestSeconds: Histogram<'area'>;
  /**
   * Operations, by their first root field: `ok`, `refused` for an error of the client, `failed` for one of the
   * platform.
   */
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
 * @param options.registry Where other modules register theirs.
 * @param options.outboxSeconds Age of the oldest waiting event, read at each scrape; 0 for none.
 * @param options.outboxSetAside Number of events that were set aside, read at each scrape.
 * @param options.pool State of the statements' pool, read at each scrape.
 * @param options.bodyBytes Bytes of bodies and socket messages in memory, read at each scrape; left out in a worker.
 * @param options.redis The uses of Redis, and whether it works for each; left out without Redis.
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
    'Age of the oldest waiting event of the outbox; more than a few seconds means that no worker is running.',
    () => options.outboxSeconds(),
  );
  sharedGauge(
    'patchbay_outbox_set_aside_events',
    'Events of the outbox that were set aside after every attempt failed; the log names them. 0 in a healthy service.',
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
      help: 'Whether Redis works, by purpose; 0 means a degraded service.',
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
    rateLimitErrors: counter('patchbay_rate_limit_refusals_total', 'Operations rejected by a rate limit, by class.', [
      'class',
    ]),
    liveConnections: gauge('patchbay_live_connections', 'Open sockets and streams of events.', ['kind']),
  };
}
