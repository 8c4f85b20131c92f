import type { Egress } from '../../platform/egress/egress.ts';
import { clientCredentials } from './client-credentials.ts';
import { exchangeCodeWithProof } from './dpop.ts';
import { exchangeAssertion, exchangeIdentity } from './identity-assertion.ts';
import { createRequests, type RequestLimits } from './requests.ts';

type Bound<F> = F extends (requests: never, ...rest: infer R) => infer T ? (...rest: R) => T : never;

/** The exchanges of MCP's extensions of its authorization. */
export interface ExtensionExchanges {
  readonly clientCredentials: Bound<typeof clientCredentials>;
  readonly exchangeIdentity: Bound<typeof exchangeIdentity>;
  readonly exchangeAssertion: Bound<typeof exchangeAssertion>;
  readonly exchangeCodeWithProof: Bound<typeof exchangeCodeWithProof>;
}

export function createExtensionExchanges(
  options: { egress: Pick<Egress, 'validateUrl' | 'request' | 'stream'> } & RequestLimits,
): ExtensionExchanges {
  const requests = createRequests(options.egress, options);
  return {
    clientCredentials: (grant) => clientCredentials(requests, grant),
    exchangeIdentity: (exchange) => exchangeIdentity(requests, exchange),
    exchangeAssertion: (exchange) => exchangeAssertion(requests, exchange),
    exchangeCodeWithProof: (exchange, proofKey) => exchangeCodeWithProof(requests, exchange, proofKey),
  };
}
