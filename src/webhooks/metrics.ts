import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** `lost`: the worker stopped before it recorded the outcome. `postponed`: the attempt was not made, for want of connections. */
type AttemptOutcome = 'succeeded' | 'failed' | 'lost' | 'postponed';

export interface WebhookMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly attemptSeconds: Histogram<'outcome'>;
  readonly inFlight: Gauge;
  readonly failedWebhooks: Counter;
}

/** What an operator sees of deliveries. Whose they are is no label: there is no end of them. */
export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const registers = [registry];
  return {
    attempts: new Counter({
      name: 'patchbay_webhook_attempts_total',
      help: 'Attempts to deliver an event, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'patchbay_webhook_attempt_duration_seconds',
      help: 'Seconds of an attempt to deliver an event, by outcome.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    inFlight: new Gauge({
      name: 'patchbay_webhook_attempts_in_flight',
      help: 'Attempts that wait for an answer.',
      registers,
    }),
    failedWebhooks: new Counter({
      name: 'patchbay_webhooks_failed_total',
      help: 'Webhooks that did not take an event in any attempt.',
      registers,
    }),
  };
}

/** Counts one attempt. */
export function countAttempt(
  { attempts, attemptSeconds }: WebhookMetrics,
  outcome: AttemptOutcome,
  milliseconds: number | null,
): void {
  attempts.inc({ outcome });
  if (milliseconds !== null) attemptSeconds.observe({ outcome }, milliseconds / 1_000);
}
