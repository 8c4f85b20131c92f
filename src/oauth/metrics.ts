import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The documented families, by their exact names and labels. Source: spec.md, Internal OAuth and maintenance. */
const counters = {
  oauth_flows_total: ['Authorization flows ended.', ['provider', 'status']],
  oauth_token_refresh_total: ['Refreshes of tokens.', ['status', 'reason']],
  oauth_token_revocations_total: ['Tokens revoked.', ['reason']],
  oauth_pkce_validations_total: ['PKCE states judged.', ['status', 'reason']],
  oauth_pkce_states_created_total: ['PKCE states created.', []],
  oauth_pkce_states_cleaned_total: ['PKCE states cleaned up.', ['reason']],
  oauth_security_events_total: ['Security events.', ['event_type', 'severity']],
  oauth_integrity_violations_total: ['States whose integrity hash did not verify.', ['violation_type']],
  oauth_code_injection_attempts_total: ['Callbacks of another user than began the flow.', []],
  oauth_discovery_attempts_total: ['Discoveries of authorization servers.', ['method', 'status']],
  oauth_client_registrations_total: ['Dynamic registrations of clients.', ['status']],
} as const;

const histograms = {
  oauth_flow_duration_seconds: ['Seconds of an authorization flow.', ['provider', 'status']],
  oauth_token_refresh_duration_seconds: ['Seconds of a refresh.', ['status']],
  oauth_discovery_duration_seconds: ['Seconds of a discovery.', ['method', 'status']],
  oauth_client_registration_duration_seconds: ['Seconds of a registration.', ['status']],
} as const;

const gauges = {
  oauth_active_tokens: 'Tokens in force.',
  oauth_active_pkce_states: 'PKCE states that wait for their callback.',
} as const;

/** Registers the families, so that they are exposed from the first scrape. */
export function registerOauthMetrics(registry: Registry): void {
  const registers = [registry];
  for (const [name, [help, labelNames]] of Object.entries(counters)) new Counter({ name, help, labelNames, registers });
  for (const [name, [help, labelNames]] of Object.entries(histograms))
    new Histogram({ name, help, labelNames, registers });
  for (const [name, help] of Object.entries(gauges)) new Gauge({ name, help, registers });
}
