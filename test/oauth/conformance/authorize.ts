import { readChallenge } from '../../../src/oauth/exchanges/challenge.ts';
import { importSigningKey, type SigningAlgorithm } from '../../../src/oauth/exchanges/client-credentials.ts';
import type { ProofKey } from '../../../src/oauth/exchanges/dpop.ts';
import type { ClientIdentity, Discovery, Exchanges, Tokens } from '../../../src/oauth/exchanges/exchanges.ts';
import { createExtensionExchanges, type ExtensionExchanges } from '../../../src/oauth/exchanges/extensions.ts';
import { createExchanges } from '../../../src/oauth/exchanges/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createEgress } from '../../../src/platform/egress/egress.ts';

/** What a scenario knows before it begins. */
export interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: SigningAlgorithm;
  readonly valid_jwt?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
}

export interface Session {
  readonly url: string;
  readonly context: Context;
  readonly proofKey: ProofKey;
  readonly exchanges: Exchanges;
  readonly extensions: ExtensionExchanges;
  readonly metadataDocumentUrl: string | null;
  registered: ClientIdentity | null;
}

export interface Grant {
  readonly tokens: Tokens;
  /** Whether the token is bound to the session's key. */
  readonly isBound: boolean;
}

/** EGRESS_ALLOW with every port of `localhost`: the suite's servers lie there. */
class EveryPortOfLocalhost extends Set<string> {
  override has(host: string): boolean {
    return host.startsWith('localhost:');
  }
}

/** The exchanges of one scenario, with a cache and connections of their own: the next one may have servers at the same ports. */
export function createScenarioExchanges() {
  const egress = createEgress({ isProduction: false, allow: { hosts: new EveryPortOfLocalhost(), ranges: [] } });
  return {
    exchanges: createExchanges({ egress }),
    extensions: createExtensionExchanges({ egress }),
    [Symbol.dispose]: () => egress.close(),
  };
}

const redirectUri = 'http://localhost:8765/callback';
/**
 * The client id metadata document that the client of a scenario has. The redirect URI is one of an installation without https, which has
 * no document and registers; the scenario of documents expects this URL.
 */
export const metadataDocumentOf = (scenario: string): string | null =>
  scenario === 'auth/basic-cimd' ? 'https://conformance-test.local/client-metadata.json' : null;

/** Gets tokens by the grant that the scenario gives credentials for; by consent where it gives none. */
export async function authorize(
  session: Session,
  challenge: string | null,
  granted: readonly string[],
): Promise<Grant> {
  const { url, context, exchanges, extensions } = session;
  const discovery = await exchanges.discoverServer({
    url,
    challenge,
    exceptions: { allowsOtherIssuer: false, omitsResource: false },
  });
  const { metadata, resource } = discovery;
  const scopes = discovery.scopes ?? [];
  const client = clientOf(discovery, context);
  if (context.valid_jwt) {
    const assertion = { metadata, client, assertion: context.valid_jwt, resource, scopes };
    return { tokens: await extensions.exchangeAssertion(assertion), isBound: false };
  }
  if (context.idp_id_token) {
    const assertion = await extensions.exchangeIdentity({
      identityProvider: { issuer: context.idp_issuer as string, token_endpoint: context.idp_token_endpoint as string },
      client: {
        ...client,
        clientId: context.idp_client_id as string,
        authenticationMethod: 'none',
        clientSecret: null,
      },
      idToken: context.idp_id_token,
      audience: discovery.issuer,
      resource: resource as string,
      scopes,
    });
    const exchange = { metadata, client, assertion, resource, scopes };
    return { tokens: await extensions.exchangeAssertion(exchange), isBound: false };
  }
  if (metadata.grant_types_supported?.join() === 'client_credentials') {
    const { private_key_pem: pem, signing_algorithm: algorithm = 'ES256' } = context;
    const signingKey = pem ? await importSigningKey(pem, algorithm) : undefined;
    const exchange = { metadata, client, resource, scopes, ...(signingKey && { signingKey }) };
    return { tokens: await extensions.clientCredentials(exchange), isBound: false };
  }
  return consent(session, discovery, granted, readChallenge(challenge)?.scheme === 'dpop');
}

/** The code flow; the suite's authorization server consents by itself. */
async function consent(session: Session, discovery: Discovery, grantedScopes: readonly string[], isBound: boolean) {
  const { context, proofKey, exchanges, extensions, metadataDocumentUrl } = session;
  const client = await exchanges.identify(discovery, {
    configured: context.issuer ? clientOf({ ...discovery, issuer: context.issuer }, context) : null,
    metadataDocumentUrl,
    registered: session.registered,
    redirectUri,
    now: systemClock.now(),
  });
  if (client.kind === 'registered') session.registered = client;
  const { metadata, resource } = discovery;
  const request = await exchanges.authorizationRequest({ discovery, client, redirectUri, scopes: null, grantedScopes });
  const { headers } = await fetch(request.url, { redirect: 'manual' });
  const { searchParams } = new URL(headers.get('location') as string);
  if (searchParams.get('state') !== request.state) throw new Error('the state is another');
  const response = { code: searchParams.get('code'), error: searchParams.get('error'), iss: searchParams.get('iss') };
  const outcome = exchanges.readResponse(metadata, response);
  if ('error' in outcome) throw new Error(outcome.error);
  const { verifier, scopes } = request;
  const exchange = { metadata, client, code: outcome.code, verifier, redirectUri, resource, scopes };
  const tokens = isBound
    ? await extensions.exchangeCodeWithProof(exchange, proofKey)
    : await exchanges.exchangeCode(exchange);
  return { tokens, isBound };
}

/** The client that a scenario has configured. */
const clientOf = ({ issuer }: Pick<Discovery, 'issuer'>, context: Context): ClientIdentity => ({
  kind: 'configured',
  issuer,
  clientId: context.client_id ?? '',
  clientSecret: context.client_secret ?? null,
  authenticationMethod: context.client_secret ? 'client_secret_basic' : 'none',
  redirectUri,
  secretExpiresAt: null,
});
