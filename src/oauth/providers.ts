import type { OauthProviders } from '../platform/config.ts';
import type { ClientIdentity } from './exchanges/exchanges.ts';

/**
 * Issuers that are a value of the label `provider` of their own. The set is closed, because an issuer is chosen by users, and small,
 * because each value is 56 series: 7 outcomes, each a counter and a histogram.
 */
const providerByHost: Readonly<Record<string, string>> = {
  'github.com': 'github',
  'accounts.google.com': 'google',
  'login.microsoftonline.com': 'microsoft',
  'auth.atlassian.com': 'atlassian',
  'mcp.atlassian.com': 'atlassian',
};

/** The values of the label `provider` without those that the operator has named. */
export const providerLabels: readonly string[] = [...new Set(Object.values(providerByHost)), 'other'];

export type Providers = ReturnType<typeof createProviders>;

/** The authorization servers that the operator has named (OAUTH_PROVIDERS), and the names of others for the metrics. */
export function createProviders(settings: OauthProviders) {
  const byName = new Map(Object.entries(settings));

  /** A provider by its name; null for any other text. */
  const find = (name: string) => byName.get(name) ?? null;

  /** The operator's client at a provider. @returns Null where the setting no longer has the provider, or another issuer. */
  function clientOf(name: string, issuer: string, redirectUri: string): ClientIdentity | null {
    const provider = byName.get(name);
    if (provider?.issuer !== issuer) return null;
    return {
      kind: 'configured',
      issuer,
      clientId: provider.clientId,
      clientSecret: provider.clientSecret ?? null,
      authenticationMethod: provider.clientSecret === undefined ? 'none' : 'client_secret_basic',
      redirectUri,
      secretExpiresAt: null,
    };
  }

  /** The value of the label `provider`: of a bounded set, else `other`. */
  function labelOf(issuer: string): string {
    for (const [name, provider] of byName) if (provider.issuer === issuer) return name;
    const host = URL.canParse(issuer) ? new URL(issuer).hostname : '';
    return Object.hasOwn(providerByHost, host) ? (providerByHost[host] as string) : 'other';
  }

  return { find, clientOf, labelOf };
}
