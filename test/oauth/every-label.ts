import { discoveryMethods, discoveryStatuses, registrationStatuses } from '../../src/oauth/exchanges/observations.ts';
import {
  cleanupReasons,
  flowStatuses,
  linkStatuses,
  type OauthMetrics,
  refreshReasons,
  revocationReasons,
  stateErrors,
  violationTypes,
} from '../../src/oauth/metrics.ts';
import { providerLabels } from '../../src/oauth/providers.ts';
import { securityEvents } from '../../src/oauth/security-events.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels with one value each. */
const each = (label: string, values: readonly string[]): Labels[] => values.map((value) => ({ [label]: value }));

/** Labels with every pair of their values. */
const pairs = (
  [one, other]: readonly [string, string],
  first: readonly string[],
  second: readonly string[],
): Labels[] => first.flatMap((value) => second.map((with_) => ({ [one]: value, [other]: with_ })));

const flows = (providers: readonly string[]) => [
  ...pairs(
    ['provider', 'status'],
    providers.filter((name) => name !== 'github'),
    flowStatuses,
  ),
  ...pairs(['provider', 'status'], ['github'], linkStatuses),
];

const refreshes = Object.entries(refreshReasons).flatMap(([status, reasons]) =>
  pairs(['status', 'reason'], [status], reasons),
);
const discoveries = pairs(['method', 'status'], discoveryMethods, discoveryStatuses);

/**
 * Every set of labels that a documented family can have, from the closed lists of the product.
 *
 * @param providers Of flows; those without a setting of the operator if left out.
 */
export const everyLabel = (providers = providerLabels): Readonly<Record<string, readonly Labels[]>> => ({
  oauth_flows_total: flows(providers),
  // Of a GitHub account whose state is unknown, nothing says when it was begun.
  oauth_flow_duration_seconds: flows(providers).filter(
    ({ provider, status }) => !(provider === 'github' && status === 'state_invalid'),
  ),
  oauth_token_refresh_total: refreshes,
  oauth_token_refresh_duration_seconds: each('status', Object.keys(refreshReasons)),
  oauth_token_revocations_total: each('reason', revocationReasons),
  oauth_active_tokens: [{}],
  oauth_pkce_validations_total: [
    { status: 'success', reason: 'valid' },
    ...pairs(['status', 'reason'], ['failure'], stateErrors),
  ],
  oauth_pkce_states_created_total: [{}],
  oauth_pkce_states_cleaned_total: each('reason', cleanupReasons),
  oauth_active_pkce_states: [{}],
  oauth_security_events_total: Object.entries(securityEvents).map(([event_type, severity]) => ({
    event_type,
    severity,
  })),
  oauth_integrity_violations_total: each('violation_type', violationTypes),
  oauth_code_injection_attempts_total: [{}],
  oauth_discovery_attempts_total: discoveries,
  oauth_discovery_duration_seconds: discoveries,
  oauth_client_registrations_total: each('status', registrationStatuses),
  oauth_client_registration_duration_seconds: each('status', registrationStatuses),
});

/** Gives every family every set of labels that it can have. */
export function countEverything(metrics: OauthMetrics): void {
  for (const [name, sets] of Object.entries(everyLabel())) {
    const metric = metrics[name as keyof OauthMetrics] as
      | { inc(labels: Labels): void; observe?(labels: Labels, seconds: number): void }
      | undefined;
    for (const labels of sets) metric?.observe ? metric.observe(labels, 0.1) : metric?.inc(labels);
  }
}
