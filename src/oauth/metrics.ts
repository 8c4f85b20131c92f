import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The documented families, by their exact names and labels. Source: docs/specification/operations.md#metrics. */
const counters = {
  oauth_flows_total: ['Authorization flows that ended, by provider and outcome.', ['provider', 'status']],
  oauth_token_refresh_total: ['Token refreshes, by outcome and its reason.', ['status', 'reason']],
  oauth_token_revocations_total: ['Sessions whose tokens were revoked, by reason.', ['reason']],
  oauth_pkce_validations_total: ['Validations of PKCE states, by outcome and its reason.', ['status', 'reason']],
  oauth_pkce_states_created_total: ['PKCE states created.', []],
  oauth_pkce_states_cleaned_total: ['Expired PKCE states removed, by trigger of the cleanup.', ['reason']],
  oauth_security_events_total: ['Security events, by type and severity.', ['event_type', 'severity']],
  oauth_integrity_violations_total: ['Stored data that failed its integrity check.', ['violation_type']],
  oauth_code_injection_attempts_total: ['Callbacks by another user than the one who started the flow.', []],
  oauth_discovery_attempts_total: ['Requests for OAuth metadata, by document and outcome.', ['method', 'status']],
  oauth_client_registrations_total: ['Dynamic client registrations, by outcome.', ['status']],
} as const;

const histograms = {
  oauth_flow_duration_seconds: [
    'Seconds from the authorization request to the end of the flow.',
    ['provider', 'status'],
  ],
  oauth_token_refresh_duration_seconds: ['Seconds of a token refresh.', ['status']],
  oauth_discovery_duration_seconds: ['Seconds of a request for OAuth metadata.', ['method', 'status']],
  oauth_client_registration_duration_seconds: ['Seconds of a dynamic client registration.', ['status']],
} as const;

/**
 * A flow takes as long as a person needs to consent; everything else is an exchange of at most some requests of 5 s. Few buckets, since
 * each is a series for each value of the labels.
 */
const flowSeconds = [5, 30, 120, 300];
const exchangeSeconds = [0.05, 0.25, 1, 2.5, 5];

/** How a flow ended. */
export const flowStatuses = [
  'success',
  'state_invalid',
  'state_expired',
  'integrity_violation',
  'user_mismatch',
  'access_denied',
  'code_exchange_failed',
] as const;
export type FlowStatus = (typeof flowStatuses)[number];

/** Why a state is not accepted. Source: docs/specification/oauth.md#callback-errors. */
export const stateErrors = ['state_invalid', 'state_expired', 'integrity_violation', 'user_mismatch'] as const;
export type StateError = (typeof stateErrors)[number];

/** How the linking of a GitHub account ended. */
export const linkStatuses = [...flowStatuses, 'already_linked'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** Why a refresh was made (success), or why it failed. */
export const refreshReasons = {
  success: ['request', 'expiring', 'unauthorized'],
  failure: [
    'no_refresh_token',
    'token_reuse',
    'provider_refused',
    'provider_unavailable',
    'response_invalid',
    'integrity',
  ],
} as const;
export type RefreshTrigger = (typeof refreshReasons.success)[number];
export type RefreshFailure = (typeof refreshReasons.failure)[number];

export const revocationReasons = ['user', 'replaced', 'token_reuse', 'provider_refused'] as const;
export type RevocationReason = (typeof revocationReasons)[number];

export const cleanupReasons = ['scheduled', 'on_demand'] as const;
export type CleanupReason = (typeof cleanupReasons)[number];

/** Objects whose integrity is checked: a state by its hash, or an encrypted column that does not open. */
export const violationTypes = ['state_hash', 'verifier', 'token', 'client_secret'] as const;
export type ViolationType = (typeof violationTypes)[number];

type Labelled<
  Families extends Record<string, readonly [string, readonly string[]]>,
  Kind extends 'counter' | 'histogram',
> = {
  readonly [Name in keyof Families]: Kind extends 'counter'
    ? Counter<Families[Name][1][number]>
    : Histogram<Families[Name][1][number]>;
};

export type OauthMetrics = Labelled<typeof counters, 'counter'> & Labelled<typeof histograms, 'histogram'>;

/** Registers the families, so that all of them are exposed from the first scrape. */
export function createOauthMetrics(registry: Registry): OauthMetrics {
  const registers = [registry];
  return Object.fromEntries([
    ...Object.entries(counters).map(([name, [help, labelNames]]) => [
      name,
      new Counter({ name, help, labelNames, registers }),
    ]),
    ...Object.entries(histograms).map(([name, [help, labelNames]]) => {
      const buckets = name === 'oauth_flow_duration_seconds' ? flowSeconds : exchangeSeconds;
      return [name, new Histogram({ name, help, labelNames, buckets, registers })];
    }),
  ]) as OauthMetrics;
}

/**
 * Registers the gauges that are read from the database at each scrape. All processes read the same database, so the highest value
 * is the value.
 */
export function registerOauthGauges(
  registry: Registry,
  counts: { activeTokens(): Promise<number>; activeStates(): Promise<number> },
): void {
  const gauge = (name: string, help: string, count: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'max',
      async collect() {
        // A scrape while the database is away shows the last value.
        await count().then(
          (value) => this.set(value),
          () => undefined,
        );
      },
    });
  gauge('oauth_active_tokens', 'Sessions with tokens in force.', counts.activeTokens);
  gauge('oauth_active_pkce_states', 'PKCE states that wait for their callback.', counts.activeStates);
}
