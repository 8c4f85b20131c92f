import type { Clock } from '../platform/clock.ts';
import type { CleanupReason, LinkStatus, OauthMetrics, StateError, ViolationType } from './metrics.ts';

/** Counts flows and their PKCE states: those of MCP servers and general sessions, and the linking of GitHub accounts. */
export interface FlowFigures {
  stateCreated(): void;
  /** A callback has brought a state back. @param error Null for one that passed the checks. */
  stateChecked(error: StateError | null): void;
  /** A stored state was changed, or its key is lost. */
  stateChanged(part: Extract<ViolationType, 'state_hash' | 'verifier'>): void;
  /** Another user came back than the one who had started the flow. */
  codeInjected(): void;
  statesCleaned(reason: CleanupReason, count: number): void;
  /**
   * @param flow.provider A value of a bounded set: `Providers.labelOf`, or `github`.
   * @param flow.createdAt When it was requested; null where that is unknown, which leaves its duration out.
   */
  flowEnded(flow: { provider: string; status: LinkStatus; createdAt: Date | null }): void;
}

export function createFlowFigures({ clock, metrics }: { clock: Clock; metrics: OauthMetrics }): FlowFigures {
  return {
    stateCreated: () => metrics.oauth_pkce_states_created_total.inc(),
    stateChecked: (error) =>
      metrics.oauth_pkce_validations_total.inc({ status: error ? 'failure' : 'success', reason: error ?? 'valid' }),
    stateChanged: (part) => metrics.oauth_integrity_violations_total.inc({ violation_type: part }),
    codeInjected: () => metrics.oauth_code_injection_attempts_total.inc(),
    statesCleaned(reason, count) {
      if (count > 0) metrics.oauth_pkce_states_cleaned_total.inc({ reason }, count);
    },
    flowEnded({ provider, status, createdAt }) {
      metrics.oauth_flows_total.inc({ provider, status });
      if (createdAt === null) return;
      const ms = Math.max(0, clock.now().getTime() - createdAt.getTime());
      metrics.oauth_flow_duration_seconds.observe({ provider, status }, ms / 1_000);
    },
  };
}
