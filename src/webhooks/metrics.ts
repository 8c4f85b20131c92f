import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { familiesIn } from '../platform/metric-families.ts';

/** `lost`: the worker stopped before it recorded the outcome. `postponed`: the attempt was not made, for want of connections. */
type AttemptOutcome = 'succeeded' | 'failed' | 'lost' | 'postponed';

export interface WebhookMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly attemptSeconds: Histogram<'outcome'>;
  readonly inFlight: Gauge;
  readonly failedWebhooks: Counter;
}

/** Metrics of deliveries. Owners are not labels, because their number is unbounded. */
export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const { counter, gauge, histogram } = familiesIn(registry);
  return {
    attempts: counter('patchbay_webhook_attempts_total', 'Attempts to deliver an event, by outcome.', ['outcome']),
    attemptSeconds: histogram(
      'patchbay_webhook_attempt_duration_seconds',
      'Seconds of an attempt to deliver an event, by outcome.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      ['outcome'],
    ),
    inFlight: gauge('patchbay_webhook_attempts_in_flight', 'Attempts that wait for a response.'),
    failedWebhooks: counter('patchbay_webhooks_failed_total', 'Webhooks that did not take an event in any attempt.'),
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
