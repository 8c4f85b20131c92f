import type { AgentPods } from '../../../platform/settings/agent-json-settings.ts';

/** The operator's settings for the objects of all agents. Source: README.md#settings, AGENT_…. */
export interface ManifestSettings {
  readonly namespace: string;
  readonly installation: string;
  readonly ingressClass: string;
  /** Where the ingress controller's pods are. */
  readonly ingressNamespace: string;
  /** The ClusterIssuer of the certificates; undefined for none. */
  readonly certIssuer: string | undefined;
  /** Destinations that agents may reach beside DNS and public addresses on 443. */
  readonly egress: readonly { readonly cidr: string; readonly port: number }[];
  /** Where agents reach the platform inside the cluster; undefined where they reach it from outside. */
  readonly platform?: { readonly namespace: string; readonly port: number } | undefined;
  /** Additions to the pods of all agents. */
  readonly pods: AgentPods;
  /** Seconds after which a rollout without progress has failed. */
  readonly progressDeadlineSeconds: number;
}
